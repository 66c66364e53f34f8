'use strict';
const { EventEmitter } = require('node:events');
const timers = require('node:timers');
const {
  C, ffi, text, callOut, enter, leave, register, takeError, errorPointers, outPointers, asPointer, asString, asBytes, asInt32, asInt64,
  words, callError, checkText, describe,
} = require('./library.js');
const raw = require('./raw.js');
const { PlotError, named, fault, closed } = require('./errors.js');
const { Config, Feed, address, disposable } = require('./documents.js');
const { kindOf, checkMemory, isSteady, copyOf } = require('./buffers.js');
const { columnsOf, latestOf, effectsAt } = require('./batch.js');
const { checkKeys, refuseOthers } = require('./keys.js');
const { Watch } = require('./clock.js');
const { zoneOf } = require('./start-zone.js');
const { parsed, milliseconds, itemAt, listAt, takeList, answerList, pathOf, bytesOf, parseExactly } = require('./values.js');

/** Given back by onFilter or onGeotriggers: the answer comes later, by answerFilter or markGeotriggersHandled. */
const LATER = Symbol.for('plotengine.later');

const OPEN_ACTIONS = Object.fromEntries(Object.entries(raw.openActions).map(([name, number]) => [number, name]));
const LOG_LEVELS = Object.fromEntries(Object.entries(raw.logLevels).map(([name, number]) => [number, name]));

/** The longest sleep of a timer: a clock that was set, or a machine that slept, is noticed after this. */
const LONGEST_SLEEP = 60_000;

/** Events of the emitter that do not come from the event callback. */
const OWN_EVENTS = new Set(['error', 'late', 'decision', 'log', 'wakeup', 'fixRequest', 'newListener', 'removeListener']);

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

/** The call of a fleet that is under way: {members, thrown}. */
let fleetCall = null;

/** Counts engines that were closed, and what was registered with engines or taken from them: a fleet then looks anew. */
let changes = 0;

/** The columns of the calls that are under way: the library has only their addresses. */
const held = [];

const isThenable = (value) => value !== null && typeof value === 'object' && typeof value.then === 'function';

const tokenOut = (token) => (token <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(token) : token);
function tokenIn(token) {
  if (typeof token === 'bigint' && token >= 0n && token < 2n ** 64n) return token;
  if (Number.isSafeInteger(token) && token >= 0) return BigInt(token);
  throw fault(`token: expected the token of a batch, found ${describe(token)}`);
}

function numberIn(value, name) {
  if (typeof value !== 'number') throw fault(`${name}: expected a number, found ${describe(value)}`);
  return value;
}

const HINTS = Object.keys(raw.hintKinds);

/** Latitude, longitude and accuracy; an accuracy of -1 says that there is no position. */
function placeIn({ latitude, longitude, accuracy }) {
  if ((latitude === undefined || latitude === null) && (longitude === undefined || longitude === null)) return [0, 0, -1];
  const meters = numberOr(0, accuracy, 'accuracy');
  if (!(meters >= 0)) throw fault(`accuracy: expected metres, 0 or more, found ${describe(meters)}`);
  return [numberIn(latitude, 'latitude'), numberIn(longitude, 'longitude'), meters];
}

function int64In(value, name) {
  const integer = Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof integer !== 'bigint' || BigInt.asIntN(64, integer) !== integer) {
    throw fault(`${name}: expected a whole number of 64 bits (a bigint beyond 2^53), found ${describe(value)}`);
  }
  return integer;
}

function flagIn(value, name) {
  if (typeof value !== 'boolean') throw fault(`${name}: expected a boolean, found ${describe(value)}`);
  return value ? 1 : 0;
}

function saveFlagsOf(options) {
  checkKeys(options, ['events'], 'options of save');
  return flagIn(options.events ?? false, 'events') ? raw.saveFlags.events : 0;
}

function textOrNull(value, name) { return value === null ? null : checkText(value, name); }

function limitIn(value) { return value === undefined ? 0n : countIn(value, 'limit'); }

