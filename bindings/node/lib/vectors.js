#!/usr/bin/env node
'use strict';
// Runs the vectors that prove a binding right: plotengine-vectors [--json] FOLDER. Each scenario, NAME.json, goes through this package; what the
// engine asks for and tells must be, byte for byte, what stands in NAME.effects.jsonl. Tests/vectors/README.md of the sources is the format, also
// of what is printed. Ends with 0 when all are the same, 1 when one is not, and 2 when a scenario cannot be played.

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Engine, Config, Feed, PlotError, LATER, jsonText } = require('../index.js');
const { originalMessage, statusName } = require('./library.js');
const { openActions } = require('./raw.js');
const { parseExactly } = require('./values.js');
const CALLS = require('./vector-calls.js');

/** A JSON string with the least that must be escaped. */
const quoted = (string) => `"${string.replace(/["\\\u0000-\u001F]/g, (c) => (
  { '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`))}"`;

/** Every key must be one that the format knows. */
function only(object, ...keys) {
  for (const key of Object.keys(object)) assert.ok(keys.includes(key), `unknown key "${key}"; expected ${keys.join(', ')}`);
  return object;
}

const milliseconds = (iso) => {
  const time = Date.parse(iso);
  assert.ok(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(iso) && !Number.isNaN(time), `not a time: ${iso}`);
  return time;
};

/** An item with what a rule, or an item of an answer, says to change. */
const edited = (item, { message, data, set }) => ({
  ...item, ...(message !== undefined && { message }), ...(data !== undefined && { data }), ...set,
});

/** Where PLOT_VECTORS_RECORD names a folder, each life of an engine leaves a recording in it. */
let lives = 0;
function record(engine) {
  const recordings = process.env.PLOT_VECTORS_RECORD;
  if (recordings) engine.record(path.join(recordings, `${String(++lives).padStart(4, '0')}.jsonl`));
}

class Run {
  constructor(scenario, store) {
    this.scenario = only(scenario, 'name', 'area', 'description', 'config', 'feed', 'start', 'clock', 'store', 'decisions', 'host', 'inputs');
    this.host = only(scenario.host ?? {}, 'filter', 'geotriggers', 'show', 'remove', 'handler', 'strategies', 'sync');
    this.store = store;
    this.effects = [];
    this.tokens = { filter: [], geotriggers: [] };
    this.shown = [];
    this.hasFailed = false;
    this.newest = milliseconds(scenario.start);
  }

  add(text) { this.effects.push(`${text}\n`); }

  /** An answer by rules: for each item the first rule that matches. */
  batch(kind, items, token) {
    this.add(`{"effect":"${kind}","token":${token},"items":${jsonText(items)}}`);
    if (!this.tokens[kind].includes(token)) this.tokens[kind].push(token);
    const rules = this.host[kind];
    if (rules === 'later') return LATER;
    return items.flatMap((item) => {
      const rule = rules.find(({ identifier }) => identifier === undefined || identifier === item.identifier) ?? {};
      if (rule.drop) return [];
      return [edited(item, rule)];
    });
  }

  /** `clock`, where there is one, is told before init. */
  start(time, clock) {
    const { host } = this;
    const has = (kind) => host[kind] !== undefined && host[kind] !== 'none';
    this.engine = new Engine({
      timers: false,
      onEvent: (record) => this.add(`{"effect":"event","record":${jsonText(record)}}`),
      onDecision: this.scenario.decisions ? (record) => this.add(`{"effect":"decision","record":${jsonText(record)}}`) : null,
      onFilter: has('filter') ? (items, token) => this.batch('filter', items, token) : null,
      onGeotriggers: has('geotriggers') ? (items, token) => this.batch('geotriggers', items, token) : null,
      onShow: host.show === 'none' ? null : (item) => {
        this.add(`{"effect":"show","item":${jsonText(item)}}`);
        const fails = host.show === 'fail' || (host.show === 'failOnce' && !this.hasFailed);
        this.hasFailed ||= fails;
        if (!fails) this.shown.push(item.matchIdentifier);
        return !fails;
      },
      onRemove: host.remove === 'none' ? null : (item) => {
        this.add(`{"effect":"remove","item":${jsonText(item)}}`);
        return host.remove !== 'fail';
      },
      onNotification: host.handler ? (item, data) => this.add(`{"effect":"handler","item":${jsonText(item)},"data":${quoted(data)}}`) : null,
      onOpen: (action, uri, item) => this.add(`{"effect":"open","action":${openActions[action]},"uri":${quoted(uri)},"item":${jsonText(item)}}`),
      onFixRequest: (date) => this.add(`{"effect":"fixRequest","deadline":${date.getTime()}}`),
      onSync: host.sync ? (status, next) => this.add(`{"effect":"syncStatus","next":${next === null ? -1 : next.getTime()},"value":${jsonText(status)}}`) : null,
      onWakeup: (date) => this.add(`{"effect":"wakeup","time":${date === null ? -1 : date.getTime()}}`),
    });
    record(this.engine);
    for (const rule of host.strategies ?? []) this.engine.setStrategy(only(rule, 'key', 'veto', 'vetoDelete', 'minimumTime').key, this.strategy(rule));
    if (clock !== undefined) this.engine.setClock(only(clock, 'monotonic', 'boot').monotonic, clock.boot, time);
    this.engine.init(this.config, { time, store: this.store, timeZone: null });
  }

