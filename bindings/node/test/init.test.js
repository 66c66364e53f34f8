'use strict';
// An init that fails leaves nothing initialised: neither an engine, nor the objects that apps of the frameworks know.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { Config, Engine, Feed, PlotError, liveObjects } = require('../index.js');
const { createPlot } = require('../cordova/index.js');
const { createTitanium } = require('../titanium/index.js');
const { createPlotProjects } = require('../react-native/index.js');
const { START, MINUTE, config, feed, folder, FAR, AT_MUSEUM } = require('./helpers.js');

/** Each framework: a device, and the init that its apps call, as a promise. */
const FRAMEWORKS = {
  Cordova(options) {
    const { plot, device } = createPlot(options);
    return { device, init: () => new Promise((resolve, reject) => { plot.init({}, resolve, (message) => reject(new Error(message))); }) };
  },
  Titanium(options) {
    const { plot, device } = createTitanium(options);
    return { device, init: async () => plot.initPlot({}) };
  },
  'React Native'(options) {
    const { PlotProjects, device } = createPlotProjects(options);
    return { device, init: async () => PlotProjects.initialize() };
  },
};

for (const [name, make] of Object.entries(FRAMEWORKS)) {
  test(`${name}: with a wrong feed no init succeeds, with a good one the next does`, async (t) => {
    const file = path.join(folder(t), 'feed.json');
    fs.writeFileSync(file, JSON.stringify({ ...feed(), regions: 'none' }));
    const { device, init } = make({ config: config(), feed: file, clock: () => START, timers: false, timeZone: 'UTC' });
    t.after(() => device.close());
    await assert.rejects(init, /regions/);
    assert.strictEqual(device.initialized, false);
    await assert.rejects(init, /regions/);
    assert.throws(() => device.engine.isEnabled(), { code: 'PLOT_NOT_INITIALIZED' });
    fs.writeFileSync(file, JSON.stringify(feed()));
    await init();
    assert.strictEqual(device.initialized, true);
    assert.strictEqual(device.engine.loadedNotifications().length, 1);
  });

  test(`${name}: a fault behind the library's own init takes that back`, async (t) => {
    const store = path.join(folder(t), 'plot.db');
    const shown = [];
    const { device, init } = make({ config: config(), feed: feed(), store, clock: () => START, timers: false, timeZone: 'UTC', show: (item) => { shown.push(item.message); } });
    t.after(() => device.close());
    // The effect of a full disk there, injected.
    const { engine } = device;
    const events = [];
    engine.on('event', (record) => events.push(record.event));
    const getTimeZone = engine.getTimeZone;
    engine.getTimeZone = () => { throw new PlotError('the disk is full', { code: 'PLOT_STORE_FAILED' }); };
    await assert.rejects(init, /the disk is full/);
    assert.strictEqual(device.initialized, false);
    assert.throws(() => engine.isEnabled(), { code: 'PLOT_NOT_INITIALIZED' });
    await assert.rejects(init, /the disk is full/);
    delete engine.getTimeZone;
    assert.strictEqual(engine.getTimeZone, getTimeZone);
    await init(); // the store is not held by the one that was taken back, and the handlers are there
    device.updateLocation({ ...FAR, time: START });
    device.updateLocation({ ...AT_MUSEUM, time: START + MINUTE });
    assert.deepStrictEqual(shown, ['Welcome at Museum']);
    assert.deepStrictEqual(events, ['region-enter', 'notification-shown']);
  });
}

