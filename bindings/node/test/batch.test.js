'use strict';
// Many fixes in one call: the same as single calls, whatever the columns are made of.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, EffectKind, Feed, Fleet, LATER, NO_POSITION, PlotError, Status, liveObjects } = require('../index.js');
const { Run, stems } = require('../lib/vectors.js');
const { parseExactly } = require('../lib/values.js');
const { START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER, collect, folder, project } = require('./helpers.js');

const refused = (code, words) => (error) => {
  assert.ok(error instanceof PlotError, error);
  assert.strictEqual(error.code, code);
  if (words) assert.strictEqual(error.message, words);
  return true;
};

const FEED = feed({ resend: true }, { ...GEOTRIGGER, trigger: 'exit', resend: true });

function running(t, options = {}) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(), { time: START });
  engine.setFeed(FEED, START);
  return engine;
}

/** Columns of fixes, a minute apart. */
function columns(places, from = START) {
  return {
    times: places.map((_, i) => from + i * MINUTE),
    latitudes: places.map(({ latitude }) => latitude),
    longitudes: places.map(({ longitude }) => longitude),
  };
}
const VISIT = columns([FAR, AT_MUSEUM, AT_MUSEUM, FAR]);
const ENTER_AND_EXIT = ['regionEnter', 'notificationShown', 'regionExit', 'geotrigger'];

const nameOf = (kind) => Object.keys(EffectKind).find((name) => EffectKind[name] === kind);
const names = (effects) => Array.from(effects.kinds, nameOf);

const KINDS = {
  'arrays': VISIT,
  'typed arrays': { times: BigInt64Array.from(VISIT.times, BigInt), latitudes: Float64Array.from(VISIT.latitudes), longitudes: Float64Array.from(VISIT.longitudes) },
  'times as doubles': { ...VISIT, times: Float64Array.from(VISIT.times, (time) => time + 0.25) },
  'dates': { ...VISIT, times: VISIT.times.map((time, i) => (i % 2 ? time : new Date(time))) },
  'floats': { ...VISIT, latitudes: Float32Array.from(VISIT.latitudes), longitudes: Float32Array.from(VISIT.longitudes) },
  'a part of an array': {
    times: BigInt64Array.from([0n, ...VISIT.times.map(BigInt), 0n]).subarray(1, 5),
    latitudes: Float64Array.from([0, ...VISIT.latitudes]).subarray(1),
    longitudes: new Float64Array(new Float64Array([...VISIT.longitudes, 0]).buffer, 0, 4),
  },
  'all columns': { ...VISIT, accuracies: [1, 2, 3, 4], speeds: new Float64Array(4), courses: [-1, 0, 90, 360] },
  'columns that are not known': { ...VISIT, accuracies: null, speeds: undefined },
};

test('together, in any order and twice: nothing is shown for a visit that is over', (t) => {
  const shown = [];
  const engine = running(t, { onShow: ({ campaignId }) => { shown.push(campaignId); } });
  const mixed = Object.fromEntries(Object.entries(VISIT).map(([key, column]) => [key, [3, 1, 0, 2, 2].map((i) => column[i])]));
  const effects = engine.updateLocations(mixed, { together: true, time: START + 10 * MINUTE });
  assert.deepStrictEqual(names(effects), ['regionEnter', 'regionExit', 'geotrigger']);
  assert.deepStrictEqual([...effects.fixes], [1, 0, 0]);
  assert.deepStrictEqual(shown, []);
  const late = engine.updateLocations(VISIT, { together: true, time: START + 11 * MINUTE });
  assert.deepStrictEqual([...late.details], [5, 5, 5, 5]);
  assert.throws(() => engine.updateLocations(VISIT, { time: START }), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.updateLocations(VISIT, { togehter: true }), refused('PLOT_INVALID_ARGUMENT'));
});

