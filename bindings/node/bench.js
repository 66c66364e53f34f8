#!/usr/bin/env node
'use strict';
// What a location update costs through this binding, beside an empty call: node bench.js [--json] [--data FOLDER]
// With --json, a line for each figure with the value of each round, as Benchmarks/run.py reads it; FOLDER is the workload, for the batches.
// A timing is a benchmark, never a test. Machines differ; the ratio says more than the nanoseconds.

const { Engine, version, ffi } = require('./index.js');
const { C } = require('./lib/library.js');

const START = Date.parse('2026-05-16T10:00:00Z');
const COUNT = 200_000;
const ROUNDS = 7;

/** Nanoseconds a call, of some rounds. */
function measure(body, count = COUNT) {
  const values = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.hrtime.bigint();
    body(count);
    values.push(Number(process.hrtime.bigint() - before) / count);
  }
  return values;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

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

const rows = [
  ['empty call', measure((count) => { for (let i = 0; i < count; i++) C.plot_abi_version(); })],
  ['updateLocation, 1 region', updates(1, false)],
  ['updateLocation, 100 regions', updates(100, true)],
  ['updateLocation, 10,000 regions', updates(10_000, true)],
];
if (process.argv.includes('--json')) {
  for (const [name, values] of rows) console.log(JSON.stringify({ name: `node/${name}`, unit: 'ns', values }));
} else {
  console.log(`plotengine ${version}, Node ${process.version}, ${ffi === 'builtin' ? 'node:ffi' : 'the shim'}\n`);
  const empty = median(rows[0][1]);
  for (const [name, values] of rows) {
    console.log(`${name.padEnd(36)} ${median(values).toFixed(0).padStart(7)} ns  ${(median(values) / empty).toFixed(1).padStart(6)} x`);
  }
}
