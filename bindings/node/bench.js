#!/usr/bin/env node
'use strict';
// What a location update costs through this binding, beside an empty call: node bench.js [--json]
// A timing is a benchmark, never a test. Machines differ; the ratio says more than the nanoseconds.

const { Config, Engine, Feed, Fleet, version, ffi } = require('./index.js');
const { C, ffi: native, callOut, callError, asPointer } = require('./lib/library.js');
const { address } = require('./lib/documents.js');

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

const BATCH = 10_000;
const DEVICES = 1000;

/** Quiet fixes, 10,000 in a call, of one device or of 1,000: through the package, and by the same calls of the library made by hand. */
function batches(devices) {
  const feed = Feed.parse(grid(32));
  const config = Config.parse({ publicToken: 'BENCH00000000000' });
  const fixes = {
    times: new BigInt64Array(BATCH), latitudes: new Float64Array(BATCH).fill(40),
    longitudes: Float64Array.from({ length: BATCH }, (_, i) => 4 + (i % 7) * 1e-5),
  };
  const whose = Uint32Array.from({ length: BATCH }, (_, i) => i % devices);
  let time = BigInt(START);
  const per = (body) => measure((count) => {
    for (let i = 0; i < count; i += BATCH) {
      fixes.times.fill(time++);
      body();
    }
  });

  const engines = Array.from({ length: devices }, () => {
    const engine = new Engine({ timers: false });
    engine.init(config, { time: START });
    engine.setFeed(feed, START);
    return engine;
  });
  const fleet = new Fleet(engines);
  const bound = per(() => (devices === 1 ? engines[0].updateLocations(fixes) : fleet.updateLocations({ ...fixes, devices: whose })));
  for (const engine of engines) engine.close();

  const pointers = BigUint64Array.from({ length: devices }, () => {
    const pointer = callOut(C.plot_engine_new, asPointer);
    callError(C.plot_engine_init, pointer, BigInt(START), address(config), null);
    callError(C.plot_engine_set_feed, pointer, BigInt(START), address(feed));
    return pointer;
  });
  const addressOf = (array) => native.getRawPointer(array);
  const columns = [BigInt(BATCH), ...Object.values(fixes).map(addressOf), 0n, 0n, 0n];
  const first = devices === 1 ? [C.plot_engine_update_locations, asPointer, pointers[0]]
    : [C.plot_engines_update_locations, asPointer, addressOf(pointers), BigInt(devices), addressOf(whose)];
  const bare = per(() => C.plot_effects_free(callOut(...first, ...columns)));
  for (const pointer of pointers) C.plot_engine_free(pointer);
  feed.close();
  config.close();
  return { bound, bare };
}

const empty = measure((count) => { for (let i = 0; i < count; i++) C.plot_abi_version(); });
const rows = [
  ['an empty call (plot_abi_version)', empty],
  ['updateLocation, 1 region', updates(1, false)],
  ['updateLocation, 100 regions', updates(100, true)],
  ['updateLocation, 10,000 regions', updates(10_000, true)],
];
for (const devices of [1, DEVICES]) {
  const { bound, bare } = batches(devices);
  rows.push([`updateLocations, a fix of ${devices} device${devices === 1 ? '' : 's'}`, bound], ['  the same call, made by hand', bare]);
}
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ node: process.version, ffi, version, rows: rows.map(([name, nanoseconds]) => ({ name, nanoseconds, ratio: nanoseconds / empty })) }));
} else {
  console.log(`plotengine ${version}, Node ${process.version}, ${ffi === 'builtin' ? 'node:ffi' : 'the shim'}\n`);
  for (const [name, nanoseconds] of rows) console.log(`${name.padEnd(36)} ${nanoseconds.toFixed(0).padStart(7)} ns  ${(nanoseconds / empty).toFixed(1).padStart(6)} x`);
}
