'use strict';
// Rich content: read, edited in a filter, chosen from; and the advertising identifier.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { pathToFileURL } = require('node:url');
const { Engine, PlotError, Status } = require('../index.js');
const { folder, START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

const refused = (code) => (error) => error instanceof PlotError && error.code === code && error.status === Status[code];

const ACTIONS = [{ id: 'save', title: 'Save' }, { id: 'go', title: 'Go', foreground: true }];
const CONTENT = {
  title: 'At {{name}}', subtitle: 's', body: 'b', sound: 'bell', badge: 2, category: 'offer',
  attachments: [{ id: 'p', url: '/nowhere.png' }], userInfo: { b: [1, 2.5], a: null },
};

function inside(t, options, content = CONTENT, others = []) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(), { time: START });
  engine.setFeed({ ...feed({ content }, ...others), categories: [{ id: 'offer', actions: ACTIONS }] }, START);
  engine.updateLocation({ ...FAR, time: START });
  engine.updateLocation({ ...AT_MUSEUM, time: START + MINUTE });
  return engine;
}

/** The notification that is sent after a filter's edits. */
const edited = (t, edit, content) => inside(t, { onFilter: (items) => items.map((item) => ({ ...item, ...edit(item) })) }, content).sentNotifications()[0];

test('what is shown has it', (t) => {
  const shown = [];
  const engine = inside(t, { onShow: (item) => { shown.push(item); } });
  for (const item of [shown[0], engine.sentNotifications()[0], engine.loadedNotifications()[0]]) {
    assert.deepStrictEqual([item.title, item.subtitle, item.body, item.sound, item.badge, item.category], ['At Museum', 's', 'b', 'bell', 2, 'offer']);
    assert.deepStrictEqual(item.actions, [
      { id: 'save', title: 'Save', foreground: false, destructive: false, compact: true },
      { id: 'go', title: 'Go', foreground: true, destructive: false, compact: true },
    ]);
    assert.deepStrictEqual(item.userInfo, { b: [1, 2.5], a: null });
  }
  assert.strictEqual(shown[0].attachments, undefined); // there is no such file
  assert.deepStrictEqual(engine.loadedNotifications()[0].attachments, CONTENT.attachments);
});

test('everything can be set, and added where there was none', (t) => {
  const picture = path.join(folder(t), 'a b.png');
  fs.writeFileSync(picture, 'x');
  const changes = {
    title: 'new é', subtitle: 'under', body: 'long', sound: 'gong', badge: 0, category: 'own',
    attachments: [{ id: 'x', url: picture }, { id: 'y', url: pathToFileURL(picture).href, type: 'png' }],
    actions: [{ id: 'c', title: 'C', destructive: true }], userInfo: { new: { deep: [true] }, a: 2n ** 60n },
  };
  for (const content of [CONTENT, {}]) {
    const sent = edited(t, () => changes, content);
    for (const key of ['title', 'subtitle', 'body', 'sound', 'badge', 'category', 'attachments']) assert.deepStrictEqual(sent[key], changes[key], key);
    assert.deepStrictEqual(sent.actions, [{ id: 'c', title: 'C', foreground: false, destructive: true, compact: true }]);
    assert.deepStrictEqual(sent.userInfo, { ...content.userInfo, new: { deep: [true] }, a: 2 ** 60 }); // what was there at first stays
  }
});

test('null takes away; what is not mentioned, and what is the same, stays', (t) => {
  const gone = Object.fromEntries(['title', 'subtitle', 'body', 'sound', 'badge', 'category', 'attachments', 'actions', 'userInfo'].map((key) => [key, null]));
  const cleared = edited(t, () => gone);
  for (const key of Object.keys(gone)) assert.deepStrictEqual(cleared[key], key === 'userInfo' ? CONTENT.userInfo : undefined, key);
  assert.strictEqual(edited(t, () => gone, {}).message, 'Welcome at Museum'); // absent already
  const token = [];
  const engine = inside(t, { onFilter: (items, id) => { token.push(id); return new Promise(() => {}); } });
  engine.answerFilter(token[0], [{ identifier: 'welcome;museum', badge: 5 }], START + MINUTE);
  const [sent] = engine.sentNotifications();
  assert.deepStrictEqual([sent.title, sent.badge, sent.userInfo], ['At Museum', 5, CONTENT.userInfo]);
});

