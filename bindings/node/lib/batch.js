'use strict';
// Many fixes in one call: columns on their way in, records on their way out (docs/batch.md).

const { C, ffi, describe } = require('./library.js');
const { fault } = require('./errors.js');
const { kindOf, lengthOf, checkMemory, isSteady, copyOf } = require('./buffers.js');
const { checkKeys } = require('./keys.js');
const { milliseconds } = require('./values.js');

/** Numbers as doubles: a Float64Array goes in as it is. */
function doubles(values, name) {
  const kind = kindOf(values);
  if (kind === 'Float64Array') return values;
  if (kind === 'Float32Array') {
    checkMemory(values, name);
    return new Float64Array(values);
  }
  if (!Array.isArray(values)) throw fault(`${name}: expected a Float64Array or an array of numbers, found ${describe(values)}`);
  const column = new Float64Array(values.length);
  for (let i = 0; i < column.length; i++) {
    const value = values[i];
    if (typeof value !== 'number') throw fault(`${name}[${i}]: expected a number, found ${describe(value)}`);
    column[i] = value;
  }
  return column;
}

/** Times as integers of 64 bits: a BigInt64Array goes in as it is. */
function times(values) {
  const kind = kindOf(values);
  if (kind === 'BigInt64Array') return values;
  const isNumbers = kind === 'Float64Array';
  if (!isNumbers && !Array.isArray(values)) throw fault(`times: expected a BigInt64Array, a Float64Array or an array of times, found ${describe(values)}`);
  if (isNumbers) checkMemory(values, 'times');
  const column = new BigInt64Array(isNumbers ? lengthOf(values) : values.length);
  const halves = new Int32Array(column.buffer);
  for (let i = 0; i < column.length; i++) {
    const time = values[i];
    if (typeof time === 'number' && time >= -Number.MAX_SAFE_INTEGER && time <= Number.MAX_SAFE_INTEGER) {
      // Without a bigint for each, which costs more than the fix.
      const whole = Math.floor(time);
      const high = Math.floor(whole / 4294967296);
      halves[2 * i] = whole - high * 4294967296;
      halves[2 * i + 1] = high;
    } else if (isNumbers) {
      throw fault(`times[${i}]: expected milliseconds since 1970, found ${describe(time)}`);
    } else {
      column[i] = milliseconds(time, `times[${i}]`);
    }
  }
  return column;
}

/** Devices as integers of 32 bits: a Uint32Array goes in as it is. */
function devices(values) {
  const kind = kindOf(values);
  if (kind === 'Uint32Array') return values;
  if (!Array.isArray(values) && (kind === undefined || kind.startsWith('Big'))) {
    throw fault(`devices: expected a Uint32Array or an array of numbers, found ${describe(values)}`);
  }
  if (kind !== undefined) checkMemory(values, 'devices');
  const column = new Uint32Array(kind === undefined ? values.length : lengthOf(values));
  for (let i = 0; i < column.length; i++) {
    const value = values[i];
    column[i] = value;
    if (value !== column[i]) throw fault(`devices[${i}]: expected a whole number from 0 to 4294967295, found ${describe(value)}`);
  }
  return column;
}

/** Each column: how it is read, and what stands for a value that is not known; one that has this may be absent. */
const COLUMNS = {
  times: { read: times },
  latitudes: { read: doubles },
  longitudes: { read: doubles },
  accuracies: { read: doubles, unknown: 0 },
  speeds: { read: doubles, unknown: -1 },
  courses: { read: doubles, unknown: -1 },
};
const NAMES = Object.keys(COLUMNS);
const FLEET_COLUMNS = { devices: { read: devices }, ...COLUMNS };
const FLEET_NAMES = Object.keys(FLEET_COLUMNS);

/** NaN is no value: the library knows another number for that. Gives a copy where it would write to an array of the caller. */
function withoutNaN(values, unknown, isOurs) {
  for (let i = 0, length = lengthOf(values); i < length; i++) {
    if (!Number.isNaN(values[i])) continue;
    if (!isOurs) return withoutNaN(copyOf(values), unknown, true);
    values[i] = unknown;
  }
  return values;
}

/**
 * The arguments for the library, and the arrays behind them, which must be kept as long. Where JavaScript may run during the call, as
 * `mayRun` says when nothing of the caller runs any more, or anybody else may change the memory, they are copies.
 */
function columnsOf(given, withDevices, mayRun) {
  if (typeof given !== 'object' || given === null) throw fault(`fixes: expected an object of columns, found ${describe(given)}`);
  const columns = withDevices ? FLEET_COLUMNS : COLUMNS;
  const known = withDevices ? FLEET_NAMES : NAMES;
  checkKeys(given, known, 'fixes');
  const read = known.map((name) => [name, given[name]]).map(([name, value]) => {
    const { read: reader, unknown } = columns[name];
    if (unknown !== undefined && (value === undefined || value === null)) return [name, null];
    return [name, reader(value, name), value, unknown];
  });
  // From here on nothing of the caller runs: lengths and addresses stay true.
  const isHeard = mayRun();
  const kept = {};
  const addressOf = Object.create(null);
  const count = lengthOf(read.find(([name]) => name === 'times')[1]);
  for (const [name, values, source, unknown] of read) {
    addressOf[name] = 0n;
    if (values === null) continue;
    checkMemory(values, name);
    if (lengthOf(values) !== count) throw fault(`${name}: expected ${count} values, as many as times, found ${lengthOf(values)}`);
    let isOurs = values !== source;
    let memory = values;
    if (!isOurs && (isHeard || !isSteady(values))) {
      memory = copyOf(values);
      isOurs = true;
    }
    if (unknown !== undefined) memory = withoutNaN(memory, unknown, isOurs);
    kept[name] = memory;
    if (count > 0) addressOf[name] = ffi.getRawPointer(memory);
  }
  const { devices: device = 0n, ...addresses } = addressOf;
  return { count: BigInt(count), addresses: Object.values(addresses), device, kept };
}

/** The latest of the times, without a bigint for each. */
function latestOf(times) {
  const halves = new Int32Array(times.buffer, times.byteOffset, 2 * times.length);
  let latest = -Infinity;
  for (let i = 0; i < halves.length; i += 2) {
    const time = halves[i + 1] * 4294967296 + (halves[i] >>> 0);
    if (time > latest) latest = time;
  }
  return BigInt(latest);
}

const FIELDS = ['fixes', 'devices', 'kinds', 'details', 'regions', 'campaigns'];
const WORDS = 10; // of 32 bits, in a record

/** The contents of plot_effects, as a typed array for each field. */
function effectsAt(pointer) {
  const length = Number(C.plot_effects_get_count(pointer));
  const effects = { length, times: new Float64Array(length), numbers: new Float64Array(length) };
  for (const name of FIELDS) effects[name] = new Uint32Array(length);
  if (length === 0) return effects;
  const bytes = ffi.toArrayBuffer(C.plot_effects_get_records(pointer), length * WORDS * 4, true);
  const words = new Uint32Array(bytes);
  const signed = new Int32Array(bytes);
  for (let i = 0, at = 0; i < length; i++, at += WORDS) {
    effects.times[i] = signed[at + 1] * 4294967296 + words[at];
    effects.numbers[i] = words[at + 3] * 4294967296 + words[at + 2];
    FIELDS.forEach((name, field) => { effects[name][i] = words[at + 4 + field]; });
  }
  return effects;
}

module.exports = { columnsOf, effectsAt, latestOf };
