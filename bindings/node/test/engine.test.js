'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setTimeout: sleep } = require('node:timers/promises');
const { inspect } = require('node:util');
const { Engine, Config, Feed, PlotError, LATER, Status, jsonText, liveObjects, version } = require('../index.js');
const { until, answered, collect, folder, START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

const refused = (code) => (error) => error instanceof PlotError && error.code === code && error.status === Status[code];

/** An engine outside the museum, one step before it walks in. */
function outside(t, options = {}, { engine: settings, campaign = {}, others = [], time = START, store } = {}) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(settings), { time, store });
  engine.setFeed(feed(campaign, ...others), time);
  engine.updateLocation({ ...FAR, time });
  return engine;
}
const walkIn = (engine, time = START + MINUTE) => engine.updateLocation({ ...AT_MUSEUM, accuracy: 5, time });

test('from a configuration to a shown notification', (t) => {
  const shown = [];
  const engine = outside(t, { onShow: (item) => { shown.push(item); } });
  walkIn(engine);
  assert.strictEqual(shown.length, 1);
  const [item] = shown;
  assert.strictEqual(item.identifier, 'welcome;museum');
  assert.strictEqual(item.message, 'Welcome at Museum');
  assert.strictEqual(item.geofenceLatitude, 52.36);
  assert.strictEqual(item.notificationHandlerType, 'regular');
  assert.strictEqual(item.dateSent, undefined);
  assert.deepStrictEqual(JSON.parse(jsonText(item)), item);
  const [sent] = engine.sentNotifications();
  assert.deepStrictEqual(sent.dateSent, new Date(START + MINUTE));
  assert.strictEqual(sent.dateOpened, null);
  assert.strictEqual(sent.isOpened, false);
  engine.openNotification(sent, START + 2 * MINUTE);
  const [opened] = engine.sentNotifications();
  assert.deepStrictEqual(opened.dateOpened, new Date(START + 2 * MINUTE));
  assert.strictEqual(opened.isOpened, true);
  assert.deepStrictEqual(engine.visits().map(({ region, ordinal, entered }) => ({ region, ordinal, entered })), [{ region: 'museum', ordinal: 1, entered: new Date(START + MINUTE) }]);
});

test('times are Dates or milliseconds, now when absent', (t) => {
  let now = START;
  const engine = new Engine({ clock: () => now, timers: false });
  t.after(() => engine.close());
  engine.init(config());
  engine.setFeed(feed(), new Date(START));
  engine.updateLocation(FAR);
  now += MINUTE;
  engine.updateLocation({ ...AT_MUSEUM, time: new Date(now) });
  assert.deepStrictEqual(engine.sentNotifications()[0].dateSent, new Date(now));
  for (const time of [NaN, new Date(NaN), 1.5, '2026', 5n, null, {}]) {
    assert.throws(() => engine.advance(time), refused('PLOT_INVALID_ARGUMENT'), String(time));
  }
});

test('inside a callback of a replay, now is the input being delivered', (t) => {
  const engine = outside(t, { onEvent(record, item) { if (record.event === 'notification-shown') this.openNotification(item); } });
  walkIn(engine);
  assert.deepStrictEqual(engine.sentNotifications()[0].dateOpened, new Date(START + MINUTE));
  engine.updateLocation({ ...FAR, time: START + 2 * MINUTE }); // time has not run ahead
});

test('documents: paths, URLs, text, bytes, objects', (t) => {
  const place = folder(t);
  const text = JSON.stringify(config());
  fs.writeFileSync(path.join(place, 'plotconfig.json'), text);
  fs.writeFileSync(path.join(place, 'feed.json'), JSON.stringify(feed()));
  for (const source of [path.join(place, 'plotconfig.json'), pathToFileURL(path.join(place, 'plotconfig.json')), config(), Buffer.from(text)]) {
    const engine = new Engine();
    engine.init(source, { time: START });
    engine.setFeed(pathToFileURL(path.join(place, 'feed.json')), START);
    assert.strictEqual(engine.loadedNotifications().length, 1);
    engine.close();
  }
  const read = Config.parse(`\uFEFF${JSON.stringify({ ...config(), strange: 1 })}`);
  assert.strictEqual(read.warnings.length, 2);
  assert.strictEqual(read.toJSON().maxRegionsMonitored, 20);
  assert.strictEqual(JSON.stringify(read), read.toString().replace(/\s*\n\s*/g, '').replace(/": /g, '":') && JSON.stringify(JSON.parse(read.toString())));
  read.close();
  read.close();
  assert.throws(() => read.warnings, refused('PLOT_CLOSED'));
  const points = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { name: 'A' }, geometry: { type: 'Point', coordinates: [4.9, 52.4] } }] };
  const imported = Feed.importGeoJSON(points, { radius: 60, message: 'At {{name}}' });
  assert.deepStrictEqual([imported.regionCount, imported.campaignCount], [1, 1]);
  assert.strictEqual(imported.toJSON().regions[0].radius, 60);
  assert.strictEqual(Feed.importGeoJSON(points, { trigger: 'inside', insideAt: '18:00' }).toJSON().campaigns[0].insideAt, '18:00');
  assert.strictEqual(Feed.parse(imported.toString()).toString(), imported.toString());
  const compiled = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'plot-')), 'feed.bin');
  imported.save(compiled);
  assert.strictEqual(Feed.map(compiled).toString(), imported.toString());
  assert.throws(() => new Config(), TypeError);
});

