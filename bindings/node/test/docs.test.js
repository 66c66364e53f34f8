'use strict';
// The programs of docs/node.md run, and print what stands below them.

const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, Config, Feed } = require('../index.js');
const { root, project, folder } = require('./helpers.js');

const page = fs.readFileSync(path.join(project, 'docs', 'node.md'), 'utf8');
const programs = [...page.matchAll(/^```js\n([^]*?)^```\n\n```output\n([^]*?)^```$/gm)];

test('there are programs, and each says what it prints', () => {
  assert.ok(programs.length >= 4);
  assert.strictEqual(programs.length, page.match(/^```js$/gm).length);
});

for (const [index, [, source, expected]] of programs.entries()) {
  test(`program ${index + 1}: ${/require\('([^']*)'\)/.exec(source)[1]}`, (t) => {
    const place = folder(t);
    for (const name of ['plotconfig.json', 'feed.json']) fs.copyFileSync(path.join(project, 'demo', name), path.join(place, name));
    fs.mkdirSync(path.join(place, 'node_modules'));
    fs.symlinkSync(root, path.join(place, 'node_modules', 'plotengine'));
    fs.writeFileSync(path.join(place, 'program.js'), source);
    const result = spawnSync(process.execPath, ['program.js'], { cwd: place, encoding: 'utf8' });
    assert.strictEqual(result.stderr, '');
    assert.strictEqual(result.stdout, expected);
  });
}

test('the page names every method, handler and option', () => {
  const names = new Set(page.match(/\w+/g));
  const own = (object) => Object.getOwnPropertyNames(object).filter((name) => name !== 'constructor');
  const emitter = ['on', 'off', 'addListener', 'prependListener', 'removeListener', 'removeAllListeners'];
  for (const name of [...own(Engine.prototype), ...own(Config.prototype), ...own(Feed.prototype)]) {
    if (emitter.includes(name) || /^set(Boolean|Integer|Double|Date)Seg/.test(name)) continue;
    assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  }
  for (const name of Object.keys(require('../index.js'))) assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  const { createPlot } = require('../cordova/index.js');
  const { createTitanium } = require('../titanium/index.js');
  const { plot, device } = createPlot();
  const titanium = createTitanium();
  const derived = /^(_|set\w+Seg|get(Enabled|Version)$|(loaded|sent)\w+$)/;
  for (const name of [...Object.keys(plot), ...Object.keys(titanium.plot)]) {
    if (!derived.test(name) && name !== 'removeEventListener') assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  }
  device.close();
  titanium.device.close();
});