function countIn(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw fault(`${name}: expected a whole number from 0, found ${describe(value)}`);
  return BigInt(value);
}

/** The consumer of events that lists them and acknowledges them. */
const APP = 'app';

async function* outboxOf(engine, events) {
  while (events.length > 0) {
    for (const event of events) {
      yield event;
      engine.acknowledgeEvents(event.sequence);
    }
    ({ events } = engine.pendingEvents({ limit: 100 }));
  }
}

/** Each handler: the function of the library that registers it, and the trampoline. */
const HANDLERS = {
  onFilter: 'filter', onGeotriggers: 'geotriggers', onShow: 'show', onRemove: 'remove', onNotification: 'handler', onOpen: 'open',
  onEvent: 'event', onDecision: 'decision', onRecording: 'recording', onLog: 'log', onWakeup: 'wakeup',
  onFixRequest: 'fixRequest',
};
const OPTIONS = ['clock', 'timers', ...Object.keys(HANDLERS)];

/** Keys of the browsers' GeolocationCoordinates that say nothing to an engine. */
const W3C = ['altitude', 'altitudeAccuracy', 'heading'];
const FIX = ['latitude', 'longitude', 'accuracy', 'speed', 'course', 'time'];
const SIGHTING = ['proximityUUID', 'majorId', 'minorId', 'namespaceId', 'instanceId', 'proximity', 'rssi', 'power', 'time'];
const HINT = ['region', 'kind', 'latitude', 'longitude', 'accuracy', 'time'];
const PLAN = ['budget', 'latitude', 'longitude', 'accuracy', 'reset', 'fenceLeft', 'time'];
/** The values of a fix that a place may carry along. */
const MOTION = ['speed', 'course', ...W3C];

