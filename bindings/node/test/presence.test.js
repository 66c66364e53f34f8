// Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
'use strict';

// Beacons, regions that move, and approaches: what a host says of them, and what it is told.

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { Engine, PlotError, Status } = require('..');
const { START, FAR, folder } = require('./helpers.js');

const UUID = 'f7826da6-4fa2-4e98-8024-bc5b71e0893e';
const SPACE = '00112233445566778899';
const TILL = { proximityUUID: UUID, majorId: 1, minorId: 7 };
const CONE = { namespaceId: SPACE, instanceId: 'aabbccddeeff' };

/** In the background a beacon is left 60 s after it was last heard, and a tenth of `silence`. */
const config = { publicToken: 'x', engine: { noise: { preset: 'exact' }, beacons: { silence: 30, silenceInBackground: 60 } } };
const feed = {
  version: 1,
  regions: [
    { id: 'till', type: 'beacon', ...TILL, range: 'near' },
    { id: 'cone', type: 'beacon', ...CONE, range: 'near' },
    { id: 'bus', type: 'geofence', latitude: 53, longitude: 5, radius: 50, moving: true },
    { id: 'shop', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 60 },
  ],
  campaigns: [
    { id: 'hello', type: 'notification', message: 'hello', regions: ['till', 'cone', 'bus'], resend: true, removeOnExit: true },
    { id: 'soon', type: 'notification', message: 'soon', regions: ['shop'], trigger: 'approaching', arrivalSeconds: 600 },
  ],
};

const at = (seconds) => START + 1000 * seconds;
const iso = (seconds) => new Date(at(seconds)).toISOString().replace('.000Z', 'Z');
const refused = (code, message) => (error) => (
  error instanceof PlotError && error.code === code && error.status === Status[code] && error.message.startsWith(message));

function started(store) {
  const engine = new Engine();
  const events = [];
  engine.onEvent = (record, item) => { events.push({ ...record, item }); };
  engine.onRemove = () => true;
  engine.init(config, { time: START, store });
  engine.setFeed(feed, START);
  return { engine, events };
}

/** The events of regions: which, when, since when, and by what. */
const crossings = (events) => events.filter(({ event }) => event.startsWith('region-'))
  .map(({ event, region, time, since, source }) => [event.slice(7), region, time, since, source]);

test('a beacon is entered, and left by silence, over a restart', (t) => {
  const store = path.join(folder(t), 'store');
  const { engine, events } = started(store);
  engine.updateBeacon({ ...TILL, proximity: 'near', time: at(1) });
  engine.updateBeacon({ ...TILL, minorId: 8, proximity: 'near', time: at(2) }); // another one
  assert.deepStrictEqual(events, []);
  engine.updateBeacon({ ...TILL, proximityUUID: UUID.toUpperCase(), proximity: 'immediate', time: at(3) });
  assert.deepStrictEqual(crossings(events), [['enter', 'till', iso(3), iso(1), 'beacon']]);
  assert.strictEqual(events[1].item.regionType, 'beacon');
  assert.ok(!('arrivalSeconds' in events[1].item) && !('source' in events[1]));
  assert.deepStrictEqual(engine.nextWakeup(), new Date(at(66)));
  engine.close();

  const again = [];
  const next = new Engine({ onEvent: (record) => { again.push(record); } });
  next.init(config, { time: at(30), store });
  assert.deepStrictEqual(next.visits().map(({ region }) => region), ['till']);
  assert.deepStrictEqual(next.nextWakeup(), new Date(at(66)));
  next.advance(at(100));
  assert.deepStrictEqual(crossings(again), [['exit', 'till', iso(66), iso(3), 'beacon']]);
  assert.deepStrictEqual(next.visits(), []);
  next.close();
});

