'use strict';
// Checks that need a process of their own: memory, its end, workers, the loader.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { node, folder, root } = require('./helpers.js');
const { libraryPath, ffi } = require('../index.js');

const prelude = `
  const { Engine, Config, Feed, liveObjects } = require('./index.js');
  const { config, feed, START, MINUTE, FAR, AT_MUSEUM, GEOTRIGGER } = require('./test/helpers.js');
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

// A quarter of them in `make test`, which runs this on six runtimes.
const engines = process.env.PLOT_LONG ? 10_000 : 2500;

test('forgotten engines: no object is left, memory is flat', () => {
  const result = node(`${prelude}
    const doc = feed({ trigger: 'dwelling', dwellingMinutes: 5 }, GEOTRIGGER);
    async function round(count) {
      for (let i = 0; i < count; i++) {
        const engine = new Engine({ timers: true, onFilter: (items) => { engine.visits(); return items; }, onShow: () => { engine.isEnabled(); }, onRemove: () => { engine.visits(); } });
        engine.setStrategy('a', { createNewNotification: () => { engine.visits(); }, save: () => 'x' });
        engine.setStrategy('a', { onNotificationCreated: () => { engine.visits(); } });
        engine.setStrategy('b', { load: () => { engine.removeStrategy('b'); } });
        engine.on('event', () => engine.visits());
        engine.init(i % 2 ? config() : Config.parse(config()), { time: START });
        engine.setFeed(i % 2 ? doc : Feed.parse(doc), START);
        engine.updateLocation({ ...AT_MUSEUM, time: START });
        engine.updateLocation({ ...FAR, time: START + MINUTE });
        if (i % 3 === 0) engine.close();
        if (i % 100 === 99) { gc(); await sleep(0); }
      }
      for (let i = 0; i < 100 && liveObjects() > 0; i++) { gc(); await sleep(2); }
    }
    (async () => {
      await round(${engines / 5});
      const before = process.memoryUsage().rss;
      await round(${engines * 4 / 5});
      console.log(JSON.stringify({ live: liveObjects(), grown: Math.round((process.memoryUsage().rss - before) / 1024) }));
    })();`, { flags: ['--expose-gc'] });
  assert.strictEqual(result.stderr, '');
  const { live, grown } = JSON.parse(result.stdout);
  console.log(`# ${engines} engines: ${live} objects alive, resident memory grew by ${grown} KiB over the last four fifths`);
  // JavaScriptCore keeps what an old word of the stack may point to.
  assert.ok(live <= (process.versions.bun ? 2 : 0), `${live} objects`);
  assert.ok(grown < 16 * 1024, `resident memory grew by ${grown} KiB`);
});

test('the process ends by itself with an engine left open, and its store is closed', (t) => {
  const store = path.join(folder(t), 'plot.db');
  const script = `${prelude}
    const engine = new Engine({ onFilter: () => new Promise(() => {}) });
    engine.init(config(), { store: process.argv[1] });
    engine.setFeed(feed({}, { id: 'stay', type: 'notification', message: 'x', trigger: 'dwelling', dwellingMinutes: 5, regions: ['museum'] }));
    engine.updateLocation(AT_MUSEUM);
    globalThis.kept = engine;
    console.log(engine.nextWakeup() !== null, engine.visits().length);`;
  for (const visits of [1, 1]) {
    const result = node(script, { args: [store] });
    assert.strictEqual(result.stderr, '');
    assert.strictEqual(result.status, 0);
    assert.strictEqual(result.stdout, `true ${visits}\n`);
  }
  assert.ok(!fs.existsSync(`${store}-wal`), 'the store was closed in order');
});

test('process.exit inside a callback', () => {
  const result = node(`${prelude}
    const engine = new Engine({ onShow: () => process.exit(7) });
    engine.init(config(), { time: START });
    engine.setFeed(feed(), START);
    engine.updateLocation({ ...AT_MUSEUM, time: START });`);
  assert.strictEqual(result.status, 7, result.stderr);
});

