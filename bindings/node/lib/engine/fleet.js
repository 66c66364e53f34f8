'use strict';
const { C, ffi, callOut, asBytes, callError, describe } = require('../library.js');
const { named, fault, closed } = require('../errors.js');
const { Config, Feed, address } = require('../documents.js');
const { columnsOf } = require('../batch.js');
const { checkKeys } = require('../keys.js');
const { milliseconds } = require('../values.js');
const { saveFlagsOf } = require('./arguments.js');
const { takeEffects, stateIn } = require('./effects.js');
const { shared } = require('./shared.js');

function throwFirst([first, ...others]) {
  for (const error of new Set(others)) {
    if (error !== first) process.emitWarning(`A further callback threw in the same call: ${error?.stack ?? error}`, 'PlotEngineWarning');
  }
  throw first;
}

/** Engines in an order: device 0 is the first. It keeps them; closing one is fine, a fix for it is then an error. */
module.exports = ({ Engine, pointerOf, isHeard, restored }) => {
  return class Fleet {
    #engines;
    #members;
    #pointers; // never written to again: the library may be reading it in a call further out
    #seen = -1;
    #hasClosed = false;
    #isHeard = false;

    constructor(engines) {
      if (!Array.isArray(engines)) throw fault(`engines: expected an array of engines, found ${describe(engines)}`);
      const members = [...engines];
      for (const [i, engine] of members.entries()) {
        if (!(engine instanceof Engine)) throw fault(`engines[${i}]: expected an Engine, found ${describe(engine)}`);
      }
      this.#engines = Object.freeze(members);
      this.#members = new Set(members);
    }

    get engines() { return this.#engines; }

    #look() {
      if (this.#seen === shared.changes) return;
      this.#pointers = BigUint64Array.from(this.#engines, pointerOf);
      this.#hasClosed = this.#pointers.includes(0n);
      this.#isHeard = this.#engines.some(isHeard);
      this.#seen = shared.changes;
    }

    /** Engine.save for each, in one call. Fails whole when one of them cannot be saved. */
    save(options = {}) {
      const flags = saveFlagsOf(options);
      const ends = new BigInt64Array(Math.max(1, this.#engines.length));
      const all = this.#run((engines, count) => callOut(C.plot_engines_save, asBytes, engines, count, flags, ffi.getRawPointer(ends)));
      return this.#engines.map((engine, i) => all.slice(i === 0 ? 0 : Number(ends[i - 1]), Number(ends[i])));
    }

    /**
     * Engine.restore for each, in memory and in one call, each at the newest time that its state knows. Those before the first one that fails are restored; the
     * error names that one. A restored engine has no timers of its own.
     */
    restore(states, config, options = {}) {
      checkKeys(options, ['feed'], 'options of restore');
      if (!Array.isArray(states)) throw fault(`states: expected an array, found ${describe(states)}`);
      if (states.length !== this.#engines.length) throw fault(`states: expected ${this.#engines.length}, as many as engines, found ${states.length}`);
      const parts = states.map((state, i) => stateIn(state, `states[${i}]`));
      const ends = new BigInt64Array(Math.max(1, parts.length));
      let length = 0;
      parts.forEach((part, i) => { ends[i] = BigInt(length += part.byteLength); });
      const all = new Uint8Array(Math.max(1, length));
      parts.forEach((part, i) => all.set(part, i === 0 ? 0 : Number(ends[i - 1])));
      const from = Config.from(config);
      const given = options.feed === undefined || options.feed === null ? null : Feed.from(options.feed);
      try {
        this.#run((engines, count) => {
          callError(C.plot_engines_restore, engines, count, -1n, address(from.config), given === null ? 0n : address(given.feed), all, BigInt(length), ffi.getRawPointer(ends));
          for (const engine of this.#engines) restored(engine);
        });
      } finally {
        if (from.owned) from.config.close();
        if (given?.owned) given.feed.close();
      }
    }

    /** Runs a call on all engines; throws what callbacks threw. */
    #run(body) {
      this.#look();
      const pointers = this.#pointers;
      const closedOne = pointers.indexOf(0n);
      if (closedOne >= 0) throw named('PLOT_CLOSED', `engines[${closedOne}]: the engine is closed`);
      const outer = shared.fleetCall;
      const call = shared.fleetCall = { members: this.#members, thrown: [] };
      shared.held.push({ pointers });
      try {
        const result = body(pointers.length === 0 ? 0n : ffi.getRawPointer(pointers), BigInt(pointers.length));
        if (call.thrown.length > 0) throwFirst(call.thrown);
        return result;
      } finally {
        shared.held.pop();
        shared.fleetCall = outer;
      }
    }

    /** Where devices have been: Engine.updateLocations for many, with a column `devices`; fix i is for engine devices[i]. */
    updateLocations(fixes) { return this.#update(C.plot_engines_update_locations, fixes); }

    /**
     * updateLocations for recorded fixes: as it is for a host that also calls `advance` at each wakeup. What is due with a fix comes at once behind it; before a
     * fix, all wakeups before it come one by one; after the last, those up to `until` in every engine, also in one without a fix; without it, none of them. An
     * effect of a wakeup has the position of the fix that it is due with, or else of the one that comes next, or NO_POSITION (docs/batch.md).
     */
    replay(fixes, options = {}) {
      checkKeys(options, ['until'], 'options of replay');
      const until = options.until === undefined || options.until === null ? -1n : milliseconds(options.until, 'until');
      const closedOne = this.#engines.findIndex((engine) => engine.closed);
      if (closedOne >= 0) throw named('PLOT_CLOSED', `engines[${closedOne}]: the engine is closed`);
      return this.#update(C.plot_engines_replay, fixes, until);
    }

    #update(native, fixes, ...more) {
      // The engines are looked at behind all getters of `fixes`, which may close them.
      const { count, addresses, device, kept } = columnsOf(fixes, true, () => {
        this.#look();
        return this.#isHeard;
      });
      const pointers = this.#pointers;
      if (this.#hasClosed) {
        for (let i = 0; i < count; i++) {
          if (pointers[kept.devices[i]] === 0n) throw named('PLOT_CLOSED', `engines[${kept.devices[i]}]: the engine is closed`);
        }
      }
      const outer = shared.fleetCall;
      const call = shared.fleetCall = { members: this.#members, thrown: [] };
      shared.held.push({ pointers, kept });
      try {
        const engines = pointers.length === 0 ? 0n : ffi.getRawPointer(pointers);
        const effects = callOut(
          native, takeEffects, engines, BigInt(pointers.length), device, count, ...addresses, ...more);
        if (call.thrown.length > 0) throwFirst(call.thrown);
        return effects;
      } finally {
        shared.held.pop();
        shared.fleetCall = outer;
      }
    }
  };
};
