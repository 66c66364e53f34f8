'use strict';
const { EventEmitter } = require('node:events');
const timers = require('node:timers');
const {
  C, text, callOut, enter, leave, register, takeError, errorPointers, outPointers, asPointer, asBytes,
  words, callError, checkText, describe,
} = require('./library.js');
const raw = require('./raw.js');
const { PlotError, named, fault, closed } = require('./errors.js');
const { Config, Feed, address, disposable } = require('./documents.js');
const { columnsOf, latestOf } = require('./batch.js');
const { checkKeys, refuseOthers } = require('./keys.js');
const { Watch } = require('./clock.js');
const { zoneOf } = require('./start-zone.js');
const { tokenIn, tokenOut, numberOr, int64In, flagIn, saveFlagsOf, FIX, W3C } = require('./engine/arguments.js');
const { takeEffects, stateIn } = require('./engine/effects.js');
const { shared } = require('./engine/shared.js');
const { syncStatusOf } = require('./engine/sync.js');
const { parsed, milliseconds, itemAt, listAt, answerList, pathOf } = require('./values.js');

/** Given back by onFilter or onGeotriggers: the answer comes later, by answerFilter or markGeotriggersHandled. */
const LATER = Symbol.for('plotengine.later');

const OPEN_ACTIONS = Object.fromEntries(Object.entries(raw.openActions).map(([name, number]) => [number, name]));
const LOG_LEVELS = Object.fromEntries(Object.entries(raw.logLevels).map(([name, number]) => [number, name]));

/** The longest sleep of a timer: a clock that was set, or a machine that slept, is noticed after this. */
const LONGEST_SLEEP = 60_000;

/** Events of the emitter that do not come from the event callback. */
const OWN_EVENTS = new Set(['error', 'late', 'decision', 'log', 'wakeup', 'fixRequest', 'sync', 'newListener', 'removeListener']);

// ---- Callbacks from the library --------------------------------------------------------------------------------
//
// One for each type and thread, never unregistered. user_data is the key of the engine in `live`. The reference there
// is weak, so that handlers that hold the engine do not keep a forgotten one alive.

const live = new Map();
let lastKey = 0n;

function trampoline(type, otherwise, body) {
  return register(type, (key, ...rest) => {
    const engine = live.get(key)?.reference.deref();
    if (engine === undefined) return otherwise;
    try {
      return body(engine, ...rest);
    } catch (error) {
      keepThrown(engine, error);
      return otherwise;
    }
  });
}

/** Frees what was forgotten, once. */
function free(key) {
  const entry = live.get(key);
  live.delete(key);
  if (!entry) return;
  for (const own of entry.strategies) strategies.delete(own);
  C.plot_engine_free(entry.pointer);
}
const forgotten = new FinalizationRegistry(free);

/** The engines of strategies, by the keys that the library has for these. Weak too; the engine has the strategy itself. */
const strategies = new Map();
const METHODS = Object.fromEntries(Object.entries(raw.strategyCalls).map(([name, number]) => [number, name]));
const VOTES = new Set([raw.strategyCalls.createNewNotification, raw.strategyCalls.deleteCurrentNotification]);

const strategyPointer = register('plot_strategy_fn', (key, _, what, call) => {
  const engine = strategies.get(key)?.deref();
  const strategy = engine && strategyOf(engine, key);
  if (strategy === undefined) return 1;
  try {
    return tellStrategy(strategy, what, call) === false ? 0 : 1;
  } catch (error) {
    keepThrown(engine, error); // a vote that throws is a yes
    return 1;
  }
});

/** Gives a strategy one of the library's calls; false is a no. */
function tellStrategy(strategy, what, call) {
  const name = METHODS[what];
  const method = strategy[name];
  if (method === undefined || method === null) return true;
  const time = new Date(Number(C.plot_strategy_call_get_time(call)));
  const answer = method.call(strategy, ...argumentsOf(name, call, time));
  if (isThenable(answer)) {
    answer.then(undefined, () => {});
    throw new TypeError(`${name} of a strategy must answer at once, but gave a promise.`);
  }
  if (name === 'save') {
    if (answer !== undefined && answer !== null) callError(C.plot_strategy_call_set_state, call, checkText(answer, 'the saved state'));
    return true;
  }
  return VOTES.has(what) ? answer !== false : true;
}

const detailsOf = (call) => parsed(text(C.plot_strategy_call_get_json(call)));

/** The notification that takes the place of one that leaves the screen; null where there is none. */
function nextOf(call) {
  const next = C.plot_strategy_call_get_next(call);
  return next ? itemAt(next) : null;
}

