'use strict';
// An engine's state as bytes, and back (docs/state-bytes.md).
const { test } = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { Engine, Fleet, Feed } = require('../index.js');
const { START, MINUTE, config, feed, folder, FAR, AT_MUSEUM } = require('./helpers.js');

const made = (t, options) => {
  const engine = new Engine({ timers: false, ...options });
  t.after(() => engine.close());
  return engine;
};
const inside = (t, options) => {
  const engine = made(t, options);
  engine.init(config(), { time: START, timeZone: null });
  engine.setFeed(feed(), START);
  engine.updateLocation({ ...FAR, time: START + MINUTE });
  engine.updateLocation({ ...AT_MUSEUM, time: START + 2 * MINUTE });
  return engine;
};

test('an engine goes on from what another has saved', (t) => {
  const first = inside(t);
  const state = first.save();
  assert.ok(state instanceof Uint8Array && state.length < 2048);
  const shown = [];
  const second = made(t, { onShow: (item) => { shown.push(item.message); } });
  assert.strictEqual(second.restore(state, config(), { feed: feed(), time: START + 2 * MINUTE }), second);
  assert.deepStrictEqual(second.visits(), first.visits());
  assert.deepStrictEqual(second.sentNotifications(), first.sentNotifications());
  assert.deepStrictEqual(second.save(), state);
  for (const engine of [first, second]) engine.updateLocation({ ...FAR, time: START + 9 * MINUTE });
  assert.deepStrictEqual(second.save(), first.save());
  // Shown once: the second engine knows.
  second.updateLocation({ ...AT_MUSEUM, time: START + 20 * MINUTE });
  assert.deepStrictEqual(shown, []);
});

test('into a store', (t) => {
  const store = path.join(folder(t), 'store');
  const first = inside(t);
  const second = made(t);
  second.restore(first.save(), config(), { feed: feed(), store, time: START + 3 * MINUTE });
  second.close();
  const third = made(t);
  third.init(config(), { store, time: START + 4 * MINUTE, timeZone: null });
  assert.deepStrictEqual(third.visits(), first.visits());
  assert.deepStrictEqual(third.sentNotifications(), first.sentNotifications());
  third.close();
  assert.throws(() => made(t).restore(first.save(), config(), { store, time: START + 5 * MINUTE }), /a new store/);
});

test('events that wait go along, by option', (t) => {
  const acknowledging = { ...config(), engine: { ...config().engine, events: { acknowledge: true } } };
  const first = made(t);
  first.init(acknowledging, { time: START, timeZone: null });
  first.setFeed(feed(), START);
  first.updateLocation({ ...AT_MUSEUM, time: START + MINUTE });
  const { events } = first.pendingEvents();
  assert.ok(events.length > 1);
  for (const [options, wanted] of [[{ events: true }, events], [{}, []]]) {
    const second = made(t);
    second.restore(first.save(options), acknowledging, { feed: feed(), time: START + 2 * MINUTE });
    assert.deepStrictEqual(second.pendingEvents().events, wanted);
  }
});

test('what is refused changes nothing', (t) => {
  const state = inside(t).save();
  const engine = made(t);
  const code = (bytes, options) => {
    try { engine.restore(bytes, config(), { time: START + 3 * MINUTE, ...options }); } catch (error) { return error.code ?? error.name; }
    return 'taken';
  };
  for (let i = 0; i < state.length; i += 7) {
    const damaged = state.slice();
    damaged[i] ^= 1 << (i % 8);
    assert.match(code(damaged), /PLOT_INVALID_DOCUMENT|PLOT_STORE_NEWER/, `byte ${i}`);
  }
  assert.strictEqual(code(state.slice(0, -1)), 'PLOT_INVALID_DOCUMENT');
  assert.strictEqual(code(new Uint8Array(0)), 'PLOT_INVALID_DOCUMENT');
  const newer = state.slice();
  newer[4]++;
  assert.strictEqual(code(newer), 'PLOT_STORE_NEWER');
  assert.strictEqual(code('text'), 'PLOT_INVALID_ARGUMENT');
  assert.strictEqual(code(state, { feeds: 1 }), 'PLOT_INVALID_ARGUMENT');
  assert.strictEqual(engine.initialized, false);
  assert.strictEqual(code(state, { feed: feed() }), 'taken');
  assert.strictEqual(code(state), 'PLOT_ALREADY_INITIALIZED');
});

test('many engines in one call', (t) => {
  const places = Feed.parse(feed());
  t.after(() => places.close());
  const engines = [inside(t), inside(t, { onShow() {} }), made(t).init(config(), { time: START, timeZone: null })];
  const states = new Fleet(engines).save();
  assert.deepStrictEqual(states, engines.map((engine) => engine.save()));
  const others = engines.map(() => made(t));
  const fleet = new Fleet(others);
  fleet.restore(states, config(), { feed: places });
  assert.deepStrictEqual(others.slice(0, 2).map((engine) => engine.visits()), engines.slice(0, 2).map((engine) => engine.visits()));
  assert.deepStrictEqual(fleet.save().slice(0, 2), states.slice(0, 2));
  others[0].updateLocation({ ...FAR, time: START + 9 * MINUTE });
  assert.throws(() => fleet.restore(states.slice(1), config()), /expected 3/);
  assert.throws(() => fleet.restore(states, config()), /engines\[0\].*initialized before/);
  others[2].close();
  assert.throws(() => fleet.save(), /engines\[2\]/);
  assert.deepStrictEqual(new Fleet([]).save(), []);
});