test('an error says where', () => {
  assert.throws(() => Config.parse('{\n  "publicToken": "x",\n  "maxRegionsMonitored": 4\n}'), (error) => {
    assert.ok(error instanceof PlotError && error instanceof Error);
    assert.strictEqual(error.name, 'PlotError');
    assert.strictEqual(error.code, 'PLOT_INVALID_DOCUMENT');
    assert.strictEqual(error.line, 3);
    assert.ok(error.column > 0);
    assert.strictEqual(error.pointer, '/maxRegionsMonitored');
    assert.match(error.expected, /5/);
    assert.match(error.found, /4/);
    return true;
  });
  assert.throws(() => Feed.load('/nowhere/feed.json'), refused('PLOT_IO_ERROR'));
  assert.throws(() => Feed.map('/nowhere/feed.bin'), refused('PLOT_IO_ERROR'));
  assert.throws(() => Feed.map(__filename), refused('PLOT_INVALID_DOCUMENT'));
  assert.throws(() => Feed.parse('{"a": "\0"}'), refused('PLOT_INVALID_DOCUMENT'));
});

test('text that would change on the way is refused', (t) => {
  const engine = outside(t);
  for (const text of ['a\0b', 'lone \uD800', '\uDC00 lone']) {
    assert.throws(() => engine.setStringSegmentationProperty('key', text, START), refused('PLOT_INVALID_ARGUMENT'));
    assert.throws(() => engine.openNotification(text, START), refused('PLOT_INVALID_ARGUMENT'));
  }
  engine.setStringSegmentationProperty('clé 🗝', 'ключ 🔑 \u2028', START);
  assert.deepStrictEqual(engine.getSegmentationProperties(), { 'clé 🗝': { type: 'string', value: 'ключ 🔑 \u2028' } });
});

test('segmentation of five types, exactly', (t) => {
  const engine = outside(t);
  engine.setStringSegmentationProperty('s', 'x', START);
  engine.setBooleanSegmentationProperty('b', true, START);
  engine.setIntegerSegmentationProperty('i', 2n ** 63n - 1n, START);
  engine.setIntegerSegmentationProperty('j', -5, START);
  engine.setDoubleSegmentationProperty('d', 10.35, START);
  engine.setDateSegmentationProperty('t', new Date(START), START);
  engine.setStringSegmentationProperty('gone', 'x', START);
  engine.setStringSegmentationProperty('gone', null, START);
  engine.setStringSegmentationProperty('9999999999999999', '"value":9999999999999999}', START);
  assert.deepStrictEqual(engine.getSegmentationProperties(), {
    '9999999999999999': { type: 'string', value: '"value":9999999999999999}' },
    b: { type: 'boolean', value: true }, d: { type: 'double', value: 10.35 }, i: { type: 'integer', value: 2n ** 63n - 1n },
    j: { type: 'integer', value: -5 }, s: { type: 'string', value: 'x' }, t: { type: 'date', value: new Date(START) },
  });
  engine.clearSegmentationProperty('s', START);
  engine.clearSegmentationProperty('s', START);
  for (const [method, ...values] of [
    ['setStringSegmentationProperty', 1, {}, true], ['setBooleanSegmentationProperty', 1, 'true', null], ['setIntegerSegmentationProperty', 1.5, '1', 2n ** 63n, 2 ** 53],
    ['setDoubleSegmentationProperty', '1', NaN, Infinity, 1n], ['setDateSegmentationProperty', 'today', NaN, null],
  ]) for (const value of values) assert.throws(() => engine[method]('key', value, START), refused('PLOT_INVALID_ARGUMENT'), `${method}(${String(value)})`);
  assert.throws(() => engine.setStringSegmentationProperty('', 'x', START), refused('PLOT_INVALID_ARGUMENT'));
});

test('fixes that cannot be are refused, and nothing changes', (t) => {
  const engine = outside(t);
  for (const fix of [{}, null, 5, { latitude: NaN, longitude: 0 }, { latitude: 91, longitude: 0 }, { latitude: 0, longitude: 181 }, { latitude: 0, longitude: 0, accuracy: -1 },
    { latitude: '52', longitude: 4 }, { latitude: 0, longitude: 0, speed: 'fast' }]) {
    assert.throws(() => engine.updateLocation(fix && { time: START, ...fix }), refused('PLOT_INVALID_ARGUMENT'), JSON.stringify(fix));
  }
  assert.throws(() => engine.updateLocation({ ...FAR, time: START - 1 }), refused('PLOT_OUT_OF_ORDER'));
  engine.updateLocation({ ...FAR, speed: null, course: null, time: START });
});

// ---- Filters ---------------------------------------------------------------------------------------------------

