#!/usr/bin/env node
'use strict';
// The cost of a location update through this binding, beside an empty call: node bench.js [--json] [--data FOLDER]
// With --json, a line for each figure with the value of each round, as Benchmarks/run.py reads it; FOLDER is the workload, for the batches.
// A timing is a benchmark, never a test. Machines differ; the ratio says more than the nanoseconds.

const fs = require('node:fs');
const path = require('node:path');
const { Config, Engine, Feed, Fleet, version, ffi } = require('./index.js');
const { C, ffi: native, callOut, callError, asPointer } = require('./lib/library.js');
const { address } = require('./lib/documents.js');

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
  engine.init({ publicToken: 'BENCH00000000000' }, { time: START, timeZone: null });
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

/** Many fixes in one call, of the benchmarks' workload in `folder`, as Benchmarks/programs/batch.c does it. */
function batches(folder) {
  const FIXES = 100_000;
  const PERIOD = 10_000;
  const doubles = (name) => {
    const bytes = fs.readFileSync(path.join(folder, name));
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset + 32, bytes.byteOffset + bytes.length));
  };
  const circles = doubles('fences_phone.bin');
  const fixes = doubles('tracks_city.bin');
  const regions = [];
  const campaigns = [];
  for (let i = 0; i < circles.length / 3; i++) {
    regions.push({ id: `r${i}`, type: 'geofence', latitude: circles[3 * i], longitude: circles[3 * i + 1], radius: circles[3 * i + 2] });
    campaigns.push({ id: `c${i}`, type: 'geotrigger', name: `c${i}`, resend: true, regions: [`r${i}`] });
  }
  const feed = Feed.parse(JSON.stringify({ version: 1, regions, campaigns }));
  const phone = () => {
    const engine = new Engine();
    engine.init({ publicToken: 'BENCH00000000000' }, { time: START - PERIOD, timeZone: null });
    engine.setFeed(feed, START - PERIOD);
    return engine;
  };
  const accuracies = new Float64Array(FIXES).fill(10);
  const rounds = (take, place, step) => {
    const latitudes = new Float64Array(FIXES).map((_, i) => fixes[2 * place(i)]);
    const longitudes = new Float64Array(FIXES).map((_, i) => fixes[2 * place(i) + 1]);
    let turn = 0;
    const columns = Array.from({ length: ROUNDS }, (_, round) => ({
      times: BigInt64Array.from({ length: FIXES }, (_, i) => BigInt(START + Math.floor((round * FIXES + i) / step) * PERIOD)), latitudes, longitudes, accuracies,
    }));
    return measure(() => {
      if (take(columns[turn++]).length === 0) throw new Error('the batch told of nothing');
    }, FIXES);
  };
  const one = phone();
  const rows = [['batch', rounds((fixes) => one.updateLocations(fixes), (i) => i, 1)]];
  one.close();
  const engines = Array.from({ length: 1000 }, phone);
  const fleet = new Fleet(engines);
  const devices = new Uint32Array(FIXES).map((_, i) => i % 1000);
  const place = (i) => (i % 1000) * 1000 + Math.floor(i / 1000);
  rows.push(['batch of 1000 devices', rounds((fixes) => fleet.updateLocations({ devices, ...fixes }), place, 1000)]);
  engines.forEach((engine) => engine.close());
  return rows;
}

const BATCH = 10_000;
const DEVICES = 1000;

/** Quiet fixes, 10,000 in a call, of one device or of 1,000: through the package, and by the same calls of the library made by hand. */
function plainBatches(devices) {
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
    engine.init(config, { time: START, timeZone: null });
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

const rows = [
  ['empty call', measure((count) => { for (let i = 0; i < count; i++) C.plot_abi_version(); })],
  ['updateLocation, 1 region', updates(1, false)],
  ['updateLocation, 100 regions', updates(100, true)],
  ['updateLocation, 10,000 regions', updates(10_000, true)],
];
for (const devices of [1, DEVICES]) {
  const { bound, bare } = plainBatches(devices);
  const name = devices === 1 ? 'plain batch' : `plain batch of ${devices} devices`;
  rows.push([name, bound], [`${name}, the call made by hand`, bare]);
}
const data = process.argv.indexOf('--data');
if (data > 0) rows.push(...batches(process.argv[data + 1]));
if (process.argv.includes('--json')) {
  for (const [name, values] of rows) console.log(JSON.stringify({ name: `node/${name}`, unit: 'ns', values }));
} else {
  console.log(`plotengine ${version}, Node ${process.version}, ${ffi === 'builtin' ? 'node:ffi' : 'the shim'}\n`);
  const empty = median(rows[0][1]);
  for (const [name, values] of rows) {
    console.log(`${name.padEnd(52)} ${median(values).toFixed(0).padStart(7)} ns  ${(median(values) / empty).toFixed(1).padStart(6)} x`);
  }
}
