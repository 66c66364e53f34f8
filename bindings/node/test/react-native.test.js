'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const { createPlotProjects } = require('../react-native/index.js');
const { START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

function phone(t, campaign = {}, ...others) {
  const state = { now: START, shown: [], opened: [], lines: [] };
  const { PlotProjects, device } = createPlotProjects({
    config: config(), feed: feed(campaign, ...others), clock: () => state.now, timers: false, log: (line) => state.lines.push(line),
    show: (item) => { state.shown.push(item.message); }, open: (uri, action) => { state.opened.push([action, uri]); },
  });
  t.after(() => device.close());
  state.walkIn = () => {
    device.updateLocation(FAR);
    state.now += MINUTE;
    device.updateLocation(AT_MUSEUM);
  };
  return Object.assign(state, { PlotProjects, device });
}

test('filter, geotriggers and openings, by batch', (t) => {
  const state = phone(t, {}, GEOTRIGGER, { ...GEOTRIGGER, id: 'other', data: '' });
  const { PlotProjects, device } = state;
  const batches = [];
  const openings = [];
  PlotProjects.registerNotificationFilter((batchId, notifications) => {
    batches.push([batchId, notifications]);
    notifications[0].message = 'Edited';
    PlotProjects.filterNotifications(batchId, JSON.stringify(notifications));
  });
  PlotProjects.registerGeotriggerHandler((batchId, geotriggers) => {
    PlotProjects.handleGeotriggers(batchId, JSON.stringify(geotriggers.filter((item) => item.data === 'pass')));
  });
  PlotProjects.registerNotificationOpenHandler((notification) => openings.push(notification.message));
  PlotProjects.initialize();
  state.walkIn();
  const [[batchId, [notification]]] = batches;
  assert.strictEqual(typeof batchId, 'string');
  assert.deepStrictEqual(
    { ...notification, matchId: typeof notification.matchId },
    { identifier: 'welcome;museum', matchId: 'string', campaignId: 'welcome', regionId: 'museum', data: 'https://example.org/', geofenceLatitude: 52.36, geofenceLongitude: 4.885,
      trigger: 'enter', dwellingMinutes: 0, matchRange: 100, regionType: 'geofence', message: 'Edited', handlerType: 'regular' });
  assert.deepStrictEqual(state.shown, ['Edited']);
  PlotProjects.getSentGeotriggers((list) => assert.deepStrictEqual(list.map((item) => [item.name, item.data, item.isHandled]).sort(), [['Seen', '', false], ['Seen', 'pass', true]]));
  PlotProjects.getSentNotifications(([sent]) => {
    assert.deepStrictEqual([sent.dateSent, sent.dateOpened], [START + MINUTE, -1]);
    device.openNotification(sent.matchId);
  });
  assert.deepStrictEqual(openings, ['Edited']);
  assert.throws(() => PlotProjects.filterNotifications(batchId, '[]'), /No batch/);
  PlotProjects.unregisterNotificationFilter();
  PlotProjects.unregisterGeotriggerHandler();
  PlotProjects.unregisterNotificationOpenHandler();
  PlotProjects.getSentNotifications(([sent]) => device.openNotification(sent.matchId));
  assert.deepStrictEqual(state.opened, [['uri', 'https://example.org/']]);
});

test('a batch answered after its deadline', (t) => {
  const state = phone(t);
  const { PlotProjects, device } = state;
  const late = [];
  let batch;
  device.on('late', ({ code }) => late.push(code));
  PlotProjects.registerNotificationFilter((batchId) => { batch = batchId; });
  PlotProjects.initialize();
  state.walkIn();
  assert.throws(() => PlotProjects.filterNotifications(batch, '{}'), /not a list/);
  state.now += 2 * MINUTE;
  device.advance();
  PlotProjects.filterNotifications(batch, '[{"identifier": "welcome;museum"}]');
  assert.deepStrictEqual([late, state.shown], [['PLOT_ALREADY_ANSWERED'], []]);
});

test('settings and lists', (t) => {
  const { PlotProjects, device } = phone(t);
  PlotProjects.initialize();
  PlotProjects.isEnabled((enabled) => assert.strictEqual(enabled, true));
  PlotProjects.disable();
  PlotProjects.isEnabled((enabled) => assert.strictEqual(enabled, false));
  PlotProjects.enable();
  PlotProjects.setAdvertisingId('x', true);
  PlotProjects.setStringSegmentationProperty('s', 'x');
  PlotProjects.setBooleanSegmentationProperty('b', true);
  PlotProjects.setIntegerSegmentationProperty('i', 1);
  PlotProjects.setLongSegmentationProperty('l', 2);
  PlotProjects.setDoubleSegmentationProperty('d', 1.5);
  PlotProjects.setDateSegmentationProperty('t', START);
  assert.deepStrictEqual(Object.values(device.engine.getSegmentationProperties()).map(({ type }) => type).sort(), ['boolean', 'date', 'double', 'integer', 'integer', 'string']);
  PlotProjects.getLoadedNotifications((list) => assert.deepStrictEqual(list.map((item) => item.identifier), ['welcome;museum']));
  PlotProjects.getLoadedGeotriggers((list) => assert.deepStrictEqual(list, []));
});