// process.exit there ends the thread in the middle of a call of the library, for which some runtimes end the process.
test('process.exit inside a callback of a worker thread ends the thread alone', () => {
  const result = node(`
    const { Worker } = require('node:worker_threads');
    const body = \`
      ${prelude.replaceAll("'./", "process.cwd() + '/")}
      const { parentPort } = require('node:worker_threads');
      const engine = new Engine({ onShow: () => { inner.displayedNotifications(); process.exit(7); } });
      const inner = new Engine();
      for (const one of [engine, inner]) one.init(config(), { time: START });
      engine.setFeed(feed(), START);
      engine.updateLocation({ ...AT_MUSEUM, time: START });
      parentPort.postMessage('went on');\`;
    new Worker(body, { eval: true }).on('message', console.log).on('exit', (code) => console.log('exit', code, require('./index.js').liveObjects()));`);
  assert.strictEqual(result.stdout, 'exit 7 0\n', result.stderr);
  assert.strictEqual(result.status, 0);
});

test('an exception of a filter nobody awaits is not swallowed', () => {
  const result = node(`${prelude}
    const engine = new Engine({ onFilter: async () => { throw new Error('lost?'); } });
    engine.init(config(), { time: START });
    engine.setFeed(feed(), START);
    engine.updateLocation({ ...AT_MUSEUM, time: START });`);
  assert.strictEqual(result.status, 1);
  assert.match(result.stderr, /lost\?/);
});

test('worker threads have engines of their own', () => {
  const result = node(`
    const { Worker } = require('node:worker_threads');
    const body = \`
      ${prelude.replaceAll("'./", "process.cwd() + '/")}
      const shown = [];
      const engine = new Engine({ onShow: (item) => { shown.push(item.message); } });
      engine.init(config(), { time: START });
      engine.setFeed(feed(), START);
      engine.updateLocation({ ...AT_MUSEUM, time: START });
      require('node:worker_threads').parentPort.postMessage(shown);\`;
    let [shows, exits] = [0, 0];
    for (let i = 0; i < 4; i++) new Worker(body, { eval: true }).on('message', (shown) => { if (shown[0] === 'Welcome at Museum') shows++; })
      .on('exit', () => { if (++exits === 4) console.log(shows, require('./index.js').liveObjects()); });`);
  assert.strictEqual(result.stdout, '4 0\n', result.stderr);
});

// Deno reads a package as such only where it is installed, as in the test of the tarball.
test('ESM and CommonJS are the same module', { skip: Boolean(process.versions.deno) }, () => {
  const result = node(`
    const cjs = require('./index.js');
    Promise.all(['', 'cordova/', 'titanium/', 'react-native/'].map((part) => import(process.cwd() + '/' + part + 'index.mjs'))).then(([esm, cordova, titanium, rn]) => {
      console.log(Object.keys(cjs).every((name) => esm[name] === cjs[name]), esm.default === cjs, typeof cordova.createPlot, typeof titanium.createTitanium, typeof rn.createPlotProjects);
    });`);
  assert.strictEqual(result.stdout, 'true true function function function\n', result.stderr);
});

test('the loader: the environment first, every path it tried when none is there', (t) => {
  const place = folder(t);
  const copy = path.join(place, 'libplotengine.so.0');
  fs.copyFileSync(libraryPath, copy);
  const print = 'console.log(require("./index.js").libraryPath)';
  const jansson = process.env.LD_LIBRARY_PATH ?? '';
  const env = { PLOTENGINE_LIBRARY: copy, LD_LIBRARY_PATH: `${path.dirname(libraryPath)}:${jansson}` };
  assert.strictEqual(node(print, { env }).stdout, `${copy}\n`);
  assert.match(node(print, { env: { PLOTENGINE_LIBRARY: '/nowhere/x.so' } }).stderr, /could not be opened[^]*\/nowhere\/x\.so: not there/);
  fs.writeFileSync(copy, 'not a library');
  assert.match(node(print, { env }).stderr, /libplotengine\.so\.0: dlopen failed: .*(too short|invalid ELF)/);
  // A package with nothing in it
  const bare = path.join(place, 'a', 'b', 'package');
  fs.mkdirSync(bare, { recursive: true });
  for (const part of ['index.js', 'lib', 'shim', 'package.json']) fs.cpSync(path.join(root, part), path.join(bare, part), { recursive: true });
  const none = node('require("./index.js")', { cwd: bare, env: { PLOTENGINE_LIBRARY: '' } });
  assert.match(none.stderr, ffi === 'shim' ? /has no node:ffi, and the shim[^]*build\.js[^]*shim\.node: not there/ : /could not be opened/);
  assert.match(node(print, { env: { PLOTENGINE_FFI: 'magic' } }).stderr, /expected "builtin" or "shim"/);
});