test('edits in place, and from another realm', (t) => {
  const inPlace = edited(t, (item) => { item.userInfo.b.push('x'); item.actions.pop(); return {}; });
  assert.deepStrictEqual(inPlace.userInfo.b, [1, 2.5, 'x']);
  assert.deepStrictEqual(inPlace.actions.map(({ id }) => id), ['save']);
  const foreign = edited(t, (item) => vm.runInNewContext('JSON.parse(json)', { json: JSON.stringify({ ...item, title: 'foreign' }) }));
  assert.deepStrictEqual([foreign.title, foreign.userInfo], ['foreign', CONTENT.userInfo]);
});

test('what is refused leaves the call as an error', (t) => {
  for (const [changes, code] of [
    [{ title: '' }, 'PLOT_INVALID_ARGUMENT'], [{ title: 5 }, 'PLOT_WRONG_TYPE'], [{ badge: '1' }, 'PLOT_WRONG_TYPE'],
    [{ badge: -1 }, 'PLOT_INVALID_ARGUMENT'], [{ badge: 1.5 }, 'PLOT_WRONG_TYPE'], [{ badge: NaN }, 'PLOT_WRONG_TYPE'],
    [{ attachments: {} }, 'PLOT_WRONG_TYPE'], [{ attachments: [{ id: 'a' }] }, 'PLOT_INVALID_DOCUMENT'],
    [{ actions: [ACTIONS[0], ACTIONS[0]] }, 'PLOT_INVALID_DOCUMENT'], [{ userInfo: [] }, 'PLOT_WRONG_TYPE'],
    [{ title: () => {} }, 'PLOT_INVALID_ARGUMENT'], [{ message: null }, 'PLOT_INVALID_ARGUMENT'],
  ]) {
    assert.throws(() => edited(t, () => changes), refused(code), JSON.stringify(changes));
  }
  assert.throws(() => edited(t, () => ({ actions: [ACTIONS[0], { id: 'x', title: '' }] })), { pointer: '/1/title' });
});

test('a geotrigger has no content: such keys are the app\'s own', (t) => {
  const engine = inside(t, { onGeotriggers: (items) => items.map((item) => ({ ...item, title: 'mine', badge: 5 })) }, {}, [GEOTRIGGER]);
  assert.deepStrictEqual(engine.sentGeotriggers().map(({ isHandled, title }) => [isHandled, title]), [[true, undefined]]);
});

test('actions', (t) => {
  const records = [];
  const opened = [];
  const engine = inside(t, { onEvent: (record) => { records.push(record); }, onOpen: (action, uri) => { opened.push(uri); } });
  const [sent] = engine.sentNotifications();
  engine.takeAction(sent, 'save', START + 2 * MINUTE);
  assert.deepStrictEqual(opened, []);
  assert.deepStrictEqual([records.at(-1).event, records.at(-1).action], ['notification-action', 'save']);
  assert.deepStrictEqual(engine.sentNotifications()[0].dateOpened, new Date(START + 2 * MINUTE));
  engine.takeAction(sent.matchIdentifier, 'go', START + 3 * MINUTE);
  assert.deepStrictEqual(opened, ['https://example.org/']);
  assert.deepStrictEqual(records.slice(-2).map(({ event }) => event), ['notification-action', 'notification-opened']);
  assert.throws(() => engine.takeAction(sent, 'other', START + 4 * MINUTE), refused('PLOT_NOT_FOUND'));
  assert.throws(() => engine.takeAction('nobody', 'save', START + 4 * MINUTE), refused('PLOT_NOT_FOUND'));
  for (const wrong of ['', undefined, 5]) assert.throws(() => engine.takeAction(sent, wrong, START + 4 * MINUTE), refused('PLOT_INVALID_ARGUMENT'));
});

test('the advertising identifier', (t) => {
  const records = [];
  const engine = inside(t, { onEvent: (record) => { records.push(record); } });
  let time = START + 2 * MINUTE;
  for (const [identifier, limited, expected] of [['x', false, ['x', false]], ['x', true, [undefined, true]], [null, true, [undefined, undefined]]]) {
    engine.setAdvertisingIdentifier(identifier, limited, time);
    engine.updateLocation({ ...(records.at(-1).event === 'region-exit' ? AT_MUSEUM : FAR), time: ++time });
    assert.deepStrictEqual([records.at(-1).advertisingIdentifier, records.at(-1).limitAdTracking], expected);
  }
  for (const args of [['', false], [5, false], ['x', 1]]) assert.throws(() => engine.setAdvertisingIdentifier(...args, time), refused('PLOT_INVALID_ARGUMENT'));
});
