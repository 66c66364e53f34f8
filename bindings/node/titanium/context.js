'use strict';
// A script context of its own, as Titanium gives plotfilter.js and plotgeotriggerhandler.js: no globals of the app, its own
// timers, ended when its time is over.

const vm = require('node:vm');

/** Runs the task that stands in the context's global, under a time limit, which only a script can have. */
const TASK = Symbol.for('plotengine.task');
const runTask = new vm.Script('globalThis[Symbol.for("plotengine.task")]()', { filename: 'plotengine:timer' });

class ScriptContext {
  #timers = new Set();
  #over = false;
  #deadline;
  #limit;
  #failed;

  constructor({ modules, Ti, log, limit, ended, failed }) {
    this.#limit = limit;
    this.#failed = failed;
    const sandbox = {};
    this.context = vm.createContext(sandbox);
    const parse = vm.runInContext('JSON.parse', this.context);
    // Values cross as JSON, so that the script gets arrays and objects of its own.
    const own = (value) => (value !== null && typeof value === 'object' ? parse(JSON.stringify(value)) : value);
    const wrapped = new Map(Object.entries(modules).map(([name, module]) => [name, this.#wrap(module, own)]));
    sandbox.require = (name) => {
      const module = wrapped.get(name);
      if (module === undefined) throw new Error(`Requested module not found: ${name}`);
      return module;
    };
    const line = (level) => (...values) => log(`[${level}] ${values.join(' ')}`);
    sandbox.Ti = sandbox.Titanium = Ti ?? {
      API: { info: line('INFO'), debug: line('DEBUG'), warn: line('WARN'), error: line('ERROR'), trace: line('TRACE'), log: line('LOG') },
    };
    sandbox.console = { log: line('INFO'), info: line('INFO'), warn: line('WARN'), error: line('ERROR') };
    for (const [set, clear] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval']]) {
      sandbox[set] = (fn, delay, ...args) => {
        if (this.#over) return 0;
        const timer = globalThis[set](() => this.#guard(() => {
          sandbox[TASK] = () => fn(...args);
          runTask.runInContext(this.context, { timeout: limit });
        }), delay);
        this.#timers.add(timer);
        return Number(timer);
      };
      sandbox[clear] = (id) => {
        for (const timer of this.#timers) {
          if (Number(timer) !== id) continue;
          globalThis[clear](timer);
          this.#timers.delete(timer);
        }
      };
    }
    this.#deadline = setTimeout(() => {
      this.shutDown();
      ended();
    }, limit);
    this.#deadline.unref?.();
  }

  /** The module with values of the script's realm, dead once the context is. */
  #wrap(module, own) {
    const result = {};
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(module))) {
      if (property.get) Object.defineProperty(result, name, { get: () => own(property.get()), enumerable: true });
      else result[name] = (...args) => (this.#over ? undefined : own(property.value(...args)));
    }
    return result;
  }

  #guard(task) {
    if (this.#over) return;
    try {
      task();
    } catch (error) {
      this.shutDown();
      this.#failed(error);
    }
  }

  /** Runs the script. One that never returns is ended with its time. */
  run(source, filename) {
    this.#guard(() => vm.runInContext(source, this.context, { filename, timeout: this.#limit }));
  }

  shutDown() {
    this.#over = true;
    clearTimeout(this.#deadline);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

module.exports = { ScriptContext };
