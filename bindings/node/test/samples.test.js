'use strict';
// The samples run, and say what the manual and the demo lead one to expect.

const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root, project } = require('./helpers.js');

const run = (...args) => {
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.strictEqual(result.stderr, '');
  assert.strictEqual(result.status, 0);
  return result.stdout;
};

test('the Cordova sample, with our plot object and with a plugin script', () => {
  const expected = 'Listening to 1 notification\nand to 2 geotriggers\nOn the screen: NewMessage\nAlert: http://www.example.com\n'
    + 'Sent 2026-05-16T10:01:00.000Z, opened 2026-05-16T10:01:00.000Z: NewMessage\n';
  assert.strictEqual(run('samples/cordova/run.js'), expected);
  assert.strictEqual(run('samples/cordova/run.js', 'test/fixtures/plot.js'), expected);
});

test('the Titanium sample', () => {
  const output = run('samples/titanium/app.js');
  assert.match(output, /On the screen: TestMessage: Welcome at Museum shop: postcards\nOpened: welcome;museum, TestMessage: .*, Test123: https:\/\/example\.org\/\n/);
  assert.match(output, /Geotrigger: Visit of Museum shop, handled: true\nGeotrigger: Not ours, handled: false\n$/);
});

test('the replay of the demo shows what demo/README.md says', () => {
  const demo = (name) => path.join(project, 'demo', name);
  const output = run('samples/replay.js', demo('feed.json'), demo('plotconfig.json'), demo('walk.gpx'));
  const messages = output.split('\n');
  assert.ok(messages.includes('11:59  Members get a free tote bag in the shop today.  https://example.org/member'));
  assert.ok(messages.includes('11:43  geotrigger long-visit Bloemenmarkt'));
  assert.match(messages.at(-2), /^\d+ notifications$/);
});

test('a strategy of the app', () => {
  assert.strictEqual(run('samples/strategy.js'), '10:01 shown: Bakery\n10:05 too soon: Museum\n10:08 dismissed: Bakery\n10:14 shown: Museum\n');
});

test("the manual's lines stand in the samples as they are", () => {
  const manual = fs.readFileSync(path.join(__dirname, 'fixtures', 'manual.txt'), 'utf8');
  const squeeze = (text) => text.replace(/\s+/g, ' ');
  const samples = ['cordova/index.js', 'titanium/app.js', 'titanium/assets/plotfilter.js', 'titanium/assets/plotgeotriggerhandler.js']
    .map((name) => squeeze(fs.readFileSync(path.join(root, 'samples', name), 'utf8')).replaceAll('const ', 'var ')).join('\n');
  for (const block of manual.split(/^----$/m).map(squeeze)) assert.ok(samples.includes(block.trim()), block);
});
