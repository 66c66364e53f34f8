'use strict';
// Many fixes in one call: columns on their way in, records on their way out (docs/batch.md).

const { C, ffi, describe } = require('./library.js');
const { fault } = require('./errors.js');
const { milliseconds } = require('./values.js');

/** Numbers as doubles: what is a Float64Array goes in as it is. */
function doubles(values, name) {
  if (values instanceof Float64Array) return values;
  if (values instanceof Float32Array) return Float64Array.from(values);
  if (!Array.isArray(values)) throw fault(`${name}: expected a Float64Array or an array of numbers, found ${describe(values)}`);
  const column = new Float64Array(values.length);
  for (let i = 0; i < column.length; i++) {
    if (typeof values[i] !== 'number') throw fault(`${name}[${i}]: expected a number, found ${describe(values[i])}`);
    column[i] = values[i];
  }
  return column;
}

/** Times as integers of 64 bits: what is a BigInt64Array goes in as it is. */
function times(values) {
  if (values instanceof BigInt64Array) return values;
  const isNumbers = values instanceof Float64Array;
  if (!isNumbers && !Array.isArray(values)) throw fault(`times: expected a BigInt64Array, a Float64Array or an array of times, found ${describe(values)}`);
  const column = new BigInt64Array(values.length);
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

/** Devices as integers of 32 bits: what is a Uint32Array goes in as it is. */
function devices(values) {
  if (values instanceof Uint32Array) return values;
  if (!Array.isArray(values) && !(ArrayBuffer.isView(values) && typeof values[0] !== 'bigint' && !(values instanceof DataView))) {
    throw fault(`devices: expected a Uint32Array or an array of numbers, found ${describe(values)}`);
  }
  const column = Uint32Array.from(values);
  for (let i = 0; i < column.length; i++) {
    if (values[i] !== column[i]) throw fault(`devices[${i}]: expected a whole number from 0 to 4294967295, found ${describe(values[i])}`);
  }
  return column;
}

const REQUIRED = ['latitudes', 'longitudes'];
const OPTIONAL = ['accuracies', 'speeds', 'courses'];

/** The arguments for the library, and the arrays behind them, which must be kept as long. */
function columnsOf(given, withDevices) {
  if (typeof given !== 'object' || given === null) throw fault(`fixes: expected an object of columns, found ${describe(given)}`);
  const known = [...(withDevices ? ['devices'] : []), 'times', ...REQUIRED, ...OPTIONAL];
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw fault(`fixes: "${name}" is unknown; expected one of ${known.join(', ')}`);
  }
  const kept = [];
  const column = (name, read) => {
    const values = read(given[name], name);
    if (kept.length > 0 && values.length !== kept[0].length) throw fault(`${name}: expected ${kept[0].length} values, as many as times, found ${values.length}`);
    kept.push(values);
    return values.length === 0 ? 0n : ffi.getRawPointer(values);
  };
  const addresses = [column('times', times)];
  for (const name of REQUIRED) addresses.push(column(name, doubles));
  for (const name of OPTIONAL) addresses.push(given[name] === undefined || given[name] === null ? 0n : column(name, doubles));
  const device = withDevices ? column('devices', devices) : 0n;
  return { count: BigInt(kept[0].length), addresses, device, kept };
}

const FIELDS = ['fixes', 'devices', 'kinds', 'details', 'regions', 'campaigns'];
const WORDS = 10; // of 32 bits, in a record

/** What plot_effects holds, as a typed array for each field. */
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

module.exports = { columnsOf, effectsAt };
