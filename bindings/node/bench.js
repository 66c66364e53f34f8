#!/usr/bin/env node
'use strict';
// What a location update costs through this binding, beside an empty call: node bench.js [--json]
// A timing is a benchmark, never a test. Machines differ; the ratio says more than the nanoseconds.

const { Engine, version, ffi } = require('./index.js');
const { C } = require('./lib/library.js');

const START = Date.parse('2026-05-16T10:00:00Z');
const COUNT = 200_000;
const ROUNDS = 7;

/** The best of some rounds, in nanoseconds a call. */
function measure(body) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.hrtime.bigint();
    body(COUNT);
    best = Math.min(best, Number(process.hrtime.bigint() - before) / COUNT);
  }
  return best;
}

/** `side` times `side` circles of 100 m, one campaign over all. */
function grid(side) {
  const regions = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      regions.push({ id: `r${row}-${column}`, type: 'geofence', latitude: 52 + row * 0.01, longitude: 4 + column * 0.01, radius: 100 });
    }
  }
  const campaigns = [{ id: 'c', type: 'notification', message: 'x', regions: regions.map(({ id }) => id) }];
  return { version: 1, regions, campaigns };
}

function updates(regions, moving) {
  const engine = new Engine();
  engine.init({ publicToken: 'BENCH00000000000' }, { time: START });
  engine.setFeed(grid(Math.sqrt(regions)), START);
  let time = START;
  const fix = { latitude: 52.005, longitude: 4.005, accuracy: 10, speed: 1.4, course: 90, time };
  const cost = measure((count) => {
    for (let i = 0; i < count; i++) {
      time += 1000;
      fix.time = time;
      if (moving) fix.longitude = 4.005 + (i % 5) * 1e-5; // between the circles: no event
      engine.updateLocation(fix);
    }
  });
  engine.close();
  return cost;
}

const empty = measure((count) => { for (let i = 0; i < count; i++) C.plot_abi_version(); });
const rows = [
  ['an empty call (plot_abi_version)', empty],
  ['updateLocation, 1 region', updates(1, false)],
  ['updateLocation, 100 regions', updates(100, true)],
  ['updateLocation, 10,000 regions', updates(10_000, true)],
];
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ node: process.version, ffi, version, rows: rows.map(([name, nanoseconds]) => ({ name, nanoseconds, ratio: nanoseconds / empty })) }));
} else {
  console.log(`plotengine ${version}, Node ${process.version}, ${ffi === 'builtin' ? 'node:ffi' : 'the shim'}\n`);
  for (const [name, nanoseconds] of rows) console.log(`${name.padEnd(36)} ${nanoseconds.toFixed(0).padStart(7)} ns  ${(nanoseconds / empty).toFixed(1).padStart(6)} x`);
}