  /** A strategy of the scenario; its state is the number of displays that it was told of, and until when it says no. */
  strategy({ key, veto = [], vetoDelete = [], minimumTime }) {
    let shown = 0;
    let next = 0;
    const line = (effect, what, item, rest) => {
      this.add(`{"effect":"${effect}","strategy":${quoted(key)},"what":"${what}"${item ? `,"identifier":${quoted(item.identifier)}` : ''}${rest}}`);
    };
    const departure = (cause, other) => `,"cause":${quoted(cause)}${other ? `,"next":${quoted(other.identifier)}` : ''}`;
    const vote = (what, item, vetoes, time, why = '') => {
      const agrees = !vetoes.includes(item.campaignId) && !(what === 'create' && time.getTime() < next);
      line('vote', what, item, `${why},"agrees":${agrees}`);
      return agrees;
    };
    return {
      updateParameters: (parameters) => line('told', 'updateParameters', null, `,"json":${JSON.stringify(parameters)}`),
      createNewNotification: (item, context, time) => vote('create', item, veto, time),
      onNotificationCreated(item, created) {
        shown += created ? 1 : 0;
        line('told', 'created', item, `,"done":${created}`);
      },
      deleteCurrentNotification: (item, context, time, other) => vote('delete', item, vetoDelete, time, departure(context.cause, other)),
      onNotificationDeleted(item, deleted, time, cause, other) {
        if (deleted && minimumTime !== undefined) next = time.getTime() + 1000 * minimumTime;
        line('told', 'deleted', item, `${departure(cause, other)},"done":${deleted}`);
      },
      onBackground: () => line('told', 'background', null, ''),
      onForeground: () => line('told', 'foreground', null, ''),
      onStartMonitoring: (region, visit, time, details) => line('told', 'startMonitoring', null, `,"json":${jsonText(details)}`),
      load(state) {
        [shown, next = 0] = (state ?? '0').split(' ').map(Number);
        line('told', 'load', null, `,"state":${state === null ? 'null' : quoted(state)}`);
      },
      save: () => (minimumTime === undefined ? String(shown) : `${shown} ${next}`),
    };
  }

  setFeed(document, time) {
    const feed = Feed.parse(document);
    try {
      this.engine.setFeed(feed, time);
    } finally {
      feed.close();
    }
  }

  play() {
    this.config = Config.parse(this.scenario.config);
    this.start(this.newest, this.scenario.clock);
    this.setFeed(this.scenario.feed, this.newest);
    this.scenario.inputs.forEach((input, index) => {
      try {
        this.take(input, index);
      } catch (error) {
        if (!(error instanceof PlotError)) throw error;
        this.add(`{"effect":"status","input":${index},"status":"${error.code}","message":${quoted(originalMessage(error))}}`);
      }
    });
    this.engine.close();
    this.config.close();
    return this.effects.join('');
  }

