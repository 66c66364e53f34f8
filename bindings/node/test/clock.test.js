'use strict';
// The wall clock is set, forward and back, and the engine is told; and the zone of the system.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, systemClock, systemTimeZone } = require('../index.js');
const { systemZone } = require('../lib/zone.js');
const { START, MINUTE, config, feed, folder, node, FAR, AT_MUSEUM } = require('./helpers.js');

const SECOND = 1000;
const DAY = 24 * 60 * MINUTE;

/** A device with two clocks, of which a person sets one. */
class Device {
  wall = START;
  monotonic = 5000;
  boot = 'first';
  read = () => ({ time: this.wall, monotonic: this.monotonic, boot: this.boot });
  pass(milliseconds) {
    this.wall += milliseconds;
    this.monotonic += milliseconds;
  }
  set(milliseconds) { this.wall += milliseconds; }
}

function running(t, device, { options = {}, campaign = {}, init = {} } = {}) {
  const lines = [];
  const engine = new Engine({ clock: device.read, timers: false, onRecording: (line) => { lines.push(JSON.parse(line)); }, ...options });
  t.after(() => engine.close());
  engine.init(config(), { timeZone: 'UTC', ...init });
  engine.setFeed(feed({ resend: true, ...campaign }));
  return { engine, lines };
}

