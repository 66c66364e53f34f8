'use strict';
// Slips of the fingers are refused, with what was most likely meant; and errors speak of this package, not of the C header.

const { test } = require('node:test');
const assert = require('node:assert');
const { Engine, Feed, Config, Replay, Fleet, Roaming, PlotError, lint } = require('../index.js');
const { nameOf, translated } = require('../lib/words.js');
const { functions } = require('../lib/raw.js');
const { createPlot } = require('../cordova/index.js');
const { START, MINUTE, config, feed, FAR, AT_MUSEUM } = require('./helpers.js');

function running(t, options) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(), { time: START });
  engine.setFeed(feed(), START);
  return engine;
}

test('a time in seconds is refused, and the error asks about it', (t) => {
  const engine = running(t);
  const seconds = Math.floor(START / 1000);
  for (const task of [
    () => engine.advance(seconds), () => engine.updateLocation({ ...FAR, time: seconds }), () => engine.setForeground(true, new Date(seconds)),
  ]) {
    assert.throws(task, { code: 'PLOT_INVALID_ARGUMENT', message: /did you give seconds\? times are milliseconds$/ });
  }
  engine.updateLocation({ ...FAR, time: START + 1 });
});

test('unknown keys are refused, with the one that was meant', (t) => {
  const engine = running(t);
  const idle = new Engine();
  t.after(() => idle.close());
  const time = START;
  for (const [task, words] of [
    [() => idle.init(config(), { stores: 'plot.db' }), 'options of init: "stores" is unknown; did you mean "store"?'],
    [() => idle.init(config(), { timezone: 'UTC' }), 'options of init: "timezone" is unknown; did you mean "timeZone"?'],
    [() => idle.init(config(), { wibble: 1 }), 'options of init: "wibble" is unknown; expected one of time, store, timeZone'],
    [() => new Engine({ onFiler() {} }), 'options: "onFiler" is unknown; did you mean "onFilter"?'],
    [() => engine.updateLocation({ ...FAR, acuracy: 5, time }), 'fix: "acuracy" is unknown; did you mean "accuracy"?'],
    [() => engine.updateLocation({ lat: 52, lng: 4, time }), 'fix: "lat" is unknown; did you mean "latitude"?'],
    [() => engine.updateLocation({ ...FAR, timestamp: time }), 'fix: "timestamp" is unknown; did you mean "time"?'],
    [() => engine.updateLocations({ times: [], latitudes: [], longitudes: [], speed: [] }), 'fixes: "speed" is unknown; did you mean "speeds"?'],
    [() => engine.updateBeacon({ proximityUuid: '', majorId: 1, minorId: 1, time }), 'sighting: "proximityUuid" is unknown; did you mean "proximityUUID"?'],
    [() => engine.regionHint({ region: 'museum', kind: 'enter', accurracy: 5, time }), 'hint: "accurracy" is unknown; did you mean "accuracy"?'],
    [() => engine.planRegions({ bugdet: 5, time }), 'request: "bugdet" is unknown; did you mean "budget"?'],
    [() => engine.moveRegion('museum', { ...FAR, time }), 'place: "time" is unknown; expected one of latitude, longitude'],
    [() => engine.record('x', { efects: false }), 'options of record: "efects" is unknown; did you mean "effects"?'],
    [() => engine.decisions({ campain: 'welcome' }), 'decisions: "campain" is unknown; did you mean "campaign"?'],
    [() => engine.explain('welcome', { lang: 'nl' }), 'options of explain: "lang" is unknown; did you mean "language"?'],
    [() => lint({ configuration: config() }), 'lint: "configuration" is unknown; did you mean "config"?'],
    [() => createPlot({ debuglog: 'x' }), 'options: "debuglog" is unknown; did you mean "debugLog"?'],
  ]) {
    assert.throws(task, (error) => {
      assert.strictEqual(error.code, 'PLOT_INVALID_ARGUMENT', error.stack);
      assert.strictEqual(error.message.slice(0, words.length), words);
      return true;
    });
  }
  assert.throws(() => Feed.importGeoJSON({ type: 'FeatureCollection', features: [] }, { radios: 5 }), PlotError);
  assert.strictEqual(idle.initialized, false);
});

test('keys that are somebody else\'s are not', (t) => {
  const engine = running(t, { clock: () => START, timers: false });
  class GeolocationCoordinates {
    get latitude() { return 52; }
    get longitude() { return 4; }
    get accuracy() { return 10; }
    get altitude() { return null; }
    get altitudeAccuracy() { return null; }
    get heading() { return NaN; }
    get speed() { return null; }
    toJSON() { return { ...FAR }; }
  }
  engine.updateLocation(new GeolocationCoordinates());
  const coords = { ...FAR, accuracy: 10, altitude: 3, altitudeAccuracy: null, heading: 90, speed: null };
  engine.updateLocation({ ...coords, time: START });
  engine.regionHint({ ...coords, region: 'museum', kind: 'outside', time: START });
  engine.planRegions({ ...coords, time: START });
  assert.throws(() => engine.moveRegion('museum', coords, START), { code: 'PLOT_INVALID_ARGUMENT', message: /museum/ });
});

