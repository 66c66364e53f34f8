'use strict';
// Each kind of callback, and what it may do while it runs: nothing holds it afterwards. The kinds and the actions are those of
// Tests/abuse/matrix.json, which Tests/abuse/callbacks.py compares with the header; what is missing here fails.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { setImmediate: turn } = require('node:timers/promises');
const { Engine, LATER, liveObjects } = require('../index.js');
const raw = require('../lib/raw.js');
const { collect, project } = require('./helpers.js');

const table = JSON.parse(fs.readFileSync(path.join(project, 'Tests', 'abuse', 'matrix.json'), 'utf8'));

const KINDS = {
  plot_destroy_fn: null, // the binding registers none: its callbacks are one for each type, and know their engine by a number
  plot_filter_fn: 'onFilter',
  plot_geotrigger_fn: 'onGeotriggers',
  plot_show_fn: 'onShow',
  plot_remove_fn: 'onRemove',
  plot_strategy_fn: 'strategy',
  plot_notification_handler_fn: 'onNotification',
  plot_open_fn: 'onOpen',
  plot_event_fn: 'onEvent',
  plot_decision_fn: 'onDecision',
  plot_recording_fn: 'onRecording',
  plot_log_fn: 'onLog',
  plot_wakeup_fn: 'onWakeup',
  plot_fix_request_fn: 'onFixRequest',
  plot_sync_fn: 'onSync',
};
const NAMES = Object.values(KINDS).filter((name) => name !== null);

const START = Date.UTC(2026, 2, 1, 12);
const config = { publicToken: 't', debug: true, sync: { url: 'http://127.0.0.1:1' }, engine: { noise: 'exact', filterDeadline: 600 } };
const notification = (id, more) => ({ id, type: 'notification', message: id, data: `https://example.org/${id}`, regions: ['museum'], resend: true, ...more });
const feed = {
  version: 1,
  regions: [
    { id: 'museum', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 200 },
    { id: 'bench', type: 'geofence', latitude: 52.45, longitude: 4.885, radius: 100, noise: 'balanced' },
  ],
  campaigns: [
    notification('art'), notification('brief', { removeOnExit: true }), notification('page', { handlerType: 'landingPage' }),
    { id: 'count', type: 'geotrigger', name: 'count', regions: ['museum'], resend: true },
    { id: 'sit', type: 'geotrigger', name: 'sit', regions: ['bench'], resend: true, trigger: 'dwelling', dwellingMinutes: 5 },
  ],
  settings: { messages: { rules: [{ if: { contains: 'later' }, then: 'defer', seconds: 1 }] } },
};

/** An engine with a callback of one kind, which does something once it is armed. It does not hold the callback. */
class Town {
  constructor(name) {
    this.name = name;
    this.other = name === 'onEvent' ? 'onDecision' : 'onEvent';
    this.calls = 0;
    this.depth = 0;
    this.seconds = 0;
    this.action = null;
    this.engine = new Engine();
    this.callback = this.register(name, this.make());
    this.register(this.other, () => {});
    this.engine.init(config, { time: START });
    this.engine.setFeed(feed, START);
    this.move(53);
    if (['onRemove', 'onNotification', 'onOpen'].includes(name)) this.move(52.36);
    this.calls = 0;
  }

  make() {
    const town = this;
    const callback = (...args) => {
      town.calls++;
      assert.strictEqual(town.depth, 0, 'runs inside of itself');
      const { action } = town;
      town.action = null;
      let given;
      if (action !== null) {
        town.depth++;
        try {
          given = action(town);
        } finally {
          town.depth--;
        }
      }
      if (given !== undefined) return given;
      if (['onFilter', 'onGeotriggers'].includes(town.name)) return town.engine === null || town.engine.closed ? LATER : args[0];
      return undefined;
    };
    return this.name === 'strategy' ? { createNewNotification: callback } : callback;
  }

  /** Registers it, and gives what tells whether anybody holds it. */
  register(name, callback, key = 'own') {
    if (name === 'strategy') this.engine.setStrategy(key, callback);
    else this.engine[name] = callback;
    return new WeakRef(callback);
  }

  remove(name) {
    if (name === 'strategy') this.engine.removeStrategy('own');
    else if (name === 'onRecording') this.engine.stopRecording();
    else this.engine[name] = null;
  }

  move(latitude) {
    this.seconds += 60;
    this.engine.updateLocation({ latitude, longitude: 4.885, time: START + 1000 * this.seconds });
  }

  /** The call that leads to the callback. */
  provoke() {
    const time = START + 1000 * this.seconds;
    if (this.name === 'onRemove') return this.move(53);
    if (this.name === 'onFixRequest') {
      // A dwelling is due, and the newest fix is old.
      this.seconds += 3600;
      this.move(52.45);
      this.seconds += 300;
      this.engine.advance(START + 1000 * this.seconds);
      return undefined;
    }
    if (this.name === 'onSync') {
      this.engine.syncStop(time);
      return undefined;
    }
    if (this.name === 'onWakeup') {
      this.engine.processMessage({ id: `late ${this.seconds}`, body: 'later' }, time);
      return undefined;
    }
    if (this.name !== 'onNotification' && this.name !== 'onOpen') return this.move(52.36);
    const campaign = this.name === 'onOpen' ? 'page' : 'art';
    const { matchIdentifier } = this.engine.sentNotifications().find((item) => item.campaignId === campaign);
    this.engine.openNotification(matchIdentifier, time);
    return undefined;
  }

