'use strict';
// The tarball, installed in an empty folder with no registry, no compiler and no source tree. PLOTENGINE_TARBALL names it.

const { test, before, after } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

// The variable that chooses the FFI of the runtime, where the run does.
const { NODE_OPTIONS, PLOTENGINE_FFI, ...plain } = process.env;
const chosen = NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS, PLOTENGINE_FFI };
const { PLOTENGINE_TARBALL: tarball, PLOTENGINE_DENO: deno, PLOTENGINE_BUN: bun, PLOTENGINE_TYPES: types, PLOTENGINE_NPM: npm, PYTHON: python = 'python3' } = process.env;
const project = path.join(__dirname, '..', '..', '..', '..');
const demo = path.join(project, 'demo');
let place;
let installed;
let output;

/** Runs a program in the folder, with a PATH that has node and a shell and nothing else. */
function run(command, args, { env = {}, status = 0 } = {}) {
  const result = spawnSync(command, args, { cwd: place, encoding: 'utf8', env: { HOME: place, PATH: path.join(place, 'bin'), ...(command === deno || command === bun ? {} : chosen), ...env } });
  assert.strictEqual(result.status, status, `${command} ${args.join(' ')}\n${result.stdout}${result.stderr}${result.error ?? ''}`);
  return result.stdout;
}
const node = (...args) => run(process.execPath, args);

before(() => {
  assert.ok(tarball && fs.existsSync(tarball), 'PLOTENGINE_TARBALL names no file');
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'plotengine-package-'));
  fs.mkdirSync(path.join(place, 'bin'));
  for (const [name, target] of [['node', process.execPath], ['sh', '/bin/sh']]) fs.symlinkSync(target, path.join(place, 'bin', name));
  fs.mkdirSync(path.join(place, 'app'));
  output = run(process.execPath, [npm, 'install', '--prefix', 'app', '--offline', '--no-audit', '--no-fund', '--foreground-scripts', tarball]);
  place = path.join(place, 'app');
  fs.renameSync(path.join(place, '..', 'bin'), path.join(place, 'bin'));
  installed = path.join(place, 'node_modules', 'plotengine');
});
after(() => { if (place) fs.rmSync(path.dirname(place), { recursive: true, force: true }); });

const MAIN = `
const START = 1700000000000;
const feed = { version: 1, regions: [{ id: 'm', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 100 }],
  campaigns: [{ id: 'w', type: 'notification', message: 'Welcome', regions: ['m'] }] };
const config = { publicToken: 'x', engine: { noise: 'exact', initial: 'enter' } };
const engine = new Engine({ onFilter: async (items) => items, onShow: (item) => { console.log(item.message); } });
engine.init(config, { time: START, store: 'plot.db' });
engine.setFeed(feed, START);
engine.updateLocation({ latitude: 52.36, longitude: 4.885, time: START });
setTimeout(() => {
  try { engine.updateLocation({ latitude: 0, longitude: 0, time: START - 1 }); } catch (error) { console.log(error.code); }
  const thrown = new Error('thrown');
  engine.onEvent = () => { throw thrown; };
  try { engine.updateLocation({ latitude: 0, longitude: 0, time: START + 1 }); } catch (error) { console.log(error === thrown); }
  engine.close();
  const { plot, device } = createPlot({ config, feed });
  plot.init(null, () => plot.getVersion((v) => { console.log(v === version, liveObjects()); device.close(); console.log(liveObjects()); }));
}, 20);
console.log(ffi, libraryPath);
`;
const CJS = `const { Engine, ffi, libraryPath, liveObjects, version } = require('plotengine');\nconst { createPlot } = require('plotengine/cordova');\nrequire('plotengine/sync').Sync.name;\n${MAIN}`;
const ESM = `import { Engine, ffi, libraryPath, liveObjects, version } from 'plotengine';\nimport { createPlot } from 'plotengine/cordova';\nimport { Sync } from 'plotengine/sync';\nSync.name;\n${MAIN}`;
const expected = (left = '0') => new RegExp(`^(shim|builtin) ${path.join(installed, 'prebuilds/linux-x64-glibc/libplotengine.so.0')}\nWelcome\nPLOT_OUT_OF_ORDER\ntrue\ntrue \\d+\n${left}\n$`);

test('nothing is compiled where the prebuilt serves', () => {
  assert.match(output, /nothing to compile/);
});

test('CommonJS and ESM', () => {
  for (const [name, source] of [['main.cjs', CJS], ['main.mjs', ESM]]) {
    fs.writeFileSync(path.join(place, name), source);
    fs.rmSync(path.join(place, 'plot.db'), { force: true });
    assert.match(node(name), expected());
  }
});

test('the runner of the test vectors', () => {
  const folder = path.join(place, 'vectors');
  fs.mkdirSync(folder);
  const vectors = path.join(project, 'Tests', 'vectors');
  for (const ending of ['.json', '.effects.jsonl']) fs.copyFileSync(path.join(vectors, 'presence', `enter-and-exit${ending}`), path.join(folder, `enter-and-exit${ending}`));
  const runner = path.join(place, 'node_modules', '.bin', 'plotengine-vectors');
  // As a shell starts it: by its first line.
  const said = run('sh', ['-c', `"${runner}" vectors`], { env: { PATH: `${path.join(place, 'bin')}:/usr/bin` } });
  assert.match(said, /\n1 passed, 0 failed\n$/);
});