  take(input) {
    const { engine } = this;
    const name = 'clear' in input ? 'clear' : Object.keys(input)[0];
    if (name !== 'clear') assert.strictEqual(Object.keys(input).length, 1);
    const value = name === 'clear' ? only(input, 'clear', 'time') : input[name];
    const time = value.time === undefined ? undefined : milliseconds(value.time);
    if (time > this.newest) this.newest = time;
    switch (name) {
      case 'fix': engine.updateLocation({ ...only(value, 'time', 'latitude', 'longitude', 'accuracy', 'speed', 'course'), time }); break;
      case 'fixes': {
        const { fixes } = only(value, 'time', 'fixes');
        const column = (key, unknown) => Float64Array.from(fixes, (fix) => only(fix, 'time', 'latitude', 'longitude', 'accuracy', 'speed', 'course')[key] ?? unknown);
        const columns = {
          times: fixes.map((fix) => milliseconds(fix.time)), latitudes: column('latitude'), longitudes: column('longitude'), accuracies: column('accuracy', 0),
          speeds: column('speed', -1), courses: column('course', -1),
        };
        const effects = engine.updateLocations(columns, { together: true, time });
        for (let i = 0; i < effects.length; i++) {
          if (effects.kinds[i] === 0) this.add(`{"effect":"status","fix":${effects.fixes[i]},"status":"${statusName(effects.details[i])}"}`);
        }
        break;
      }
      case 'sighting':
        engine.updateBeacon({ ...only(value, 'time', 'proximityUUID', 'majorId', 'minorId', 'namespaceId', 'instanceId', 'proximity', 'rssi', 'power'), time });
        break;
      case 'hint': engine.regionHint({ ...only(value, 'time', 'region', 'kind', 'latitude', 'longitude', 'accuracy'), time }); break;
      case 'planRegions': {
        const plan = engine.planRegions({ ...only(value, 'time', 'latitude', 'longitude', 'accuracy', 'budget', 'reset', 'fenceLeft'), time });
        this.add(`{"effect":"plan","value":${jsonText(plan)}}`);
        break;
      }
      case 'advance': engine.advance(time); break;
      case 'advanceToWakeup': {
        const wakeup = engine.nextWakeup();
        if (wakeup === null) break;
        this.newest = Math.max(this.newest, wakeup.getTime());
        engine.advance(wakeup);
        break;
      }
      case 'explain': {
        const { campaign, region, language } = only(value, 'campaign', 'region', 'language');
        this.add(`{"effect":"explain","value":${jsonText(engine.explain(campaign, { region, language }))}}`);
        break;
      }
      case 'sync': this.sync(value, time); break;
      case 'keepDecisions': engine.keepDecisions(only(value, 'capacity').capacity); break;
      case 'getDecisions':
        this.add(`{"effect":"decisions","value":${jsonText(engine.decisions(only(value, 'campaign', 'region', 'limit')))}}`);
        break;
      case 'enable': engine.enable(time); break;
      case 'disable': engine.disable(time); break;
      case 'setCooldownPeriod': engine.setCooldownPeriod(only(value, 'time', 'seconds').seconds, time); break;
      case 'setClock':
        engine.setClock(only(value, 'time', 'monotonic', 'boot').monotonic, value.boot, time);
        break;
      case 'setTimeZone': engine.setTimeZone(only(value, 'time', 'zone').zone, time); break;
      case 'setProperty': {
        only(value, 'time', 'key', 'type', 'value');
        const type = value.type[0].toUpperCase() + value.type.slice(1);
        const set = engine[`set${type}SegmentationProperty`];
        set.call(engine, value.key, value.type === 'date' ? milliseconds(value.value) : value.value, time);
        break;
      }
      case 'clearProperty': engine.clearSegmentationProperty(only(value, 'time', 'key').key, time); break;
      case 'setFeed': this.setFeed(only(value, 'time', 'feed').feed, time); break;
      case 'answerFilter': engine.answerFilter(this.token('filter', value), value.keep.map((item) => edited({ identifier: item.identifier }, only(item, 'identifier', 'message', 'data', 'set'))), time); break;
      case 'answerGeotriggers': engine.markGeotriggersHandled(this.token('geotriggers', value), value.keep.map((item) => only(item, 'identifier')), time); break;
      case 'open': engine.openNotification(this.match(only(value, 'time', 'notification')), time); break;
      case 'dismiss': engine.dismissNotification(this.match(only(value, 'time', 'notification')), time); break;
      case 'removeNotification':
        engine.removeNotification('notification' in only(value, 'time', 'notification') ? this.match(value) : undefined, time);
        break;
      case 'updateNotification':
        engine.updateNotification(edited({ matchIdentifier: this.match(only(value, 'time', 'notification', 'message', 'data', 'set')) }, value), time);
        break;
      case 'moveRegion': {
        const { region, latitude, longitude } = only(value, 'time', 'region', 'latitude', 'longitude');
        engine.moveRegion(region, { latitude, longitude }, time);
        break;
      }
      case 'takeAction': engine.takeAction(this.match(only(value, 'time', 'notification', 'action')), value.action, time); break;
      case 'setAdvertisingIdentifier':
        only(value, 'time', 'identifier', 'limitTracking');
        engine.setAdvertisingIdentifier(value.identifier ?? null, value.limitTracking ?? false, time);
        break;
      case 'message': engine.processMessage('text' in only(value, 'time', 'payload', 'text') ? value.text : value.payload, time); break;
      case 'editList': {
        const { name, add, remove } = only(value, 'time', 'name', 'add', 'remove');
        engine.editList(name, { ...(add && { add }), ...(remove && { remove }) }, time);
        break;
      }
      case 'startTrip': engine.startTrip(only(value, 'time', 'trip').trip, time); break;
      case 'endTrip': {
        const { trip, arrived = false } = only(value, 'time', 'trip', 'arrived');
        engine.endTrip(trip, { arrived }, time);
        break;
      }
      case 'trips': this.add(`{"effect":"trips","value":${engine.tripsText(milliseconds(only(value, 'time').time))}}`); break;
      case 'setList': engine.setList(only(value, 'time', 'name', 'list').name, value.list ?? null, time); break;
      case 'restart':
        engine.close();
        only(value, 'time', 'clock');
        this.start(time, value.clock);
        break;
      case 'list': {
        const lists = { sentNotifications: 1, displayedNotifications: 1, sentGeotriggers: 1, loadedNotifications: 1, loadedGeotriggers: 1, visits: 1, summary: 1, lists: 1 };
        const text = value === 'segmentation' ? engine.segmentationText() : lists[value] && jsonText(engine[value]());
        assert.ok(text, `unknown list "${value}"`);
        this.add(`{"effect":"list","value":${text}}`);
        break;
      }
      case 'clear':
        assert.ok(['sentNotifications', 'sentGeotriggers'].includes(value.clear));
        engine[`clearS${value.clear.slice(1)}`](time);
        break;
      default: {
        assert.ok(Object.hasOwn(CALLS, name), `unknown input "${name}"`);
        const [method, keys] = CALLS[name];
        only(value, 'time', ...keys);
        engine[method](...keys.map((key) => value[key]), time);
      }
    }
  }

