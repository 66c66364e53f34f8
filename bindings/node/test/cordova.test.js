'use strict';
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { createPlot, CordovaDevice, CordovaHost } = require('../cordova/index.js');
const { version, liveObjects } = require('../index.js');
const { until, answered, collect, folder, node, START, MINUTE, config, feed, FAR, AT_MUSEUM, GEOTRIGGER } = require('./helpers.js');

const FIXTURE = path.join(__dirname, 'fixtures', 'plot.js');

/** A device that is about to walk into the museum, on a clock of the test's own. */
function phone(t, options = {}, campaign = {}, ...others) {
  const state = { now: START, opened: [], shown: [], lines: [] };
  const all = {
    config: config(), feed: feed(campaign, ...others), clock: () => state.now, timers: false,
    open: (uri, action) => { state.opened.push([action, uri]); }, show: (item) => { state.shown.push(item.message); }, log: (line) => state.lines.push(line), ...options,
  };
  for (const key of Object.keys(all)) if (all[key] === undefined) delete all[key];
  state.options = all;
  state.walkIn = (device) => {
    device.updateLocation(FAR);
    state.now += MINUTE;
    device.updateLocation(AT_MUSEUM);
  };
  t.after(() => state.device?.close());
  return state;
}

/** Both halves: our own plot object, and a plugin's script in a page. */
const FRONTS = {
  'the plot object': (state) => {
    const { plot, device } = createPlot(state.options);
    state.device = device;
    return { plot, device };
  },
  'a plugin script in a page': (state) => {
    const device = new CordovaDevice(state.options);
    state.device = device;
    return { plot: new CordovaHost(device, { console: { ...console, error: (...args) => console.error(...args) } }).loadPlugin(FIXTURE), device };
  },
};

const ask = (plot, method, ...args) => new Promise((resolve, reject) => { assert.strictEqual(plot[method](...args, resolve, (message) => reject(new Error(message))), undefined); });

