'use strict';
// Strategies, what is on the screen, and trying the callbacks.

const { test } = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { Engine, LATER, PlotError, liveObjects } = require('../index.js');
const { collect, folder, until } = require('./helpers.js');

const refused = (code) => ({ code });

const START = Date.UTC(2026, 2, 1, 12);
const at = (seconds) => START + seconds * 1000;
const config = { publicToken: 'x', engine: { noise: 'exact' } };
const feed = (more = {}, settings) => ({
  version: 1,
  regions: [{ id: 'a', type: 'geofence', latitude: 52.36, longitude: 4.885 }],
  campaigns: [{ id: 'c', type: 'notification', message: 'm', regions: ['a'], resend: true, ...more }],
  ...(settings && { settings }),
});
const near = (engine, seconds) => engine.updateLocation({ latitude: 52.36, longitude: 4.885, time: at(seconds) });
const far = (engine, seconds) => engine.updateLocation({ latitude: 53, longitude: 4.885, time: at(seconds) });

function witness(log, agrees = () => true) {
  return {
    updateParameters: (parameters) => log.push(['parameters', parameters]),
    createNewNotification: ({ campaignId }, { feedStatus }) => { log.push(['create?', campaignId, feedStatus]); return agrees(); },
    onNotificationCreated: ({ campaignId }, created) => log.push(['created', campaignId, created]),
    deleteCurrentNotification: ({ campaignId }, { displayed }) => { log.push(['delete?', campaignId, displayed]); return agrees(); },
    onNotificationDeleted: ({ campaignId }, deleted) => log.push(['deleted', campaignId, deleted]),
    onBackground: (time) => log.push(['background', time.getTime()]),
    onForeground: () => log.push(['foreground']),
    onStartMonitoring: (region, visit) => log.push(['monitoring', region, visit.length]),
    load: (state) => log.push(['load', state]),
    save: () => JSON.stringify({ é: log.length }),
  };
}

function start(options, document, store) {
  const engine = new Engine(options);
  engine.init(config, { time: START, store });
  if (document) engine.setFeed(document, START);
  return engine;
}

test('the life of a strategy', () => {
  const log = [];
  const removed = [];
  let agrees = true;
  const settings = { strategies: [{ key: 'w', type: 'custom', parameters: { n: 1 } }] };
  const engine = start({ onRemove: ({ campaignId }) => { removed.push(campaignId); } }, feed({ removeOnExit: true }, settings));
  engine.setStrategy('w', witness(log, () => agrees));
  assert.deepStrictEqual(log.splice(0), [['load', null], ['parameters', { n: 1 }]]);
  far(engine, 1);
  near(engine, 2);
  assert.deepStrictEqual(log.splice(0), [['monitoring', 'a', 36], ['create?', 'c', 'backendSuccess'], ['created', 'c', true]]);
  assert.strictEqual(engine.displayedNotifications().length, 1);
  far(engine, 3);
  assert.deepStrictEqual(log.splice(0), [['delete?', 'c', 1], ['deleted', 'c', true]]);
  assert.deepStrictEqual(removed, ['c']);
  engine.setForeground(true, at(4));
  engine.setForeground(false, at(5));
  engine.setNetwork(false, at(6));
  assert.deepStrictEqual(log.splice(0), [['foreground'], ['background', at(5)]]);
  agrees = false;
  near(engine, 7);
  assert.deepStrictEqual(log.splice(0).slice(1), [['create?', 'c', 'networkError'], ['created', 'c', false]]);
  engine.removeStrategy('w');
  far(engine, 8);
  near(engine, 9);
  assert.deepStrictEqual(log, []);
  assert.strictEqual(engine.sentNotifications().length, 2);
  engine.close();
  assert.strictEqual(liveObjects(), 0);
});

test('what it saves is there after a restart', (t) => {
  const store = path.join(folder(t), 'store');
  let engine = start({}, feed(), store);
  engine.setStrategy('w', witness([]));
  far(engine, 1);
  near(engine, 2);
  engine.close();
  const log = [];
  engine = new Engine();
  engine.setStrategy('w', witness(log));
  engine.init(config, { time: at(3), store });
  assert.strictEqual(log[0][0], 'load');
  assert.match(log[0][1], /^{"é":\d}$/);
  engine.close();
});

test('a vote that throws is a yes, and is thrown', () => {
  const engine = start({}, feed());
  engine.setStrategy('b', { createNewNotification() { throw new RangeError('no idea'); } });
  far(engine, 1);
  assert.throws(() => near(engine, 2), /no idea/);
  assert.strictEqual(engine.sentNotifications().length, 1);
  engine.setStrategy('b', { createNewNotification: async () => true });
  far(engine, 3);
  assert.throws(() => near(engine, 4), /must answer at once/);
  engine.close();
});