/** A number that may not be known: absent, null or NaN. */
function numberOr(otherwise, value, name) {
  if (value === undefined || value === null || Number.isNaN(value)) return otherwise;
  return numberIn(value, name);
}

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
    if (time === undefined && !this.#live && (this.#depth > 0 || fleetCall?.members.has(this))) return this.#inputTime;
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
    if (engine.#depth === 0 && fleetCall !== null) fleetCall.thrown.push(error);
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
    changes++;
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
    changes++;
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
    changes++;
    if (wanted) this.#registered.add(kind);
    else this.#registered.delete(kind);
  }

  #syncEvents(result) {
    for (const kind of ['event', 'decision', 'log', 'wakeup', 'fixRequest']) this.#sync(kind);
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
      changes++;
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

  // ---- Settings ------------------------------------------------------------------------------------------------

  enable(time) { this.#call(C.plot_engine_enable, this.#time(time)); }
  disable(time) { this.#call(C.plot_engine_disable, this.#time(time)); }
  isEnabled() { return this.#get(C.plot_engine_is_enabled, asInt32) !== 0; }

  /** Least time between two notifications, in seconds; 0 for none. */
  setCooldownPeriod(seconds, time) {
    this.#call(C.plot_engine_set_cooldown_period, this.#time(time), int64In(seconds, 'seconds'));
  }
  getCooldownPeriod() { return Number(this.#get(C.plot_engine_get_cooldown_period, asInt64)); }

  /** The device's time zone, by its IANA name; 'UTC' until it is set. */
  setTimeZone(name, time) { this.#call(C.plot_engine_set_time_zone, this.#time(time), checkText(name, 'timeZone')); }
  getTimeZone() { return this.#get(C.plot_engine_get_time_zone, asString); }

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

  /** Takes a feed in place of the one in force: a Feed, a path, a file: URL or a plain object. */
  setFeed(feed, time) {
    this.#open();
    const at = this.#time(time);
    const { feed: read, owned } = Feed.from(feed);
    try {
      this.#call(C.plot_engine_set_feed, at, address(read));
    } finally {
      if (owned) read.close();
    }
  }

  /** A feed that init takes in place of the one in the store, if that is the same; the store's is then not read. */
  offerFeed(feed) {
    this.#open();
    const { feed: read, owned } = Feed.from(feed);
    try {
      this.#call(C.plot_engine_offer_feed, address(read));
    } finally {
      if (owned) read.close();
    }
  }

  setStringSegmentationProperty(key, value, time) {
    const words = value === null || value === undefined ? null : checkText(value, 'value');
    this.#call(C.plot_engine_set_string_segmentation_property, this.#time(time), checkText(key, 'key'), words);
  }
  setBooleanSegmentationProperty(key, value, time) {
    if (typeof value !== 'boolean') throw fault(`value: expected a boolean, found ${describe(value)}`);
    this.#call(C.plot_engine_set_boolean_segmentation_property, this.#time(time), checkText(key, 'key'), value ? 1 : 0);
  }
  setIntegerSegmentationProperty(key, value, time) {
    this.#call(C.plot_engine_set_integer_segmentation_property, this.#time(time), checkText(key, 'key'), int64In(value, 'value'));
  }
  setDoubleSegmentationProperty(key, value, time) {
    this.#call(C.plot_engine_set_double_segmentation_property, this.#time(time), checkText(key, 'key'), numberIn(value, 'value'));
  }
  setDateSegmentationProperty(key, value, time) {
    this.#call(C.plot_engine_set_date_segmentation_property, this.#time(time), checkText(key, 'key'), milliseconds(value, 'value'));
  }
  clearSegmentationProperty(key, time) {
    this.#call(C.plot_engine_clear_segmentation_property, this.#time(time), checkText(key, 'key'));
  }

  /** {key: {type, value}}; dates are Dates, integers beyond 2^53 bigints. */
  getSegmentationProperties() {
    const properties = parseExactly(this.segmentationText());
    for (const property of Object.values(properties)) if (property.type === 'date') property.value = new Date(property.value);
    return properties;
  }
  /** The same as JSON text. */
  segmentationText() { return this.#get(C.plot_engine_get_segmentation_properties, asString); }

  /** Sets the identifier that events carry from now on; it persists. While tracking is limited, events say only that. null clears. */
  setAdvertisingIdentifier(identifier, limitTracking = false, time) {
    if (typeof limitTracking !== 'boolean') throw fault(`limitTracking: expected a boolean, found ${describe(limitTracking)}`);
    const words = identifier === null || identifier === undefined ? null : checkText(identifier, 'identifier');
    this.#call(C.plot_engine_set_advertising_identifier, this.#time(time), words, limitTracking ? 1 : 0);
  }

  // ---- Inputs --------------------------------------------------------------------------------------------------

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
    held.push(kept);
    try {
      if (this.#clock.isTold && count > 0n) this.#besideClock(latestOf(kept.times));
      if (together) return this.#get(C.plot_engine_update_locations_together, takeEffects, at, count, ...addresses);
      return this.#get(C.plot_engine_update_locations, takeEffects, count, ...addresses);
    } finally {
      held.pop();
    }
  }

  /** A beacon was heard: an iBeacon, or one with Eddystone UID frames. */
  updateBeacon(sighting) {
    if (typeof sighting !== 'object' || sighting === null) throw fault(`sighting: expected an object, found ${describe(sighting)}`);
    checkKeys(sighting, SIGHTING, 'sighting');
    const { proximity = 'unknown', rssi = 0, power = 0, time } = sighting;
    if (!Object.hasOwn(raw.proximities, proximity)) {
      throw fault(`proximity: expected ${Object.keys(raw.proximities).join(', ')}, found ${describe(proximity)}`);
    }
    if (typeof rssi !== 'number' || typeof power !== 'number') {
      throw fault(`sighting: expected numbers, found rssi ${describe(rssi)}, power ${describe(power)}`);
    }
    const heard = [raw.proximities[proximity], rssi, power];
    if (sighting.namespaceId !== undefined) {
      const ids = [checkText(sighting.namespaceId, 'namespaceId'), checkText(sighting.instanceId, 'instanceId')];
      this.#call(C.plot_engine_update_eddystone, this.#time(time), ...ids, ...heard);
      return;
    }
    const { majorId, minorId } = sighting;
    if (!Number.isInteger(majorId) || majorId !== (majorId | 0) || !Number.isInteger(minorId) || minorId !== (minorId | 0)) {
      throw fault(`sighting: expected integers, found majorId ${describe(majorId)}, minorId ${describe(minorId)}`);
    }
    this.#call(C.plot_engine_update_ibeacon, this.#time(time), checkText(sighting.proximityUUID, 'proximityUUID'), majorId, minorId, ...heard);
  }

  /** Reports what the operating system says about a region that it watches: {region, kind, latitude, longitude, accuracy, time}. */
  regionHint(hint) {
    if (typeof hint !== 'object' || hint === null) throw fault(`hint: expected an object, found ${describe(hint)}`);
    checkKeys(hint, HINT, 'hint', MOTION);
    if (!HINTS.includes(hint.kind)) throw fault(`kind: expected ${HINTS.join(', ')}, found ${describe(hint.kind)}`);
    this.#call(C.plot_engine_region_hint, this.#time(hint.time), checkText(hint.region, 'region'), raw.hintKinds[hint.kind], ...placeIn(hint));
  }

  /** Plans which regions to register with a system that watches at most `budget` regions, as a difference (docs/region-plan.md). */
  planRegions(request = {}) {
    if (typeof request !== 'object' || request === null) throw fault(`request: expected an object, found ${describe(request)}`);
    checkKeys(request, PLAN, 'request', MOTION);
    const { budget = 0, reset = false, fenceLeft = false } = request;
    if (!Number.isSafeInteger(budget) || budget !== (budget | 0)) throw fault(`budget: expected an integer from 0 to 1000, found ${describe(budget)}`);
    const flags = flagIn(reset, 'reset') * raw.planFlags.reset + flagIn(fenceLeft, 'fenceLeft') * raw.planFlags.fenceLeft;
    return parsed(this.#get(C.plot_engine_plan_regions, asString, this.#time(request.time), ...placeIn(request), budget, flags));
  }

  /** Time has passed: what is due happens, each at its own time. */
  advance(time) { this.#call(C.plot_engine_advance, this.#time(time)); }

  /** When to advance next; null when nothing is due. */
  nextWakeup() {
    const time = this.#get(C.plot_engine_next_wakeup, asInt64);
    return time < 0n ? null : new Date(Number(time));
  }

  /** The items of an open batch. */
  getBatch(token) { return takeList(this.#get(C.plot_engine_get_batch, asPointer, tokenIn(token))); }

  /** Answers a filter's batch: the items of `kept` go on, with their edits of content. */
  answerFilter(token, kept, time) { this.#answer('filter', token, kept, time); }

  /** Answers a geotrigger batch: the items of `handled` are handled. */
  markGeotriggersHandled(token, handled, time) { this.#answer('geotriggers', token, handled, time); }

  /** The person opened a sent notification: the item, or its matchIdentifier. */
  openNotification(notification, time) {
    this.#call(C.plot_engine_open_notification, this.#time(time), matchOf(notification));
  }

  /** The person chose an action of a sent notification, by its id. */
  takeAction(notification, action, time) {
    this.#call(C.plot_engine_take_action, this.#time(time), matchOf(notification), checkText(action, 'action'));
  }

  /** The person dismissed a notification: it is off the screen. */
  dismissNotification(notification, time) {
    this.#call(C.plot_engine_dismiss_notification, this.#time(time), matchOf(notification));
  }

  /** Takes a notification off the screen: the item, or its matchIdentifier; all of them without one. */
  removeNotification(notification, time) {
    const match = notification === undefined || notification === null ? null : matchOf(notification);
    this.#call(C.plot_engine_remove_notification, this.#time(time), match);
  }

  /**
   * Changes the content of a notification that is on the screen: an item of displayedNotifications with its edits. onShow gets it as another
   * display, whose `updates` is the matchIdentifier of the one whose place it takes.
   */
  updateNotification(notification, time) {
    const match = matchOf(notification);
    const at = this.#time(time);
    const shown = this.#get(C.plot_engine_get_displayed_notifications, asPointer);
    let answer = 0n;
    try {
      const made = answerList(shown, [{ ...notification, matchIdentifier: match }]);
      if (made.unknown) throw named('PLOT_NOT_FOUND', `No notification on the screen has the matchIdentifier ${JSON.stringify(match)}.`);
      answer = made.answer;
      this.#call(C.plot_engine_update_notification, at, C.plot_list_get(answer, 0n));
    } finally {
      C.plot_list_free(answer);
      C.plot_list_free(shown);
    }
  }

  /** A region that moves, such as a bus, is now there. */
  moveRegion(region, place, time) {
    if (typeof place !== 'object' || place === null) throw fault(`place: expected an object, found ${describe(place)}`);
    checkKeys(place, ['latitude', 'longitude'], 'place', ['accuracy', ...MOTION]);
    const { latitude, longitude } = place;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') {
      throw fault(`place: expected numbers, found latitude ${describe(latitude)}, longitude ${describe(longitude)}`);
    }
    this.#call(C.plot_engine_move_region, this.#time(time), checkText(region, 'region'), latitude, longitude);
  }

  /** The app has come to the foreground (true), or gone to the background. */
  setForeground(foreground, time) {
    this.#call(C.plot_engine_set_foreground, this.#time(time), flagIn(foreground, 'foreground'));
  }

  /** There is a network (true), or there is none. */
  setNetwork(available, time) {
    this.#call(C.plot_engine_set_network, this.#time(time), flagIn(available, 'available'));
  }

  /** Puts loaded notifications to the filter, with no consequence but the answer; the token of this test. */
  testFilter(notifications) { return this.#test(C.plot_engine_test_filter, C.plot_engine_get_loaded_notifications, notifications, 'notifications'); }
  testGeotriggerHandler(geotriggers) { return this.#test(C.plot_engine_test_geotrigger_handler, C.plot_engine_get_loaded_geotriggers, geotriggers, 'geotriggers'); }

  #test(fn, loaded, items, name) {
    if (!Array.isArray(items)) throw fault(`${name}: expected an array of loaded items, found ${describe(items)}`);
    const known = this.#get(loaded, asPointer, 0n);
    const chosen = callOut(C.plot_list_new, asPointer);
    try {
      const identifiers = listAt(known).map((item) => item.identifier);
      for (const { identifier } of items) {
        const index = identifiers.indexOf(identifier);
        if (index < 0) throw fault(`${name}: ${identifier} is not loaded`);
        callError(C.plot_list_append, chosen, C.plot_list_get(known, BigInt(index)));
      }
      return tokenOut(this.#get(fn, asInt64, chosen));
    } finally {
      C.plot_list_free(known);
      C.plot_list_free(chosen);
    }
  }

  /** The items that were kept in a test, with their edits; PLOT_NOT_FOUND while it has not been answered. */
  testAnswer(token) { return takeList(this.#get(C.plot_engine_get_test_answer, asPointer, tokenIn(token))); }

  // ---- Messages ------------------------------------------------------------------------------------------------

  /** A message has come, such as a push: its payload as a plain object, JSON text or bytes. */
  processMessage(payload, time) {
    const bytes = bytesOf(payload, 'payload');
    this.#call(C.plot_engine_process_message, this.#time(time), bytes, BigInt(bytes.byteLength));
  }

  /** Sets a list that rules ask, {version, entries}; null makes it absent. One that is older is ignored. */
  setList(name, entries, time) {
    const bytes = entries === null || entries === undefined ? null : bytesOf(entries, 'entries');
    this.#call(C.plot_engine_set_list, this.#time(time), checkText(name, 'name'), bytes, BigInt(bytes?.byteLength ?? 0));
  }

  /** Adds entries to a list that rules ask, and takes others out; an absent list is there from now on. */
  editList(name, edit, time) {
    if (typeof edit !== 'object' || edit === null) throw fault(`edit: expected an object {add, remove}, found ${describe(edit)}`);
    checkKeys(edit, ['add', 'remove'], 'edit', ['add', 'remove']);
    const bytes = bytesOf(edit, 'edit');
    this.#call(C.plot_engine_edit_list, this.#time(time), checkText(name, 'name'), bytes, BigInt(bytes.byteLength));
  }

  /** Whether an entry is in a list; PLOT_NOT_FOUND when the list is absent. */
  listContains(name, entry) {
    return this.#get(C.plot_engine_list_contains, asInt32, checkText(name, 'name'), checkText(entry, 'entry')) !== 0;
  }

  /** The lists that are there, sorted by name: [{name, version, count, refreshed}]. */
  lists() {
    const lists = parsed(this.#get(C.plot_engine_get_lists, asString));
    for (const list of lists) list.refreshed = new Date(list.refreshed);
    return lists;
  }

  // ---- Events that the app acknowledges --------------------------------------------------------------------------

  /** The events that wait for the app, those after a sequence; at most `limit`, 0 for all. Takes nothing. Needs `engine.events.acknowledge`. */
  pendingEvents({ after = 0, limit = 0, ...others } = {}) {
    checkKeys(others, [], 'options', ['after', 'limit']);
    return parsed(this.#get(C.plot_engine_get_events, asString, APP, countIn(after, 'after'), limitIn(limit)));
  }

  /** The app needs no event up to this sequence any more. */
  acknowledgeEvents(sequence) { this.#call(C.plot_engine_acknowledge_events, APP, countIn(sequence, 'sequence')); }

  /** The events that wait for the app, one after another, until none does; each is acknowledged when the next one is asked for. */
  outbox() { return outboxOf(this, this.pendingEvents({ limit: 100 }).events); }

  // ---- Lists ---------------------------------------------------------------------------------------------------

  loadedNotifications(limit) { return takeList(this.#get(C.plot_engine_get_loaded_notifications, asPointer, limitIn(limit))); }
  loadedGeotriggers(limit) { return takeList(this.#get(C.plot_engine_get_loaded_geotriggers, asPointer, limitIn(limit))); }
  sentNotifications() { return takeList(this.#get(C.plot_engine_get_sent_notifications, asPointer)); }
  sentGeotriggers() { return takeList(this.#get(C.plot_engine_get_sent_geotriggers, asPointer)); }
  /** The notifications on the screen, oldest first. */
  displayedNotifications() { return takeList(this.#get(C.plot_engine_get_displayed_notifications, asPointer)); }
  clearSentNotifications(time) { this.#call(C.plot_engine_clear_sent_notifications, this.#time(time)); }
  clearSentGeotriggers(time) { this.#call(C.plot_engine_clear_sent_geotriggers, this.#time(time)); }

  /** Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay. */
  clearAllData(time) { this.#call(C.plot_engine_clear_all_data, this.#time(time)); }

  /** The visits in progress: [{region, visit, ordinal, entered}]. */
  visits() {
    const visits = parsed(this.#get(C.plot_engine_get_visits, asString));
    for (const visit of visits) visit.entered = new Date(visit.entered);
    return visits;
  }

  /**
   * Where the engine is: {time, enabled, foreground, timeZone, regions, campaigns, visits, displayed, waiting, questions, nextWakeup?}
   * (docs/explain.md, Summary).
   */
  summary() {
    const summary = parsed(this.#get(C.plot_engine_get_summary, asString));
    for (const name of ['time', 'nextWakeup']) if (name in summary) summary[name] = new Date(summary[name]);
    return summary;
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

  /** Writes the debug log to a file. */
  writeDebugLog(path) { this.#call(C.plot_engine_write_debug_log, pathOf(path, 'path')); }

  /** Keeps the newest decisions in memory, 0 to 100000; 0 for none, as at first. */
  keepDecisions(capacity) {
    if (!Number.isSafeInteger(capacity)) throw fault(`capacity: expected an integer from 0 to 100000, found ${describe(capacity)}`);
    this.#call(C.plot_engine_keep_decisions, BigInt(capacity));
  }

  /** Those that are kept, oldest first: about a campaign and a region; the newest `limit` of them. */
  decisions(about = {}) {
    checkKeys(about, ['campaign', 'region', 'limit'], 'decisions');
    const { campaign = null, region = null, limit } = about;
    return parsed(this.#get(C.plot_engine_get_decisions, asString, textOrNull(campaign, 'campaign'), textOrNull(region, 'region'), limitIn(limit)));
  }

  /** Appends each decision from now on to a file, a line of JSON each; null stops. */
  writeDecisionsTo(path) { this.#call(C.plot_engine_write_decisions_to, path === null ? null : pathOf(path, 'path')); }

  /** Why a campaign has not been shown at a region yet, or when it was (docs/explain.md). Without a region: the one nearest to a showing. */
  explain(campaign, options = {}) {
    checkKeys(options, ['region', 'language'], 'options of explain');
    const { region = null, language = 'en' } = options;
    const about = [checkText(campaign, 'campaign'), textOrNull(region, 'region'), checkText(language, 'language')];
    return parsed(this.#get(C.plot_engine_explain, asString, ...about));
  }

  // ---- Trampolines ---------------------------------------------------------------------------------------------

  static {
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
      fixRequest: {
        register: C.plot_engine_set_fix_request_callback,
        pointer: trampoline('plot_fix_request_fn', undefined, (engine, _, deadline) => engine.#fixRequest(deadline)),
      },
    };
  }
}

/** The matchIdentifier of an item, or one as it is. */
function matchOf(notification) {
  const id = typeof notification === 'object' && notification !== null ? notification.matchIdentifier : notification;
  return checkText(id, 'matchIdentifier');
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

/** Effects as columns; freed. */
function takeEffects(frame) {
  const pointer = asPointer(frame);
  try {
    return effectsAt(pointer);
  } finally {
    C.plot_effects_free(pointer);
  }
}

/** A state's bytes, in memory that nobody else changes. */
function stateIn(state, name) {
  if (kindOf(state) !== 'Uint8Array') throw fault(`${name}: expected a Uint8Array, found ${describe(state)}`);
  checkMemory(state, name);
  return isSteady(state) ? state : copyOf(state);
}

/** Engines in an order: device 0 is the first. It keeps them; closing one is fine, a fix for it is then an error. */
class Fleet {
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
    if (this.#seen === changes) return;
    this.#pointers = BigUint64Array.from(this.#engines, pointerOf);
    this.#hasClosed = this.#pointers.includes(0n);
    this.#isHeard = this.#engines.some(isHeard);
    this.#seen = changes;
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
    const outer = fleetCall;
    const call = fleetCall = { members: this.#members, thrown: [] };
    held.push({ pointers });
    try {
      const result = body(pointers.length === 0 ? 0n : ffi.getRawPointer(pointers), BigInt(pointers.length));
      if (call.thrown.length > 0) throwFirst(call.thrown);
      return result;
    } finally {
      held.pop();
      fleetCall = outer;
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
    const outer = fleetCall;
    const call = fleetCall = { members: this.#members, thrown: [] };
    held.push({ pointers, kept });
    try {
      const engines = pointers.length === 0 ? 0n : ffi.getRawPointer(pointers);
      const effects = callOut(
        native, takeEffects, engines, BigInt(pointers.length), device, count, ...addresses, ...more);
      if (call.thrown.length > 0) throwFirst(call.thrown);
      return effects;
    } finally {
      held.pop();
      fleetCall = outer;
    }
  }
}

function throwFirst([first, ...others]) {
  for (const error of new Set(others)) {
    if (error !== first) process.emitWarning(`A further callback threw in the same call: ${error?.stack ?? error}`, 'PlotEngineWarning');
  }
  throw first;
}

module.exports = { Engine, Fleet, LATER, FEED };