for (const [front, make] of Object.entries(FRONTS)) {
  test(`${front}: init, settings, version`, async (t) => {
    const state = phone(t, { config: undefined, directory: folder(t) });
    fs.mkdirSync(path.join(state.options.directory, 'www'));
    fs.writeFileSync(path.join(state.options.directory, 'www', 'plotconfig.json'), JSON.stringify(config()));
    const { plot, device } = make(state);
    assert.deepStrictEqual(JSON.parse(JSON.stringify(plot.exampleConfiguration)), { publicKey: '', cooldownPeriod: -1, enableOnFirstRun: true });
    for (const method of ['enable', 'disable', 'isEnabled', 'loadedNotifications', 'loadedGeotriggers', 'sentNotifications', 'sentGeotriggers', 'clearSentNotifications', 'clearSentGeotriggers']) {
      await assert.rejects(ask(plot, method), { message: "Cannot perform requested operation because Plot hasn't been initialized" }, method);
    }
    await ask(plot, 'init', null);
    assert.strictEqual(await ask(plot, 'isEnabled'), 1);
    await ask(plot, 'disable');
    assert.strictEqual(await ask(plot, 'isEnabled'), 0);
    await ask(plot, 'enable');
    assert.strictEqual(await ask(plot, 'getVersion'), version);
    await ask(plot, 'setCooldownPeriod', 60);
    assert.strictEqual(device.engine.getCooldownPeriod(), 60);
    await assert.rejects(ask(plot, 'setCooldownPeriod', 'x'), { message: 'Cooldown period not specified correctly.' });
    await ask(plot, 'init', { cooldownPeriod: 30 }); // an app's script starts again
    assert.strictEqual(device.engine.getCooldownPeriod(), 30);
    await ask(plot, 'init', { ...plot.exampleConfiguration }); // -1: as it was
    assert.strictEqual(device.engine.getCooldownPeriod(), 30);
    await ask(plot, 'mailDebugLog');
    assert.ok(fs.existsSync(path.join(state.options.directory, 'plot-debug.log')));
  });

  test(`${front}: what init refuses`, async (t) => {
    for (const [configuration, message] of [
      [[], 'Configuration not specified or not specified correctly.'],
      ['x', 'Configuration not specified or not specified correctly.'],
      [{ publicKey: 5 }, 'Public token not specified correctly.'],
      [{ cooldownPeriod: '5' }, 'Cooldown period not specified correctly.'],
      [{ enableOnFirstRun: 'yes' }, 'Enable on first run not specified correctly.'],
      [{ remoteNotificationFilter: 'not a url' }, 'Remote notification filter not specified correctly.'],
    ]) {
      const { plot } = make(phone(t));
      await assert.rejects(ask(plot, 'init', configuration), { message });
    }
    const bare = make(phone(t, { config: undefined, directory: folder(t) }));
    await assert.rejects(ask(bare.plot, 'init', {}), { message: /^No configuration file found/ });
    await ask(bare.plot, 'init', { publicKey: 'TEST000000000000', enableOnFirstRun: false, cooldownPeriod: 5 });
    assert.strictEqual(await ask(bare.plot, 'isEnabled'), 0);
  });

  test(`${front}: lists, with Dates and the keys of the bridge`, async (t) => {
    const state = phone(t, {}, {}, GEOTRIGGER);
    const { plot, device } = make(state);
    await ask(plot, 'init', {});
    const loaded = await ask(plot, 'loadedNotifications');
    assert.deepStrictEqual(JSON.parse(JSON.stringify(loaded)), [{
      id: 'welcome;museum', message: 'Welcome at Museum', data: 'https://example.org/', geofenceLatitude: 52.36, geofenceLongitude: 4.885, dwellingMinutes: 0,
      trigger: 'enter', matchRange: 100, regionType: 'geofence', notificationHandlerType: 'regular' }]);
    const [trigger] = await ask(plot, 'loadedGeotriggers');
    assert.deepStrictEqual(Object.keys(trigger).sort(), ['data', 'dwellingMinutes', 'geofenceLatitude', 'geofenceLongitude', 'id', 'matchRange', 'name', 'regionType', 'trigger']);
    assert.strictEqual(trigger.name, 'Seen');
    state.walkIn(device);
    let [sent] = await ask(plot, 'sentNotifications');
    assert.strictEqual(sent.dateSent.getTime(), START + MINUTE);
    assert.strictEqual(sent.dateOpened, null);
    assert.strictEqual(sent.isOpened, false);
    assert.strictEqual(sent.matchId, sent.matchIdentifier);
    assert.match(sent.matchId, /^[0-9a-f-]{36}$/);
    const [handled] = await ask(plot, 'sentGeotriggers');
    assert.deepStrictEqual([handled.name, handled.isHandled, handled.dateHandled.getTime()], ['Seen', true, START + MINUTE]);
    state.now += MINUTE;
    device.openNotification(sent.matchId);
    [sent] = await ask(plot, 'sentNotifications');
    assert.strictEqual(sent.dateOpened.getTime(), START + 2 * MINUTE);
    assert.deepStrictEqual(state.opened, [['uri', 'https://example.org/']]);
    await ask(plot, 'clearSentNotifications');
    await ask(plot, 'clearSentGeotriggers');
    assert.strictEqual((await ask(plot, 'sentNotifications')).length + (await ask(plot, 'sentGeotriggers')).length, 0);
  });

  test(`${front}: the notification handler`, async (t) => {
    const state = phone(t);
    const { plot, device } = make(state);
    const calls = [];
    plot.notificationHandler = (notification, data) => { calls.push([notification.id, notification.message, data]); };
    await ask(plot, 'init', {});
    state.walkIn(device);
    device.openNotification(device.engine.sentNotifications()[0]);
    assert.deepStrictEqual(calls, [['welcome;museum', 'Welcome at Museum', 'https://example.org/']]);
    assert.deepStrictEqual(state.opened, []);
  });

  test(`${front}: a landing page passes filter and handler by`, async (t) => {
    const state = phone(t, {}, { handlerType: 'landingPage' });
    const { plot, device } = make(state);
    plot.filterCallback = () => [];
    plot.notificationHandler = () => assert.fail('the handler');
    await ask(plot, 'init', {});
    state.walkIn(device);
    device.openNotification(device.engine.sentNotifications()[0]);
    assert.deepStrictEqual(state.opened, [['landingPage', 'https://example.org/']]);
  });

  test(`${front}: the filter edits and drops, by id`, async (t) => {
    const state = phone(t, {}, {}, { id: 'b', type: 'notification', message: 'B', regions: ['museum'] });
    const { plot, device } = make(state);
    plot.filterCallback = (notifications) => {
      assert.deepStrictEqual([...notifications].map((item) => item.id).sort(), ['b;museum', 'welcome;museum']);
      const kept = notifications.filter((item) => item.id !== 'b;museum');
      kept[0].message = 'NewMessage';
      kept[0].data = 'http://www.example.com';
      kept[0].trigger = 'exit'; // not copied
      kept.push({ id: 'nobody' });
      return kept;
    };
    await ask(plot, 'init', {});
    state.walkIn(device);
    assert.deepStrictEqual(state.shown, ['NewMessage']);
    assert.strictEqual(device.engine.sentNotifications()[0].data, 'http://www.example.com');
    assert.match(state.lines.join(), /unknown id nobody ignored/);
  });

  test(`${front}: an exception in the filter leaves the call that led to it; the deadline then drops`, async (t) => {
    const state = phone(t);
    const { plot, device } = make(state);
    const failure = new Error('of the app');
    plot.filterCallback = () => { throw failure; };
    await ask(plot, 'init', {});
    assert.throws(() => state.walkIn(device), (error) => error === failure);
    plot.filterCallback = (list) => list;
    state.now += 2 * MINUTE;
    device.advance();
    assert.deepStrictEqual(state.shown, []);
    device.updateLocation(FAR);
    device.updateLocation(AT_MUSEUM); // it was not used up
    assert.deepStrictEqual(state.shown, ['Welcome at Museum']);
  });

  test(`${front}: segmentation of five types, as the manual sets them`, async (t) => {
    const state = phone(t, {}, { segmentation: { all: [{ property: 'signUp', equals: { date: '2026-05-16T10:00:00Z' } }, { property: 'premiumMember', equals: true }] } });
    const { plot, device } = make(state);
    await ask(plot, 'init', {});
    await ask(plot, 'setBooleanSegmentationProperty', 'premiumMember', true);
    await ask(plot, 'setStringSegmentationProperty', 'gender', 'M');
    await ask(plot, 'setIntegerSegmentationProperty', 'yearOfBirth', 1980);
    await ask(plot, 'setDoubleSegmentationProperty', 'moneySpent', 10.35);
    await ask(plot, 'setDateSegmentationProperty', 'signUp', new Date(START));
    assert.deepStrictEqual(device.engine.getSegmentationProperties(), {
      gender: { type: 'string', value: 'M' }, moneySpent: { type: 'double', value: 10.35 }, premiumMember: { type: 'boolean', value: true },
      signUp: { type: 'date', value: new Date(START) }, yearOfBirth: { type: 'integer', value: 1980 } });
    // The values that Android's JSON makes of them; null clears.
    for (const [type, value, becomes] of [
      ['String', 5, '5'], ['Boolean', 'TRUE', true], ['Integer', '1980', 1980], ['Integer', 10.5, 10], ['Integer', '9007199254740993', 9007199254740993n],
      ['Double', '10.5', 10.5], ['Double', ' 1e3 ', 1000], ['Date', START, new Date(START)],
    ]) {
      await ask(plot, `set${type}SegmentationProperty`, 'key', value);
      assert.deepStrictEqual(device.engine.getSegmentationProperties().key.value, becomes, `${type} ${value}`);
      await ask(plot, `set${type}SegmentationProperty`, 'key', null);
      assert.strictEqual(device.engine.getSegmentationProperties().key, undefined);
    }
    for (const [type, ...values] of [
      ['String', undefined, {}], ['Boolean', 1, 'yes'], ['Integer', 'x', '', '9223372036854775808', true], ['Double', 'x', true, []], ['Date', 'never', {}, true],
    ]) {
      for (const value of values) {
        await assert.rejects(ask(plot, `set${type}SegmentationProperty`, 'key', value), { message: 'Segmentation property or value not specified or not specified correctly.' }, `${type} ${value}`);
      }
    }
    await assert.rejects(ask(plot, 'setStringSegmentationProperty', undefined, 'x'), /Segmentation property/);
    state.walkIn(device);
    assert.deepStrictEqual(state.shown, ['Welcome at Museum']);
  });
}

