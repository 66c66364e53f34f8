#!/usr/bin/env node
'use strict';
// Gives the package every kind of buffer, and lets callbacks resize it, transfer it, write to it and lie about its length while the library reads it.
//
//   node fuzz/buffers.js [--seconds N] [--rounds N] [--seed S]     until the processor has spent so many seconds, or for so many rounds
//   node fuzz/buffers.js --seed S --from R --rounds 1              one round again
//
// Beside each call stands a twin that gets the same values in arrays nobody touches: both must lead to the same. The rounds run in a process of
// their own, so that a crash has a seed and a round. The status is 1 when something was found.

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const v8 = require('node:v8');
const vm = require('node:vm');
const { Random, columnOf, bytesIn } = require('./arrange.js');
const { Config, Engine, Feed, Fleet, LATER, PlotError, Replay, lint, liveObjects } = require('../index.js');
const { ffi, C, callOut, asPointer } = require('../lib/library.js');

const START = Date.parse('2026-05-16T10:00:00Z');
const PLACES = [[52.36, 4.885], [52.37, 4.9], [52.4, 4.9], [52.41, 4.91]];
const TRAP = [10, 10]; // what callbacks write into buffers: no fix was ever there
const circle = (id, [latitude, longitude]) => ({ id, type: 'geofence', latitude, longitude, radius: 100 });
const FEED = {
  version: 1,
  regions: [circle('a', PLACES[0]), circle('b', PLACES[1]), circle('trap', TRAP)],
  campaigns: [
    { id: 'shown', type: 'notification', message: 'x', resend: true, regions: ['a', 'b', 'trap'] },
    { id: 'seen', type: 'geotrigger', name: 'y', resend: true, trigger: 'exit', regions: ['a', 'b', 'trap'] },
  ],
};
const CONFIG = { publicToken: 'FUZZ000000000000', engine: { noise: 'exact', initial: 'enter' } };

let collect = () => {};

/** The parts of one side of a comparison: engines, a fleet, and callbacks that do what the script says. */
class Side {
  constructor(script, feed, meddle) {
    this.engines = Array.from({ length: script.engines }, () => this.#engine(script, feed, meddle));
    this.fleet = new Fleet(this.engines);
    this.random = new Random(script.seed); // of what changes engines: the same on both sides
    this.calls = 5; // of those inside others: what one leads to comes back after it, and would call again
    this.log = [];
  }

  #engine(script, feed, meddle) {
    const side = this;
    const happens = (kind) => {
      side.log.push(kind);
      meddle();
      if (side.calls > 0 && side.random.chance(script.nesting)) side.#callAgain();
    };
    const strategy = { createNewNotification() { happens('vote'); } };
    const handlers = {
      onFilter(items) { happens('filter'); return side.random.chance(0.2) ? LATER : items; },
      onGeotriggers(items) { happens('geotriggers'); return items; },
      onShow() { happens('show'); },
      onEvent(record) { happens(record.event); },
      onDecision() { happens('decision'); },
      onWakeup() { happens('wakeup'); },
      onRecording(line) { happens(`line ${line.length}`); },
    };
    const engine = new Engine({ timers: false, clock: () => START, ...Object.fromEntries(script.handlers.filter((name) => name in handlers).map((name) => [name, handlers[name]])) });
    if (script.handlers.includes('strategy')) engine.setStrategy('s', strategy);
    engine.init(CONFIG, { time: START, timeZone: null });
    engine.setFeed(feed, START);
    return engine;
  }

  /** A call inside the call, and engines that are closed there. */
  #callAgain() {
    this.calls--;
    const open = this.engines.findIndex((engine) => !engine.closed);
    if (this.random.chance(0.3) && this.engines.length > 1) this.engines[this.random.below(this.engines.length)].close();
    const [latitude, longitude] = this.random.one(PLACES);
    const fixes = { times: [START + 10_000_000], latitudes: [latitude], longitudes: [longitude], devices: [open] };
    if (open >= 0) this.log.push(namesOf(attempt(() => this.fleet.updateLocations(fixes))));
  }

  close() { for (const engine of this.engines) engine.close(); }
}