for (const [name, step] of [['200 ms', -200], ['1.5 s', -1500], ['an hour', -60 * MINUTE], ['a day', -DAY]]) {
  test(`set back by ${name}: fixes go on, and a dwelling takes as long as it takes`, (t) => {
    const device = new Device();
    const shown = [];
    const { engine } = running(t, device, { options: { onShow: (item) => { shown.push(item.message); } }, campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
    engine.updateLocation(FAR);
    device.pass(MINUTE);
    engine.updateLocation(AT_MUSEUM);
    device.pass(2 * MINUTE);
    engine.updateLocation(AT_MUSEUM);
    device.set(step);
    for (let second = 0; second < 150; second += 30) {
      engine.updateLocation(AT_MUSEUM);
      device.pass(30 * SECOND);
    }
    assert.deepStrictEqual(shown, []);
    device.pass(32 * SECOND);
    engine.updateLocation(AT_MUSEUM);
    assert.deepStrictEqual(shown, ['Welcome at Museum']);
  });
}

test('set forward by a day: no wait ends early', (t) => {
  const device = new Device();
  const shown = [];
  const { engine } = running(t, device, { options: { onShow: (item) => { shown.push(item.message); } }, campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
  engine.updateLocation(AT_MUSEUM);
  device.pass(MINUTE);
  device.set(DAY);
  engine.advance();
  device.pass(3 * MINUTE);
  engine.updateLocation(AT_MUSEUM);
  assert.deepStrictEqual(shown, []);
  device.pass(MINUTE);
  engine.advance();
  assert.deepStrictEqual(shown, ['Welcome at Museum']);
});

test('a time from the future is refused, whoever gives it', (t) => {
  const device = new Device();
  const { engine } = running(t, device);
  for (const ahead of [11 * MINUTE, 7168 * DAY]) {
    assert.throws(() => engine.updateLocation({ ...AT_MUSEUM, time: device.wall + ahead }), { status: 1, message: /at most 2026/ });
    const times = BigInt64Array.of(BigInt(device.wall), BigInt(device.wall + ahead));
    const effects = engine.updateLocations({ times, latitudes: [FAR.latitude, FAR.latitude], longitudes: [FAR.longitude, FAR.longitude] });
    assert.deepStrictEqual([...effects.fixes], [1]);
    device.pass(MINUTE);
  }
  engine.updateLocation(AT_MUSEUM);
  assert.strictEqual(engine.visits().length, 1);
  engine.advance(device.wall + 9 * MINUTE);
});

test('forth and back, again and again', (t) => {
  const device = new Device();
  const { engine } = running(t, device);
  for (const step of [DAY, -DAY, -200, -200, -200, -200, -200, 900, -1100, 3 * DAY, -10 * DAY, 999, -999, -2500]) {
    device.pass(SECOND);
    device.set(step);
    engine.updateLocation(FAR);
    device.pass(SECOND);
    engine.updateLocation(AT_MUSEUM);
  }
  assert.strictEqual(engine.sentNotifications().length, 14);
});

test('the wakeup of a live engine follows a clock that is set', (t) => {
  const device = new Device();
  const { engine } = running(t, device, { campaign: { trigger: 'dwelling', dwellingMinutes: 5 } });
  engine.updateLocation(AT_MUSEUM);
  device.set(-DAY);
  engine.advance();
  assert.deepStrictEqual(engine.nextWakeup(), new Date(START - DAY + 5 * MINUTE));
});

test('a bare time, or an init with a time, tells no clock', (t) => {
  const device = new Device();
  const { engine } = running(t, device, { options: { clock: () => device.wall } });
  device.set(-DAY);
  assert.throws(() => engine.updateLocation(FAR), { code: 'PLOT_OUT_OF_ORDER' });
  const timed = running(t, device, { init: { time: START } });
  device.set(-DAY);
  assert.throws(() => timed.engine.updateLocation(FAR), { code: 'PLOT_OUT_OF_ORDER' });
  for (const { lines } of [timed]) assert.ok(!JSON.stringify(lines).includes('"boot":"first"'));
});

test('a host that tells the clock itself is not interfered with', (t) => {
  const device = new Device();
  const { engine, lines } = running(t, device);
  engine.setClock(1000, 'of the host', device.wall);
  device.pass(SECOND);
  device.set(-DAY);
  assert.throws(() => engine.updateLocation(FAR), { code: 'PLOT_OUT_OF_ORDER' });
  engine.setClock(2000, 'of the host', device.wall);
  engine.updateLocation(FAR);
  assert.ok(JSON.stringify(lines).includes('of the host'));
});

test('after a restart of the engine, and of the device', (t) => {
  const store = path.join(folder(t), 'plot.db');
  const device = new Device();
  running(t, device, { init: { store } }).engine.close();
  device.pass(MINUTE);
  device.set(-DAY);
  const { engine } = running(t, device, { init: { store } });
  engine.updateLocation(FAR);
  engine.close();
  device.monotonic = 100;
  device.boot = 'second';
  device.set(-DAY);
  running(t, device, { init: { store } }).engine.updateLocation(FAR);
});

test('readings that cannot be are refused by name', () => {
  assert.throws(() => new Engine({ clock: 5 }), /^PlotError: clock: expected a function, found 5/);
  for (const [reading, words] of [
    [{ time: START }, /monotonic: expected milliseconds since the start of the device, found undefined/], [{ time: START, monotonic: -1, boot: 'x' }, /monotonic: expected/],
    [{ time: START, monotonic: 1, boot: '' }, /boot: expected a name/], [{ time: 'now', monotonic: 1, boot: 'x' }, /time: expected a Date/],
    [{ time: START, monotonic: 1, bootId: 'x' }, /"bootId" is unknown; did you mean "boot"/],
  ]) {
    const engine = new Engine({ clock: () => reading, timers: false });
    assert.throws(() => engine.init(config()), words);
    engine.close();
  }
});

test('the clocks of this machine', (t) => {
  const [first, second] = [systemClock(), systemClock()];
  assert.ok(Math.abs(first.time - Date.now()) < 60 * SECOND && second.monotonic >= first.monotonic);
  assert.strictEqual(first.boot, second.boot);
  const store = path.join(folder(t), 'plot.db');
  const live = () => {
    const engine = new Engine({ timers: false });
    engine.init(config(), { store });
    engine.updateLocation(FAR);
    engine.close();
  };
  live();
  live();
  // A store that has seen this boot further on: the clocks of a container may begin anew.
  const ahead = new Engine({ timers: false });
  ahead.setClock(first.monotonic + 1000 * DAY, first.boot, Date.now());
  ahead.init(config(), { store });
  ahead.close();
  live();
});

// ---- The zone --------------------------------------------------------------------------------------------------

test('the zone of TZ and of /etc/localtime', (t) => {
  for (const [TZ, name] of [
    ['Europe/Amsterdam', 'Europe/Amsterdam'], [':Europe/Amsterdam', 'Europe/Amsterdam'], ['/usr/share/zoneinfo/Asia/Tokyo', 'Asia/Tokyo'], ['', 'UTC'],
    ['UTC0', 'UTC'], ['Etc/UTC', 'UTC'], ['<+03>-3', 'Etc/GMT-3'], ['EST5', 'Etc/GMT+5'], ['Asia/Kolkata', 'Asia/Kolkata'],
  ]) assert.deepStrictEqual(systemZone({ TZ }), { name }, TZ);
  for (const TZ of ['Nowhere', 'CET-1CEST,M3.5.0,M10.5.0/3', '../../etc/passwd', '/etc/passwd']) assert.match(systemZone({ TZ }).reason, /no zone of this system/, TZ);
  const place = folder(t);
  const local = path.join(place, 'localtime');
  assert.deepStrictEqual(systemZone({}, local), { name: 'UTC' });
  fs.symlinkSync('/usr/share/zoneinfo/Europe/Amsterdam', path.join(place, 'link'));
  fs.symlinkSync('link', local);
  assert.deepStrictEqual(systemZone({}, local), { name: 'Europe/Amsterdam' });
  const copy = path.join(place, 'copy');
  fs.copyFileSync('/usr/share/zoneinfo/Asia/Kathmandu', copy);
  assert.match(systemZone({}, copy).name, /^Asia\/(Kathmandu|Katmandu)$/);
  fs.writeFileSync(copy, 'no zone');
  assert.match(systemZone({}, copy).reason, /no zone of this system/);
});

test('engines have the zone of the process, unless they are given one', (t) => {
  const script = `
    const { Engine, systemTimeZone } = require('./index.js');
    const zones = [systemTimeZone()];
    for (const init of [{}, { timeZone: 'Asia/Tokyo' }, { timeZone: null }, { timeZone: 'UTC' }]) {
      const engine = new Engine({ timers: false });
      engine.init({ publicToken: 'TEST000000000000' }, init);
      zones.push(engine.getTimeZone());
      engine.close();
    }
    console.log(zones.join());`;
  const run = (TZ) => node(script, { env: { TZ } });
  assert.strictEqual(run('America/New_York').stdout, 'America/New_York,America/New_York,Asia/Tokyo,UTC,UTC\n');
  const strange = run('Nowhere/Land');
  assert.strictEqual(strange.stdout, ',UTC,Asia/Tokyo,UTC,UTC\n');
  assert.match(strange.stderr, /TZ is "Nowhere\/Land", which is no zone of this system/);
  assert.ok(systemTimeZone() !== undefined);
});

test('quiet hours are those of the zone', (t) => {
  const seven = Date.parse('2026-05-16T19:00:00Z'); // 21:00 in Amsterdam
  const shown = (timeZone) => {
    const engine = new Engine({ timers: false });
    engine.init(config(), { time: seven, timeZone });
    engine.setFeed({ ...feed(), settings: { quietHours: [{ hours: { daily: [['20:30', '07:00']] } }] } }, seven);
    engine.updateLocation({ ...AT_MUSEUM, time: seven });
    const count = engine.sentNotifications().length;
    engine.close();
    return count;
  };
  assert.strictEqual(shown('UTC'), 1);
  assert.strictEqual(shown('Europe/Amsterdam'), 0);
});

test('an unknown zone is refused before the start', () => {
  const engine = new Engine({ timers: false });
  assert.throws(() => engine.init(config(), { timeZone: 'Europe/Amsterdm' }), { code: 'PLOT_INVALID_ARGUMENT', message: /^timeZone: expected the IANA name/ });
  assert.throws(() => engine.init(config(), { timeZone: 5 }), /timeZone: expected a string, found 5/);
  assert.strictEqual(engine.initialized, false);
  engine.close();
});
