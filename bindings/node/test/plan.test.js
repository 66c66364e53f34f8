// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
'use strict';

// Hints of an operating system, and what to register with it.

const test = require('node:test');
const assert = require('node:assert');
const { Engine, PlotError, Status, jsonText } = require('..');
const { START } = require('./helpers.js');

const refused = (code) => (error) => error instanceof PlotError && error.code === code && error.status === Status[code];

const regions = Array.from({ length: 30 }, (_, number) => ({
  id: `p${number}`, type: 'geofence', latitude: 52 + number / 100, longitude: 4.885, radius: 100,
}));
const P0 = { latitude: 52, longitude: 4.885 };

function started() {
  const engine = new Engine();
  engine.init({ publicToken: 'x', maxRegionsMonitored: 5 }, { time: START });
  engine.setFeed({ version: 1, regions, campaigns: [] }, START);
  return engine;
}

test('hints', () => {
  const engine = started();
  const reasons = [];
  engine.onDecision = (decision) => { reasons.push(decision.reason); };
  engine.regionHint({ region: 'p0', kind: 'enter', time: START });
  assert.deepStrictEqual(engine.visits().map((visit) => visit.region), ['p0']);
  engine.regionHint({ region: 'p0', kind: 'inside', time: START + 1 });
  engine.regionHint({ region: 'p0', kind: 'exit', latitude: 52.5, longitude: 4.885, accuracy: 10, time: START + 2 });
  engine.regionHint({ region: 'p0', kind: 'enter', latitude: 52.5, longitude: 4.885, time: START + 3 });
  assert.deepStrictEqual(engine.visits(), []);
  assert.deepStrictEqual(reasons, ['hint-duplicate', 'hint-contradicted']);
  assert.throws(() => engine.regionHint({ region: 'nowhere', kind: 'enter', time: START }), refused('PLOT_NOT_FOUND'));
  for (const bad of [null, 5, {}, { region: 'p0' }, { region: 'p0', kind: 'Enter' }, { region: 5, kind: 'enter' }, { region: 'p0', kind: 'enter', latitude: 1 }, { region: 'p0', kind: 'enter', ...P0, accuracy: -1 }]) {
    assert.throws(() => engine.regionHint(bad && typeof bad === 'object' ? { ...bad, time: START } : bad), refused('PLOT_INVALID_ARGUMENT'), JSON.stringify(bad));
  }
  engine.close();
});

test('a plan, and the next', () => {
  const engine = started();
  assert.throws(() => engine.planRegions({ time: START }), refused('PLOT_NOT_FOUND'));
  const plan = engine.planRegions({ ...P0, time: START });
  assert.deepStrictEqual(plan.add.map(({ id }) => id), ['p0', 'p1', 'p2', 'p3']);
  assert.deepStrictEqual(plan.add[0], { id: 'p0', kind: 'circle', latitude: 52, longitude: 4.885, radius: 100 });
  assert.ok(plan.fenceChanged && !plan.dense && plan.fence.radius > 4200);
  assert.strictEqual(JSON.stringify(JSON.parse(jsonText(plan))), JSON.stringify(plan));
  assert.deepStrictEqual(engine.planRegions({ ...P0, accuracy: 10, time: START }), { ...plan, add: [], fenceChanged: false });
  assert.deepStrictEqual(engine.planRegions({ ...P0, reset: true, time: START }), plan);
  assert.strictEqual(engine.planRegions({ ...P0, budget: 10, fenceLeft: true, time: START }).add[0].id, 'p4');
  engine.updateLocation({ ...P0, time: START + 1 });
  assert.deepStrictEqual(engine.planRegions({ budget: 10, time: START + 1 }).add, []);
  for (const bad of [null, { budget: -1 }, { budget: 1001 }, { budget: 1.5 }, { budget: 2 ** 32 }, { budget: '5' }, { reset: 1 }, { ...P0, accuracy: -1 }, { latitude: 91, longitude: 0 }]) {
    assert.throws(() => engine.planRegions(bad && { time: START + 1, ...bad }), refused('PLOT_INVALID_ARGUMENT'), JSON.stringify(bad));
  }
  engine.close();
});