/** The result of a call, or its error, in a form to compare. */
function attempt(task) {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof PlotError)) throw error;
    return { code: error.code };
  }
}
const namesOf = (result) => result.code ?? Object.entries(result).map(([name, column]) => `${name}: ${column}`).join('\n');

// ---- Rounds ----------------------------------------------------------------------------------------------------

/** Many fixes in one call, while callbacks take the columns away. */
function batchRound(random, feed) {
  const isFleet = random.chance(0.5);
  const isLong = random.chance(0.01); // beyond what malloc keeps in its heap, so that freed memory is unmapped
  const all = ['onFilter', 'onGeotriggers', 'onShow', 'onEvent', 'strategy', ...(isLong ? [] : ['onDecision', 'onWakeup'])];
  const script = {
    seed: random.below(2 ** 31), engines: isFleet ? 1 + random.below(4) : 1, nesting: isLong ? 0 : random.one([0, 0.05, 0.5]),
    handlers: random.chance(0.15) ? [] : all.filter(() => random.chance(0.4)),
  };
  const count = isLong ? 17_000 + random.below(4000) : random.below(60);
  const values = { times: [], latitudes: [], longitudes: [], accuracies: [], speeds: [], courses: [], devices: [] };
  for (let i = 0; i < count; i++) {
    // Few of a long call's fixes lead to anything: most of it is read long after the callbacks have run.
    const [latitude, longitude] = !isLong || i < 20 || i % 5000 === 0 ? random.one(PLACES) : PLACES[3];
    values.times.push(START + 1000 + i * 60);
    values.latitudes.push(latitude);
    values.longitudes.push(longitude);
    values.accuracies.push(random.one([0, 5, 10, NaN]));
    values.speeds.push(random.one([-1, 1.5, NaN]));
    values.courses.push(random.one([-1, 90, NaN]));
    values.devices.push(random.below(script.engines));
  }
  const names = ['times', 'latitudes', 'longitudes', ...['accuracies', 'speeds', 'courses'].filter(() => random.chance(0.5)), ...(isFleet ? ['devices'] : [])];
  const arranged = {};
  const given = {};
  const plain = {};
  for (const name of names) {
    arranged[name] = columnOf(random, name, values[name], name.startsWith('lat') || name.startsWith('lon') ? TRAP[0] : undefined);
    given[name] = arranged[name].view;
    plain[name] = values[name];
  }
  let left = 12;
  const meddle = () => {
    if (left === 0) return;
    left--;
    for (const each of Object.values(arranged)) if (random.chance(0.5)) each.meddle();
    if (random.chance(0.1)) collect();
  };
  const subject = new Side(script, feed, meddle);
  const twin = new Side(script, feed, () => {});
  try {
    const call = (side, fixes) => namesOf(attempt(() => (isFleet ? side.fleet : side.engines[0]).updateLocations(fixes)));
    const found = call(subject, given);
    const wanted = call(twin, plain);
    assert.deepStrictEqual(found, wanted);
    assert.deepStrictEqual(subject.log, twin.log);
    // The buffers afterwards: refused, or taken as they are.
    if (random.chance(0.5)) attempt(() => (isFleet ? subject.fleet : subject.engines[0]).updateLocations(given));
  } finally {
    subject.close();
    twin.close();
  }
}

