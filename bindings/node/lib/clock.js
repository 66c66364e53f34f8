'use strict';
// Gives the time, and notices that the wall clock was set. A wall clock can be set by its user or by a network; a monotonic one counts on. While both agree,
// the wall clock is right; when they differ by a second, it was set, and the engine is to be told (docs/rules.md, Clocks).

const fs = require('node:fs');
const os = require('node:os');
const { randomUUID } = require('node:crypto');
const { describe } = require('./library.js');
const { fault } = require('./errors.js');
const { checkKeys } = require('./keys.js');
const { wholeMilliseconds } = require('./values.js');

/** A time of the host's that is further beyond the clock than this is given to the engine with a reading. */
const MOMENT = 60_000;

/** Below this, two clocks drift; from here on, one was set. The engine has the same limit. */
const DRIFT = 1000;

const hrtime = process.hrtime;
/** Milliseconds of a clock that stops while the machine sleeps. */
function awake() {
  const [seconds, nanoseconds] = hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Milliseconds since the machine's start, asleep or awake. In some containers the uptime is the container's, and then less than `awake`. */
const sinceStart = () => Math.max(os.uptime() * 1000, awake());

function read(file, how) {
  try {
    return how(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** A name for this start of the machine, and for what its clocks count from; where the system has none, a name for this process. */
function nameOfStart() {
  const id = read('/proc/sys/kernel/random/boot_id', fs.readFileSync);
  return id === '' ? randomUUID() : `${id} ${read('/proc/self/ns/time', fs.readlinkSync)}`.trim();
}

let start;

/** A reading of this machine's clocks, as the option `clock` may give it. */
function systemClock() {
  start ??= nameOfStart();
  return { time: Date.now(), monotonic: Math.floor(sinceStart()), boot: start };
}

const isReading = (value) => typeof value === 'object' && value !== null && !(value instanceof Date);

function checkReading(value) {
  checkKeys(value, ['time', 'monotonic', 'boot'], 'the reading of the clock');
  const time = wholeMilliseconds(value.time, 'time');
  const { monotonic, boot } = value;
  if (typeof monotonic !== 'number' || !(monotonic >= 0 && monotonic <= Number.MAX_SAFE_INTEGER)) {
    throw fault(`monotonic: expected milliseconds since the start of the device, found ${describe(monotonic)}`);
  }
  if (typeof boot !== 'string' || boot === '') throw fault(`boot: expected a name for the start of the device, found ${describe(boot)}`);
  return { time, monotonic: Math.floor(monotonic), boot };
}

/** Gives the times of one engine's inputs, and watches the wall clock beside the monotonic one. */
class Watch {
  #clock; // undefined: the system's
  #boot = ''; // another name for this start of the system
  #told = null; // the reading that the engine has
  #quick = 0; // what `awake` said then
  #newest = -Infinity; // the newest time given

  constructor(clock) {
    if (clock !== undefined && clock !== null && typeof clock !== 'function') throw fault(`clock: expected a function, found ${describe(clock)}`);
    this.#clock = clock ?? undefined;
  }

  get isSystem() { return this.#clock === undefined; }

  /** A reading, or a bare time. */
  #read() {
    if (this.#clock === undefined) return { ...systemClock(), ...(this.#boot && { boot: this.#boot }) };
    const value = this.#clock();
    return isReading(value) ? checkReading(value) : wholeMilliseconds(value, 'time');
  }

  /** The wall clock, unwatched. */
  wall() {
    if (this.#clock === undefined) return Date.now();
    const value = this.#read();
    return value.time ?? value;
  }

  /** The time of the start, and what to tell the engine before it: {time, reading}; no reading of a clock without a monotonic one. */
  begin() {
    this.#told = null;
    this.#newest = -Infinity;
    const value = this.#read();
    return { time: BigInt(value.time ?? value), reading: value.time === undefined ? null : value };
  }

  /** Another name for this start of the system, of which the store knows clocks that were further on; false when the host has named it. */
  rename() {
    if (this.#clock !== undefined || this.#boot !== '') return false;
    this.#boot = `${systemClock().boot} ${randomUUID()}`;
    return true;
  }

  /** The engine has been told this. */
  told(reading) {
    this.#told = reading;
    this.#quick = awake();
  }

  /** The host tells the clocks itself from here on. */
  stop() { this.#told = null; }

  /**
   * The time of an input, and what to tell the engine before it, if the clock was set: {time, reading}. The time goes back only with the wall clock, and not
   * by less than two seconds: a small step may still be drift to the engine, which would refuse a fix as older than the last.
   */
  now() {
    const { wall, reading } = this.#clock === undefined ? this.#system() : this.#given();
    const time = wall < this.#newest && this.#newest - wall < 2 * DRIFT ? this.#newest : wall;
    this.#newest = time;
    return { time: BigInt(time), reading };
  }

  /** Whether the engine has a reading of this clock. */
  get isTold() { return this.#told !== null; }

  /** The reading to report before a time that the host gives, if that is beyond the clock; otherwise null. */
  readingFor(time) {
    if (this.#told === null || time - BigInt(this.wall()) <= MOMENT) return null;
    const value = this.#read();
    return value.time === undefined ? null : value;
  }

  #given() {
    const value = this.#read();
    const wall = value.time ?? value;
    return { wall, reading: value.time === undefined ? null : this.#compared(value) };
  }

  /** The clock that tells of sleep costs more to read: only a machine that slept, or a clock that was set, needs it. */
  #system() {
    const wall = Date.now();
    if (this.#told === null || Math.abs(wall - this.#told.time - (awake() - this.#quick)) < DRIFT) return { wall, reading: null };
    const value = this.#read();
    const reading = this.#compared(value);
    if (reading === null) this.#quick = awake() - (value.monotonic - this.#told.monotonic);
    return { wall: value.time, reading };
  }

  #compared(reading) {
    if (this.#told === null) return null;
    const { time, monotonic, boot } = this.#told;
    const isSame = reading.boot === boot && Math.abs(reading.time - time - (reading.monotonic - monotonic)) < DRIFT;
    return isSame ? null : reading;
  }
}

module.exports = { Watch, systemClock };
