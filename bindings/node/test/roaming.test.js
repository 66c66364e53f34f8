// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
'use strict';

// Fences that move with devices (docs/roaming.md).

const test = require('node:test');
const assert = require('node:assert');
const { Roaming, NO_POSITION, liveObjects } = require('..');
const { START } = require('./helpers.js');

const fixes = (rows) => ({
  devices: rows.map((row) => row[0]), times: rows.map((row) => START + 1000 * row[1]),
  latitudes: rows.map((row) => row[2]), longitudes: rows.map((row) => row[3]),
});
const short = (pairs) => pairs.map(({ kind, first, second, fix }) => `${kind} ${first} ${second} ${fix === NO_POSITION ? '-' : fix}`);

test('devices come near each other, and part', () => {
  const before = liveObjects();
  const roaming = new Roaming({ enter: 100, exit: 150 });
  const news = roaming.updateLocations(fixes([[1, 0, 52.36, 4.885], [7, 15, 52.362, 4.885], [7, 30, 52.3608, 4.885], [7, 45, 52.358, 4.885]]));
  assert.deepStrictEqual(short(news), ['enter 1 7 2', 'exit 1 7 3']);
  assert.strictEqual(news[0].time, START + 30_000);
  assert.ok(Math.abs(news[0].metres - 88.96) < 0.01 && Math.abs(news[1].metres - 222.39) < 0.01);
  roaming.close();
  assert.throws(() => roaming.pairs(), /closed/);
  assert.strictEqual(liveObjects(), before);
});

test('the longest age, distances, and devices that are forgotten', () => {
  const roaming = new Roaming({ enter: 100, maxAge: 60, distances: true });
  const news = roaming.updateLocations(fixes([[2, 0, 1, 2], [1, 30, 1, 2], [1, 50, 1, 2.0001], [1, 61, 1, 2]]));
  assert.deepStrictEqual(short(news), ['enter 1 2 1', 'near 1 2 2', 'exit 1 2 3']);
  roaming.updateLocations({ ...fixes([[2, 62, 1, 2], [3, 62, 1, 2]]), devices: Uint32Array.of(2, 3) });
  assert.deepStrictEqual(short(roaming.pairs()), ['near 1 2 -', 'near 1 3 -', 'near 2 3 -']);
  assert.deepStrictEqual(short(roaming.remove(3)), ['exit 1 3 -', 'exit 2 3 -']);
  assert.deepStrictEqual(short(roaming.expire(new Date(START + 62_000))), ['exit 1 2 -']);
  assert.throws(() => roaming.remove(1), { code: 'PLOT_NOT_FOUND' });
  roaming.close();
});

test('what is refused changes nothing', () => {
  for (const [options, message] of [
    [undefined, /options/], [{}, /enter/], [{ enter: 0 }, /enter: /], [{ enter: 10, exit: 9 }, /exit: /],
    [{ enter: 10, maxAge: 0 }, /maxAge/], [{ enter: 10, age: 1 }, /age/],
  ]) assert.throws(() => new Roaming(options), message);
  const roaming = new Roaming({ enter: 100 });
  assert.throws(() => roaming.updateLocations(fixes([[1, 0, 1, 2], [2, 0, 1, 181]])), /longitudes\[1\]: expected a number from -180 to 180, found 181/);
  assert.throws(() => roaming.updateLocations({ ...fixes([[1, 0, 1, 2]]), accuracies: [1] }), /accuracies/);
  assert.throws(() => roaming.remove(-1), /device/);
  assert.deepStrictEqual(roaming.pairs(), []);
  assert.throws(() => roaming.remove(1), { code: 'PLOT_NOT_FOUND' });
  roaming.close();
});
