'use strict';
// The samples and the examples run, and say what the manual and the demo lead one to expect.

const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { folder, root, project } = require('./helpers.js');

const run = (args, options) => {
  const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', ...options });
  assert.strictEqual(result.stderr, '');
  assert.strictEqual(result.status, 0);
  return result.stdout;
};

/** Runs a program of examples/, in a folder in which the package is installed. */
const example = (t, name, ...args) => {
  const place = folder(t);
  fs.cpSync(path.join(project, 'examples', path.dirname(name)), place, { recursive: true });
  fs.mkdirSync(path.join(place, 'node_modules'));
  fs.symlinkSync(root, path.join(place, 'node_modules', 'plotengine'));
  return run([path.basename(name), ...args], { cwd: place });
};

test('the Cordova sample, with our plot object and with a plugin script', () => {
  const expected = 'Listening to 1 notification\nand to 2 geotriggers\nOn the screen: NewMessage\nAlert: http://www.example.com\n'
    + 'Sent 2026-05-16T10:01:00.000Z, opened 2026-05-16T10:01:00.000Z: NewMessage\n';
  assert.strictEqual(run(['samples/cordova/run.js']), expected);
  assert.strictEqual(run(['samples/cordova/run.js', 'test/fixtures/plot.js']), expected);
});

test('the Titanium sample', () => {
  const output = run(['samples/titanium/app.js']);
  assert.match(output, /On the screen: TestMessage: Welcome at Museum shop: postcards\nOpened: welcome;museum, TestMessage: .*, Test123: https:\/\/example\.org\/\n/);
  assert.match(output, /Geotrigger: Visit of Museum shop, handled: true\nGeotrigger: Not ours, handled: false\n$/);
});

test('the phone in the terminal shows of the demo what demo/README.md says', (t) => {
  const demo = (name) => path.join(project, 'demo', name);
  const output = example(t, 'console-phone/console_phone.js', demo('walk.gpx'), '--config', demo('plotconfig.json'), '--feed', demo('feed.json'));
  const messages = output.split('\n');
  assert.ok(messages.includes('11:59  Members get a free tote bag in the shop today.  https://example.org/member'));
  assert.ok(messages.includes('11:43  geotrigger long-visit Bloemenmarkt'));
  assert.match(messages.at(-2), /^\d+ notifications$/);
});

test('a strategy of the app', (t) => {
  assert.strictEqual(example(t, 'strategies/strategy.js'), '10:01 shown: Bakery\n10:05 too soon: Museum\n10:08 dismissed: Bakery\n10:14 shown: Museum\n');
});

test("the manual's lines stand in the samples as they are", () => {
  const manual = fs.readFileSync(path.join(__dirname, 'fixtures', 'manual.txt'), 'utf8');
  const squeeze = (text) => text.replace(/\s+/g, ' ');
  const samples = ['cordova/index.js', 'titanium/app.js', 'titanium/assets/plotfilter.js', 'titanium/assets/plotgeotriggerhandler.js']
    .map((name) => squeeze(fs.readFileSync(path.join(root, 'samples', name), 'utf8')).replaceAll('const ', 'var ')).join('\n');
  for (const block of manual.split(/^----$/m).map(squeeze)) assert.ok(samples.includes(block.trim()), block);
});
