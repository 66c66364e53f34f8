// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
'use strict';

// Why it was not shown: explanations, and decisions that are kept or written to a file.

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Engine, PlotError, Status } = require('..');
const { START } = require('./helpers.js');

const refused = (code) => (error) => error instanceof PlotError && error.code === code && error.status === Status[code];
const HERE = { latitude: 52.36, longitude: 4.885 };
const AWAY = { latitude: 52.4, longitude: 4.9 };

function started() {
  const engine = new Engine();
  engine.init({ engine: { noise: 'exact', initial: 'none' } }, { time: START });
  engine.setFeed({
    version: 1, regions: [{ id: 'museum', type: 'geofence', ...HERE, radius: 100 }],
    campaigns: [
      { id: 'a', type: 'notification', message: 'a', regions: ['museum'], trigger: 'exit' },
      { id: 'b', type: 'notification', message: 'b', regions: ['museum'] },
    ],
  }, START);
  return engine;
}

test('an explanation', () => {
  const engine = started();
  assert.strictEqual(engine.explain('a').sentence, 'Nothing is known yet of where the device is.');
  engine.updateLocation({ ...AWAY, time: START + 1000 });
  assert.strictEqual(engine.explain('a', { region: 'museum' }).reason, 'not-inside');
  engine.updateLocation({ ...HERE, time: START + 2000 });
  const found = engine.explain('a', { language: 'nl' });
  assert.strictEqual(found.reason, 'exit');
  assert.match(found.sentence, /^Het wacht op het vertrek/);
  assert.strictEqual(engine.explain('b').reason, 'once-only');
  assert.throws(() => engine.explain('x'), refused('PLOT_NOT_FOUND'));
  assert.throws(() => engine.explain('a', { region: 'x' }), refused('PLOT_NOT_FOUND'));
  assert.throws(() => engine.explain(5), refused('PLOT_INVALID_ARGUMENT'));
  engine.close();
});

test('kept decisions', () => {
  const engine = started();
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'plot-')), 'decisions.jsonl');
  assert.deepStrictEqual(engine.decisions(), []);
  engine.keepDecisions(100);
  engine.writeDecisionsTo(file);
  engine.updateLocation({ ...AWAY, time: START + 1000 });
  engine.updateLocation({ ...HERE, time: START + 2000 });
  const kept = engine.decisions();
  assert.deepStrictEqual(kept, fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line)));
  assert.deepStrictEqual(kept[0].inputs, { trigger: 'enter', ordinal: 1 });
  assert.deepStrictEqual(engine.decisions({ campaign: 'b', region: 'museum', limit: 1 }).map((one) => one.reason), ['shown']);
  assert.deepStrictEqual(engine.decisions({ campaign: 'a' }), []);
  engine.writeDecisionsTo(null);
  engine.keepDecisions(0);
  assert.deepStrictEqual(engine.decisions(), []);
  for (const capacity of [-1, 100001, 1.5, 'x']) assert.throws(() => engine.keepDecisions(capacity), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.writeDecisionsTo('/nowhere/decisions'), refused('PLOT_IO_ERROR'));
  engine.close();
});