  /** Once more, when what waited is over: a batch that was not answered, a message. */
  provokeAgain() {
    this.seconds += 700;
    this.engine.advance(START + 1000 * this.seconds);
    this.move(53);
    if (this.name === 'onRemove') this.move(52.36);
    this.seconds += 200;
    this.provoke();
  }
}

function failsToRegister(town) {
  const closed = new Engine();
  closed.close();
  if (town.name === 'strategy') {
    for (const wrong of ['text', { save: 5 }]) assert.throws(() => town.engine.setStrategy('own', wrong), { code: 'PLOT_INVALID_ARGUMENT' });
    assert.throws(() => town.engine.setStrategy('', {}), { code: 'PLOT_INVALID_ARGUMENT' });
    assert.throws(() => closed.setStrategy('own', {}), { code: 'PLOT_CLOSED' });
  } else {
    assert.throws(() => { town.engine[town.name] = 'text'; }, { code: 'PLOT_INVALID_ARGUMENT' });
    assert.throws(() => { closed[town.name] = () => {}; }, { code: 'PLOT_CLOSED' });
  }
  if (town.name === 'onRecording') {
    const late = new Engine();
    late.init(config, { time: START });
    assert.throws(() => { late.onRecording = () => {}; }, { code: 'PLOT_ALREADY_INITIALIZED' });
    late.close();
  }
}

const ACTIONS = {
  'does nothing': () => {},
  'removes itself': (town) => town.remove(town.name),
  'removes itself twice': (town) => { town.remove(town.name); town.remove(town.name); },
  'replaces itself': (town) => { town.register(town.name, town.make()); },
  'removes another': (town) => town.remove(town.other),
  'removes all': (town) => { for (const name of NAMES) town.remove(name); },
  'adds another': (town) => { if (town.name === 'strategy') town.register('strategy', {}, 'another'); else town.register(town.other, () => {}); },
  'calls the engine': (town) => { town.move(51); town.engine.advance(START + 1000 * town.seconds); town.engine.visits(); },
  'provokes itself': (town) => town.provoke(),
  'closes the engine': (town) => {
    town.engine.close();
    town.engine.close();
    assert.throws(() => town.engine.visits(), { code: 'PLOT_CLOSED' });
  },
  'frees the engine': (town) => {
    const { engine } = town;
    town.engine = null;
    engine.close();
  },
  'fails to register another': failsToRegister,
  'is removed by another thread': null, // an engine belongs to the thread that made it
  'returns an unknown code': () => 'something else',
};

/** The values that these return are checked: anything that it may not be comes out of the call. */
const REFUSED = new Set(['onFilter', 'onGeotriggers', 'onShow', 'onRemove']);

test('the table is whole', () => {
  assert.deepStrictEqual(new Set(Object.keys(KINDS)), new Set(Object.keys(table.callbacks)));
  assert.deepStrictEqual(new Set([...Object.keys(raw.callbacks), 'plot_destroy_fn']), new Set(Object.keys(KINDS)));
  assert.deepStrictEqual(new Set(Object.keys(ACTIONS)), new Set(Object.keys(table.actions)));
});

class Mine extends Error {}

/** Acts, and says what is to be held; in a function of its own, so that nothing of it stays on the stack. */
function act(name, action) {
  const town = new Town(name);
  const wanted = table.actions[action] ?? table.actions['does nothing'];
  if (action === 'throws') {
    const thrown = new Mine('on purpose');
    town.action = () => { throw thrown; };
    assert.throws(() => town.provoke(), (error) => error === thrown);
  } else {
    town.action = ACTIONS[action];
    if (action === 'returns an unknown code' && REFUSED.has(name)) assert.throws(() => town.provoke());
    else town.provoke();
  }
  assert.ok(town.calls > 0, 'it did not come');
  return { town, wanted };
}

function again({ town, wanted }, action) {
  if (town.engine === null || town.engine.closed) return;
  const { calls } = town;
  town.provokeAgain();
  // Its replacement counts its calls here, too.
  assert.strictEqual(town.calls > calls, wanted.again === 1 || action === 'replaces itself');
}

/** Waits until nobody holds it. */
async function gone(reference) {
  for (let i = 0; i < 20; i++) {
    await turn();
    collect();
    if (reference.deref() === undefined) return true;
  }
  return false;
}

for (const name of NAMES) {
  test(`${name}: nothing holds it afterwards, whatever it does`, async () => {
    for (const action of [...Object.keys(ACTIONS), 'throws']) {
      if (ACTIONS[action] === null) continue;
      const done = act(name, action);
      const { town, wanted } = done;
      if (wanted.after === 1) assert.ok(await gone(town.callback), `${action}: somebody holds it still`);
      else assert.ok(town.callback.deref() !== undefined, `${action}: nobody holds it`);
      again(done, action);
      if (town.engine !== null) town.engine.close();
      assert.strictEqual(liveObjects(), 0, action);
      assert.ok(await gone(town.callback), `${action}: somebody holds it after the close`);
    }
  });
}
