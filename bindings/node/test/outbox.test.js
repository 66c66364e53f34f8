'use strict';

const { test } = require('node:test');
const assert = require('node:assert');
const { Engine } = require('../index.js');
const { FAR, AT_MUSEUM, START, MINUTE, feed } = require('./helpers.js');

const CONFIG = { engine: { noise: 'exact', events: { acknowledge: true } } };

function started(config = CONFIG) {
  const engine = new Engine();
  engine.init(config, { time: START });
  engine.setFeed(feed(), START);
  engine.updateLocation({ ...FAR, time: START });
  engine.updateLocation({ ...AT_MUSEUM, time: START + MINUTE });
  return engine;
}

test('each event is acknowledged when the next one is asked for', async () => {
  const engine = started();
  const { events, ...rest } = engine.pendingEvents();
  assert.deepStrictEqual(rest, { acknowledged: 0, lost: 0, waiting: events.length });
  assert.strictEqual(events[0].event, 'region-enter');
  assert.deepStrictEqual(engine.pendingEvents({ after: 1, limit: 1 }).events, events.slice(1, 2));
  await assert.rejects(async () => {
    for await (const event of engine.outbox()) if (event.sequence === 2) throw new Error('mine');
  }, /mine/);
  assert.deepStrictEqual(engine.pendingEvents().events, events.slice(1));
  const taken = [];
  for await (const event of engine.outbox()) taken.push(event);
  assert.deepStrictEqual(taken, events.slice(1));
  assert.deepStrictEqual(engine.pendingEvents(), { acknowledged: events.length, lost: 0, waiting: 0, events: [] });
  engine.close();
});

test('what is refused', () => {
  const engine = started();
  assert.throws(() => engine.acknowledgeEvents(99), /sequence: expected a sequence from 0 to/);
  assert.throws(() => engine.acknowledgeEvents(-1), /sequence: expected a whole number from 0/);
  assert.throws(() => engine.pendingEvents({ since: 1 }), /since/);
  engine.close();
  const other = started({ engine: { noise: 'exact' } });
  assert.throws(() => other.pendingEvents(), /engine\.events\.acknowledge/);
  other.close();
});