function argumentsOf(name, call, time) {
  switch (name) {
    case 'updateParameters': return [detailsOf(call), time];
    case 'createNewNotification': return [itemAt(C.plot_strategy_call_get_item(call)), detailsOf(call), time];
    case 'deleteCurrentNotification': return [itemAt(C.plot_strategy_call_get_item(call)), detailsOf(call), time, nextOf(call)];
    case 'onNotificationCreated': return [itemAt(C.plot_strategy_call_get_item(call)), C.plot_strategy_call_get_done(call) === 1, time];
    case 'onNotificationDeleted':
      return [itemAt(C.plot_strategy_call_get_item(call)), C.plot_strategy_call_get_done(call) === 1, time, detailsOf(call).cause, nextOf(call)];
    case 'onStartMonitoring': {
      const details = detailsOf(call);
      return [details.region, details.visit, time, details];
    }
    case 'load': {
      const state = C.plot_strategy_call_get_state(call);
      return [state === 0n ? null : text(state), time];
    }
    default: return [time];
  }
}

/** Stores are closed when the thread ends in order, also of engines that were collected and not yet freed. */
process.on('exit', () => {
  for (const [key, { reference }] of [...live]) {
    const engine = reference.deref();
    if (engine === undefined) free(key);
    else engine.close();
  }
});

const isThenable = (value) => value !== null && typeof value === 'object' && typeof value.then === 'function';

/** Each handler: the function of the library that registers it, and the trampoline. */
const HANDLERS = {
  onFilter: 'filter', onGeotriggers: 'geotriggers', onShow: 'show', onRemove: 'remove', onNotification: 'handler', onOpen: 'open',
  onEvent: 'event', onDecision: 'decision', onRecording: 'recording', onLog: 'log', onWakeup: 'wakeup',
  onFixRequest: 'fixRequest', onSync: 'sync',
};
const OPTIONS = ['clock', 'timers', ...Object.keys(HANDLERS)];

/** The feed that init takes with the configuration, or nothing at all; for the mirrors. */
const FEED = Symbol('feed');

/** One device: its places, visits, history and settings. */
class Engine extends EventEmitter {
  #pointer = 0n; // 0n: closed
  #key;
  #clock; // a Watch
  #hostClock = null; // what setClock was given before init
  #timersWanted; // undefined: as init says
  #followsClock = false;
  #live = true; // the clock is the engine's time
  #isStarted = false;
  #inputTime = 0n; // the newest time given
  #handlers = Object.create(null);
  #registered = new Set(); // kinds that the library calls back
  #depth = 0; // calls of ours under way
  #thrown = []; // by callbacks, to be thrown by the outermost call
  #timer = null;
  #strategies = new Map(); // by the library's keys for them: {words, strategy}

  /** An engine without a configuration. Options: the `on…` handlers, `clock` and `timers`. */
  constructor(options = {}) {
    super();
    if (typeof options !== 'object' || options === null) throw fault(`options: expected an object, found ${describe(options)}`);
    checkKeys(options, OPTIONS, 'options');
    this.#clock = new Watch(options.clock);
    this.#timersWanted = options.timers;
    if (options.timers !== undefined && typeof options.timers !== 'boolean') throw fault(`timers: expected a boolean, found ${describe(options.timers)}`);
    for (const name of Object.keys(HANDLERS)) checkHandler(options[name], name);
    this.#pointer = callOut(C.plot_engine_new, asPointer);
    this.#key = ++lastKey;
    live.set(this.#key, { reference: new WeakRef(this), pointer: this.#pointer, strategies: new Set() });
    forgotten.register(this, this.#key, this);
    for (const name of Object.keys(HANDLERS)) if (options[name]) this.#setHandler(name, options[name]);
  }

  // ---- Calling -------------------------------------------------------------------------------------------------

  #open() {
    if (this.#pointer === 0n) throw closed('engine');
    return this.#pointer;
  }

  /** Throws the error of a callback from the outermost call, as the same object. */
  #leave() {
    leave();
    if (--this.#depth !== 0 || this.#thrown.length === 0) return;
    const [first, ...others] = this.#thrown.splice(0);
    for (const error of new Set(others)) {
      if (error === first) continue;
      if (this.listenerCount('error') > 0) this.emit('error', error);
      else process.emitWarning(`A further callback threw in the same call: ${error?.stack ?? error}`, 'PlotEngineWarning');
    }
    throw first; // thrown from a finally block: it goes before the call's own result or error
  }

  #call(fn, ...args) {
    const pointer = this.#open();
    const frame = enter();
    this.#depth++;
    try {
      const status = fn(pointer, ...args, errorPointers[frame]);
      if (status !== 0) throw takeError(status, words[2 * frame + 1]);
    } finally {
      this.#leave();
    }
  }

  #get(fn, read, ...args) {
    const pointer = this.#open();
    const frame = enter();
    this.#depth++;
    try {
      const status = fn(pointer, ...args, outPointers[frame], errorPointers[frame]);
      if (status !== 0) throw takeError(status, words[2 * frame + 1]);
      return read(frame);
    } finally {
      this.#leave();
    }
  }