test('a beacon by its strength', () => {
  const { engine, events } = started();
  for (const second of [1, 2]) engine.updateBeacon({ ...TILL, rssi: -84, power: -59, time: at(second) }); // 25 dB lost: 18 m
  assert.deepStrictEqual(events, []);
  for (const second of [40, 41]) engine.updateBeacon({ ...TILL, rssi: -64, power: -59, time: at(second) }); // 5 dB: 1.8 m
  assert.deepStrictEqual(crossings(events), [['enter', 'till', iso(41), iso(40), 'beacon']]);
  engine.close();
});

test('an Eddystone, whose power is that at zero metres', () => {
  const { engine, events } = started();
  engine.updateBeacon({ ...CONE, rssi: -62, power: -18, time: at(1) });
  engine.updateBeacon({ ...CONE, instanceId: '000000000000', rssi: -62, power: -18, time: at(2) });
  assert.deepStrictEqual(events, []);
  engine.updateBeacon({ ...CONE, instanceId: 'AABBCCDDEEFF', rssi: -62, power: -18, time: at(3) });
  assert.deepStrictEqual(crossings(events), [['enter', 'cone', iso(3), iso(1), 'beacon']]);
  engine.advance(at(1000));
  assert.deepStrictEqual(crossings(events)[1], ['exit', 'cone', iso(66), iso(3), 'beacon']);
  const removed = events.filter(({ event }) => event === 'notification-removed');
  assert.deepStrictEqual(removed.map(({ reason, region }) => [reason, region]), [['exit', 'cone']]);
  engine.close();
});

test('what is refused changes nothing', () => {
  const { engine, events } = started();
  engine.updateBeacon({ ...TILL, proximity: 'near', time: at(1) });
  const time = at(9);
  for (const [call, message] of [
    [() => engine.updateBeacon({ ...TILL, proximityUUID: 'f7826da6', time }), 'proximityUUID: expected a UUID'],
    [() => engine.updateBeacon({ ...TILL, majorId: -1, time }), 'majorId: expected an integer from 0 to 65535, found -1'],
    [() => engine.updateBeacon({ ...TILL, minorId: 65536, time }), 'minorId: expected an integer from 0 to 65535, found 65536'],
    [() => engine.updateBeacon({ ...TILL, rssi: NaN, time }), 'rssi: expected dBm from -200 to 20'],
    [() => engine.updateBeacon({ ...TILL, power: 21, time }), 'power: expected dBm from -200 to 20'],
    [() => engine.updateBeacon({ ...CONE, namespaceId: '0011', time }), 'namespaceId: expected 20 hexadecimal digits'],
    [() => engine.updateBeacon({ ...CONE, instanceId: 'xabbccddeeff', time }), 'instanceId: expected 12 hexadecimal digits'],
    [() => engine.updateBeacon(null), 'sighting: expected an object'],
    [() => engine.updateBeacon({ time }), 'sighting: expected integers, found majorId'],
    [() => engine.updateBeacon({ ...TILL, majorId: 2 ** 32 + 1, time }), 'sighting: expected integers'],
    [() => engine.updateBeacon({ ...TILL, minorId: '7', time }), 'sighting: expected integers'],
    [() => engine.updateBeacon({ ...TILL, proximity: 'Near', time }), 'proximity: expected unknown, immediate, near, far'],
    [() => engine.updateBeacon({ ...TILL, proximity: 'toString', time }), 'proximity: expected unknown, immediate, near, far'],
    [() => engine.updateBeacon({ ...TILL, rssi: '-60', time }), 'sighting: expected numbers'],
    [() => engine.updateBeacon({ namespaceId: SPACE, time }), 'instanceId: expected'],
    [() => engine.moveRegion('shop', { latitude: 52, longitude: 5 }, time), 'region: expected the id of a region with "moving": true'],
    [() => engine.moveRegion('bus', { latitude: 90.5, longitude: 5 }, time), 'latitude: expected a number from -90 to 90'],
    [() => engine.moveRegion('bus', { latitude: 52, longitude: NaN }, time), 'longitude: expected a number from -180 to 180'],
    [() => engine.moveRegion('bus', { latitude: '52', longitude: 5 }, time), 'place: expected numbers'],
    [() => engine.moveRegion('bus', null, time), 'place: expected an object'],
    [() => engine.moveRegion(5, { latitude: 52, longitude: 5 }, time), 'region: expected'],
  ]) {
    assert.throws(call, refused('PLOT_INVALID_ARGUMENT', message), message);
  }
  assert.deepStrictEqual(events, []);
  engine.updateBeacon({ ...TILL, proximity: 'near', time: at(2) }); // no time has passed
  assert.deepStrictEqual(crossings(events).map(([event, region]) => [event, region]), [['enter', 'till']]);
  engine.close();
});

