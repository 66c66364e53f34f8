'use strict';
// Tests/vectors: scenarios that every front end plays to the same bytes. Tests/vectors/README.md is the format, lib/vectors.js the runner.

const { test } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { liveObjects } = require('../index.js');
const { rowOf, stems } = require('../lib/vectors.js');
const { project, folder } = require('./helpers.js');

const vectors = process.env.PLOTENGINE_VECTORS ?? path.join(project, 'Tests', 'vectors');

const names = fs.existsSync(vectors) ? stems(vectors, '.json').sort() : [];

test('there are vectors', () => {
  assert.notStrictEqual(names.length, 0, `no vectors in ${vectors}`);
  assert.deepStrictEqual(stems(vectors, '.effects.jsonl').sort(), names);
});

for (const name of names) {
  test(`vector ${name}`, () => {
    const { pass, line, expected, actual, missing } = rowOf(vectors, name);
    assert.strictEqual(missing, undefined);
    if (!pass) assert.strictEqual(actual, expected, `line ${line}`);
    assert.ok(pass);
    assert.strictEqual(liveObjects(), 0);
  });
}

test('the runner shows the first line that differs, and ends with a status', (t) => {
  const place = folder(t);
  const run = (...words) => spawnSync(process.execPath, [path.join(__dirname, '..', 'lib', 'vectors.js'), ...words], { encoding: 'utf8' });
  for (const ending of ['.json', '.effects.jsonl']) fs.copyFileSync(path.join(vectors, 'presence', `enter-and-exit${ending}`), path.join(place, `enter-and-exit${ending}`));
  const passed = run(place);
  assert.strictEqual(passed.status, 0, passed.stderr);
  assert.match(passed.stdout, /^presence\n {2}enter-and-exit {6}3 steps {6}6 effects {2}pass\n/);
  const effects = path.join(place, 'enter-and-exit.effects.jsonl');
  const text = fs.readFileSync(effects, 'utf8');
  fs.writeFileSync(effects, text.replace('"effect":"show"', '"effect":"shew"'));
  const failed = run(place);
  assert.strictEqual(failed.status, 1, failed.stderr);
  assert.match(failed.stdout, /FAIL\n {4}line 2, from byte 14 on\n {6}expected \{"effect":"shew".*\n {6}actual {3}\{"effect":"show"/);
  fs.writeFileSync(effects, `${text}{}\n`);
  const { vectors: [row], failed: count } = JSON.parse(run('--json', place).stdout);
  assert.deepStrictEqual([row.pass, row.line, row.byte, row.expected, row.actual, count], [false, 7, 1, '{}', '', 1]);
  fs.rmSync(effects);
  assert.match(run(place).stdout, /FAIL\n {4}enter-and-exit\.effects\.jsonl is missing\n/);
  assert.strictEqual(run(path.join(place, 'nothing')).status, 2);
  assert.strictEqual(run().status, 2);
});