test('the libraries it brings are the ones it uses', () => {
  const maps = node('-e', 'require("plotengine"); console.log(require("node:fs").readFileSync("/proc/self/maps", "utf8"))');
  for (const name of ['libplotengine.so.0', 'libjansson.so.4', 'libsqlite3.so.0']) {
    const used = [...new Set(maps.match(new RegExp(`/\\S*${name.replaceAll('.', '\\.')}\\S*`, 'g')))];
    assert.deepStrictEqual(used, [path.join(installed, 'prebuilds/linux-x64-glibc', name)]);
  }
});

test('the samples run from the package, and an example beside it', () => {
  assert.match(node(path.join(installed, 'samples/titanium/app.js')), /On the screen: TestMessage/);
  assert.match(node(path.join(installed, 'samples/cordova/run.js')), /Alert: http:\/\/www\.example\.com/);
  const files = [path.join(demo, 'walk.gpx'), '--config', path.join(demo, 'plotconfig.json'), '--feed', path.join(demo, 'feed.json')];
  fs.copyFileSync(path.join(demo, '..', 'examples', 'console-phone', 'console_phone.js'), path.join(place, 'console_phone.js'));
  assert.match(node('console_phone.js', ...files), /\d+ notifications\n$/);
});

test('its pages, schemas and examples are there, and no link is dead', () => {
  const script = path.join(project, 'Tests', 'packages', 'check_package_pages.py');
  // Nothing is beside the files that npm shows of a package.
  const result = spawnSync(python, [script, installed, '--index', path.join(installed, 'README.md')], { encoding: 'utf8' });
  assert.strictEqual(result.status, 0, `${result.stdout}${result.stderr}${result.error ?? ''}`);
  assert.deepStrictEqual(fs.readFileSync(path.join(installed, 'README.md')), fs.readFileSync(path.join(__dirname, '..', '..', 'README.md')));
});

test('it says what is missing, and compiles where it can', () => {
  const shim = path.join(installed, 'prebuilds/linux-x64-glibc/shim.node');
  fs.renameSync(shim, `${shim}.away`);
  const env = { PLOTENGINE_FFI: 'shim' };
  const build = (more, status) => spawnSync(process.execPath, ['shim/build.js', '--if-needed'], { cwd: installed, encoding: 'utf8', env: { ...process.env, ...env, ...more } });
  try {
    assert.match(build({ PATH: path.join(place, 'bin') }).stderr, /cannot be compiled\. Missing:\n {2}- a C compiler: "cc" does not run/);
    const made = build({});
    assert.strictEqual(made.status, 0, made.stderr);
    assert.match(made.stdout, /compiled .*build\/shim\.node/);
    fs.rmSync(path.join(place, 'plot.db'), { force: true });
    assert.match(node('main.cjs'), expected());
  } finally {
    fs.rmSync(path.join(installed, 'build'), { recursive: true, force: true });
    fs.renameSync(`${shim}.away`, shim);
  }
});

test('its declarations serve a project of its own', () => {
  assert.ok(types, 'PLOTENGINE_TYPES names the folder of @types');
  for (const name of ['usage.ts', 'usage.mts', 'tsconfig.json']) fs.copyFileSync(path.join(__dirname, '..', 'types', name), path.join(place, name));
  const result = spawnSync('tsc', ['-p', 'tsconfig.json', '--typeRoots', types], { cwd: place, encoding: 'utf8', env: plain });
  assert.strictEqual(result.status, 0, result.stdout);
});

test('its declarations pass the checker of Deno', () => {
  const sources = ['usage.mts', 'using.mts'];
  fs.rmSync(path.join(place, 'tsconfig.json'), { force: true }); // of the test before
  for (const name of sources) fs.copyFileSync(path.join(__dirname, '..', 'types', name), path.join(place, name));
  run(deno, ['check', '--no-remote', '--node-modules-dir=manual', ...sources], { env: { NO_COLOR: '1' } });
});

test('Bun, by its Node-API', () => {
  assert.ok(bun, 'PLOTENGINE_BUN names the program');
  for (const main of ['main.cjs', 'main.mjs']) {
    fs.rmSync(path.join(place, 'plot.db'), { force: true });
    assert.match(run(bun, [main]), expected('[01]')); // it may keep a forgotten engine
  }
});

test('Deno, by its Node-API', () => {
  assert.ok(deno, 'PLOTENGINE_DENO names the program');
  fs.rmSync(path.join(place, 'plot.db'), { force: true });
  assert.match(run(deno, ['run', '-A', '--no-remote', 'main.mjs']), expected());
  assert.match(run(deno, ['run', '-A', '--no-remote', path.join(installed, 'samples/titanium/app.js')]), /On the screen: TestMessage/);
});