test('a late sighting, and a late fix', () => {
  const { engine, events } = started();
  const decisions = [];
  engine.updateLocation({ ...FAR, time: at(10) });
  engine.onDecision = ({ time, step, reason }) => { decisions.push([time, step, reason]); };
  assert.throws(() => engine.updateBeacon({ ...TILL, time: at(9) }), refused('PLOT_OUT_OF_ORDER', ''));
  assert.throws(() => engine.updateLocation({ latitude: 52.36, longitude: 4.885, time: at(9) }), refused('PLOT_OUT_OF_ORDER', ''));
  assert.deepStrictEqual(decisions, [[iso(10), 'presence', 'late'], [iso(10), 'presence', 'late']]);
  assert.deepStrictEqual(events, []);
  engine.close();
});

test('a region that moves', () => {
  const { engine, events } = started();
  engine.updateLocation({ latitude: 52, longitude: 4.885, time: at(10) });
  engine.moveRegion('bus', { latitude: 52.0003, longitude: 4.885 }, at(20));
  engine.moveRegion('bus', { latitude: 52.01, longitude: 4.885 }, at(30));
  assert.deepStrictEqual(crossings(events), [['enter', 'bus', iso(20), undefined, 'move'], ['exit', 'bus', iso(30), undefined, 'move']]);
  engine.close();
});

test('an approach', () => {
  const { engine, events } = started();
  engine.updateLocation({ latitude: 52.3060407, longitude: 4.885, accuracy: 5, speed: 12, course: 0, time: START });
  const [approach, shown] = events;
  assert.deepStrictEqual([approach.event, approach.region, approach.ordinal], ['region-approach', 'shop', 1]);
  assert.deepStrictEqual([approach.arrivalSeconds, approach.arrival], [600, new Date(at(495.001)).toISOString()]);
  assert.deepStrictEqual([shown.event, shown.item.trigger, shown.item.arrivalSeconds], ['notification-shown', 'approaching', 600]);
  assert.deepStrictEqual(engine.sentNotifications().map((item) => item.arrivalSeconds), [600]);
  const loaded = Object.fromEntries(engine.loadedNotifications().map((item) => [item.identifier, item.arrivalSeconds]));
  assert.deepStrictEqual([loaded['soon;shop'], loaded['hello;till']], [600, undefined]);
  engine.close();
});

test('an absence', () => {
  const late = {
    id: 'late', type: 'notification', message: 'late', regions: ['shop'], trigger: 'absent', resend: true,
    absence: { minutes: 60, silenceMinutes: 30 },
  };
  const { engine, events } = started();
  engine.setFeed({ ...feed, campaigns: [late] }, START);
  for (const minute of [0, 20, 40, 60]) engine.updateLocation({ latitude: 52, longitude: 4.885, time: at(60 * minute) });
  const [told, shown] = events;
  assert.deepStrictEqual([told.event, told.campaign, told.region, told.from, told.to], ['absence', 'late', 'shop', iso(0), iso(3600)]);
  assert.deepStrictEqual([shown.event, shown.item.trigger], ['notification-shown', 'absent']);
  engine.close();
});