test('a filter that never answers leaves a line', async (t) => {
  const state = phone(t, { config: config({ filterDeadline: 30 }) });
  const device = new CordovaDevice(state.options);
  state.device = device;
  device.connect(() => ({ _runFilterCallback: () => {}, _runNotificationHandler: () => {} }));
  device.initPlot({});
  state.walkIn(device);
  assert.deepStrictEqual(state.lines, []);
  state.now += 60_000;
  device.advance();
  assert.deepStrictEqual(state.lines, ['Notification filter: no answer in time about welcome;museum']);
});

// An app as its makers write it: it waits for the device, looks into its page, remembers, and listens.
const APP = `
  var app = {
    initialize: function () { document.addEventListener('deviceready', this.onDeviceReady.bind(this), false); window.addEventListener('resize', this); },
    handleEvent: function (event) { localStorage.setItem('event', event.type); },
    onDeviceReady: function () {
      this.receivedEvent('deviceready');
      document.getElementById('enable').addEventListener('click', function () { plot.enable(); });
      plot.notificationHandler = function (notification, data) { document.getElementById('message').innerHTML = notification.message; };
      plot.init({}, function () { localStorage.setItem('starts', Number(localStorage.getItem('starts')) + 1); });
    },
    receivedEvent: function (id) {
      var parent = document.getElementById(id);
      parent.querySelector('.listening').setAttribute('style', 'display:none;');
      parent.querySelector('.received').setAttribute('style', 'display:block;');
    }
  };
  app.initialize();`;