test('an engine whose init fails has nothing, and may be given another', (t) => {
  const store = path.join(folder(t), 'plot.db');
  const loaded = [];
  const engine = new Engine({ timers: false });
  t.after(() => engine.close());
  engine.setStrategy('s', { load() { loaded.push('load'); } });
  for (const [given, options, code] of [
    [{ publicToken: 5 }, { time: START, store }, 'PLOT_INVALID_DOCUMENT'], [config(), { time: START, store: '/nowhere/plot.db' }, 'PLOT_STORE_FAILED'],
    [config(), { time: START, store, timeZone: 'Europe/Nowhere' }, 'PLOT_INVALID_ARGUMENT'], [config(), { time: -1, store }, 'PLOT_INVALID_ARGUMENT'],
  ]) {
    assert.throws(() => engine.init(given, options), { code }, code);
    assert.throws(() => engine.isEnabled(), { code: 'PLOT_NOT_INITIALIZED' });
    assert.strictEqual(engine.initialized, false);
  }
  assert.strictEqual(fs.existsSync(store), false);
  engine.init(config(), { time: START, store });
  assert.deepStrictEqual(loaded, ['load']);
  assert.throws(() => engine.init(config(), { time: START }), { code: 'PLOT_ALREADY_INITIALIZED' });
  assert.strictEqual(engine.initialized, true);
  engine.enable(START);
});

test('an engine that asks nobody needs no token', (t) => {
  for (const given of [{}, { publicToken: null }, { engine: { noise: 'exact' } }]) {
    const shown = [];
    const engine = new Engine({ timers: false, onShow: (item) => { shown.push(item.message); } });
    t.after(() => engine.close());
    engine.init(given, { time: START });
    engine.setFeed(feed(), START);
    engine.updateLocation({ ...FAR, time: START });
    engine.updateLocation({ ...AT_MUSEUM, time: START + MINUTE });
    assert.deepStrictEqual(shown, ['Welcome at Museum']);
    assert.strictEqual(Config.parse(given).toJSON().publicToken, null);
  }
  for (const publicToken of ['', 47114711, ['47114711'], { 47114711: 1 }]) {
    assert.throws(() => Config.parse({ publicToken }), (error) => {
      assert.deepStrictEqual([error.code, error.pointer, error.expected], ['PLOT_INVALID_DOCUMENT', '/publicToken', 'a string that is not empty']);
      assert.doesNotMatch(`${error.message} ${error.found}`, /4711/);
      return true;
    });
  }
});

test('an object that JSON takes for an empty one is no configuration', (t) => {
  class Loader { publicToken() { return 'x'; } }
  for (const [given, found] of [
    [Promise.resolve(config()), 'an object of Promise'], [new Map(Object.entries(config())), 'an object of Map'], [new Loader(), 'an object of Loader'],
    [Object.create(config()), 'an object of Object'], [new ArrayBuffer(8), 'an object of ArrayBuffer'], [new Uint16Array(2), 'an object of Uint16Array'],
  ]) {
    assert.throws(() => Config.parse(given), { code: 'PLOT_INVALID_ARGUMENT', message: `configuration: expected JSON text, bytes or a plain object, found ${found}` });
  }
  const places = Feed.parse(feed());
  t.after(() => places.close());
  assert.throws(() => new Engine({ timers: false }).init(places), { code: 'PLOT_INVALID_ARGUMENT', message: 'configuration: expected a Config, a path or a plain object, found a Feed' });
  class Settings { publicToken = 'x'; }
  for (const given of [new Settings(), Object.assign(Object.create(null), config()), vm.runInNewContext('({ publicToken: "x" })'), { toJSON: config }]) Config.parse(given).close();
});

test('a callback that throws in init does not cost the feed or the time zone', (t) => {
  const store = path.join(folder(t), 'plot.db');
  const options = { config: config(), feed: feed(), store, clock: () => START, timers: false, timeZone: 'Asia/Tokyo' };
  const first = createTitanium(options);
  first.plot.initPlot({});
  first.device.close();
  const { plot, device } = createTitanium(options);
  t.after(() => device.close());
  device.engine.setStrategy('s', { load() { throw new Error('of the app'); } });
  assert.throws(() => plot.initPlot({}), /of the app/);
  assert.strictEqual(device.initialized, true);
  assert.strictEqual(device.engine.getTimeZone(), 'Asia/Tokyo');
  assert.strictEqual(device.engine.loadedNotifications().length, 1);
});
