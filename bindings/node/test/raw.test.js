'use strict';
// The table in lib/raw.js against the header: names, order, argument counts and types, callback types, constants.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const raw = require('../lib/raw.js');
const { project } = require('./helpers.js');

const header = fs.readFileSync(path.join(project, 'include', 'plotengine.h'), 'utf8');
const code = header.replace(/\/\*[^]*?\*\//g, ' ').replace(/^\s*#.*$/gm, ' ').replace(/\bPLOT_(NULLABLE|NONNULL)\b/g, '');

/** The types of node:ffi that may stand for a type of C. */
function allowed(type) {
  const plain = type.replace(/\bconst\b/g, '').replace(/\s+/g, ' ').replace(/ ?\* ?/g, '*').trim();
  const scalars = { int32_t: 'int32', int64_t: 'int64', uint32_t: 'uint32', uint64_t: 'uint64', size_t: 'uint64', double: 'float64', void: 'void' };
  if (scalars[plain]) return [scalars[plain]];
  if (/^plot_\w+_fn$/.test(plain)) return ['pointer'];
  if (plain === 'char*' && /\bconst\b/.test(type)) return ['string', 'buffer', 'pointer'];
  if (plain.endsWith('*')) return ['pointer'];
  throw new Error(`the header has a type that this test does not know: ${type}`);
}

/** "int32_t plot_x(a b, c *d)" as {name, result, parameters}. */
function parse(text, name) {
  const parameters = text.parameters.trim() === 'void' ? [] : text.parameters.split(',').map((parameter) => {
    const found = /^(.*?[\s*])(\w+)$/s.exec(parameter.trim());
    return { type: found[1], name: found[2] };
  });
  return { name, result: text.result, parameters };
}

const functions = [...code.matchAll(/(?:^|;|\})\s*((?:const\s+)?\w+[\s*]+)(plot_\w+)\(([^)]*)\)\s*(?=;)/g)]
  .map((m) => parse({ result: m[1], parameters: m[3] }, m[2]));
const callbacks = [...code.matchAll(/typedef\s+(\w+)\s+\(\*(plot_\w+_fn)\)\(([^)]*)\)/g)]
  .map((m) => parse({ result: m[1], parameters: m[3] }, m[2]));

function compare(declared, table) {
  assert.deepStrictEqual(Object.keys(table), declared.map((each) => each.name));
  for (const { name, result, parameters } of declared) {
    const signature = table[name];
    assert.ok(allowed(result).includes(signature.return), `${name}: returns ${result}, the table says ${signature.return}`);
    assert.strictEqual(signature.arguments.length, parameters.length, `${name}: number of arguments`);
    parameters.forEach(({ type, name: parameter }, i) => {
      assert.ok(allowed(type).includes(signature.arguments[i]), `${name}, ${parameter}: ${type}, the table says ${signature.arguments[i]}`);
      // Text that ends with a NUL goes in as a string, bytes with a length as a buffer.
      if (signature.arguments[i] === 'buffer') assert.match(parameters[i + 1]?.name ?? '', /(^|_)length$/, `${name}: ${parameter} has no length`);
      if (signature.arguments[i] === 'string') assert.notStrictEqual(parameters[i + 1]?.name, 'length', `${name}: ${parameter} has a length`);
    });
  }
}

test('every function of the header is bound, with its types', () => {
  assert.strictEqual(functions.length, new Set(header.match(/^[\w *]+?\bplot_\w+(?=\()/gm).map((line) => /plot_\w+$/.exec(line)[0])).size);
  assert.ok(functions.length >= 80);
  compare(functions, raw.functions);
});

test('every callback type of the header is there, with its types', () => {
  compare(callbacks, raw.callbacks);
});

test('statuses, open actions and log levels are those of the header', () => {
  const defines = Object.fromEntries([...header.matchAll(/^#define (PLOT_\w+) (\d+)/gm)].map((m) => [m[1], Number(m[2])]));
  const open = Object.fromEntries(Object.entries(raw.openActions).map(([name, value]) => [`PLOT_OPEN_${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`, value]));
  const log = Object.fromEntries(Object.entries(raw.logLevels).map(([name, value]) => [`PLOT_LOG_${name.toUpperCase()}`, value]));
  const ABI = {
    updateParameters: 'UPDATE_PARAMETERS', createNewNotification: 'VOTE_CREATE', deleteCurrentNotification: 'VOTE_DELETE',
    onNotificationCreated: 'CREATED', onNotificationDeleted: 'DELETED', onBackground: 'BACKGROUND', onForeground: 'FOREGROUND',
    onStartMonitoring: 'START_MONITORING', load: 'LOAD', save: 'SAVE',
  };
  const calls = Object.fromEntries(Object.entries(raw.strategyCalls).map(([name, value]) => [`PLOT_STRATEGY_${ABI[name]}`, value]));
  const spelled = (prefix, values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase(), value]));
  const hints = { ...spelled('PLOT_HINT_', raw.hintKinds), ...spelled('PLOT_PROXIMITY_', raw.proximities), ...spelled('PLOT_PLAN_', raw.planFlags), ...spelled('PLOT_RECORD_', raw.recordFlags), ...spelled('PLOT_SAVE_', raw.saveFlags), ...spelled('PLOT_EFFECT_', raw.effectKinds), ...spelled('PLOT_PAIR_', raw.pairKinds), ...spelled('PLOT_ROAMING_', raw.roamingFlags), PLOT_NO_POSITION: raw.NO_POSITION };
  assert.deepStrictEqual({ ...raw.statuses, ...hints, ...open, ...log, ...calls }, defines);
});

test('the declarations name every status', () => {
  const types = fs.readFileSync(path.join(__dirname, '..', 'index.d.ts'), 'utf8');
  const named = new Set(/export type StatusName =([^;]*);/.exec(types)[1].match(/PLOT_\w+/g));
  assert.deepStrictEqual(named, new Set(Object.keys(raw.statuses).filter((name) => name !== 'PLOT_OK')));
});