const MARKUP = '<div id="deviceready"><p class="listening"></p><p class="received"></p></div><button id="enable"></button><p id="message"></p>';

for (const [name, globals] of [
  ['the page of the host', () => ({})],
  // Where Debian has put it; node-jsdom is no part of this package.
  ['jsdom', () => {
    process.env.NODE_PATH = '/usr/share/nodejs';
    require('node:module').Module._initPaths();
    const { window } = new (require('jsdom').JSDOM)(MARKUP, { url: 'https://localhost/' });
    return { document: window.document, localStorage: window.localStorage, addEventListener: window.addEventListener.bind(window), Event: window.Event };
  }],
]) {
  test(`an app in a page: ${name}`, { skip: name === 'jsdom' && Boolean(process.versions.bun || process.versions.deno) }, async (t) => {
    const state = phone(t);
    const device = new CordovaDevice(state.options);
    state.device = device;
    const given = globals();
    const host = new CordovaHost(device, given);
    if (given.document) assert.strictEqual(host.window.document, given.document);
    host.loadPlugin(FIXTURE);
    host.run(APP);
    const { document, localStorage } = host.window;
    await until(() => localStorage.getItem('starts') === '1');
    assert.strictEqual(document.querySelector('#deviceready').querySelector('.received').getAttribute('style'), 'display:block;');
    device.engine.disable();
    document.getElementById('enable').click();
    assert.ok(device.engine.isEnabled());
    state.walkIn(device);
    await until(() => state.shown.length === 1);
    device.openNotification(device.engine.sentNotifications()[0]);
    await until(() => document.getElementById('message').innerHTML === 'Welcome at Museum');
  });
}

test('before init, openings and filters wait', async (t) => {
  const calls = [];
  const { plot } = createPlot(phone(t).options);
  plot.notificationHandler = (notification, data) => calls.push(data);
  plot._runNotificationHandler({ id: 'a', data: 'one' });
  plot._runNotificationHandler({ id: 'a', data: 'two' });
  plot._runFilterCallback([]);
  assert.deepStrictEqual(calls, []);
  await ask(plot, 'init', {});
  assert.deepStrictEqual(calls, ['one', 'two']);
});

test('one callback, and a word on the console when it is missing', async (t) => {
  const { plot, device } = createPlot(phone(t).options);
  const errors = [];
  const { error } = console; // Deno keeps what is mocked
  t.after(() => { console.error = error; });
  console.error = (line) => errors.push(line);
  for (const method of ['isEnabled', 'getVersion', 'loadedNotifications', 'loadedGeotriggers', 'sentNotifications', 'sentGeotriggers']) plot[method]();
  assert.deepStrictEqual(errors, ['isEnabled', 'getVersion', 'loadedNotifications', 'loadedGeotriggers', 'sentNotifications', 'sentGeotriggers'].map((name) => `Plot Error: No resultCallback specified for ${name}`));
  const calls = [];
  const both = (name) => [() => calls.push(`${name} ok`), () => calls.push(`${name} fail`)];
  plot.enable(...both('enable'));
  plot.init(...both('init')); // the configuration may be left out
  plot.enable(...both('enable'));
  device.exec(...both('service'), 'Other', 'enable', []);
  device.exec(...both('action'), 'PlotCordovaPlugin', 'nothing', []);
  device.exec(...both('prototype'), 'PlotCordovaPlugin', 'constructor', []);
  device.exec(null, undefined, 'PlotCordovaPlugin', 'enable'); // no callbacks, no arguments
  assert.deepStrictEqual(calls, []); // never before the call has returned
  await until(() => calls.length >= 6);
  assert.deepStrictEqual(calls, ['enable fail', 'init ok', 'enable ok', 'service fail', 'action fail', 'prototype fail']);
});