test('a filter keeps, edits, drops, reorders', (t) => {
  const records = [];
  const engine = outside(t, {
    onFilter: (items) => items.filter((item) => item.campaignId !== 'b').map((item) => ({ ...item, message: `Hello, ${item.message}`, data: 'edited', note: 'of the app' })).reverse(),
    onEvent: (record) => { records.push([record.event, record.campaign, record.message]); },
  }, { others: [{ id: 'b', type: 'notification', message: 'Dropped', regions: ['museum'] }, { id: 'c', type: 'notification', message: 'C', regions: ['museum'] }] });
  walkIn(engine);
  assert.deepStrictEqual(records.filter(([event]) => event !== 'region-enter').sort(), [
    ['notification-filtered', 'b', 'Dropped'], ['notification-shown', 'c', 'Hello, C'], ['notification-shown', 'welcome', 'Hello, Welcome at Museum']]);
  assert.ok(engine.sentNotifications().every((item) => item.data === 'edited'));
});

test('what a filter may not do leaves the call as an error', (t) => {
  for (const [answer, code] of [
    [(items) => [{ ...items[0], trigger: 'exit' }], 'PLOT_READ_ONLY_KEY'],
    [(items) => [{ ...items[0], dwellingMinutes: 7 }], 'PLOT_READ_ONLY_KEY'],
    [(items) => [{ ...items[0], message: '' }], 'PLOT_INVALID_ARGUMENT'],
    [(items) => [{ ...items[0], message: 5 }], 'PLOT_INVALID_ARGUMENT'],
    [(items) => [items[0], items[0]], 'PLOT_UNKNOWN_ITEM'],
    [() => [{ identifier: 'nobody;nowhere' }], 'PLOT_UNKNOWN_ITEM'],
    [() => undefined, 'PLOT_INVALID_ARGUMENT'],
    [() => 'all', 'PLOT_INVALID_ARGUMENT'],
    [() => [null], 'PLOT_INVALID_ARGUMENT'],
  ]) {
    let token;
    const engine = outside(t, { onFilter: (items, id) => { token = id; return answer(items); } });
    assert.throws(() => walkIn(engine), refused(code), String(answer));
    assert.strictEqual(engine.sentNotifications().length, 0);
    engine.answerFilter(token, engine.getBatch(token), START + MINUTE); // still open
    assert.strictEqual(engine.sentNotifications().length, 1);
  }
});

test('LATER, then an answer by token; twice is refused', (t) => {
  let token;
  let items;
  const engine = outside(t, { onFilter: (given, id) => { items = given; token = id; return LATER; } });
  walkIn(engine);
  assert.strictEqual(engine.sentNotifications().length, 0);
  assert.deepStrictEqual(engine.getBatch(token), items);
  engine.answerFilter(token, [{ identifier: 'welcome;museum', message: 'Now' }], START + MINUTE + 1000);
  assert.strictEqual(engine.sentNotifications()[0].message, 'Now');
  assert.throws(() => engine.answerFilter(token, [], START + 2 * MINUTE), refused('PLOT_ALREADY_ANSWERED'));
  assert.throws(() => engine.answerFilter(token, items, START + 2 * MINUTE), refused('PLOT_ALREADY_ANSWERED'));
  assert.throws(() => engine.getBatch(token), refused('PLOT_ALREADY_ANSWERED'));
  assert.throws(() => engine.answerFilter(9999, [], START), refused('PLOT_UNKNOWN_TOKEN'));
  for (const wrong of [-1, 1.5, '1', null]) assert.throws(() => engine.answerFilter(wrong, [], START), refused('PLOT_INVALID_ARGUMENT'));
});

test('an async filter that answers in time', async (t) => {
  const engine = outside(t, { onFilter: async (items) => { await sleep(5); return items.map((item) => ({ ...item, message: 'Promised' })); } });
  walkIn(engine);
  assert.strictEqual(engine.sentNotifications().length, 0);
  await until(() => answered(engine));
  assert.strictEqual(engine.sentNotifications()[0].message, 'Promised');
  assert.deepStrictEqual(engine.sentNotifications()[0].dateSent, new Date(START + MINUTE));
});

test('an async filter that answers at once, and one that never does', async (t) => {
  let engine = outside(t, { onFilter: (items) => Promise.resolve(items) });
  walkIn(engine);
  await until(() => answered(engine));
  assert.strictEqual(engine.sentNotifications().length, 1);
  const records = [];
  engine = outside(t, { onFilter: () => new Promise(() => {}), onEvent: (record) => { records.push(record.event); } }, { engine: { filterDeadline: 30 } });
  walkIn(engine);
  assert.deepStrictEqual(engine.nextWakeup(), new Date(START + MINUTE + 30_000));
  engine.advance(START + MINUTE + 29_999);
  assert.deepStrictEqual(records, ['region-enter']);
  engine.advance(START + MINUTE + 30_000);
  assert.deepStrictEqual(records, ['region-enter', 'notification-filtered']);
});

test('an async filter that answers late is ignored, with a word', async (t) => {
  let answer;
  const late = [];
  const engine = outside(t, { onFilter: () => new Promise((resolve) => { answer = resolve; }) });
  engine.on('late', (what) => late.push(what));
  walkIn(engine);
  engine.advance(START + 10 * MINUTE);
  answer([{ identifier: 'welcome;museum' }]);
  await sleep(1);
  assert.deepStrictEqual(late, [{ kind: 'filter', token: 1, code: 'PLOT_ALREADY_ANSWERED' }]);
  assert.strictEqual(engine.sentNotifications().length, 0);

  let second;
  const other = outside(t, { onFilter: () => new Promise((resolve) => { second = resolve; }) });
  other.on('late', (what) => late.push(what));
  walkIn(other);
  other.close();
  second([]);
  await sleep(1);
  assert.strictEqual(late[1].code, 'PLOT_CLOSED');
});

