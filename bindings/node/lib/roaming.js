'use strict';
// Fences that move with devices: which devices come near each other, and part (docs/roaming.md).

const { C, ffi, callOut, asPointer, describe } = require('./library.js');
const { fault } = require('./errors.js');
const { Handle, address } = require('./documents.js');
const { columnsOf } = require('./batch.js');
const { checkKeys } = require('./keys.js');
const { pairKinds, roamingFlags } = require('./raw.js');
const { milliseconds } = require('./values.js');

/** The name of each kind, by its number. */
const KINDS = Object.fromEntries(Object.entries(pairKinds).map(([name, number]) => [number, name]));
const WORDS = 8; // of 32 bits, in a record

function number(value, name) {
  if (typeof value !== 'number') throw fault(`${name}: expected a number, found ${describe(value)}`);
  return value;
}

/** The contents of plot_pairs as objects; freed. */
function takePairs(frame) {
  const pointer = asPointer(frame);
  try {
    const length = Number(C.plot_pairs_get_count(pointer));
    if (length === 0) return [];
    const bytes = ffi.toArrayBuffer(C.plot_pairs_get_records(pointer), length * WORDS * 4, true);
    const [words, signed, doubles] = [new Uint32Array(bytes), new Int32Array(bytes), new Float64Array(bytes)];
    return Array.from({ length }, (_, i) => {
      const at = i * WORDS;
      return {
        kind: KINDS[words[at + 7]], time: signed[at + 1] * 4294967296 + words[at], metres: doubles[at / 2 + 1],
        first: words[at + 4], second: words[at + 5], fix: words[at + 6],
      };
    });
  } finally {
    C.plot_pairs_free(pointer);
  }
}

/** Devices that come near each other, by their numbers from 0 to 4294967295. */
class Roaming extends Handle {
  /**
   * Two devices are near when they are at most `enter` metres apart, and until they are more than `exit` apart; without it, than `enter`. Two fixes that are more
   * than `maxAge` seconds apart do not say that devices are near. With `distances` each fix also tells of the pairs that stay near.
   */
  constructor(options) {
    if (typeof options !== 'object' || options === null) throw fault(`options: expected an object, found ${describe(options)}`);
    checkKeys(options, ['enter', 'exit', 'maxAge', 'distances'], 'options of Roaming');
    const enter = number(options.enter, 'enter');
    const exit = options.exit === undefined || options.exit === null ? enter : number(options.exit, 'exit');
    const seconds = options.maxAge === undefined || options.maxAge === null ? 0 : number(options.maxAge, 'maxAge');
    const age = Math.round(seconds * 1000);
    if (!Number.isSafeInteger(age) || (options.maxAge && age <= 0) || options.maxAge === 0) {
      throw fault(`maxAge: expected seconds above 0, found ${describe(options.maxAge)}`);
    }
    super(callOut(C.plot_roaming_new, asPointer, enter, exit, BigInt(age), options.distances ? roamingFlags.distances : 0), C.plot_roaming_free, 'roaming');
  }

  /** Takes fixes in their order, fix i being of the device `devices[i]`. A fix that is older than the newest of its device says nothing. */
  updateLocations(fixes) {
    if (typeof fixes === 'object' && fixes !== null) checkKeys(fixes, ['devices', 'times', 'latitudes', 'longitudes'], 'fixes');
    const { count, addresses, device, kept } = columnsOf(fixes, true, () => false);
    const pairs = callOut(C.plot_roaming_update_locations, takePairs, address(this), device, count, ...addresses.slice(0, 3));
    void kept;
    return pairs;
  }

  /** Forgets a device, and gives an exit for each that is near it. PLOT_NOT_FOUND for one that is not known. */
  remove(device) {
    if (!Number.isInteger(device) || device < 0 || device > 4294967295) {
      throw fault(`device: expected a whole number from 0 to 4294967295, found ${describe(device)}`);
    }
    return callOut(C.plot_roaming_remove, takePairs, address(this), device);
  }

  /** Forgets the devices whose newest fix is older than a time, and gives their exits. */
  expire(before) { return callOut(C.plot_roaming_expire, takePairs, address(this), milliseconds(before, 'before')); }

  /** The pairs that are near each other, by their numbers. */
  pairs() { return callOut(C.plot_roaming_list_pairs, takePairs, address(this)); }
}

module.exports = { Roaming };