test('a filter that answers after the deadline, and answers of several batches', async (t) => {
  const state = phone(t, {}, { resend: true }, { id: 'b', type: 'notification', message: 'B', trigger: 'exit', regions: ['museum'] });
  const device = new CordovaDevice(state.options);
  state.device = device;
  const asked = [];
  device.connect(() => ({ _runFilterCallback: (list) => asked.push(list), _runNotificationHandler() {} }));
  const exec = (action, ...args) => new Promise((resolve, reject) => { device.exec(resolve, reject, 'PlotCordovaPlugin', action, args); });
  await exec('initPlot', {});
  state.walkIn(device);
  device.updateLocation(FAR);
  assert.deepStrictEqual(asked.map((list) => list[0].id), ['welcome;museum', 'b;museum']);
  await exec('filterCallbackComplete', asked[1]); // not in order
  assert.deepStrictEqual(state.shown, ['B']);
  state.now += 2 * MINUTE;
  device.advance();
  await exec('filterCallbackComplete', asked[0]); // too late
  assert.match(state.lines.join(), /no notifications are waiting/);
  assert.deepStrictEqual(state.shown, ['B']);
  device.updateLocation(AT_MUSEUM);
  await exec('filterCallbackComplete', []);
  assert.deepStrictEqual(state.shown, ['B']);
});

// ---- Remote ----------------------------------------------------------------------------------------------------

/** A local server: `answer(body, response)`. */
async function server(t, answer) {
  const requests = [];
  const instance = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => { body += part; }).on('end', () => {
      requests.push({ method: request.method, headers: request.headers, body: JSON.parse(body) });
      answer(JSON.parse(body), response);
    });
  });
  instance.listen(0, '127.0.0.1');
  await once(instance, 'listening');
  t.after(() => { instance.closeAllConnections?.(); instance.close(); });
  return { url: `http://127.0.0.1:${instance.address().port}/hook`, requests };
}

const json = (value, status = 200) => (body, response) => { response.writeHead(status, { 'Content-Type': 'application/json' }); response.end(typeof value === 'string' ? value : JSON.stringify(value)); };

async function remote(t, answer, options = {}, extra = {}) {
  const state = phone(t, options, {}, { id: 'b', type: 'notification', message: 'B', data: 'b', regions: ['museum'] }, GEOTRIGGER);
  const { url, requests } = await server(t, answer);
  const { plot, device } = createPlot(state.options);
  state.device = device;
  await ask(plot, 'init', { remoteNotificationFilter: url, ...extra });
  state.walkIn(device);
  return { state, requests, device, plot, url };
}

test('the remote filter: the exact request, edits, drops, unknown identifiers', async (t) => {
  const { state, requests, device } = await remote(t, (body, response) => json({
    notifications: [{ identifier: 'welcome;museum', message: 'From the server' }, { identifier: 'unknown' }] })(body, response));
  await until(() => answered(device.engine));
  assert.strictEqual(requests.length, 1);
  const [{ method, headers, body }] = requests;
  assert.strictEqual(method, 'POST');
  assert.strictEqual(headers['content-type'], 'application/json');
  assert.strictEqual(headers.accept, 'application/json');
  assert.deepStrictEqual(Object.keys(body), ['notifications']);
  const welcome = body.notifications.find((item) => item.identifier === 'welcome;museum');
  assert.deepStrictEqual(welcome, {
    identifier: 'welcome;museum', message: 'Welcome at Museum', data: 'https://example.org/', latitude: 52.36, longitude: 4.885, trigger: 'enter',
    matchIdentifier: welcome.matchIdentifier, matchRange: 100, regionType: 'geofence' });
  assert.deepStrictEqual(state.shown, ['From the server']);
  assert.strictEqual(device.engine.sentNotifications()[0].data, 'https://example.org/'); // an absent field stays
  assert.match(state.lines.join(), /unknown identifier unknown ignored/);
});

