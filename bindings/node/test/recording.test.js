// Recordings: taken, played again, and in the way of errors.
'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, Replay, replay, liveObjects } = require('../index.js');
const { AT_MUSEUM: AT, FAR, START, config, feed, folder } = require('./helpers.js');

const refused = (code) => (error) => error.code === code;

function walk(engine) {
  [FAR, AT, FAR].forEach((place, index) => engine.updateLocation({ ...place, time: START + 60_000 * (index + 1) }));
}

test('a recording played again is the same', (t) => {
  const file = path.join(folder(t), 'walk.jsonl');
  const lines = [];
  const before = liveObjects();
  const engine = new Engine({ onRecording: (line) => lines.push(line) });
  engine.record(file);
  engine.init(config(), { time: START });
  engine.setFeed(feed(), START);
  walk(engine);
  engine.close();
  const text = fs.readFileSync(file, 'utf8');
  assert.strictEqual(text, lines.map((line) => `${line}\n`).join(''));
  assert.strictEqual(replay(text), text);
  assert.strictEqual(replay(Buffer.from(text)), text);
  assert.ok(lines.some((line) => line.startsWith('{"show":')));
  assert.strictEqual(liveObjects(), before);
});

test('inputs alone, to an end', (t) => {
  const file = path.join(folder(t), 'walk.jsonl');
  const engine = new Engine();
  t.after(() => engine.close());
  engine.record(file, { effects: false });
  engine.init(config(), { time: START });
  engine.setFeed(feed(), START);
  walk(engine);
  engine.stopRecording();
  engine.updateLocation({ ...AT, time: START + 600_000 });
  const text = fs.readFileSync(file, 'utf8');
  assert.strictEqual(text.split('\n').filter((line) => line.startsWith('{"input":"fix"')).length, 3);
  assert.ok(!text.includes('{"event"'));
  assert.strictEqual(replay(text), text);
});

test('what is wrong with a recording, and when it is too late', (t) => {
  const engine = new Engine();
  t.after(() => engine.close());
  assert.throws(() => engine.record('/nowhere/at/all'), refused('PLOT_IO_ERROR'));
  engine.init(config(), { time: START });
  assert.throws(() => engine.record(path.join(folder(t), 'x')), refused('PLOT_ALREADY_INITIALIZED'));
  assert.throws(() => { engine.onRecording = () => {}; }, refused('PLOT_ALREADY_INITIALIZED'));
  engine.stopRecording();
  const player = new Replay();
  assert.throws(() => player.take('nonsense'), (error) => error.code === 'PLOT_INVALID_DOCUMENT' && error.line === 1);
  assert.throws(() => player.take(Buffer.from('{}')), (error) => error.line === 2);
  player.close();
  player.close();
  assert.throws(() => player.take('{}'), refused('PLOT_CLOSED'));
});