test('a strategy may leave, and close its engine', () => {
  const engine = start({}, feed());
  engine.setStrategy('l', { createNewNotification() { engine.removeStrategy('l'); }, onNotificationCreated() { assert.fail('it has left'); } });
  far(engine, 1);
  near(engine, 2);
  assert.strictEqual(engine.sentNotifications().length, 1);
  engine.setStrategy('c', { createNewNotification() { engine.close(); } });
  far(engine, 3);
  near(engine, 4);
  assert.ok(engine.closed);
  assert.strictEqual(liveObjects(), 0);
});

test('what is refused', () => {
  const engine = start({}, feed());
  assert.throws(() => engine.setStrategy('w', 5), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.setStrategy('w', { save: 1 }), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.setStrategy('a;b', {}), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.setForeground(1, START), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.dismissNotification('nobody', START), refused('PLOT_NOT_FOUND'));
  assert.throws(() => engine.testAnswer(1), refused('PLOT_UNKNOWN_TOKEN'));
  engine.close();
});

test('a removal may fail; without onRemove it is done', () => {
  for (const onRemove of [() => false, null]) {
    const engine = start({ onRemove }, feed({ removeOnExit: true }));
    far(engine, 1);
    near(engine, 2);
    far(engine, 3);
    assert.strictEqual(engine.displayedNotifications().length, onRemove ? 1 : 0);
    engine.close();
  }
});

test('the app updates and removes what is on the screen', () => {
  const shown = [];
  const engine = start({ onShow: (item) => { shown.push(item); } }, feed({ removeOnExit: true, expireAt: '2099-01-01T00:00:00Z' }));
  const reasons = [];
  engine.on('event', ({ event, reason }) => { if (event === 'notification-removed') reasons.push(reason); });
  far(engine, 1);
  near(engine, 2);
  const [first] = engine.displayedNotifications();
  assert.strictEqual(first.removeOnExit, 1);
  assert.strictEqual(first.expireAt.getUTCFullYear(), 2099);
  assert.throws(() => engine.updateNotification({ ...first, message: '' }, START), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.updateNotification({ matchIdentifier: 'nobody', message: 'm' }, START), refused('PLOT_NOT_FOUND'));
  assert.strictEqual(shown.length, 1);
  engine.updateNotification({ ...first, message: 'Sold out', title: 'Sorry' });
  const [now] = engine.displayedNotifications();
  assert.deepStrictEqual([now.message, now.title, now.updates], ['Sold out', 'Sorry', first.matchIdentifier]);
  assert.deepStrictEqual(shown.map(({ matchIdentifier }) => matchIdentifier), [first.matchIdentifier, now.matchIdentifier]);
  engine.removeNotification(now);
  engine.removeNotification();
  assert.deepStrictEqual(engine.displayedNotifications(), []);
  assert.deepStrictEqual(reasons, ['updated', 'app']);
  engine.close();
});

test('the filter is tried', () => {
  let answer = ([first]) => [{ ...first, message: 'tried' }];
  const engine = start({ onFilter: (items) => answer(items) }, feed());
  const token = engine.testFilter(engine.loadedNotifications());
  assert.ok(token > 2 ** 52);
  assert.deepStrictEqual(engine.testAnswer(token).map(({ message }) => message), ['tried']);
  assert.throws(() => engine.testFilter([{ identifier: 'x;y' }]), refused('PLOT_INVALID_ARGUMENT'));
  answer = () => LATER;
  const later = engine.testFilter(engine.loadedNotifications());
  assert.throws(() => engine.testAnswer(later), refused('PLOT_NOT_FOUND'));
  engine.answerFilter(later, [], START);
  assert.deepStrictEqual(engine.testAnswer(later), []);
  assert.deepStrictEqual(engine.testAnswer(engine.testGeotriggerHandler([])), []);
  assert.strictEqual(engine.sentNotifications().length, 0);
  engine.close();
});

test('a load that throws is thrown, and its strategy has its vote', () => {
  const engine = start({}, feed());
  const asked = [];
  engine.setStrategy('s', { createNewNotification() { assert.fail('it was replaced'); } });
  for (const error of [new RangeError('no idea'), new PlotError('a fault of its own', { code: 'PLOT_NOT_FOUND', status: 13 })]) {
    const strategy = { load() { throw error; }, createNewNotification() { asked.push(error.message); return false; } };
    assert.throws(() => engine.setStrategy('s', strategy), (thrown) => thrown === error);
  }
  far(engine, 1);
  near(engine, 2);
  assert.deepStrictEqual(asked, ['a fault of its own']);
  assert.strictEqual(engine.sentNotifications().length, 0);
  assert.throws(() => engine.setStrategy('a;b', {}), refused('PLOT_INVALID_ARGUMENT'));
  engine.close();
});

test('a closed engine lets go of its strategies at once', async () => {
  const gone = [];
  const once = () => {
    const engine = start({}, null);
    const strategy = witness([]);
    gone.push(new WeakRef(strategy));
    engine.setStrategy('a', witness([]));
    engine.setStrategy('a', strategy);
    engine.close();
  };
  for (let i = 0; i < 20; i++) once();
  assert.strictEqual(liveObjects(), 0);
  await until(() => { collect(); return gone.every((reference) => reference.deref() === undefined); });
});