for (const [name, answer] of Object.entries({
  'an error': json({ notifications: [{ identifier: 'welcome;museum' }] }, 500),
  'not JSON': json('<html>'),
  'another shape': json({ notification: [] }),
  'no identifier': json({ notifications: [{ message: 'x' }] }),
  'a message that is no string': json({ notifications: [{ identifier: 'welcome;museum', message: 5 }] }),
  'null': json('null'),
  'a broken connection': (body, response) => response.destroy(),
  'no answer in time': () => {},
  'half an answer in time': (body, response) => { response.writeHead(200); response.write('{"notifications":'); },
})) {
  test(`the remote filter: ${name} shows nothing, and it may be tried again`, async (t) => {
    const { state, device, requests } = await remote(t, answer, { remoteTimeout: 100 });
    await until(() => answered(device.engine));
    assert.deepStrictEqual(state.shown, []);
    assert.match(state.lines.join(), /Remote notification filter failed/);
    device.updateLocation(FAR);
    device.updateLocation(AT_MUSEUM);
    await until(() => requests.length === 2);
  });
}

test('the remote filter: an answer after the deadline of the configuration comes too late', async (t) => {
  const { state, device } = await remote(t, (body, response) => setTimeout(() => json(body)(body, response), 100));
  const late = [];
  device.on('late', ({ code }) => late.push(code));
  state.now += 2 * MINUTE;
  device.advance();
  await until(() => late.length > 0);
  assert.deepStrictEqual(state.shown, []);
  assert.deepStrictEqual(late, ['PLOT_ALREADY_ANSWERED']);
});

test('the remote filter goes before the filter callback', async (t) => {
  const state = phone(t);
  const { url } = await server(t, (body, response) => json(body)(body, response));
  const { plot, device } = createPlot(state.options);
  state.device = device;
  plot.filterCallback = () => assert.fail('the callback');
  await ask(plot, 'init', { remoteNotificationFilter: url });
  state.walkIn(device);
  await until(() => answered(device.engine));
  assert.deepStrictEqual(state.shown, ['Welcome at Museum']);
});

for (const [name, answer] of Object.entries({ 'any answer': json('whatever'), 'an error': json('no', 500), 'no answer': () => {} })) {
  test(`the remote geotrigger handler: handled before it is told; ${name} changes nothing`, async (t) => {
    const state = phone(t, { remoteTimeout: 100 }, {}, GEOTRIGGER);
    const { url, requests } = await server(t, answer);
    const { plot, device } = createPlot(state.options);
    state.device = device;
    await ask(plot, 'init', { remoteGeotriggerHandler: url });
    state.walkIn(device);
    assert.strictEqual(device.engine.sentGeotriggers()[0].isHandled, true);
    await until(() => requests.length === 1 && (name === 'any answer' || state.lines.length > 0));
    await sleep(20);
    const [trigger] = requests[0].body.geotriggers;
    assert.deepStrictEqual(requests[0].body, { geotriggers: [{
      identifier: 'seen;museum', name: 'Seen', data: 'pass', latitude: 52.36, longitude: 4.885, trigger: 'enter', matchIdentifier: trigger.matchIdentifier, matchRange: 100, regionType: 'geofence' }] });
    assert.strictEqual(state.lines.length, name === 'any answer' ? 0 : 1);
  });
}

test('the page: define, require, deviceready, plain CommonJS plugins', async (t) => {
  const state = phone(t);
  const device = new CordovaDevice(state.options);
  state.device = device;
  const said = [];
  const host = new CordovaHost(device, { alert: (text) => said.push(text) });
  const file = path.join(folder(t), 'plugin.js');
  fs.writeFileSync(file, "var exec = require('cordova/exec'); exports.version = function (ok) { exec(ok, null, 'PlotCordovaPlugin', 'getVersion', []); };\nexports._runFilterCallback = exports._runNotificationHandler = function () {};");
  host.loadPlugin(file);
  host.run("document.addEventListener('deviceready', function () { plot.version(function (v) { alert(v); }); });");
  await until(() => said.length > 0);
  assert.deepStrictEqual(said, [version]);
  assert.throws(() => host.require('cordova/plugin/other'), /module cordova\/plugin\/other not found/);
  assert.throws(() => host.run("cordova.define('cordova/plugin/plot', function () {})"), /already defined/);
});

test('the shared plot object of an app', (t) => {
  const place = folder(t);
  fs.writeFileSync(path.join(place, 'plotconfig.json'), JSON.stringify(config()));
  const result = node(`
    const { plot, device } = require(process.argv[1]);
    plot.init(null, () => plot.isEnabled((enabled) => console.log(enabled, device.initialized)), console.error);`, { cwd: place, args: [path.join(__dirname, '..', 'cordova', 'index.js')] });
  assert.strictEqual(result.stdout, '1 true\n', result.stderr);
});

test('nothing of these tests is left', async () => {
  await until(() => { collect(); return liveObjects() === 0; });
});