  /** The synchronization: one call of it. */
  sync(value, time) {
    const { engine } = this;
    const keys = (...names) => only(value, 'call', ...names);
    const told = (json) => this.add(`{"effect":"sync","call":"${value.call}","value":${json}}`);
    switch (value.call) {
      case 'begin': {
        const { facts, feed, seed } = keys('time', 'facts', 'feed', 'seed');
        engine.syncBegin({ facts, feed, seed: Buffer.from(seed), time });
        break;
      }
      case 'next': keys('time'); told(jsonText(engine.syncNext(time))); break;
      case 'response': {
        const { request, status, headers, body = '' } = keys('time', 'request', 'status', 'headers', 'body');
        engine.syncResponse(request, { status, headers, body: Buffer.from(body) }, time);
        break;
      }
      case 'failure': engine.syncFailure(keys('time', 'request', 'reason').request, value.reason, time); break;
      case 'receive': engine.syncReceive(keys('time', 'request', 'text').request, Buffer.from(value.text), time); break;
      case 'message': engine.syncMessage(keys('time', 'payload').payload, time); break;
      case 'now': keys('time'); engine.syncNow(time); break;
      case 'stop': keys('time'); engine.syncStop(time); break;
      case 'status': keys(); told(jsonText(engine.syncStatus())); break;
      default: assert.fail(`sync: unknown call "${value.call}"`);
    }
  }

  match({ notification }) {
    const shown = this.shown[notification - 1];
    assert.ok(shown !== undefined, `only ${this.shown.length} notifications were shown`);
    return shown;
  }

  token(kind, { batch }) {
    const token = this.tokens[kind][batch - 1];
    assert.ok(token !== undefined, `there is no batch ${batch} yet`);
    return token;
  }
}

/** The effects of a scenario, given as its text. */
function play(text) {
  const scenario = parseExactly(text);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plot-vectors-'));
  try {
    return new Run(scenario, scenario.store ? path.join(folder, 'store') : undefined).play();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a folder, and of those in it, with this ending: without it, behind the folder that they are in. */
function stems(folder, ending) {
  return fs.readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? fs.readdirSync(path.join(folder, entry.name)).map((name) => path.join(entry.name, name)) : [entry.name]))
    .filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
}
const compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The lines of a text, as bytes. */
function linesOf(bytes) {
  const lines = [];
  for (let start = 0; ;) {
    const end = bytes.indexOf(10, start);
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end));
    if (end < 0) return lines;
    start = end + 1;
  }
}

