'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { Engine } = require('..');

/** Somebody is on the way (docs/trips.md). */
const START = Date.UTC(2026, 4, 16, 10);
const FEED = {
  version: 1,
  regions: [
    { id: 'shop', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 80 },
    { id: 'other', type: 'geofence', latitude: 52.37, longitude: 4.885, radius: 80 },
  ],
  campaigns: [{ id: 'near', type: 'notification', message: '{{trip.order}} of {{trip}}', regions: ['shop'], trigger: 'trip', tripEvent: 'approaching' }],
};

const started = (t) => {
  const [engine, events, shown] = [new Engine({ timers: false }), [], []];
  t.after(() => engine.close());
  engine.onEvent = (event) => events.push(event);
  engine.onShow = (item) => { shown.push([item.message, item.tripEvent]); return true; };
  engine.init({}, { time: START });
  engine.setFeed(FEED, START);
  return { engine, events, shown };
};

test('a trip from start to end', (t) => {
  const { engine, events, shown } = started(t);
  engine.updateLocation({ latitude: 52.38, longitude: 4.885, accuracy: 10, time: START });
  engine.startTrip({ id: 't', region: 'shop', mode: 'pedestrian', deadline: '2026-05-16T10:20:00Z', others: ['other'], metadata: { order: 'A7', items: 3 } }, START);
  const [trip] = engine.trips(START);
  assert.deepStrictEqual([trip.id, trip.region, trip.mode, trip.metadata, trip.delayed], ['t', 'shop', 'pedestrian', { order: 'A7', items: 3 }, true]);
  assert.deepStrictEqual([trip.started, trip.deadline], [new Date(START), new Date(START + 20 * 60_000)]);
  assert.ok(trip.metres > 2700 && trip.metres < 2800 && trip.arrival > START + 30 * 60_000);
  for (let step = 1; step <= 20; step += 1) {
    engine.updateLocation({ latitude: 52.38 - 0.001 * step, longitude: 4.885, accuracy: 10, time: START + step * 60_000 });
  }
  assert.strictEqual(engine.tripsText(START + 20 * 60_000), '[]');
  const told = events.filter((event) => event.trip === 't');
  assert.deepStrictEqual(told.map((event) => event.event), ['trip-started', 'trip-delayed', 'trip-wrong-destination', 'trip-approaching', 'trip-arrived']);
  assert.strictEqual(told[2].otherRegion, 'other');
  assert.ok(told[4].delaySeconds <= 0 && told[4].metadata.items === 3);
  assert.deepStrictEqual(shown, [['A7 of t', 'approaching']]);
});

test('the app ends trips, and what is none is refused', (t) => {
  const { engine, events } = started(t);
  for (const id of ['a', 'b']) engine.startTrip({ id, region: 'shop' }, START);
  engine.endTrip('a', {}, START + 1000);
  engine.endTrip('b', { arrived: true }, START + 2000);
  assert.deepStrictEqual(events.slice(2).map((event) => event.event), ['trip-cancelled', 'trip-arrived']);
  assert.throws(() => engine.endTrip('a', {}, START + 3000), { code: 'PLOT_NOT_FOUND', message: /no trip "a" is on/ });
  assert.throws(() => engine.startTrip({ id: 'c', region: 'shop', mode: 'car' }, START + 3000), { code: 'PLOT_INVALID_DOCUMENT', message: /\/mode: / });
  assert.throws(() => engine.endTrip('a', { arrived: 1 }), { code: 'PLOT_INVALID_ARGUMENT', message: /arrived: expected a boolean/ });
  assert.throws(() => engine.endTrip('a', { arived: true }), { code: 'PLOT_INVALID_ARGUMENT', message: /arived/ });
});