test('a filter that is asked late, because the host slept, still has its time', (t) => {
  const engine = outside(t, { onFilter: (items) => items }, { campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
  walkIn(engine);
  engine.advance(START + 60 * MINUTE); // through the dwelling, and more than a deadline
  assert.strictEqual(engine.sentNotifications().length, 1);
});

test('an async filter that fails goes to the error listeners; the deadline decides', async (t) => {
  const failure = new Error('no network');
  const errors = [];
  const engine = outside(t, { onFilter: async () => { throw failure; } });
  engine.on('error', (error) => errors.push(error));
  walkIn(engine);
  await sleep(1);
  assert.deepStrictEqual(errors, [failure]);
  assert.ok(errors[0] === failure);
  assert.strictEqual(engine.getBatch(1).length, 1);
});

test('geotriggers: sync, later, async', async (t) => {
  const campaign = { others: [GEOTRIGGER, { ...GEOTRIGGER, id: 'other', name: 'Other', data: '' }] };
  const records = [];
  const onEvent = (record) => { if (record.event.startsWith('geotrigger')) records.push([record.event, record.campaign]); };
  const expected = [['geotrigger', 'seen'], ['geotrigger-dropped', 'other']];
  let engine = outside(t, { onEvent, onGeotriggers: (items) => items.filter((item) => item.data === 'pass') }, campaign);
  walkIn(engine);
  assert.deepStrictEqual(records.splice(0).sort(), expected);
  const [handled] = engine.sentGeotriggers().filter((item) => item.isHandled);
  assert.deepStrictEqual([handled.name, handled.dateHandled], ['Seen', new Date(START + MINUTE)]);

  let token;
  engine = outside(t, { onEvent, onGeotriggers: (items, id) => { token = id; return LATER; } }, campaign);
  walkIn(engine);
  engine.markGeotriggersHandled(token, [{ identifier: 'seen;museum' }], START + MINUTE);
  assert.deepStrictEqual(records.splice(0).sort(), expected);
  assert.throws(() => engine.markGeotriggersHandled(token, [], START + MINUTE), refused('PLOT_ALREADY_ANSWERED'));

  engine = outside(t, { onEvent, onGeotriggers: async (items) => items.filter((item) => item.data === 'pass') }, campaign);
  walkIn(engine);
  await sleep(1);
  assert.deepStrictEqual(records.splice(0).sort(), expected);
});

// ---- Handlers --------------------------------------------------------------------------------------------------

test('show: true, nothing, false, a promise', (t) => {
  for (const [answer, shown] of [[true, 1], [undefined, 1], [false, 0]]) {
    const engine = outside(t, { onShow: () => answer });
    walkIn(engine);
    assert.strictEqual(engine.sentNotifications().length, shown);
  }
  const engine = outside(t, { onShow: async () => true });
  assert.throws(() => walkIn(engine), /onShow must answer at once/);
  assert.strictEqual(engine.sentNotifications().length, 0);
});

test('opening: the open handler, the notification handler, the landing page', (t) => {
  const calls = [];
  const onOpen = (action, uri, item) => { calls.push(['open', action, uri, item.identifier]); };
  const onNotification = (item, data) => { calls.push(['handler', data, item.identifier]); };
  for (const [handlers, campaign, expected] of [
    [{ onOpen }, {}, ['open', 'uri', 'https://example.org/', 'welcome;museum']],
    [{ onOpen }, { data: '' }, ['open', 'app', '', 'welcome;museum']],
    [{ onOpen }, { handlerType: 'applink' }, ['open', 'applink', 'https://example.org/', 'welcome;museum']],
    [{ onOpen, onNotification }, {}, ['handler', 'https://example.org/', 'welcome;museum']],
    [{ onOpen, onNotification }, { handlerType: 'landingPage' }, ['open', 'landingPage', 'https://example.org/', 'welcome;museum']],
  ]) {
    const engine = outside(t, handlers, { campaign });
    walkIn(engine);
    engine.openNotification(engine.sentNotifications()[0].matchIdentifier, START + MINUTE);
    assert.deepStrictEqual(calls.splice(0), [expected]);
  }
  assert.throws(() => outside(t).openNotification('nobody', START), refused('PLOT_NOT_FOUND'));
});

test('events by name, decisions and wakeups only while somebody listens', (t) => {
  const seen = [];
  const engine = outside(t, {}, { campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
  engine.once('region-enter', (record, item) => seen.push([record.event, item]));
  const onDecision = (record) => seen.push(`${record.step} ${record.reason}`);
  engine.on('decision', onDecision);
  engine.on('wakeup', (time) => seen.push(time));
  walkIn(engine);
  assert.deepStrictEqual(seen.filter((each) => Array.isArray(each)), [['region-enter', null]]);
  assert.ok(seen.some((each) => each instanceof Date && each.getTime() === START + 6 * MINUTE));
  const count = seen.length;
  engine.off('decision', onDecision);
  engine.on('notification-shown', (record, item) => seen.push([record.message, item.dateSent]));
  engine.advance(START + 6 * MINUTE);
  assert.ok(seen.length > count);
  assert.deepStrictEqual(seen.filter((each) => Array.isArray(each))[1], ['Welcome at Museum', new Date(START + 6 * MINUTE)]);
  assert.ok(!seen.slice(count).some((each) => typeof each === 'string'));
});

test('the log, and its file', (t) => {
  const lines = [];
  const file = path.join(folder(t), 'debug.log');
  const engine = new Engine({ onLog: (level, message) => { lines.push([level, message]); } });
  t.after(() => engine.close());
  engine.init(config({}, { debug: true }), { time: START });
  engine.setFeed(feed(), START);
  engine.updateLocation({ ...FAR, time: START });
  walkIn(engine);
  assert.ok(lines.length > 0);
  assert.ok(lines.every(([level, message]) => ['error', 'warning', 'info', 'debug'].includes(level) && message.length > 0));
  engine.writeDebugLog(file);
  assert.ok(fs.readFileSync(file, 'utf8').split('\n').length > 1);
  assert.throws(() => engine.writeDebugLog('/nowhere/debug.log'), refused('PLOT_IO_ERROR'));
});

test('an exception in any callback leaves the outermost call as the same object', (t) => {
  const failure = { not: 'even an Error' };
  const fail = () => { throw failure; };
  const same = (error) => error === failure;
  const handlers = {
    onFilter: walkIn, onShow: walkIn, onEvent: walkIn, onDecision: walkIn,
    onGeotriggers: walkIn,
    onNotification: (engine) => { walkIn(engine); engine.openNotification(engine.sentNotifications()[0], START + MINUTE); },
    onOpen: (engine) => { walkIn(engine); engine.openNotification(engine.sentNotifications()[0], START + MINUTE); },
    onWakeup: walkIn,
  };
  for (const [name, cause] of Object.entries(handlers)) {
    const engine = outside(t, {}, { others: [GEOTRIGGER, { id: 'stay', type: 'notification', message: 'x', trigger: 'dwelling', dwellingMinutes: 5, regions: ['museum'] }] });
    engine[name] = fail;
    assert.throws(() => cause(engine), same, name);
    engine[name] = null;
    engine.advance(START + 2 * MINUTE); // it does not linger
  }
  const log = new Engine();
  t.after(() => log.close());
  log.init(config({}, { debug: true }), { time: START });
  log.setFeed(feed(), START);
  log.onLog = fail;
  assert.throws(() => log.updateLocation({ ...AT_MUSEUM, time: START }), same);
  for (const event of ['event', 'region-enter', 'decision']) {
    const engine = outside(t).on(event, fail);
    assert.throws(() => walkIn(engine), same, event);
  }
});

test('an exception leaves through nested calls, and further ones are not lost', (t) => {
  const first = new Error('first');
  const errors = [];
  const engine = outside(t, {
    onEvent(record) {
      if (record.event === 'region-enter') this.setCooldownPeriod(0, START); // a call inside a callback does not take it
      throw first;
    },
    onShow: () => { throw new Error('second'); },
  });
  engine.on('error', (error) => errors.push(error.message));
  assert.throws(() => walkIn(engine), (error) => error === first);
  assert.ok(errors.includes('second'));
  const inner = outside(t, { onEvent: () => { throw first; } });
  const outer = outside(t, { onEvent: () => { walkIn(inner); } });
  assert.throws(() => walkIn(outer), (error) => error === first);
});

test('callbacks may call the engine, replace and remove themselves, close it', (t) => {
  const seen = [];
  const engine = outside(t, {
    onEvent(record) {
      seen.push(record.event);
      if (record.event === 'region-enter') {
        this.updateLocation({ ...FAR, time: START + 2 * MINUTE });
        assert.deepStrictEqual(seen, ['region-enter']); // delivered after this callback has returned
      }
      if (record.event === 'region-exit') this.onEvent = null;
    },
  });
  walkIn(engine);
  assert.ok(seen.includes('region-exit'));
  const count = seen.length;
  engine.updateLocation({ ...AT_MUSEUM, time: START + 3 * MINUTE });
  assert.strictEqual(seen.length, count);

  for (const name of ['onFilter', 'onShow', 'onEvent', 'onDecision', 'onGeotriggers']) {
    const closing = outside(t, { [name]() { this.close(); return name === 'onShow' ? true : LATER; } }, { others: [GEOTRIGGER] });
    walkIn(closing);
    assert.ok(closing.closed, name);
  }
});

test('wrong handlers and options are refused', (t) => {
  const engine = outside(t);
  for (const name of ['onFilter', 'onGeotriggers', 'onShow', 'onRemove', 'onNotification', 'onOpen', 'onEvent', 'onDecision', 'onLog', 'onWakeup']) {
    assert.throws(() => { engine[name] = 5; }, refused('PLOT_INVALID_ARGUMENT'));
    assert.throws(() => new Engine({ [name]: 'x' }), refused('PLOT_INVALID_ARGUMENT'));
    assert.strictEqual(engine[name], null);
  }
  assert.throws(() => new Engine({ onFliter() {} }), /"onFliter" is unknown/);
  assert.throws(() => new Engine({ clock: 5 }), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => new Engine({ timers: 1 }), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => new Engine(5), refused('PLOT_INVALID_ARGUMENT'));
});

// ---- Life ------------------------------------------------------------------------------------------------------

const METHODS = {
  init: [{ publicToken: 'x' }], enable: [START], disable: [START], setCooldownPeriod: [1, START], getCooldownPeriod: [], setTimeZone: ['UTC', START], getTimeZone: [], setClock: [1, 'boot', START], setFeed: [feed(), START], offerFeed: [feed()],
  setStringSegmentationProperty: ['k', 'v', START], setBooleanSegmentationProperty: ['k', true, START], setIntegerSegmentationProperty: ['k', 1, START],
  setDoubleSegmentationProperty: ['k', 1.5, START], setDateSegmentationProperty: ['k', START, START], clearSegmentationProperty: ['k', START],
  getSegmentationProperties: [], segmentationText: [], updateLocation: [{ ...FAR, time: START }], updateLocations: [{ times: [START], latitudes: [52], longitudes: [4] }], updateBeacon: [{ proximityUUID: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', majorId: 1, minorId: 2, time: START }], regionHint: [{ region: 'x', kind: 'enter', time: START }], planRegions: [{ ...FAR, time: START }], advance: [START], nextWakeup: [], getBatch: [1],
  answerFilter: [1, [], START], markGeotriggersHandled: [1, [], START], openNotification: ['x', START], takeAction: ['x', 'a', START], setAdvertisingIdentifier: ['x', false, START], processMessage: [{ id: 'm', body: 'b' }, START], setList: ['l', null, START], editList: ['l', { add: ['a'] }, START], listContains: ['l', 'a'], lists: [], startTrip: [{ id: 't', region: 'museum' }, START], endTrip: ['t', {}, START], trips: [START], tripsText: [START], pendingEvents: [], acknowledgeEvents: [1], outbox: [], syncBegin: [], syncNext: [START], syncResponse: [1, { status: 200 }, START], syncFailure: [1, 'cut', START], syncReceive: [1, new Uint8Array(1), START], syncMessage: [{ publication: 1 }, START], syncRecording: [new Uint8Array(1), START], syncNow: [START], syncStop: [START], syncStatus: [],
  setStrategy: ['k', {}], removeStrategy: ['k'], save: [], restore: [new Uint8Array(1), {}],
  dismissNotification: ['x', START], removeNotification: ['x', START], updateNotification: [{ matchIdentifier: 'x', message: 'm' }, START], moveRegion: ['r', { latitude: 0, longitude: 0 }, START], testFilter: [[]], testGeotriggerHandler: [[]], testAnswer: [1],
  record: ['/nowhere/at/all'], stopRecording: [], displayedNotifications: [], loadedNotifications: [], loadedGeotriggers: [],
  sentNotifications: [], sentGeotriggers: [], clearSentNotifications: [START], clearSentGeotriggers: [START], visits: [], summary: [], writeDebugLog: ['/tmp/x'], keepDecisions: [10], decisions: [], writeDecisionsTo: [null], explain: ['c'],
};
// Those that bindings only hand over.
for (const call of JSON.parse(fs.readFileSync(path.join(__dirname, '../../../docs/calls.json'), 'utf8')).calls) {
  const name = call.name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  METHODS[name] = [...call.arguments.map(({ example }) => example), ...('input' in call ? [START] : [])];
}

test('an engine says what it is at', (t) => {
  const engine = new Engine();
  t.after(() => engine.close());
  assert.strictEqual(inspect(engine), `Engine ${version} (not initialized)`);
  assert.doesNotThrow(() => inspect(Engine.prototype));
  engine.init(config(), { time: START });
  engine.setFeed(feed(), START);
  engine.updateLocation({ ...AT_MUSEUM, time: START });
  assert.strictEqual(
    inspect(engine, { breakLength: Infinity }),
    `Engine ${version} { enabled: true, regions: ${feed().regions.length}, campaigns: ${feed().campaigns.length}, visits: [ 'museum' ], displayed: 1, nextWakeup: null }`);
  assert.deepStrictEqual(engine.summary(), {
    time: new Date(START), enabled: true, foreground: false, timeZone: engine.getTimeZone(), regions: feed().regions.length, campaigns: feed().campaigns.length,
    visits: ['museum'], displayed: 1, waiting: 0, questions: 0,
  });
  engine.close();
  assert.strictEqual(inspect(engine), 'Engine (closed)');
});

test('JSON where a path is expected names what reads it', () => {
  const engine = new Engine();
  for (const [call, reader] of [
    [() => Config.load('{"publicToken": "x"}'), 'Config.parse'], [() => Feed.load(' {"version": 1}'), 'Feed.parse'], [() => engine.init('{}'), 'Config.parse'],
  ]) {
    assert.throws(call, { code: 'PLOT_INVALID_ARGUMENT', message: new RegExp(`expected a path, found JSON\\. Did you mean ${reader}\\?`) });
  }
  engine.close();
});

test('the list of methods is complete', () => {
  const inherited = new Set(['constructor', 'on', 'off', 'addListener', 'prependListener', 'removeListener', 'removeAllListeners', 'close']);
  const own = Object.entries(Object.getOwnPropertyDescriptors(Engine.prototype)).filter(([name, { value }]) => typeof value === 'function' && !inherited.has(name)).map(([name]) => name);
  assert.deepStrictEqual(own.sort(), Object.keys(METHODS).sort());
});

test('every method before init is refused', () => {
  const engine = new Engine();
  for (const [name, args] of Object.entries(METHODS)) {
    if (['init', 'restore', 'setClock', 'setStrategy', 'removeStrategy', 'record', 'stopRecording', 'offerFeed'].includes(name)) continue;
    assert.throws(() => engine[name](...args), refused('PLOT_NOT_INITIALIZED'), name);
  }
  engine.close();
});

test('the clock may be told before init, and is what a start is refused for', (t) => {
  const store = path.join(folder(t), 'store');
  const run = (monotonic, boot, time) => {
    const engine = new Engine({ timers: false });
    try {
      engine.setClock(monotonic, boot, time);
      engine.init({ publicToken: 'x' }, { time, store });
      assert.throws(() => engine.setClock(monotonic - 1, boot, time), refused('PLOT_INVALID_ARGUMENT'));
      engine.setClock(BigInt(monotonic) + 1n, boot, time - 86_400_000);
      engine.updateLocation({ ...FAR, time: time - 86_400_000 });
    } finally {
      engine.close();
    }
  };
  run(5000, 'one', START);
  assert.throws(() => run(5000, 'one', START), refused('PLOT_INVALID_ARGUMENT'));
  run(1, 'two', START);
  for (const bad of [-1, 1.5, '1', null]) assert.throws(() => new Engine().setClock(bad, 'boot', START), refused('PLOT_INVALID_ARGUMENT'));
  for (const bad of ['', 'x'.repeat(256), 5, null]) assert.throws(() => new Engine().setClock(1, bad, START), refused('PLOT_INVALID_ARGUMENT'));
});

test('every method after close throws', () => {
  const engine = new Engine();
  engine.init(config(), { time: START });
  engine.close();
  engine.close();
  assert.ok(engine.closed);
  for (const [name, args] of Object.entries(METHODS)) assert.throws(() => engine[name](...args), refused('PLOT_CLOSED'), name);
  for (const name of ['onFilter', 'onShow', 'onEvent', 'onWakeup']) assert.throws(() => { engine[name] = () => {}; }, refused('PLOT_CLOSED'), name);
  engine.on('event', () => {}); // listening to a closed engine hears nothing, and does no harm
});

test('init twice, and after a failure', (t) => {
  const engine = new Engine();
  t.after(() => engine.close());
  assert.throws(() => engine.init({ publicToken: '' }, { time: START }), refused('PLOT_INVALID_DOCUMENT'));
  assert.throws(() => engine.init(config(), { time: START, store: path.join(folder(t), 'missing', 'plot.db') }), refused('PLOT_STORE_FAILED'));
  assert.strictEqual(engine.init(config(), { time: START }), engine);
  assert.throws(() => engine.init(config(), { time: START }), refused('PLOT_ALREADY_INITIALIZED'));
});

test('Symbol.dispose and Symbol.asyncDispose close', async () => {
  for (const name of ['dispose', 'asyncDispose']) {
    for (const object of [new Engine(), Config.parse(config()), Feed.parse(feed())]) {
      const given = object[Symbol[name] ?? Symbol.for(`Symbol.${name}`)]();
      assert.strictEqual(given instanceof Promise, name === 'asyncDispose');
      await given;
      assert.throws(() => (object instanceof Engine ? object.isEnabled() : object.toString()), refused('PLOT_CLOSED'));
    }
  }
});

test('a store remembers; two engines on it do not', (t) => {
  const store = path.join(folder(t), 'plot.db');
  let engine = outside(t, {}, { store });
  walkIn(engine);
  const other = new Engine();
  assert.throws(() => other.init(config(), { time: START, store }), refused('PLOT_STORE_BUSY'));
  other.close();
  const visits = engine.visits();
  engine.close();
  engine = new Engine();
  t.after(() => engine.close());
  engine.init(config(), { time: START + 2 * MINUTE, store: pathToFileURL(store) });
  assert.deepStrictEqual(engine.visits(), visits);
  assert.strictEqual(engine.sentNotifications().length, 1);
  assert.strictEqual(engine.loadedNotifications().length, 1);
  engine.clearSentNotifications(START + 2 * MINUTE);
  assert.deepStrictEqual(engine.sentNotifications(), []);
  fs.writeFileSync(`${store}.bad`, 'not a store'.repeat(500));
  const third = new Engine();
  assert.throws(() => third.init(config(), { time: START, store: `${store}.bad` }), refused('PLOT_STORE_DAMAGED'));
  third.close();
});

test('settings', (t) => {
  const engine = outside(t);
  assert.strictEqual(engine.isEnabled(), true);
  engine.disable(START);
  assert.strictEqual(engine.isEnabled(), false);
  engine.enable(START);
  engine.setCooldownPeriod(60, START);
  assert.strictEqual(engine.getCooldownPeriod(), 60);
  for (const seconds of [-1, 31536001]) assert.throws(() => engine.setCooldownPeriod(seconds, START), refused('PLOT_INVALID_ARGUMENT'));
  for (const seconds of [1.5, '60', NaN]) assert.throws(() => engine.setCooldownPeriod(seconds, START), refused('PLOT_INVALID_ARGUMENT'));
  assert.strictEqual(engine.getTimeZone(), 'UTC');
  engine.setTimeZone('Europe/Amsterdam', START);
  assert.strictEqual(engine.getTimeZone(), 'Europe/Amsterdam');
  for (const zone of ['Mars/Olympus', '', '../etc/passwd', 5, null]) assert.throws(() => engine.setTimeZone(zone, START), refused('PLOT_INVALID_ARGUMENT'));
  for (const limit of [-1, 0.5, '1']) assert.throws(() => engine.loadedNotifications(limit), refused('PLOT_INVALID_ARGUMENT'));
  assert.strictEqual(engine.loadedNotifications(1).length, 1);
});

// ---- Timers ----------------------------------------------------------------------------------------------------

test('timers follow the wakeups of a live engine, each at its exact time', async (t) => {
  const store = path.join(folder(t), 'plot.db');
  const entered = Date.now() - 5 * MINUTE + 300; // the five minutes are over in 300 ms
  const before = outside(t, {}, { store, time: entered - MINUTE, campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
  walkIn(before, entered);
  before.close();
  const shown = [];
  const engine = new Engine({ onShow: (item) => { shown.push(item.message); } });
  t.after(() => engine.close());
  engine.init(config(), { store });
  assert.deepStrictEqual(engine.nextWakeup(), new Date(entered + 5 * MINUTE));
  assert.deepStrictEqual(shown, []);
  while (Date.now() < entered + 5 * MINUTE + 50); // the timer oversleeps
  await until(() => shown.length > 0);
  assert.deepStrictEqual(shown, ['Welcome at Museum']);
  assert.deepStrictEqual(engine.sentNotifications()[0].dateSent, new Date(entered + 5 * MINUTE));
  assert.strictEqual(engine.nextWakeup(), null);
});

test('an async filter meets its deadline by the timer', async (t) => {
  const late = [];
  let answer;
  const records = [];
  const engine = new Engine({ onFilter: () => new Promise((resolve) => { answer = resolve; }), onEvent: (record) => { records.push(record.event); } });
  t.after(() => engine.close());
  engine.on('late', (what) => late.push(what.code));
  engine.init(config({ filterDeadline: 1 }));
  engine.setFeed(feed());
  engine.updateLocation(FAR);
  engine.updateLocation(AT_MUSEUM);
  assert.deepStrictEqual(records, ['region-enter']);
  await until(() => records.length > 1);
  assert.deepStrictEqual(records, ['region-enter', 'notification-filtered']);
  answer([{ identifier: 'welcome;museum' }]);
  await until(() => late.length > 0);
  assert.deepStrictEqual(late, ['PLOT_ALREADY_ANSWERED']);
  assert.deepStrictEqual(engine.sentNotifications(), []);
});

test('an exception in a callback that a timer led to goes to the error listeners', async (t) => {
  const failure = new Error('in a timer');
  const errors = [];
  const engine = new Engine({ onFilter: () => LATER });
  t.after(() => engine.close());
  engine.on('notification-filtered', () => { throw failure; });
  engine.on('error', (error) => errors.push(error));
  engine.init(config({ filterDeadline: 1 }));
  engine.setFeed(feed());
  engine.updateLocation(FAR);
  engine.updateLocation(AT_MUSEUM);
  await until(() => errors.length > 0);
  assert.ok(errors.length === 1 && errors[0] === failure);
});

test('an engine with times of its own has no timers, unless asked', async (t) => {
  const records = [];
  const onEvent = (record) => { records.push(record.event); };
  const replay = outside(t, { onEvent, onFilter: () => LATER });
  walkIn(replay);
  await sleep(20);
  assert.deepStrictEqual(records.splice(0), ['region-enter']); // its deadline, in May 2026, stays its host's matter
  const asked = outside(t, { onEvent, onFilter: () => LATER, timers: true });
  walkIn(asked);
  await until(() => records.length > 1);
  assert.deepStrictEqual(records, ['region-enter', 'notification-filtered']);
});

test('nothing of these tests is left', async () => {
  for (let i = 0; i < 200 && liveObjects() > 0; i++) {
    collect();
    await sleep(5);
  }
  assert.strictEqual(liveObjects(), 0);
});

test('an error has a kind, a page and a cure', () => {
  const parse = (campaign) => Feed.parse({ version: 1, regions: [{ id: 'r', type: 'geofence', latitude: 52, longitude: 4 }], campaigns: [{ id: 'c', type: 'notification', regions: ['r'], ...campaign }] });
  assert.throws(() => parse({ message: 'm', cooldwnPeriod: 5 }), { code: 'PLOT_INVALID_DOCUMENT', kind: 'unknown-key', page: 'docs/errors.md#unknown-key', cure: 'Write "cooldownPeriod".' });
  assert.throws(() => parse({}), { kind: 'missing-key', page: 'docs/errors.md#missing-key', cure: /^Add the key/ });
  const engine = new Engine();
  assert.throws(() => engine.visits(), { kind: 'not-initialized', cure: /^Start the engine/ });
  engine.close();
  assert.throws(() => engine.visits(), { kind: 'closed', page: 'docs/errors.md#closed' });
});