for (const [name, fixes] of Object.entries(KINDS)) {
  test(`columns: ${name}`, (t) => {
    const effects = running(t).updateLocations(fixes);
    assert.deepStrictEqual(names(effects), ENTER_AND_EXIT);
    assert.deepStrictEqual([...effects.times], [1, 1, 3, 3].map((minute) => START + minute * MINUTE));
    assert.deepStrictEqual([...effects.numbers], [1, 2, 3, 4]);
    assert.deepStrictEqual([...effects.fixes], [1, 1, 3, 3]);
    assert.deepStrictEqual([...effects.devices], [0, 0, 0, 0]);
    assert.deepStrictEqual([...effects.details], [1, 0, 1, 0]);
    assert.deepStrictEqual([...effects.regions], [0, 0, 0, 0]);
    assert.deepStrictEqual([...effects.campaigns], [NO_POSITION, 0, NO_POSITION, 1]);
    assert.strictEqual(effects.length, 4);
  });
}

test('nothing gives nothing', (t) => {
  const effects = running(t).updateLocations({ times: [], latitudes: [], longitudes: [] });
  assert.strictEqual(effects.length, 0);
  assert.ok(effects.kinds instanceof Uint32Array && effects.times instanceof Float64Array);
});

test('a refused fix leaves an effect, and the next is taken', (t) => {
  const effects = running(t).updateLocations({
    times: BigInt64Array.of(BigInt(START), BigInt(START) - 1n, BigInt(START) + 1n, BigInt(START) + 2n, 2n ** 62n), latitudes: [52, 52, NaN, 52, 52], longitudes: [4, 4, 4, 181, 4],
  });
  assert.deepStrictEqual(names(effects), Array(4).fill('refused'));
  assert.deepStrictEqual([...effects.fixes], [1, 2, 3, 4]);
  assert.deepStrictEqual([...effects.details], [Status.PLOT_OUT_OF_ORDER, ...Array(3).fill(Status.PLOT_INVALID_ARGUMENT)]);
  assert.deepStrictEqual([...effects.times], [START - 1, START + 1, START + 2, 2 ** 62]);
  assert.deepStrictEqual([...effects.regions], Array(4).fill(NO_POSITION));
});

test('times before 1970 and far beyond are what they are', (t) => {
  const times = [-1, -4294967297, 4294967296, -0.5, 253402300799999];
  const effects = running(t).updateLocations({ times: Float64Array.from(times), latitudes: Array(5).fill(91), longitudes: Array(5).fill(0) });
  assert.deepStrictEqual([...effects.times], [-1, -4294967297, 4294967296, -1, 253402300799999]);
});

test('wrong columns are told by name', (t) => {
  const engine = running(t);
  const wrong = [
    [null, 'fixes: expected an object of columns, found null'],
    [{ ...VISIT, accuracy: [] }, 'fixes: "accuracy" is unknown; expected one of times, latitudes, longitudes, accuracies, speeds, courses'],
    [{ ...VISIT, longitudes: [1] }, 'longitudes: expected 4 values, as many as times, found 1'],
    [{ ...VISIT, speeds: [] }, 'speeds: expected 4 values, as many as times, found 0'],
    [{ ...VISIT, latitudes: undefined }, 'latitudes: expected a Float64Array or an array of numbers, found undefined'],
    [{ ...VISIT, latitudes: [1, 2, '3', 4] }, 'latitudes[2]: expected a number, found "3"'],
    [{ ...VISIT, latitudes: new Int8Array(4) }, 'latitudes: expected a Float64Array or an array of numbers, found an object of Int8Array'],
    [{ ...VISIT, times: Float64Array.of(1, NaN, 3, 4) }, 'times[1]: expected milliseconds since 1970, found NaN'],
    [{ ...VISIT, times: new Int32Array(4) }, 'times: expected a BigInt64Array, a Float64Array or an array of times, found an object of Int32Array'],
  ];
  for (const [fixes, words] of wrong) assert.throws(() => engine.updateLocations(fixes), refused('PLOT_INVALID_ARGUMENT', words));
  assert.throws(() => engine.updateLocations({ ...VISIT, times: [1, 2, 'x', 4] }), refused('PLOT_INVALID_ARGUMENT'));
  assert.deepStrictEqual(engine.visits(), []);
});

