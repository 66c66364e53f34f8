'use strict';
// Apps over the module `react-native` that the package plays: the vendor's JavaScript half has had three forms, and each of these has one.
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { start, NativeModules, NativeEventEmitter, Platform, PermissionsAndroid } = require('../react-native/native.js');
const { START, MINUTE, config, feed, folder, root, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

/** The forms: an emitter of another module, which says what it hears; one that does not; and the static one. */
const FORMS = {
  'an emitter that registers': ['const emitter = new NativeEventEmitter(NativeModules.Other);', true],
  'an emitter that does not register': ['const emitter = new NativeEventEmitter();', false],
  'the static emitter': ['const emitter = NativeEventEmitter;', false],
};

/** A module that apps import, in one of the forms. */
const half = ([emitter, registers]) => `
import { NativeEventEmitter, NativeModules } from 'react-native';
const native = NativeModules.PlotProjectsReactModule;
${emitter}
const hear = (name, event, set, give) => {
  native[name] = (callback) => {
    native[name].subscription?.remove();
    native[name].subscription = emitter.addListener(event, (value) => give(callback, value));
    ${registers ? 'native[set]();' : ''}
  };
};
hear('registerNotificationFilter', 'onNotificationsToFilter', 'setNotificationFilterRegistered', (callback, { batchId, data }) => callback(batchId, data));
hear('registerGeotriggerHandler', 'onGeotriggersToHandle', 'setGeotriggerHandlerRegistered', (callback, { batchId, data }) => callback(batchId, data));
hear('registerNotificationOpenHandler', 'onNotificationOpened', 'setNotificationOpenHandlerRegistered', (callback, value) => callback(value));
export default native;
`;

async function app(t, form, ...campaigns) {
  const state = { now: START, shown: [], opened: [], lines: [] };
  state.phone = start({
    config: config(), feed: feed({}, ...campaigns), clock: () => state.now, timers: false, log: (line) => state.lines.push(line),
    show: (item) => { state.shown.push(item.message); }, open: (uri, action) => { state.opened.push([action, uri]); },
  });
  t.after(() => state.phone.close());
  state.walkIn = () => {
    state.phone.updateLocation(FAR);
    state.now += MINUTE;
    state.phone.updateLocation(AT_MUSEUM);
  };
  if (form === undefined) return state;
  const place = fs.realpathSync(folder(t));
  fs.mkdirSync(path.join(place, 'node_modules'));
  fs.symlinkSync(path.join(root, 'react-native/host'), path.join(place, 'node_modules/react-native'), 'dir');
  fs.writeFileSync(path.join(place, 'package.json'), '{"type": "module"}');
  fs.writeFileSync(path.join(place, 'half.js'), half(form));
  state.Plot = (await import(pathToFileURL(path.join(place, 'half.js')).href)).default;
  return state;
}

// Deno resolves `react-native` in its own way, and never from a folder that a test makes.
const skip = process.versions.deno !== undefined;

for (const [name, form] of Object.entries(FORMS)) {
  test(`an app with ${name}`, { skip }, async (t) => {
    const { Plot, phone, ...state } = await app(t, form, GEOTRIGGER, { ...GEOTRIGGER, id: 'other', data: '' });
    const batches = [];
    const opened = [];
    Plot.initialize();
    Plot.registerNotificationFilter((batchId, notifications) => {
      batches.push([batchId, structuredClone(notifications)]);
      notifications[0].message = 'New message';
      Plot.filterNotifications(batchId, JSON.stringify(notifications));
    });
    Plot.registerGeotriggerHandler((batchId, geotriggers) => {
      Plot.handleGeotriggers(batchId, JSON.stringify(geotriggers.filter((geotrigger) => geotrigger.data === 'pass')));
    });
    Plot.registerNotificationOpenHandler((notification) => opened.push(notification.message));
    state.walkIn();
    const [[batchId, [notification]]] = batches;
    assert.strictEqual(typeof batchId, 'number');
    assert.deepStrictEqual({ ...notification, matchId: typeof notification.matchId }, {
      campaignId: 'welcome', regionId: 'museum', matchId: 'string', data: 'https://example.org/', trigger: 'enter', dwellingMinutes: 0, matchRange: 100, regionType: 'geofence',
      triggerProperties: {}, matchPayload: {}, internalId: 0, geofenceLatitude: 52.36, geofenceLongitude: 4.885, customRegionFields: {}, experimentId: null,
      experimentMessageNumber: 0, message: notification.message, handlerType: 'regular', notificationSmallIcon: 0, notificationAccentColor: 0, activityClass: null,
    });
    assert.deepStrictEqual(state.shown, ['New message']);
    assert.deepStrictEqual(phone.engine.sentGeotriggers().map((item) => [item.data, item.isHandled]).sort(), [['', false], ['pass', true]]);
    phone.openNotification(notification.matchId);
    assert.deepStrictEqual(opened, ['New message']);
    // Without a listener, the default is done.
    Plot.unsetNotificationOpenHandlerRegistered();
    assert.strictEqual(Plot.isNotificationOpenHandlerRegistered(), false);
    phone.openNotification(notification.matchId);
    assert.deepStrictEqual([opened.length, state.opened], [1, [['uri', 'https://example.org/']]]);
    // A second answer is a line of the log.
    Plot.filterNotifications(batchId, '[]');
    assert.deepStrictEqual(state.lines, [`No batch has the id ${batchId}`]);
  });
}

test('answers that cannot be read, and late ones', async (t) => {
  const state = await app(t);
  const Plot = NativeModules.PlotProjectsReactModule;
  const late = [];
  let batch;
  state.phone.on('late', ({ kind }) => late.push(kind));
  Plot.initialize();
  Plot.setNotificationFilterRegistered();
  NativeEventEmitter.addListener('onNotificationsToFilter', (value) => { batch = value; });
  state.walkIn();
  for (const text of ['{', '{}', 'null']) Plot.filterNotifications(batch.batchId, text);
  Plot.handleGeotriggers(batch.batchId, '[]');
  assert.strictEqual(state.lines.length, 4);
  state.now += 2 * MINUTE;
  state.phone.advance();
  Plot.filterNotifications(batch.batchId, JSON.stringify([...batch.data, { matchId: 'unknown' }, null]));
  assert.deepStrictEqual([late, state.shown, state.lines.length], [['filter'], [], 6]);
});

test('settings, lists and what is around the module', async (t) => {
  const state = await app(t, undefined, GEOTRIGGER);
  const Plot = NativeModules.PlotProjectsReactModule;
  assert.throws(() => start({}), /close it first/);
  Plot.initialize();
  Plot.isEnabled((enabled) => assert.strictEqual(enabled, true));
  Plot.disable();
  Plot.isEnabled((enabled) => assert.strictEqual(enabled, false));
  Plot.enable();
  Plot.setStringSegmentationProperty('gender', 'man');
  Plot.setBooleanSegmentationProperty('is_true', true);
  Plot.setIntegerSegmentationProperty('count', 10);
  Plot.setLongSegmentationProperty('count', 9999999999);
  Plot.setDoubleSegmentationProperty('avg', 5.5);
  Plot.setDateSegmentationProperty('today', START);
  const properties = state.phone.engine.getSegmentationProperties();
  assert.deepStrictEqual([properties.count.value, properties.today.value.getTime(), Object.keys(properties).length], [9999999999, START, 5]);
  Plot.setAdvertisingId('my_IDFA', false);
  Plot.sendAttributionEvent('read_flyer', 'discounts_week_12');
  Plot.addListener('onSomething');
  assert.strictEqual(state.lines.length, 2);
  state.walkIn();
  Plot.getLoadedNotifications(([item]) => assert.deepStrictEqual([item.id, item.matchId, item.message], ['welcome;museum', null, 'Welcome at Museum']));
  Plot.getLoadedGeotriggers(([item]) => assert.strictEqual(item.name, 'Seen'));
  assert.deepStrictEqual([Platform.OS, Platform.select({ ios: 1, android: 2 }), Platform.select({ default: 3 })], ['android', 2, 3]);
  const permissions = Object.values(PermissionsAndroid.PERMISSIONS);
  assert.deepStrictEqual(new Set(Object.values(await PermissionsAndroid.requestMultiple(permissions))), new Set(['granted']));
  state.phone.close();
  assert.strictEqual(NativeModules.PlotProjectsReactModule, undefined);
});