  /** The time of an input. Without one: the clock's; inside a callback of a replay, that of the input being delivered. */
  #time(time) {
    if (time === undefined && !this.#live && (this.#depth > 0 || shared.fleetCall?.members.has(this))) return this.#inputTime;
    const at = time === undefined ? this.#now() : this.#besideClock(milliseconds(time, 'time'));
    if (at > this.#inputTime) this.#inputTime = at;
    return at;
  }

  /** A time of the host's; the engine is told first what the clock shows, where it is beyond that. */
  #besideClock(time) {
    const reading = this.#clock.readingFor(time);
    if (reading !== null && this.#pointer !== 0n) this.#tell(reading);
    return time;
  }

  /** The clock's time; the engine is told first when the clock was set. */
  #now() {
    const { time, reading } = this.#clock.now();
    if (reading !== null && this.#pointer !== 0n) {
      this.#inputTime = time;
      this.#tell(reading);
    }
    return time;
  }

  #tell(reading) {
    this.#clock.told(reading);
    this.#call(C.plot_engine_set_clock, BigInt(reading.time), BigInt(reading.monotonic), checkText(reading.boot, 'boot'));
  }

  static keepThrown(engine, error) {
    // Without a call of its own, it is called back in one of a fleet.
    if (engine.#depth === 0 && shared.fleetCall !== null) shared.fleetCall.thrown.push(error);
    else engine.#thrown.push(error);
  }

  static pointerOf(engine) {
    return engine.#pointer;
  }

  /** It was started in a call on many engines, which does not follow a clock. */
  static restored(engine) {
    [engine.#isStarted, engine.#live, engine.#followsClock] = [true, false, false];
    engine.#inputTime = BigInt(engine.summary().time.getTime());
  }

  /** Whether the library may call JavaScript in a call on this engine. */
  static isHeard(engine) {
    return engine.#registered.size > 0 || engine.#strategies.size > 0;
  }

  static strategyOf(engine, own) {
    return engine.#strategies.get(own)?.strategy;
  }

  /** For work that nobody called: an error goes to the 'error' listeners, or up. */
  #report(error) {
    if (this.listenerCount('error') === 0) throw error;
    this.emit('error', error);
  }

  // ---- Life ----------------------------------------------------------------------------------------------------

  /**
   * Starts the engine. `config` is a Config, a path, a file: URL or a plain object. `store` names the store file. `timeZone` is the device's, by default
   * the system's; null leaves the one in the store. Without a `time` the engine is live: it follows the clock, and so do its timers, unless the option
   * `timers` says otherwise. An init that fails leaves nothing initialised.
   */
  init(config, options = {}) {
    this.#open();
    if (typeof options !== 'object' || options === null) throw fault(`options: expected an object, found ${describe(options)}`);
    checkKeys(options, ['time', 'store', 'timeZone'], 'options of init');
    return this.#begin(config, { ...options, feed: options[FEED] }, null);
  }

  /** All that a store keeps, but for the feed (docs/state-bytes.md): a Uint8Array. The same state gives the same bytes. */
  save(options = {}) {
    return this.#get(C.plot_engine_save, asBytes, saveFlagsOf(options));
  }

  /**
   * Starts the engine with what `save` gave, in place of `init`. `feed` is in force from then on: one with another digest than that of then is taken as a
   * new feed is. `store` names a new file, which has all of it from then on. Engines restored from the same bytes go on alike: drop all but one.
   */
  restore(state, config, options = {}) {
    this.#open();
    if (typeof options !== 'object' || options === null) throw fault(`options: expected an object, found ${describe(options)}`);
    checkKeys(options, ['time', 'store', 'timeZone', 'feed'], 'options of restore');
    return this.#begin(config, { timeZone: null, ...options }, stateIn(state, 'state'));
  }

  /** Starts the engine, from what another one has saved or not. */
  #begin(config, options, state) {
    const { time, store, timeZone, feed } = options;
    const path = store === undefined || store === null ? null : pathOf(store, 'store');
    const wasStarted = this.#isStarted; // then the library refuses, and nothing else is to change
    const zone = wasStarted ? null : zoneOf(timeZone);
    const start = time === undefined && !wasStarted ? this.#clock.begin() : { time: wasStarted ? this.#inputTime : milliseconds(time, 'time'), reading: null };
    const before = [this.#live, this.#followsClock, this.#inputTime];
    const handles = [];
    const owned = (handle, isOwned) => {
      if (isOwned) handles.push(handle);
      return handle;
    };
    this.#open(); // the clock may have closed it
    enter();
    this.#depth++; // what callbacks throw leaves when all is done
    try {
      const from = Config.from(config);
      const read = owned(from.config, from.owned);
      const offer = feed === undefined || feed === null ? null : Feed.from(feed);
      const taken = offer && owned(offer.feed, offer.owned);
      this.#live = !this.#clock.isSystem || time === undefined;
      this.#followsClock = this.#timersWanted ?? time === undefined;
      this.#inputTime = start.time;
      this.#sync('wakeup');
      this.#start(start, read, path, state, taken);
      try {
        if (zone !== null && this.#pointer !== 0n && this.getTimeZone() !== zone) this.#call(C.plot_engine_set_time_zone, start.time, zone);
        if (taken !== null && state === null && this.#pointer !== 0n) this.#call(C.plot_engine_set_feed, start.time, address(taken));
      } catch (error) {
        this.#renew();
        throw error;
      }
    } catch (error) {
      if (!this.#isStarted || wasStarted) [this.#live, this.#followsClock, this.#inputTime] = before;
      throw error;
    } finally {
      for (const handle of handles) handle.close();
      this.#leave();
    }
    this.#follow();
    return this;
  }

  /** Tells what the clocks show, unless the host has, and starts. */
  #start({ time, reading }, config, path, state, feed) {
    const start = (at) => {
      if (state === null) this.#call(C.plot_engine_init, at, address(config), path);
      else this.#call(C.plot_engine_restore, at, address(config), feed === null ? 0n : address(feed), path, state, BigInt(state.byteLength));
    };
    const isOurs = reading !== null && this.#hostClock === null;
    try {
      if (isOurs) this.#tell(reading);
      start(time);
    } catch (error) {
      // In some containers the clocks begin anew within one boot: the store has then seen them further on.
      const isBehind = isOurs && error.code === 'PLOT_INVALID_ARGUMENT' && error.message.startsWith('monotonic:');
      if (!isBehind || !this.#clock.rename()) {
        if (!this.#isStarted) this.#clock.stop();
        throw error;
      }
      const again = this.#clock.begin();
      this.#tell(again.reading);
      start(again.time);
    }
    this.#isStarted = true;
  }

  /** Takes back a start: the library's engine is another one, with the same handlers and strategies. A recording into a file has ended. */
  #renew() {
    if (this.#pointer === 0n) return;
    const pointer = callOut(C.plot_engine_new, asPointer);
    const entry = live.get(this.#key);
    C.plot_engine_free(entry.pointer);
    entry.pointer = this.#pointer = pointer;
    shared.changes++;
    this.#isStarted = false;
    this.#registered.clear();
    for (const kind of Object.keys(TRAMPOLINES)) this.#sync(kind);
    for (const [own, { words }] of this.#strategies) this.#call(C.plot_engine_set_strategy, words, strategyPointer, own, 0n);
    if (this.#hostClock !== null) this.#call(C.plot_engine_set_clock, ...this.#hostClock);
  }

  /**
   * Records all that the engine is given and gives back into a new file, from init on (docs/recording.md); without `effects`, the inputs
   * alone. It holds places and times of a person.
   */
  record(path, options = {}) {
    checkKeys(options, ['effects'], 'options of record');
    const { effects = true } = options;
    this.#call(C.plot_engine_record_to_file, pathOf(path, 'path'), flagIn(effects, 'effects') ? 0 : raw.recordFlags.inputs);
  }

  /** Ends the recording, into a file and into onRecording; fine without one. */
  stopRecording() {
    this.#call(C.plot_engine_stop_recording);
    this.#handlers.onRecording = null;
    this.#registered.delete('recording');
  }

  /** Closes the store, lets go of the handlers and frees the engine. Twice is fine; so is from a handler. */
  close() {
    if (this.#pointer === 0n) return;
    this.#pointer = 0n;
    shared.changes++;
    forgotten.unregister(this);
    this.#arm(null);
    this.#registered.clear();
    this.#handlers = Object.create(null); // what they hold is not for the engine's shell to keep
    this.#strategies.clear();
    free(this.#key);
  }

  get closed() {
    return this.#pointer === 0n;
  }

  /** Whether init has been called, and has not failed. */
  get initialized() {
    return this.#isStarted;
  }

  // ---- Handlers ------------------------------------------------------------------------------------------------

  #setHandler(name, fn) {
    checkHandler(fn, name);
    this.#open();
    const before = this.#handlers[name];
    this.#handlers[name] = fn ?? null;
    try {
      this.#sync(HANDLERS[name]);
    } catch (error) {
      this.#handlers[name] = before;
      throw error;
    }
  }

  #wants(kind) {
    switch (kind) {
      case 'filter': return this.#handlers.onFilter;
      case 'geotriggers': return this.#handlers.onGeotriggers;
      case 'show': return this.#handlers.onShow;
      case 'remove': return this.#handlers.onRemove;
      case 'handler': return this.#handlers.onNotification;
      case 'open': return this.#handlers.onOpen;
      case 'recording': return this.#handlers.onRecording;
      case 'event': return this.#handlers.onEvent || this.eventNames().some((name) => !OWN_EVENTS.has(name));
      case 'decision': return this.#handlers.onDecision || this.listenerCount('decision');
      case 'log': return this.#handlers.onLog || this.listenerCount('log');
      case 'sync': return this.#handlers.onSync || this.listenerCount('sync');
      case 'fixRequest': return this.#handlers.onFixRequest || this.listenerCount('fixRequest');
      default: return this.#followsClock || this.#handlers.onWakeup || this.listenerCount('wakeup');
    }
  }

  /** Registers a callback with the library while somebody wants it. */
  #sync(kind) {
    if (this.#pointer === 0n) return;
    const wanted = Boolean(this.#wants(kind));
    if (wanted === this.#registered.has(kind)) return;
    const { register, pointer } = TRAMPOLINES[kind];
    this.#call(register, wanted ? pointer : 0n, this.#key, 0n);
    shared.changes++;
    if (wanted) this.#registered.add(kind);
    else this.#registered.delete(kind);
  }

  #syncEvents(result) {
    for (const kind of ['event', 'decision', 'log', 'wakeup', 'fixRequest', 'sync']) this.#sync(kind);
    return result;
  }

  on(name, fn) { return this.#syncEvents(super.on(name, fn)); }
  addListener(name, fn) { return this.#syncEvents(super.addListener(name, fn)); }
  prependListener(name, fn) { return this.#syncEvents(super.prependListener(name, fn)); }
  off(name, fn) { return this.#syncEvents(super.off(name, fn)); }
  removeListener(name, fn) { return this.#syncEvents(super.removeListener(name, fn)); }
  removeAllListeners(...names) { return this.#syncEvents(super.removeAllListeners(...names)); }

  /** A batch for onFilter or onGeotriggers. */
  #offer(kind, token, list) {
    const name = kind === 'filter' ? 'onFilter' : 'onGeotriggers';
    const id = tokenOut(token);
    const kept = this.#handlers[name].call(this, listAt(list), id);
    if (kept === LATER) return;
    if (isThenable(kept)) {
      Promise.resolve(kept).then((items) => {
        // A host that gives each input its own time has no clock here: the answer is then of the newest time.
        this.#answerInTime(kind, id, items, this.#live ? undefined : 0);
      }).then(undefined, (error) => this.#report(error));
      return;
    }
    this.#answerInTime(kind, id, kept, 0); // a time in the past counts as the newest: an answer at once is of that moment
  }

  /** Answers; an answer after the deadline, or after close, is ignored with a word. */
  #answerInTime(kind, token, kept, time) {
    let code = 'PLOT_CLOSED';
    if (this.#pointer !== 0n) {
      try {
        this.#answer(kind, token, kept, time);
        return;
      } catch (error) {
        if (!(error instanceof PlotError) || error.code !== 'PLOT_ALREADY_ANSWERED') throw error;
        code = error.code;
      }
    }
    this.emit('late', { kind, token, code });
  }

  #answer(kind, token, kept, time) {
    if (!Array.isArray(kept)) {
      const name = kind === 'filter' ? 'onFilter' : 'onGeotriggers';
      throw fault(`the answer of ${name}: expected an array of the items to keep, a promise of one, or LATER, found ${describe(kept)}`);
    }
    const fn = kind === 'filter' ? C.plot_engine_answer_filter : C.plot_engine_mark_geotriggers_handled;
    const number = tokenIn(token);
    const at = this.#time(time);
    this.#open();
    if (kept.length === 0) {
      this.#call(fn, at, number, 0n);
      return;
    }
    const batch = this.#get(C.plot_engine_get_batch, asPointer, number);
    let answer = 0n;
    try {
      const made = answerList(batch, kept);
      if (made.unknown) {
        throw named('PLOT_UNKNOWN_ITEM', `Batch ${token} has no item ${JSON.stringify(made.unknown.matchIdentifier ?? made.unknown.identifier)}.`);
      }
      answer = made.answer;
      this.#call(fn, at, number, answer);
    } finally {
      C.plot_list_free(answer);
      C.plot_list_free(batch);
    }
  }

  /** true, or nothing: it is on the screen; false: it could not be shown. */
  #show(item) {
    const shown = this.#handlers.onShow.call(this, itemAt(item));
    if (isThenable(shown)) {
      shown.then(undefined, () => {});
      throw new TypeError('onShow must answer at once, but gave a promise. Return true, false or nothing.');
    }
    if (shown !== undefined && typeof shown !== 'boolean') throw new TypeError(`onShow must give true, false or nothing; it gave ${describe(shown)}`);
    return shown !== false;
  }

  /** true, or nothing: it is gone from the screen; false: that could not be done. */
  #remove(item) {
    const removed = this.#handlers.onRemove.call(this, itemAt(item));
    if (isThenable(removed)) {
      removed.then(undefined, () => {});
      throw new TypeError('onRemove must answer at once, but gave a promise. Return true, false or nothing.');
    }
    if (removed !== undefined && typeof removed !== 'boolean') throw new TypeError(`onRemove must give true, false or nothing; it gave ${describe(removed)}`);
    return removed !== false;
  }

  #event(json, item) {
    const record = parsed(text(json));
    const about = itemAt(item);
    this.#handlers.onEvent?.call(this, record, about);
    this.emit('event', record, about);
    this.emit(record.event, record, about);
  }

  #decision(json) {
    const record = parsed(text(json));
    this.#handlers.onDecision?.call(this, record);
    this.emit('decision', record);
  }

  #log(level, message) {
    const name = LOG_LEVELS[level] ?? String(level);
    const line = text(message);
    this.#handlers.onLog?.call(this, name, line);
    this.emit('log', name, line);
  }

  #wakeup(time) {
    if (this.#followsClock) this.#arm(time < 0n ? null : Number(time));
    const date = time < 0n ? null : new Date(Number(time));
    this.#handlers.onWakeup?.call(this, date);
    this.emit('wakeup', date);
  }

  #syncs(json, time) {
    const status = syncStatusOf(text(json));
    const date = time < 0n ? null : new Date(Number(time));
    this.#handlers.onSync?.call(this, status, date);
    this.emit('sync', status, date);
  }

  #fixRequest(deadline) {
    const date = new Date(Number(deadline));
    this.#handlers.onFixRequest?.call(this, date);
    this.emit('fixRequest', date);
  }

  // ---- Timers --------------------------------------------------------------------------------------------------

  #follow() {
    if (this.#followsClock && this.#pointer !== 0n) this.#arm(this.nextWakeup()?.getTime() ?? null);
  }

  /** Sleeps until `due`, without keeping the process or the engine alive. */
  #arm(due) {
    if (this.#timer !== null) timers.clearTimeout(this.#timer);
    this.#timer = null;
    if (due === null) return;
    const delay = Math.min(Math.max(due - this.#clock.wall(), 1), LONGEST_SLEEP);
    this.#timer = timers.setTimeout(Engine.#fire, delay, new WeakRef(this));
    this.#timer.unref();
  }

  static #fire(reference) {
    reference.deref()?.#tick();
  }

  #tick() {
    this.#timer = null;
    if (this.#pointer === 0n) return;
    try {
      // Each wakeup at its own time, also when this timer, or the machine, has overslept.
      const now = Number(this.#now());
      if (this.#pointer === 0n) return;
      let last = null;
      for (;;) {
        const due = this.nextWakeup();
        if (due === null || due.getTime() > now || due.getTime() === last) break;
        last = due.getTime();
        this.advance(due);
        if (this.#pointer === 0n) return;
      }
    } catch (error) {
      this.#follow();
      this.#report(error);
      return;
    }
    this.#follow();
  }

  // ---- Strategies ----------------------------------------------------------------------------------------------

  /** Registers a strategy, in the place of the one that has this key, else behind all others. */
  setStrategy(key, strategy) {
    if (typeof strategy !== 'object' || strategy === null) throw fault(`strategy: expected an object, found ${describe(strategy)}`);
    for (const name of Object.keys(raw.strategyCalls)) {
      const method = strategy[name];
      if (method !== undefined && method !== null && typeof method !== 'function') throw fault(`strategy.${name}: expected a function, found ${describe(method)}`);
    }
    this.#register(checkText(key, 'key'), strategy);
  }

  /** Removes a strategy; what it has saved stays. */
  removeStrategy(key) { this.#register(checkText(key, 'key'), null); }

  /** Whether the library has taken it decides, not what a callback of the same call has thrown. */
  #register(words, strategy) {
    this.#open();
    const before = [...this.#strategies].filter(([, entry]) => entry.words === words).map(([own]) => own);
    const own = strategy === null ? 0n : ++lastKey;
    if (strategy !== null) {
      shared.changes++;
      this.#strategies.set(own, { words, strategy });
      live.get(this.#key).strategies.add(own);
      strategies.set(own, new WeakRef(this));
    }
    let status;
    const set = (...args) => {
      status = C.plot_engine_set_strategy(...args);
      return status;
    };
    try {
      this.#call(set, words, strategy === null ? 0n : strategyPointer, own, 0n);
    } finally {
      for (const gone of status === raw.statuses.PLOT_OK ? before : [own]) this.#forget(gone);
    }
  }

  #forget(own) {
    strategies.delete(own);
    this.#strategies.delete(own);
    live.get(this.#key)?.strategies.delete(own);
  }

  // ---- The clock, fixes, the text of an engine: what needs its own state ----------------------------------------

  /** Reports the device's clocks: the wall clock (`time`), the milliseconds since its start, and a name for that start. */
  setClock(monotonic, boot, time) {
    const newest = this.#inputTime;
    const at = time !== undefined ? milliseconds(time, 'time') : this.#live ? BigInt(this.#clock.wall()) : this.#time();
    const reading = [at, int64In(monotonic, 'monotonic'), checkText(boot, 'boot')];
    this.#inputTime = at; // it may have gone back
    try {
      this.#call(C.plot_engine_set_clock, ...reading);
    } catch (error) {
      if (newest > at) this.#inputTime = newest;
      throw error;
    }
    this.#clock.stop();
    if (!this.#isStarted) this.#hostClock = reading;
  }

  /** Where the device is. */
  updateLocation(fix) {
    if (typeof fix !== 'object' || fix === null) throw fault(`fix: expected an object, found ${describe(fix)}`);
    checkKeys(fix, FIX, 'fix', W3C);
    const { latitude, longitude, accuracy, speed, course, time } = fix;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') {
      throw fault(`fix: expected numbers, found latitude ${describe(latitude)}, longitude ${describe(longitude)}`);
    }
    const known = [numberOr(0, accuracy, 'accuracy'), numberOr(-1, speed, 'speed'), numberOr(-1, course, 'course')];
    const at = this.#time(time);
    const pointer = this.#open(); // last: a getter of the fix, or the clock, may have closed the engine
    const frame = enter();
    this.#depth++;
    try {
      const status = C.plot_engine_update_location(pointer, at, latitude, longitude, known[0], known[1], known[2], errorPointers[frame]);
      if (status !== 0) throw takeError(status, words[2 * frame + 1]);
    } finally {
      this.#leave();
    }
  }

  /**
   * Where the device has been: {times, latitudes, longitudes, accuracies, speeds, courses}, a column each. A BigInt64Array of times and a
   * Float64Array of all else go in as they are. Gives what it has led to, as columns too (docs/batch.md). With `together`, the system has
   * handed them over at `time` (by default now), in any order: all are weighed before anyone is told.
   */
  updateLocations(fixes, options = {}) {
    this.#open();
    checkKeys(options, ['together', 'time'], 'options of updateLocations');
    const together = flagIn(options.together ?? false, 'together');
    if (options.time !== undefined && !together) throw fault('time: expected none unless the fixes come together ({ together: true })');
    const at = together ? this.#time(options.time) : 0n;
    const { count, addresses, kept } = columnsOf(fixes, false, () => isHeard(this));
    shared.held.push(kept);
    try {
      if (this.#clock.isTold && count > 0n) this.#besideClock(latestOf(kept.times));
      if (together) return this.#get(C.plot_engine_update_locations_together, takeEffects, at, count, ...addresses);
      return this.#get(C.plot_engine_update_locations, takeEffects, count, ...addresses);
    } finally {
      shared.held.pop();
    }
  }

  /** The text that console.log shows. */
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (!(#pointer in this)) return 'Engine {}'; // the prototype
    if (this.#pointer === 0n) return 'Engine (closed)';
    const version = text(C.plot_version());
    if (!this.#isStarted) return `Engine ${version} (not initialized)`;
    const { enabled, regions, campaigns, visits, displayed, nextWakeup = null } = this.summary();
    return `Engine ${version} ${inspect({ enabled, regions, campaigns, visits, displayed, nextWakeup }, options)}`;
  }

  // ---- Trampolines ---------------------------------------------------------------------------------------------

  static {
    // The methods that need no state of their own stand in files by subject, and come in here as this class's own.
    const ways = {
      callOn: (engine, ...args) => engine.#call(...args),
      getOn: (engine, ...args) => engine.#get(...args),
      timeOn: (engine, time) => engine.#time(time),
      openOn: (engine) => engine.#open(),
      answerOn: (engine, ...args) => engine.#answer(...args),
    };
    for (const subject of ['calls', 'settings', 'inputs', 'messages', 'trips', 'lists', 'sync']) {
      const { constructor, ...methods } = Object.getOwnPropertyDescriptors(require(`./engine/${subject}.js`)(ways).prototype);
      Object.defineProperties(Engine.prototype, methods);
    }
    for (const name of Object.keys(HANDLERS)) {
      Object.defineProperty(Engine.prototype, name, {
        configurable: true,
        get() { return this.#handlers[name] ?? null; },
        set(fn) { this.#setHandler(name, fn); },
      });
    }
    refuseOthers(Engine.prototype, Object.keys(HANDLERS), 'engine', (receiver) => #key in receiver && Object.getPrototypeOf(receiver) === Engine.prototype);
    disposable(Engine);
    Engine.trampolines = {
      filter: {
        register: C.plot_engine_set_filter_callback,
        pointer: trampoline('plot_filter_fn', undefined, (engine, _, token, list) => engine.#offer('filter', token, list)),
      },
      geotriggers: {
        register: C.plot_engine_set_geotrigger_callback,
        pointer: trampoline('plot_geotrigger_fn', undefined, (engine, _, token, list) => engine.#offer('geotriggers', token, list)),
      },
      show: {
        register: C.plot_engine_set_show_callback,
        pointer: trampoline('plot_show_fn', raw.statuses.PLOT_IO_ERROR, (engine, _, item) => (
          engine.#show(item) ? raw.statuses.PLOT_OK : raw.statuses.PLOT_IO_ERROR)),
      },
      remove: {
        register: C.plot_engine_set_remove_callback,
        pointer: trampoline('plot_remove_fn', raw.statuses.PLOT_IO_ERROR, (engine, _, item) => (
          engine.#remove(item) ? raw.statuses.PLOT_OK : raw.statuses.PLOT_IO_ERROR)),
      },
      handler: {
        register: C.plot_engine_set_notification_handler,
        pointer: trampoline('plot_notification_handler_fn', undefined, (engine, _, item, data) => {
          engine.#handlers.onNotification.call(engine, itemAt(item), text(data));
        }),
      },
      open: {
        register: C.plot_engine_set_open_callback,
        pointer: trampoline('plot_open_fn', undefined, (engine, _, action, uri, item) => {
          engine.#handlers.onOpen.call(engine, OPEN_ACTIONS[action] ?? String(action), text(uri), itemAt(item));
        }),
      },
      event: {
        register: C.plot_engine_set_event_callback,
        pointer: trampoline('plot_event_fn', undefined, (engine, _, json, _length, item) => engine.#event(json, item)),
      },
      decision: {
        register: C.plot_engine_set_decision_callback,
        pointer: trampoline('plot_decision_fn', undefined, (engine, _, json) => engine.#decision(json)),
      },
      recording: {
        register: C.plot_engine_set_recording_callback,
        pointer: trampoline('plot_recording_fn', undefined, (engine, _, line) => {
          engine.#handlers.onRecording.call(engine, text(line));
        }),
      },
      log: {
        register: C.plot_engine_set_log_callback,
        pointer: trampoline('plot_log_fn', undefined, (engine, _, level, message) => engine.#log(level, message)),
      },
      wakeup: {
        register: C.plot_engine_set_wakeup_callback,
        pointer: trampoline('plot_wakeup_fn', undefined, (engine, _, time) => engine.#wakeup(time)),
      },
      sync: {
        register: C.plot_engine_set_sync_callback,
        pointer: trampoline('plot_sync_fn', undefined, (engine, _, json, _length, time) => engine.#syncs(json, time)),
      },
      fixRequest: {
        register: C.plot_engine_set_fix_request_callback,
        pointer: trampoline('plot_fix_request_fn', undefined, (engine, _, deadline) => engine.#fixRequest(deadline)),
      },
    };
  }
}

function checkHandler(fn, name) {
  if (fn !== undefined && fn !== null && typeof fn !== 'function') throw fault(`${name}: expected a function or null, found ${describe(fn)}`);
}

const TRAMPOLINES = Engine.trampolines;
const { keepThrown, strategyOf, pointerOf, isHeard, restored } = Engine;
delete Engine.trampolines;
delete Engine.keepThrown;
delete Engine.restored;
delete Engine.strategyOf;
delete Engine.pointerOf;
delete Engine.isHeard;

const Fleet = require('./engine/fleet.js')({ Engine, pointerOf, isHeard, restored });

module.exports = { Engine, Fleet, LATER, FEED };