test('unknown properties of an engine are refused, fields of a subclass are not', (t) => {
  const engine = running(t);
  assert.throws(() => { engine.onShwo = () => {}; }, { code: 'PLOT_INVALID_ARGUMENT', message: /^engine: "onShwo" is unknown; did you mean "onShow"\?/ });
  assert.throws(() => { engine.onshow = () => {}; }, /did you mean "onShow"/);
  assert.throws(() => { engine.name = 'mine'; }, /Fields of your own belong in a subclass/);
  assert.throws(() => Function('engine', 'engine.onShwo = 1')(engine), PlotError, 'sloppy code, too');
  assert.ok(!('onShwo' in engine));
  const key = Symbol('mine');
  engine[key] = 1;
  engine.updateLocation = () => 'replaced by a test';
  assert.deepStrictEqual([engine[key], engine.updateLocation()], [1, 'replaced by a test']);
  engine.setMaxListeners(50);
  class Bus extends Engine {
    line = 5;
    constructor() {
      super();
      this.stops = [];
    }
  }
  const bus = new Bus();
  t.after(() => bus.close());
  bus.driver = 'Ann';
  bus.onShow = () => {};
  assert.deepStrictEqual([bus.line, bus.stops, bus.driver], [5, [], 'Ann']);
});

test('NaN is a value that is not known', (t) => {
  const [one, other] = [running(t), running(t)];
  const place = { ...AT_MUSEUM, time: START + MINUTE };
  one.updateLocation({ ...place, accuracy: NaN, speed: NaN, course: NaN });
  other.updateLocation(place);
  assert.deepStrictEqual(one.sentNotifications(), other.sentNotifications());
  const columns = { times: [START + 2 * MINUTE, START + 3 * MINUTE], latitudes: [52, 52.36], longitudes: [4, 4.885] };
  const unknown = Float64Array.of(NaN, NaN);
  const plain = (effects) => Object.entries(effects).map(([name, column]) => `${name} ${column}`);
  assert.deepStrictEqual(plain(one.updateLocations({ ...columns, accuracies: unknown, speeds: unknown, courses: [NaN, NaN] })), plain(other.updateLocations(columns)));
  assert.ok(Number.isNaN(unknown[0]), 'the array of the caller stays as it is');
  one.regionHint({ region: 'museum', kind: 'outside', ...FAR, accuracy: NaN, time: START + 4 * MINUTE });
  for (const bad of [-1, Infinity, '5']) assert.throws(() => one.updateLocation({ ...FAR, accuracy: bad, time: START + 5 * MINUTE }), { code: 'PLOT_INVALID_ARGUMENT' });
  assert.throws(() => one.updateLocation({ latitude: NaN, longitude: 4, time: START + 5 * MINUTE }), { code: 'PLOT_INVALID_ARGUMENT' });
});

test('errors speak of this package', (t) => {
  const idle = new Engine();
  t.after(() => idle.close());
  assert.throws(() => idle.enable(START), { code: 'PLOT_NOT_INITIALIZED', message: 'the engine has not been initialized; call engine.init() first' });
  const engine = running(t);
  assert.throws(() => engine.record('/tmp/never'), { code: 'PLOT_ALREADY_INITIALIZED', message: /begins before engine\.init\(\)/ });
  engine.setClock(5, 'x', START);
  assert.throws(() => engine.setClock(4, 'x', START), { message: 'monotonic: expected 5 or more, as before in this boot, found 4' });
  assert.throws(() => engine.setTimeZone('plot_engine_init', START), { message: 'timeZone: expected the IANA name of a time zone that this system has, found "plot_engine_init"' });
  assert.throws(() => engine.setAdvertisingIdentifier('', false, START), { message: /or null, found an empty one/ });
});

test('every function of the header has a name here', () => {
  const owners = { engine: Engine.prototype, fleet: Fleet.prototype, feed: Feed.prototype, config: Config.prototype, replay: Replay.prototype, roaming: Roaming.prototype, Feed, Config };
  // Calls that this package makes itself, or puts into values of its own.
  const hidden = /^plot_(abi_version|version|status_name|live_objects|error_|string_|item_|list_|strategy_call_|effects_|pairs_)/;
  for (const symbol of Object.keys(functions).filter((name) => !hidden.test(name))) {
    const name = nameOf(symbol);
    if (/^new (Engine|Replay|Roaming)\(\)$|^lint\(\)$/.test(name)) continue;
    const [, owner, member] = /^(\w+)\.(\w+)(?:\(\))?$/.exec(name) ?? [];
    assert.ok(owner !== undefined && member in owners[owner], `${symbol} is "${name}"`);
    assert.strictEqual(name.endsWith(')'), typeof Object.getOwnPropertyDescriptor(owners[owner], member)?.value === 'function' || member === 'close', symbol);
  }
  assert.strictEqual(translated('time_ms: expected milliseconds since 1970, found 1779000000'), 'time: expected milliseconds since 1970, found 1779000000');
  assert.strictEqual(translated('call plot_engine_set_feed first, not "plot_engine_init"; NULL'), 'call engine.setFeed() first, not "plot_engine_init"; null');
});
