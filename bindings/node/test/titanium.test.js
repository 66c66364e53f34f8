'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { createTitanium } = require('../titanium/index.js');
const { version, liveObjects } = require('../index.js');
const { until, answered, collect, folder, root, START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

/** A phone with the two scripts of the app in assets/. */
function phone(t, scripts = {}, options = {}, campaign = {}, ...others) {
  const directory = folder(t);
  fs.mkdirSync(path.join(directory, 'assets'));
  for (const [name, source] of Object.entries(scripts)) fs.writeFileSync(path.join(directory, 'assets', name), source);
  const state = { now: START, lines: [], shown: [], opened: [] };
  const { plot, device } = createTitanium({
    config: config(), feed: feed(campaign, ...others), directory, clock: () => state.now, timers: false, log: (line) => state.lines.push(line),
    show: (item) => { state.shown.push(item.message); }, open: (uri, action) => { state.opened.push([action, uri]); }, ...options,
  });
  t.after(() => device.close());
  state.walkIn = () => {
    device.updateLocation(FAR);
    state.now += MINUTE;
    device.updateLocation(AT_MUSEUM);
  };
  return Object.assign(state, { plot, device });
}

const HEAD = "var plot = require('com.plotprojects.ti');\n";
const manual = (name) => fs.readFileSync(path.join(root, 'samples', 'titanium', 'assets', name), 'utf8');

test("the manual's filter", async (t) => {
  const state = phone(t, { 'plotfilter.js': manual('plotfilter.js') });
  state.plot.initPlot({ notificationFilterEnabled: true });
  state.walkIn();
  assert.deepStrictEqual(state.shown, []); // the script runs in its own time
  await until(() => answered(state.device.engine));
  assert.deepStrictEqual(state.shown, ['TestMessage: Welcome at Museum']);
  assert.strictEqual(state.plot.getSentNotifications()[0].data, 'Test123: https://example.org/');
  assert.deepStrictEqual(state.lines, [`[INFO] Notification Filter. Plot version: ${version}`]);
});

test("the manual's geotrigger handler, with its capital T", async (t) => {
  const state = phone(t, { 'plotgeotriggerhandler.js': manual('plotgeotriggerhandler.js') }, {}, {}, GEOTRIGGER, { ...GEOTRIGGER, id: 'other', data: 'no' });
  state.plot.initPlot({ geotriggerHandlerEnabled: true });
  state.walkIn();
  await until(() => answered(state.device.engine));
  assert.deepStrictEqual(state.plot.getSentGeotriggers().map((item) => [item.identifier, item.isHandled]).sort(), [['other;museum', false], ['seen;museum', true]]);
});

for (const [name, answer] of Object.entries({
  'markGeotriggersHandled(object)': 'plot.markGeotriggersHandled(batch);',
  'markGeoTriggersHandled(object)': 'plot.markGeoTriggersHandled(batch);',
  'markGeotriggersHandled(array)': 'plot.markGeotriggersHandled(batch.geotriggers);',
  'markGeoTriggersHandled(array)': 'plot.markGeoTriggersHandled(batch.geotriggers);',
})) {
  test(name, async (t) => {
    const state = phone(t, { 'plotgeotriggerhandler.js': `${HEAD}var batch = plot.popGeotriggers(); batch.geotriggers.pop(); batch.geotriggers.push({identifier: 'nobody'}); ${answer}` }, {}, {}, GEOTRIGGER, { ...GEOTRIGGER, id: 'other' });
    state.plot.initPlot({ geotriggerHandlerEnabled: true });
    state.walkIn();
    await until(() => answered(state.device.engine));
    assert.strictEqual(state.plot.getSentGeotriggers().filter((item) => item.isHandled).length, 1);
    assert.match(state.lines.join(), /unknown identifier nobody ignored/);
  });
}

test('without the flags nothing is asked', (t) => {
  const state = phone(t, { 'plotfilter.js': 'throw new Error("not to be run")' }, {}, {}, GEOTRIGGER);
  state.plot.initPlot({});
  state.walkIn();
  assert.deepStrictEqual(state.shown, ['Welcome at Museum']);
  assert.strictEqual(state.plot.getSentGeotriggers()[0].isHandled, true);
});

test('the script has a context of its own', async (t) => {
  globalThis.ofTheApp = 'visible';
  t.after(() => { delete globalThis.ofTheApp; });
  const state = phone(t, { 'plotfilter.js': `${HEAD}
    var batch = plot.popFilterableNotifications();
    var again = plot.popFilterableNotifications();
    batch.notifications[0].message = [typeof ofTheApp, typeof process, batch.notifications instanceof Array, again.filterId === '', again.notifications.length, typeof seen].join();
    seen = true;
    var missing; try { require('fs'); } catch (error) { missing = error.message; }
    batch.notifications[0].data = missing;
    setTimeout(function () { plot.sendNotifications(batch); }, 5);` }, {}, { resend: true });
  state.plot.initPlot({ notificationFilterEnabled: true });
  state.walkIn();
  await until(() => answered(state.device.engine));
  state.device.updateLocation(FAR);
  state.device.updateLocation(AT_MUSEUM);
  await until(() => answered(state.device.engine, 2));
  assert.deepStrictEqual(state.shown, Array(2).fill('undefined,undefined,true,true,0,undefined')); // fresh each time
  assert.strictEqual(state.plot.getSentNotifications()[0].data, 'Requested module not found: fs');
});

for (const [name, [script, said]] of Object.entries({
  'never answers': [`${HEAD}plot.popFilterableNotifications();`, /no answer within 0\.05 s/],
  'answers after its time': [`${HEAD}var b = plot.popFilterableNotifications(); setTimeout(function () { plot.sendNotifications(b); }, 80);`, /no answer within/],
  'never returns': ['for (;;) {}', /failed: .*timed out/],
  'never returns from a timer': [`${HEAD}setTimeout(function () { for (;;) {} }, 1);`, /failed: .*timed out/],
  'throws': [`${HEAD}throw new Error('of the script');`, /plotfilter\.js:2 failed: Error: of the script/],
  'throws in a timer': [`${HEAD}setTimeout(function () { throw new Error('of the timer'); }, 1);`, /plotfilter\.js:2 failed: Error: of the timer/],
  'does not parse': ['var = ;', /plotfilter\.js(:1)? failed: SyntaxError/],
  'answers with no id': [`${HEAD}var b = plot.popFilterableNotifications(); plot.sendNotifications({notifications: b.notifications}); plot.sendNotifications(b.notifications); plot.sendNotifications(undefined); plot.sendNotifications({filterId: 'x', notifications: b.notifications});`, /no answer within/],
  'answers without having asked': [`${HEAD}plot.sendNotifications({filterId: '1', notifications: []});`, /no answer within/],
  'is missing': [null, /the script plotfilter\.js is missing/],
})) {
  test(`a filter script that ${name}: nothing is shown, and it may be tried again`, async (t) => {
    const state = phone(t, script === null ? {} : { 'plotfilter.js': script }, { scriptTimeout: 50 });
    state.plot.initPlot({ notificationFilterEnabled: true });
    state.walkIn();
    await until(() => answered(state.device.engine));
    await sleep(60); // for one that answers after its time
    assert.deepStrictEqual(state.shown, []);
    assert.match(state.lines.join(), said);
    state.device.updateLocation(FAR);
    state.device.updateLocation(AT_MUSEUM);
    assert.strictEqual(state.device.engine.getBatch(2).length, 1);
  });
}

test('an empty answer drops, and a script answers only once', async (t) => {
  const state = phone(t, { 'plotfilter.js': `${HEAD}var b = plot.popFilterableNotifications(), all = b.notifications; b.notifications = []; plot.sendNotifications(b); b.notifications = all; plot.sendNotifications(b);` });
  state.plot.initPlot({ notificationFilterEnabled: true });
  state.walkIn();
  await until(() => answered(state.device.engine));
  assert.deepStrictEqual(state.shown, []);
  assert.deepStrictEqual(state.lines, []);
});

test('outside of a script there is no batch', (t) => {
  const { plot } = phone(t);
  plot.initPlot({});
  assert.deepStrictEqual(plot.popFilterableNotifications(), { filterId: '', notifications: [] });
  assert.deepStrictEqual(plot.popGeotriggers(), { handlerId: '', geotriggers: [] });
  plot.sendNotifications({ filterId: '', notifications: [] });
  plot.markGeotriggersHandled([]);
});

test('what initPlot refuses', (t) => {
  for (const [configuration, message] of [
    [undefined, 'No configuration object provided.'], [null, 'No configuration object provided.'],
    [{ notificationFilterEnabled: 'yes' }, 'NotificationFilterEnabled not specified correctly.'],
    [{ geotriggerHandlerEnabled: 1 }, 'GeotriggerHandlerEnabled not specified correctly.'],
    [{ publicToken: 5 }, 'Public key not specified correctly.'], [{ cooldownPeriod: 'x' }, 'Cooldown period not specified correctly.'],
    [{ enableOnFirstRun: 0 }, 'Enable on first run not specified correctly.'],
  ]) assert.throws(() => phone(t).plot.initPlot(configuration), { message });
  const { plot } = phone(t);
  assert.strictEqual(plot.enabled, false);
  assert.throws(() => plot.enable(), { message: "Cannot perform requested operation because Plot hasn't been initialized" });
  plot.initPlot({ publicToken: 'TEST000000000000', enableOnFirstRun: false, cooldownPeriod: 7 });
  assert.strictEqual(plot.enabled, false);
  plot.initPlot({ cooldownPeriod: 9 });
});

test('properties, lists, listeners', (t) => {
  const state = phone(t, {}, {}, {}, GEOTRIGGER);
  const { plot, device } = state;
  plot.initPlot({});
  assert.deepStrictEqual([plot.enabled, plot.getEnabled(), plot.version, plot.getVersion()], [true, true, version, version]);
  plot.disable();
  assert.strictEqual(plot.enabled, false);
  plot.enable();
  plot.setCooldownPeriod(0);
  assert.deepStrictEqual(plot.getLoadedNotifications(), [{
    identifier: 'welcome;museum', message: 'Welcome at Museum', data: 'https://example.org/', geofenceLatitude: 52.36, geofenceLongitude: 4.885, trigger: 'enter',
    dwellingMinutes: 0, matchRange: 100, isBeacon: false, notificationHandlerType: 'regular' }]);
  assert.deepStrictEqual(plot.getLoadedGeotriggers().map((item) => item.name), ['Seen']);
  const events = [];
  const listener = (event) => events.push([event.type, event.message, event.data, event.identifier]);
  state.walkIn();
  const [sent] = plot.getSentNotifications();
  assert.deepStrictEqual([sent.dateSent, sent.dateOpened, sent.isOpened], [START + MINUTE, -1, false]);
  device.openNotification(sent);
  assert.deepStrictEqual(state.opened, [['uri', 'https://example.org/']]);
  plot.addEventListener('plotNotificationReceived', listener);
  device.openNotification(sent);
  plot.removeEventListener('plotNotificationReceived', listener);
  device.openNotification(sent);
  assert.deepStrictEqual(events, [['plotNotificationReceived', 'Welcome at Museum', 'https://example.org/', 'welcome;museum']]);
  assert.strictEqual(state.opened.length, 2);
  const [handled] = plot.sentGeotriggers;
  assert.deepStrictEqual([handled.name, handled.isHandled, handled.dateHandled], ['Seen', true, START + MINUTE]);
  plot.clearSentNotifications();
  plot.clearSentGeotriggers();
  assert.deepStrictEqual([plot.sentNotifications, plot.getSentGeotriggers()], [[], []]);
  plot.mailDebugLog();
});

test('a beacon has null for its place', (t) => {
  const document = feed();
  document.regions.push({ id: 'till', type: 'beacon', proximityUUID: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', majorId: 1 });
  document.campaigns[0].regions = ['till'];
  const state = phone(t, {}, { feed: document });
  state.plot.initPlot({});
  const [item] = state.plot.getLoadedNotifications();
  assert.deepStrictEqual([item.geofenceLatitude, item.geofenceLongitude, item.isBeacon, item.matchRange], [null, null, true, 30]);
});

test('segmentation, with a Date of any realm', (t) => {
  const { plot, device } = phone(t);
  plot.initPlot({});
  plot.setBooleanSegmentationProperty('premiumMember', true);
  plot.setStringSegmentationProperty('gender', 'M');
  plot.setIntegerSegmentationProperty('yearOfBirth', '1980');
  plot.setStringSegmentationProperty('gone', 'x');
  plot.setStringSegmentationProperty('gone', null);
  plot.setDoubleSegmentationProperty('moneySpent', 10.35);
  plot.setDateSegmentationProperty('signUp', require('node:vm').runInNewContext(`new Date(${START})`));
  assert.deepStrictEqual(device.engine.getSegmentationProperties().signUp, { type: 'date', value: new Date(START) });
});

test('nothing of these tests is left', async () => {
  await until(() => { collect(); return liveObjects() === 0; });
});