/** Getters, iterators and clocks that run before the call, and close what it is about. */
function getterRound(random, feed) {
  const script = { seed: 1, engines: 3, nesting: 0, handlers: random.chance(0.5) ? ['onEvent'] : [] };
  const side = new Side(script, feed, () => {});
  const arranged = [];
  const trouble = () => {
    for (const each of arranged) if (random.chance(0.5)) each.meddle();
    if (random.chance(0.3)) side.engines[random.below(3)].close();
    if (random.chance(0.1)) collect();
  };
  const fixes = {};
  const count = 1 + random.below(40);
  for (const name of ['devices', 'times', 'latitudes', 'longitudes', 'accuracies']) {
    const column = Array.from({ length: count }, (_, i) => ({ devices: i % 3, times: START + i, latitudes: 52.36, longitudes: 4.885, accuracies: 5 })[name]);
    const each = columnOf(random, name, column, 10);
    arranged.push(each);
    let { view } = each;
    if (random.chance(0.3)) {
      view = [...column];
      Object.defineProperty(view, random.below(count), { get() { trouble(); return column[0]; } });
    }
    Object.defineProperty(fixes, name, { enumerable: true, get() { if (random.chance(0.3)) trouble(); return view; } });
  }
  const { devices, ...alone } = Object.getOwnPropertyDescriptors(fixes);
  try {
    attempt(() => side.fleet.updateLocations(fixes));
    attempt(() => side.engines[0].updateLocations(Object.defineProperties({}, alone)));
    attempt(() => side.engines[1].updateLocation({ get latitude() { trouble(); return 52.36; }, longitude: 4.885, time: START }));
    const engine = new Engine({ clock: () => { if (random.chance(0.2)) engine.close(); return START; }, timers: false });
    attempt(() => engine.init(CONFIG, { timeZone: null }));
    attempt(() => engine.updateLocation({ latitude: 52.36, longitude: 4.885 }));
    attempt(() => engine.setFeed(feed));
    engine.close();
  } finally {
    side.close();
  }
}

const PLAYED = (() => {
  const lines = [];
  const engine = new Engine({ onRecording: (line) => { lines.push(line); } });
  engine.init(CONFIG, { time: START, timeZone: null });
  engine.setFeed(FEED, START);
  engine.close();
  return lines;
})();
const POINTS = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { name: 'A' }, geometry: { type: 'Point', coordinates: [4.9, 52.4] } }] };

/** Documents, messages and lines of recordings as bytes. */
function bytesRound(random) {
  const [what, value] = random.one([
    ['config', CONFIG], ['feed', FEED], ['points', POINTS], ['lint', CONFIG], ['line', PLAYED[0]], ['list', { version: 1, entries: ['x'] }],
    ['message', { plot: { version: 1, id: 'm1', message: 'hello', type: 'notification' } }],
  ]);
  const text = typeof value === 'string' ? value : JSON.stringify(value).padEnd(random.one([0, 0, 100, 70_000]));
  const arranged = bytesIn(random, Buffer.from(text));
  const run = (bytes, meddle) => attempt(() => {
    let read;
    switch (what) {
      case 'config': read = Config.parse(bytes); break;
      case 'feed': read = Feed.parse(bytes); break;
      case 'points': read = Feed.importGeoJSON(bytes, { get radius() { meddle(); return 60; } }); break;
      case 'lint': return JSON.stringify(lint({ config: bytes }));
      case 'line': {
        const replay = new Replay();
        const lines = replay.take(bytes);
        replay.close();
        return lines.join('\n');
      }
      default: {
        const log = [];
        const engine = new Engine({
          clock: () => { meddle(); return START; }, timers: false,
          onEvent: (record) => { log.push(record.event); meddle(); }, onDecision: (record) => { log.push(record.reason); meddle(); },
        });
        try {
          engine.init(CONFIG, { timeZone: null });
          engine.setFeed(FEED);
          if (what === 'list') {
            engine.setList('names', bytes);
            log.push(JSON.stringify(engine.lists()));
          } else {
            engine.processMessage(bytes);
          }
        } finally {
          engine.close();
        }
        return log.join();
      }
    }
    const json = read.toString();
    read.close();
    return json;
  });
  // Only what runs inside the call may meddle: before it, the bytes are the caller's.
  let isArmed = what !== 'list' && what !== 'message';
  const found = run(arranged.view, () => { if (isArmed) arranged.meddle(); });
  isArmed = false;
  const wanted = run(Buffer.from(text), () => {});
  assert.deepStrictEqual(found, wanted);
  attempt(() => run(arranged.view, () => arranged.meddle()));
}