/** The report about one vector, as in the table's JSON. */
function rowOf(folder, stem) {
  const name = path.basename(stem);
  const row = { name, area: 'none', steps: 0, effects: 0, pass: false };
  const [file, expected] = [path.join(folder, `${stem}.json`), path.join(folder, `${stem}.effects.jsonl`)];
  // Effects that belong to no scenario: a slip of the pen, and never run otherwise.
  if (!fs.existsSync(file)) return { ...row, missing: `${name}.json` };
  const text = fs.readFileSync(file, 'utf8');
  const scenario = JSON.parse(text);
  assert.strictEqual(scenario.name, name, `${file}: name: expected the name of the file`);
  const given = linesOf(Buffer.from(play(text)));
  Object.assign(row, { area: scenario.area ?? 'none', steps: scenario.inputs.length, effects: given.length - 1 });
  if (!fs.existsSync(expected)) return { ...row, missing: `${name}.effects.jsonl` };
  const wanted = linesOf(fs.readFileSync(expected));
  const most = Math.max(given.length, wanted.length);
  let line = 0;
  while (line < most && given[line] && wanted[line] && given[line].equals(wanted[line])) line++;
  if (line === most) return { ...row, pass: true };
  const [actual, other] = [given[line], wanted[line]];
  let byte = 0;
  while (actual && other && byte < actual.length && byte < other.length && actual[byte] === other[byte]) byte++;
  return { ...row, line: line + 1, byte: byte + 1, expected: other?.toString() ?? null, actual: actual?.toString() ?? null };
}

/** Plays all vectors of a folder; what is told of each, by area and name. */
function rowsOf(folder) {
  const scenarios = stems(folder, '.json');
  assert.notStrictEqual(scenarios.length, 0, 'there are no vectors');
  const names = [...new Set([...scenarios, ...stems(folder, '.effects.jsonl')])];
  return names.map((name) => rowOf(folder, name)).sort((a, b) => compare(a.area, b.area) || compare(a.name, b.name));
}

/** The table for people; the same in every language. */
function table(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const areas = [...new Set(rows.map(({ area }) => area))];
  const of = (area) => rows.filter((row) => row.area === area);
  const count = (value, columns) => String(value).padStart(columns);
  const lines = [];
  for (const area of areas) {
    lines.push(area);
    for (const row of of(area)) {
      lines.push(`  ${row.name.padEnd(width)}  ${count(row.steps, 5)} steps  ${count(row.effects, 5)} effects  ${row.pass ? 'pass' : 'FAIL'}`);
      if (row.missing) lines.push(`    ${row.missing} is missing`);
      else if (!row.pass) {
        lines.push(`    line ${row.line}, from byte ${row.byte} on`);
        lines.push(`      expected ${row.expected ?? '(no more lines)'}`, `      actual   ${row.actual ?? '(no more lines)'}`);
      }
    }
  }
  const wide = Math.max(...[...areas, 'total'].map((area) => area.length));
  const total = (name, members) => {
    const sum = (key) => members.reduce((result, row) => result + row[key], 0);
    const failed = members.filter((row) => !row.pass).length;
    return `${name.padEnd(wide)}  ${count(members.length, 7)}  ${count(sum('steps'), 5)}  ${count(sum('effects'), 7)}  ${count(failed, 6)}`;
  };
  lines.push('', `${'area'.padEnd(wide)}  vectors  steps  effects  failed`, ...areas.map((area) => total(area, of(area))), total('total', rows));
  const failed = rows.filter((row) => !row.pass).length;
  lines.push(`${rows.length - failed} passed, ${failed} failed`);
  return lines.join('\n');
}

function main(given) {
  const [folder, ...others] = given.filter((word) => word !== '--json');
  if (folder === undefined || folder.startsWith('-') || others.length > 0) {
    process.stderr.write('usage: plotengine-vectors [--json] FOLDER\n');
    return 2;
  }
  try {
    const rows = rowsOf(folder);
    const passed = rows.filter((row) => row.pass).length;
    const text = given.includes('--json') ? JSON.stringify({ vectors: rows, passed, failed: rows.length - passed }) : table(rows);
    fs.writeFileSync(1, `${text}\n`);
    return passed === rows.length ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${folder}: ${error.message}\n`);
    return 2;
  }
}

module.exports = { Run, play, stems, rowOf, rowsOf, table };
if (require.main === module) process.exitCode = main(process.argv.slice(2));