test('any split gives the same', (t) => {
  let seed = Math.floor(Math.random() * 2 ** 32);
  t.diagnostic(`seed ${seed}`);
  const dice = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const fixes = [];
  let time = START;
  let { latitude, longitude } = AT_MUSEUM;
  for (let i = 0; i < 400; i++) {
    time += Math.floor(dice() * 95_000 - 5_000);
    latitude += (AT_MUSEUM.latitude - latitude) / 8 + (dice() - 0.5) * 0.002;
    longitude += (AT_MUSEUM.longitude - longitude) / 8 + (dice() - 0.5) * 0.003;
    fixes.push({ time, latitude, longitude, accuracy: dice() * 60 });
  }
  const run = (size) => {
    const told = [];
    const engine = running(t, {
      timers: false, onEvent: (record) => told.push(JSON.stringify(record)), onWakeup: (date) => told.push(String(date)),
      onFilter: (items) => items, onShow: (item) => { told.push(item.message); },
    });
    const effects = [];
    for (let first = 0; first < fixes.length;) {
      const part = fixes.slice(first, first + size());
      const given = engine.updateLocations({
        times: part.map((fix) => fix.time), latitudes: part.map((fix) => fix.latitude),
        longitudes: part.map((fix) => fix.longitude), accuracies: part.map((fix) => fix.accuracy),
      });
      for (let i = 0; i < given.length; i++) effects.push([given.times[i], given.numbers[i], given.fixes[i] + first, nameOf(given.kinds[i]), given.details[i]]);
      first += part.length;
    }
    return { told, effects, visits: engine.visits() };
  };
  const single = run(() => 1);
  assert.ok(single.told.length > 40);
  assert.deepStrictEqual(run(() => 1 + Math.floor(dice() * 100)), single);
  assert.deepStrictEqual(run(() => fixes.length), single);
});

/** A scenario whose fixes that follow each other are given in one call, and every other time to a fleet. */
class InCalls extends Run {
  static calls = 0;

  take(input, index) {
    const { inputs } = this.scenario;
    if (!('fix' in input)) {
      super.take(input);
      return;
    }
    if (index > 0 && 'fix' in inputs[index - 1]) return;
    const end = inputs.findIndex((each, i) => i > index && !('fix' in each));
    const fixes = inputs.slice(index, end < 0 ? undefined : end).map(({ fix }) => fix);
    const column = (key, otherwise) => Float64Array.from(fixes, (fix) => fix[key] ?? otherwise);
    const given = {
      times: BigInt64Array.from(fixes, ({ time }) => BigInt(Date.parse(time))), latitudes: column('latitude'), longitudes: column('longitude'),
      accuracies: column('accuracy', 0), speeds: column('speed', -1), courses: column('course', -1),
    };
    const effects = InCalls.calls++ % 2
      ? new Fleet([this.engine]).updateLocations({ ...given, devices: fixes.map(() => 0) }) : this.engine.updateLocations(given);
    for (let i = 0; i < effects.length; i++) {
      if (effects.kinds[i] !== EffectKind.refused) continue;
      const name = Object.keys(Status).find((each) => Status[each] === effects.details[i]);
      this.add(`{"effect":"status","input":${index + effects.fixes[i]},"status":"${name}"}`);
    }
    for (const { time } of fixes) this.newest = Math.max(this.newest, Date.parse(time));
  }
}

