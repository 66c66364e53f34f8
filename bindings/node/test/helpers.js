'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, beforeEach } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const v8 = require('node:v8');
const vm = require('node:vm');
const { liveObjects } = require('../index.js');

const root = path.join(__dirname, '..');
const project = path.join(root, '..', '..');

/** A folder of this test, removed at its end. */
function folder(t) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'plotengine-'));
  t.after(() => fs.rmSync(place, { recursive: true, force: true }));
  return place;
}

/** Runs a script in a process of its own, with this runtime. It requires from `cwd`, and has its arguments from process.argv[1] on. */
function node(script, { flags = [], env = {}, args = [], cwd = root } = {}) {
  const options = { encoding: 'utf8', cwd, env: { ...process.env, NODE_TEST_CONTEXT: '', ...env } };
  if (!process.versions.deno) return spawnSync(process.execPath, [...flags, '-e', script, '--', ...args], options);
  // Deno takes neither arguments nor import() in an evaluated script.
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'plotengine-script-'));
  const file = path.join(place, 'script.cjs');
  fs.writeFileSync(file, `process.argv.splice(1, 1); (function (require) {${script}\n})(require('node:module').createRequire(process.cwd() + '/'));`);
  try {
    return spawnSync(process.execPath, ['run', '-A', ...flags.map((flag) => `--v8-flags=${flag}`), file, ...args], options);
  } finally {
    fs.rmSync(place, { recursive: true });
  }
}

/** Waits until something holds; a failing one is told from a slow machine after ten seconds. */
async function until(condition) {
  for (const end = Date.now() + 10_000; !condition();) {
    if (Date.now() > end) throw new Error(`waited ten seconds for ${condition}`);
    await sleep(5);
  }
}

/** Whether a batch needs no answer any more. */
function answered(engine, token = 1) {
  try {
    engine.getBatch(token);
    return false;
  } catch (error) {
    return error.code === 'PLOT_ALREADY_ANSWERED';
  }
}

/** Collects garbage now, whatever flags the process has. */
function collect() {
  if (process.versions.bun) {
    globalThis.Bun.gc(true);
    return;
  }
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}

// Every test ends with no object of the library alive, once what it has registered with `t.after` has run. Scripts that tests run have none.
if (require.main?.filename.endsWith('.test.js')) {
  const nothingIsLeft = async () => {
    for (let turn = 0; turn < 200 && liveObjects() > 0; turn++) {
      collect();
      await sleep(2);
    }
    assert.strictEqual(liveObjects(), 0, 'objects that the test before has left');
  };
  beforeEach(nothingIsLeft);
  after(nothingIsLeft);
}

const START = Date.parse('2026-05-16T10:00:00Z');
const MINUTE = 60_000;

/** A configuration that takes every fix as exact, and enters where the first one is inside. */
const config = (engine = {}, more = {}) => ({ publicToken: 'TEST000000000000', ...more, engine: { noise: 'exact', initial: 'enter', ...engine } });

const MUSEUM = { id: 'museum', type: 'geofence', name: 'Museum', latitude: 52.36, longitude: 4.885, radius: 100 };
const FAR = { latitude: 52.4, longitude: 4.9 };
const AT_MUSEUM = { latitude: 52.36, longitude: 4.885 };

/** A feed with one region and one notification, changed as the test likes. */
function feed(campaign = {}, ...others) {
  return {
    version: 1,
    regions: [MUSEUM],
    campaigns: [{ id: 'welcome', type: 'notification', message: 'Welcome at {{name}}', data: 'https://example.org/', regions: ['museum'], ...campaign }, ...others],
  };
}

const GEOTRIGGER = { id: 'seen', type: 'geotrigger', name: 'Seen', data: 'pass', regions: ['museum'] };

module.exports = { until, answered, collect, root, project, folder, node, START, MINUTE, config, feed, MUSEUM, FAR, AT_MUSEUM, GEOTRIGGER };