/** The interface of node:ffi: nothing is written behind the memory that was said to be there. */
function memoryRound(random) {
  const room = 64;
  const block = new ArrayBuffer(3 * room);
  const bytes = new Uint8Array(block).fill(0xee);
  const base = ffi.getRawPointer(block) + BigInt(room);
  const arranged = bytesIn(random, Buffer.alloc(random.below(2 * room), 1));
  if (random.chance(0.5)) arranged.meddle();
  const { view } = arranged;
  const write = random.one([
    () => ffi.exportArrayBufferView(view, base, room), () => ffi.exportBuffer(view, base, room), () => ffi.exportArrayBuffer(view.buffer, base, room),
    () => ffi.exportArrayBufferView(new Float32Array(view.buffer, 0, 1), base, room), () => ffi.getRawPointer(view),
    () => callOut(C.plot_config_parse, asPointer, view, 0n), () => ffi.exportArrayBufferView(new DataView(view.buffer), base, room),
  ]);
  try {
    write();
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
  }
  for (const i of bytes.keys()) if (i < room || i >= 2 * room) assert.strictEqual(bytes[i], 0xee, `byte ${i} was written`);
}

// ---- The process of the rounds, and the one that watches it ----------------------------------------------------------

function play({ seed, from, rounds, seconds, progress }) {
  if (process.versions.bun) {
    collect = () => globalThis.Bun.gc(true);
  } else {
    v8.setFlagsFromString('--expose-gc');
    const gc = vm.runInNewContext('gc');
    collect = () => gc();
  }
  const feed = Feed.parse(FEED);
  const mark = progress === undefined ? undefined : fs.openSync(progress, 'w');
  const word = Buffer.alloc(8);
  let round = from;
  for (; round < from + rounds; round++) {
    if (seconds !== undefined && round % 16 === 0 && process.cpuUsage().user + process.cpuUsage().system > seconds * 1e6) break;
    if (mark !== undefined) {
      word.writeBigUInt64LE(BigInt(round));
      fs.writeSync(mark, word, 0, 8, 0);
    }
    const random = new Random(seed + round * 7919);
    try {
      random.one([batchRound, batchRound, batchRound, getterRound, bytesRound, memoryRound])(random, feed);
    } catch (error) {
      error.message = `seed ${seed}, round ${round}: ${error.message}`;
      throw error;
    }
    if (round % 500 === 499) collect();
  }
  feed.close();
  assert.strictEqual(liveObjects(), 0, 'objects of the library that are left');
  return round - from;
}

function watch(options) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plotengine-fuzz-'));
  const progress = path.join(folder, 'round');
  try {
    const child = spawnSync(process.execPath, [__filename, '--play', JSON.stringify({ ...options, progress })], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
    if (child.status === 0) {
      process.stdout.write(child.stdout);
      return 0;
    }
    const round = fs.existsSync(progress) && fs.statSync(progress).size === 8 ? fs.readFileSync(progress).readBigUInt64LE() : '?';
    console.error(`fuzz: ${child.signal ?? `status ${child.status}`} in round ${round}; again by: node fuzz/buffers.js --seed ${options.seed} --from ${round} --rounds 1`);
    console.error(child.stderr.trim().split('\n').slice(0, 40).join('\n'));
    return 1;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

if (require.main === module) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, rounds: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' }, play: { type: 'string' } },
  });
  if (values.play !== undefined) {
    const options = JSON.parse(values.play);
    const before = process.cpuUsage();
    const played = play({ ...options, rounds: options.rounds ?? Number.MAX_SAFE_INTEGER - options.from });
    const spent = process.cpuUsage(before);
    console.log(`buffers: ${played} rounds from seed ${options.seed}, ${Math.round((spent.user + spent.system) / 1e6)} s of processor, Node ${process.version}: nothing was found`);
  } else {
    const number = (text, otherwise) => (text === undefined ? otherwise : Number(text));
    const seconds = number(values.seconds, values.rounds === undefined ? 20 : undefined);
    const seed = number(values.seed, Math.floor(Math.random() * 2 ** 31));
    process.exitCode = watch({ seconds, rounds: number(values.rounds), seed, from: number(values.from, 0) });
  }
}

module.exports = { watch };