/** The lines, those about refused inputs behind all others, without their messages. */
function statusesLast(effects) {
  const isStatus = (line) => line.startsWith('{"effect":"status"');
  const lines = effects.split('\n').map((line) => line.replace(/^(\{"effect":"status".*?"status":"\w+").*/, '$1}'));
  return [...lines.filter((line) => !isStatus(line)), ...lines.filter(isStatus)];
}

test('the vectors, their fixes in one call', (t) => {
  const vectors = process.env.PLOTENGINE_VECTORS ?? path.join(project, 'Tests', 'vectors');
  const names = stems(vectors, '.json');
  assert.notStrictEqual(names.length, 0);
  for (const name of names) {
    const scenario = parseExactly(fs.readFileSync(path.join(vectors, `${name}.json`), 'utf8'));
    const given = new InCalls(scenario, scenario.store ? path.join(folder(t), 'store') : undefined).play();
    const expected = fs.readFileSync(path.join(vectors, `${name}.effects.jsonl`), 'utf8');
    assert.deepStrictEqual(statusesLast(given), statusesLast(expected), name);
  }
});

test('what a callback throws comes when all fixes are taken', (t) => {
  for (const inFleet of [false, true]) {
    const told = [];
    const before = liveObjects();
    const error = new Error('mine');
    const engine = running(t, { onEvent: ({ event }) => {
      told.push(event);
      if (event === 'region-enter') throw error;
    } });
    const update = () => (inFleet ? new Fleet([engine]).updateLocations({ ...VISIT, devices: [0, 0, 0, 0] }) : engine.updateLocations(VISIT));
    assert.throws(update, (thrown) => thrown === error);
    assert.ok(told.includes('region-exit'));
    assert.strictEqual(liveObjects(), before + 1); // the engine: no effects are left
  }
});

test('a callback may close the engine', (t) => {
  for (const inFleet of [false, true]) {
    const engine = running(t, { onShow: () => engine.close() });
    const effects = inFleet ? new Fleet([engine]).updateLocations({ ...VISIT, devices: [0, 0, 0, 0] }) : engine.updateLocations(VISIT);
    assert.deepStrictEqual(names(effects), ['regionEnter', 'refused', 'refused']);
    assert.deepStrictEqual([...effects.details].slice(1), [Status.PLOT_CLOSED, Status.PLOT_CLOSED]);
    assert.ok(engine.closed);
  }
});

test('what is asked is answered at the time of the fix, now or by its token', (t) => {
  for (const inFleet of [false, true]) {
    const engine = running(t, { timers: false, onFilter: (items) => items, onGeotriggers: () => LATER });
    const effects = inFleet ? new Fleet([engine]).updateLocations({ ...VISIT, devices: [0, 0, 0, 0] }) : engine.updateLocations(VISIT);
    assert.deepStrictEqual(names(effects), ['regionEnter', 'filterAsked', 'notificationShown', 'regionExit', 'geotriggersAsked']);
    assert.deepStrictEqual(engine.sentNotifications().map(({ dateSent }) => Number(dateSent)), [START + MINUTE]);
    engine.markGeotriggersHandled(effects.numbers[4], engine.getBatch(effects.numbers[4]), START + 3 * MINUTE + 1);
    assert.strictEqual(engine.sentGeotriggers().length, 1);
  }
});

test('a fleet tells its devices apart', (t) => {
  const engines = Array.from({ length: 70 }, () => running(t));
  const fleet = new Fleet(engines);
  assert.deepStrictEqual(fleet.engines, engines);
  const places = [FAR, AT_MUSEUM, FAR].flatMap((place) => [69, 0, 64].map(() => place));
  const devices = places.map((_, i) => [69, 0, 64][i % 3]);
  for (const column of [devices, Uint32Array.from(devices), Uint8Array.from(devices), Float64Array.from(devices)]) {
    const effects = fleet.updateLocations({ ...columns(places, START + MINUTE * (1 + engines[0].visits().length)), devices: column });
    if (column === devices) {
      assert.strictEqual(effects.length, 12);
      assert.ok(effects.fixes.every((fix, i) => effects.devices[i] === devices[fix]));
    }
  }
  assert.strictEqual(engines[1].nextWakeup(), null);
});

test('a replay follows the wakeups', (t) => {
  const engines = Array.from({ length: 2 }, () => {
    const engine = new Engine();
    t.after(() => engine.close());
    engine.init({ ...config(), engine: { ...config().engine, proof: { maxAge: 0 } } }, { time: START });
    engine.setFeed(feed({ resend: true, trigger: 'dwelling', dwellingMinutes: 5 }), START);
    return engine;
  });
  const fleet = new Fleet(engines);
  const times = [0, 10, 20].map((minute) => START + minute * MINUTE);
  const walk = { ...columns([FAR, AT_MUSEUM, FAR]), times, devices: [1, 1, 1] };
  const effects = fleet.replay(walk);
  const dwell = effects.kinds.indexOf(EffectKind.regionDwell);
  assert.deepStrictEqual([Number(effects.times[dwell]), effects.fixes[dwell], effects.devices[dwell]], [START + 15 * MINUTE, 2, 1]);
  fleet.replay({ ...columns([AT_MUSEUM], START + 30 * MINUTE), devices: [0] });
  const nothing = { times: [], latitudes: [], longitudes: [], devices: [] };
  const late = fleet.replay(nothing, { until: new Date(START + 60 * MINUTE) });
  assert.ok(late.length > 0 && late.fixes.every((fix) => fix === NO_POSITION) && late.devices.every((device) => device === 0));
  assert.throws(() => fleet.replay(nothing, { until: 2 ** 60 }), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => fleet.replay(nothing, { til: 1 }), /options of replay/);
  engines[1].close();
  assert.throws(() => fleet.replay(nothing), refused('PLOT_CLOSED', 'engines[1]: the engine is closed'));
});

test('faults of a fleet', (t) => {
  const [one, other] = [running(t), running(t)];
  const fresh = new Engine();
  t.after(() => fresh.close());
  const fleet = new Fleet([one, other, fresh]);
  const fixes = columns([AT_MUSEUM, AT_MUSEUM]);
  const wrong = [
    [[0], 'devices: expected 2 values, as many as times, found 1'],
    [undefined, 'devices: expected a Uint32Array or an array of numbers, found undefined'],
    [[0, -1], 'devices[1]: expected a whole number from 0 to 4294967295, found -1'],
    [[0.5, 0], 'devices[0]: expected a whole number from 0 to 4294967295, found 0.5'],
    [new BigInt64Array(2), 'devices: expected a Uint32Array or an array of numbers, found an object of BigInt64Array'],
    [[0, 3], 'devices[1]: expected a number below 3, found 3'],
  ];
  for (const [devices, words] of wrong) assert.throws(() => fleet.updateLocations({ ...fixes, devices }), refused('PLOT_INVALID_ARGUMENT', words));
  assert.throws(() => fleet.updateLocations({ ...fixes, devices: [0, 2] }), refused('PLOT_NOT_INITIALIZED'));
  other.close();
  assert.throws(() => fleet.updateLocations({ ...fixes, devices: [0, 1] }), refused('PLOT_CLOSED', 'engines[1]: the engine is closed'));
  assert.deepStrictEqual(one.visits(), []);
  assert.strictEqual(names(fleet.updateLocations({ ...fixes, devices: [0, 0] }))[0], 'regionEnter');
  assert.throws(() => new Fleet([1]), refused('PLOT_INVALID_ARGUMENT', 'engines[0]: expected an Engine, found 1'));
  assert.throws(() => new Fleet(one), refused('PLOT_INVALID_ARGUMENT'));
  assert.strictEqual(new Fleet([]).updateLocations({ times: [], latitudes: [], longitudes: [], devices: [] }).length, 0);
});

test('a fleet keeps its engines', async (t) => {
  const before = liveObjects();
  let fleet = new Fleet([running({ after() {} }), running({ after() {} })]);
  collect();
  await new Promise(setImmediate);
  collect();
  assert.strictEqual(fleet.updateLocations({ ...columns([AT_MUSEUM, AT_MUSEUM]), devices: [0, 1] }).length, 4);
  for (const engine of fleet.engines) engine.close();
  fleet = null;
  assert.strictEqual(liveObjects(), before);
});

test('positions have names', (t) => {
  const read = Feed.parse(FEED);
  t.after(() => read.close());
  assert.strictEqual(read.regionId(0), 'museum');
  assert.deepStrictEqual([read.campaignId(0), read.campaignId(1)], ['welcome', 'seen']);
  assert.strictEqual(read.campaignId(NO_POSITION), null);
  assert.throws(() => read.regionId(1), refused('PLOT_NOT_FOUND', 'The feed has nothing at position 1.'));
  assert.throws(() => read.campaignId(-1), refused('PLOT_INVALID_ARGUMENT'));
});
