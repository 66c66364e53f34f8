'use strict';
// Messages and lists; what the engine makes of them is in the vectors.

const { test } = require('node:test');
const assert = require('node:assert');
const { Engine, PlotError, Status } = require('../index.js');
const { START, config } = require('./helpers.js');

const refused = (code) => (error) => error instanceof PlotError && error.code === code && error.status === Status[code];

const rules = (...list) => ({ version: 1, regions: [], campaigns: [], settings: { messages: { rules: list } } });

function started(t, options, feed) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(), { time: START });
  if (feed) engine.setFeed(feed, START);
  return engine;
}

test('a message is shown, dropped and taken back', (t) => {
  const shown = [];
  const events = [];
  const engine = started(t, { onShow: (item) => { shown.push(item); }, onEvent: (record) => { events.push(record); } }, rules(
    { if: { senderIn: 'blocked' }, then: 'drop' }, { if: { contains: 'x' }, then: 'mute' }));
  engine.setList('blocked', { version: 3, entries: ['villain', 'é'] }, START + 1000);
  assert.deepStrictEqual([...engine.lists()], [{ name: 'blocked', version: 3, count: 2, refreshed: new Date(START + 1000) }]);
  engine.processMessage({ id: 'a', body: 'b', sender: 'é' }, START + 2000);
  engine.processMessage('{"id": "b", "body": "an x", "sender": "s", "thread": "t", "revision": 2}', START + 3000);
  engine.processMessage(Buffer.from('{"id": "b", "op": "retract", "revision": 2}'), START + 4000);
  engine.setList('blocked', null, START + 5000);
  assert.deepStrictEqual([...engine.lists()], []);
  const [item] = shown;
  assert.deepStrictEqual(
    [item.identifier, item.message, item.sender, item.thread, item.revision, item.silent, item.suppressed, item.campaignId, item.trigger],
    ['b', 'an x', 's', 't', 2, 1, undefined, undefined, undefined]);
  assert.deepStrictEqual(events.map(({ event, messageId, region }) => [event, messageId, region]), [
    ['message-dropped', 'a', undefined], ['notification-shown', 'b', undefined], ['message-retracted', 'b', undefined],
    ['notification-removed', 'b', undefined]]);
});

test('a filter edits it', (t) => {
  const shown = [];
  const engine = started(t, { onFilter: (items) => items.map((item) => ({ ...item, message: 'edited' })), onShow: (item) => { shown.push(item.message); } });
  engine.processMessage({ id: 'a', body: 'b' }, START);
  assert.deepStrictEqual(shown, ['edited']);
});

test('what is no message is refused', (t) => {
  const engine = started(t, {});
  assert.throws(() => engine.processMessage({ id: 'a', body: '' }), (error) => refused('PLOT_INVALID_DOCUMENT')(error) && error.pointer === '/body');
  for (const payload of [5, null, undefined]) assert.throws(() => engine.processMessage(payload), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.setList('l', { version: 1, entries: [''] }), refused('PLOT_INVALID_DOCUMENT'));
  assert.throws(() => engine.setList('a;b', null), refused('PLOT_INVALID_ARGUMENT'));
  assert.throws(() => engine.setList(7, null), refused('PLOT_INVALID_ARGUMENT'));
  assert.deepStrictEqual([...engine.lists()], []);
});

test('a list is edited and asked', () => {
  const engine = new Engine();
  engine.init({ publicToken: 'x' }, { time: START });
  assert.throws(() => engine.listContains('blocked', 'loki'), (error) => error.code === 'PLOT_NOT_FOUND');
  engine.editList('blocked', { add: ['loki', 'hela'] }, START);
  engine.editList('blocked', { remove: ['loki'] }, START);
  assert.deepStrictEqual(['loki', 'hela'].map((entry) => engine.listContains('blocked', entry)), [false, true]);
  assert.deepStrictEqual(engine.lists().map(({ name, version, count }) => [name, version, count]), [['blocked', 0, 1]]);
  for (const edit of [null, {}, { added: ['a'] }, { add: 'loki' }, { add: ['a'], remove: ['a'] }]) {
    assert.throws(() => engine.editList('blocked', edit, START), (error) => error instanceof PlotError);
  }
  assert.strictEqual(engine.lists()[0].count, 1);
  engine.close();
});
