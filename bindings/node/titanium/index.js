'use strict';
// The Titanium module: what apps get from require('com.plotprojects.ti').

const fs = require('node:fs');
const path = require('node:path');
const { Phone, NOT_INITIALIZED, isNotInitialized, stamp, matchBack } = require('../lib/phone.js');
const { version } = require('../index.js');
const { LATER } = require('../lib/engine.js');
const { segmentation } = require('../lib/android-json.js');
const { ScriptContext } = require('./context.js');

const MODULE = 'com.plotprojects.ti';
const TEN_SECONDS = 10_000;

// ---- Values of the module: absent ones are null, dates are milliseconds, -1 for "not yet" ----------------------

const place = (item) => ({
  geofenceLatitude: item.geofenceLatitude ?? null,
  geofenceLongitude: item.geofenceLongitude ?? null,
  trigger: item.trigger,
  dwellingMinutes: item.dwellingMinutes,
  matchRange: item.matchRange,
  isBeacon: item.regionType === 'beacon',
});

const notification = (item) => ({
  identifier: item.identifier,
  message: item.message,
  data: item.data,
  ...place(item),
  notificationHandlerType: item.notificationHandlerType,
});

const geotrigger = (item) => ({ identifier: item.identifier, name: item.name, data: item.data, ...place(item) });

const sentNotification = (item) => ({
  ...notification(item),
  matchIdentifier: item.matchIdentifier,
  dateSent: stamp(item.dateSent),
  dateOpened: stamp(item.dateOpened),
  isOpened: item.isOpened,
});

const sentGeotrigger = (item) => ({
  ...geotrigger(item),
  matchIdentifier: item.matchIdentifier,
  dateSent: stamp(item.dateSent),
  dateHandled: stamp(item.dateHandled),
  isHandled: item.isHandled,
});

// ---- The phone -------------------------------------------------------------------------------------------------

/** The purpose of each script of the app. */
const SCRIPTS = {
  filter: { option: 'filterScript', file: 'plotfilter.js', label: 'Notification filter', wire: notification },
  geotriggers: { option: 'geotriggerScript', file: 'plotgeotriggerhandler.js', label: 'Geotrigger handler', wire: geotrigger },
};

class TitaniumDevice extends Phone {
  #options;
  #listeners = [];
  #batches = new Map(); // id -> {kind, token, items}, popped and not yet answered
  #lastId = 0;

  constructor(options = {}) {
    super(options, ['assets/plotconfig.json', 'app/assets/plotconfig.json', 'plotconfig.json'], ['filterScript', 'geotriggerScript', 'scriptTimeout', 'Ti']);
    this.#options = options;
    this.module = this.#makeModule(null);
  }

  // ---- The module ----------------------------------------------------------------------------------------------

  /** The module as the app sees it, or as the script of a batch sees it. */
  #makeModule(work) {
    const device = this;
    const { engine } = this;
    const ready = (task) => {
      try {
        return task();
      } catch (error) {
        if (isNotInitialized(error)) throw new Error(NOT_INITIALIZED);
        throw error;
      }
    };
    const module = {
      initPlot: (configuration) => device.#initPlot(configuration),
      enable: () => ready(() => engine.enable()),
      disable: () => ready(() => engine.disable()),
      getEnabled: () => device.initialized && engine.isEnabled(),
      getVersion: () => version,
      setCooldownPeriod: (seconds) => ready(() => engine.setCooldownPeriod(seconds)),
      mailDebugLog: () => { ready(() => device.mailDebugLog()); },
      getLoadedNotifications: () => ready(() => engine.loadedNotifications().map(notification)),
      getLoadedGeotriggers: () => ready(() => engine.loadedGeotriggers().map(geotrigger)),
      getSentNotifications: () => ready(() => engine.sentNotifications().map(sentNotification)),
      getSentGeotriggers: () => ready(() => engine.sentGeotriggers().map(sentGeotrigger)),
      clearSentNotifications: () => ready(() => engine.clearSentNotifications()),
      clearSentGeotriggers: () => ready(() => engine.clearSentGeotriggers()),
      addEventListener: (name, listener) => device.#addListener(name, listener),
      removeEventListener: (name, listener) => device.#removeListener(name, listener),
      popFilterableNotifications: () => {
        const { id, items } = device.#pop(work, 'filter');
        return { filterId: id, notifications: items };
      },
      sendNotifications: (answer) => device.#answer(work, 'filter', answer?.filterId, answer?.notifications),
      popGeotriggers: () => {
        const { id, items } = device.#pop(work, 'geotriggers');
        return { handlerId: id, geotriggers: items };
      },
      // The released modules say markGeotriggersHandled and take an object; the manual says markGeoTriggersHandled; the
      // readme hands over the array alone. All of them are taken.
      markGeotriggersHandled: (answer) => (Array.isArray(answer)
        ? device.#answer(work, 'geotriggers', device.#soleBatch(work, 'geotriggers'), answer)
        : device.#answer(work, 'geotriggers', answer?.handlerId, answer?.geotriggers)),
    };
    module.markGeoTriggersHandled = module.markGeotriggersHandled;
    for (const type of ['String', 'Boolean', 'Integer', 'Double', 'Date']) {
      const method = `set${type}SegmentationProperty`;
      module[method] = (property, value) => ready(() => {
        if (value === null) engine.clearSegmentationProperty(property);
        else engine[method](property, segmentation[type](ownDate(value)) ?? value);
      });
    }
    for (const [property, getter] of [
      ['enabled', 'getEnabled'], ['version', 'getVersion'], ['loadedNotifications', 'getLoadedNotifications'],
      ['loadedGeotriggers', 'getLoadedGeotriggers'], ['sentNotifications', 'getSentNotifications'], ['sentGeotriggers', 'getSentGeotriggers'],
    ]) Object.defineProperty(module, property, { get: module[getter], enumerable: true });
    return module;
  }

  #initPlot(configuration) {
    if (typeof configuration !== 'object' || configuration === null) throw illegal('No configuration object provided.');
    const flag = (name, text) => {
      const value = configuration[name];
      if (value !== undefined && value !== null && typeof value !== 'boolean') throw illegal(text);
      return value === true;
    };
    const filter = flag('notificationFilterEnabled', 'NotificationFilterEnabled not specified correctly.');
    const handler = flag('geotriggerHandlerEnabled', 'GeotriggerHandlerEnabled not specified correctly.');
    const overrides = {};
    const { publicToken, cooldownPeriod, enableOnFirstRun } = configuration;
    if (publicToken !== undefined && publicToken !== null) {
      if (typeof publicToken !== 'string') throw illegal('Public key not specified correctly.');
      overrides.publicToken = publicToken;
    }
    if (cooldownPeriod !== undefined && cooldownPeriod !== null) {
      if (!Number.isSafeInteger(cooldownPeriod)) throw illegal('Cooldown period not specified correctly.');
      if (cooldownPeriod >= 0) overrides.cooldownPeriod = cooldownPeriod;
    }
    if (enableOnFirstRun !== undefined && enableOnFirstRun !== null) {
      if (typeof enableOnFirstRun !== 'boolean') throw illegal('Enable on first run not specified correctly.');
      overrides.enableOnFirstRun = enableOnFirstRun;
    }
    const set = (onFilter, onGeotriggers) => Object.assign(this.engine, { onFilter, onGeotriggers });
    const scripts = [
      filter ? (items, token) => this.#runScript('filter', items, token) : null,
      handler ? (items, token) => this.#runScript('geotriggers', items, token) : null,
    ];
    if (this.initialized) {
      if (overrides.cooldownPeriod !== undefined) this.engine.setCooldownPeriod(overrides.cooldownPeriod);
      set(...scripts);
      return;
    }
    const before = [this.engine.onFilter, this.engine.onGeotriggers];
    set(...scripts); // they are asked about what was open in the store
    try {
      this.initialize(overrides);
    } catch (error) {
      if (!this.initialized) set(...before);
      throw error;
    }
  }

  // ---- Opened notifications ------------------------------------------------------------------------------------

  #addListener(name, listener) {
    if (name !== 'plotNotificationReceived' || typeof listener !== 'function') return;
    this.#listeners.push(listener);
    this.#syncListeners();
  }

  #removeListener(name, listener) {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
    this.#syncListeners();
  }

  /** With no listener the data is opened as a URI. */
  #syncListeners() {
    this.engine.onNotification = this.#listeners.length === 0 ? null : (item) => {
      for (const listener of [...this.#listeners]) {
        listener.call(this.module, {
          type: 'plotNotificationReceived', source: this.module, ...notification(item), isAppInForeground: item.isAppInForeground === true,
        });
      }
    };
  }

  // ---- Scripts in contexts of their own ------------------------------------------------------------------------

  #scriptFile(kind) {
    const { option, file } = SCRIPTS[kind];
    if (this.#options[option] !== undefined) return this.#options[option];
    return [`assets/${file}`, `app/assets/${file}`, file].map((place) => path.join(this.directory, place)).find((place) => fs.existsSync(place));
  }

  /** Runs the app's script for a batch, once the engine's call has returned. Unanswered after its time, nothing is kept. */
  #runScript(kind, items, token) {
    const { label, file } = SCRIPTS[kind];
    const work = { kind, token, items, popped: false, answered: false };
    const limit = this.#options.scriptTimeout ?? TEN_SECONDS;
    setImmediate(() => {
      if (this.engine.closed) return;
      const script = this.#scriptFile(kind);
      const finish = (reason) => {
        if (work.answered || this.engine.closed) return;
        this.log(`${label}: ${reason}; nothing is kept`);
        this.#settle(work, []);
      };
      if (script === undefined) {
        finish(`the script ${file} is missing`);
        return;
      }
      const context = new ScriptContext({
        modules: { [MODULE]: this.#makeModule(work) },
        Ti: this.#options.Ti,
        log: this.log,
        limit,
        ended: () => finish(`no answer within ${limit / 1000} s`),
        failed: (error) => finish(`${script}${lineOf(error, script)} failed: ${error}`),
      });
      work.shutDown = () => context.shutDown();
      context.run(fs.readFileSync(script, 'utf8'), script);
    });
    return LATER;
  }

  /** Hands the script its batch, once; after that, and outside of a script, there is none. */
  #pop(work, kind) {
    if (work === null || work.kind !== kind || work.popped) return { id: '', items: [] };
    work.popped = true;
    const id = String(++this.#lastId);
    this.#batches.set(id, work);
    return { id, items: work.items.map(SCRIPTS[kind].wire) };
  }

  #soleBatch(work, kind) {
    for (const [id, each] of this.#batches) if (each === work && each.kind === kind) return id;
    return undefined;
  }

  #answer(work, kind, id, entries) {
    const batch = typeof id === 'string' && id !== '' ? this.#batches.get(id) : undefined;
    if (batch === undefined || batch !== work || batch.kind !== kind || batch.answered) return; // ignored, as the module does
    const { label } = SCRIPTS[kind];
    const list = Array.isArray(entries) ? Array.from(entries) : [];
    const kept = matchBack(batch.items, list, 'identifier', (unknown) => this.log(`${label}: unknown identifier ${unknown} ignored`));
    // Only a notification's message and data can be edited.
    this.#settle(batch, kind === 'filter' ? kept : batch.items.filter((item) => kept.some((each) => each.matchIdentifier === item.matchIdentifier)));
  }

  #settle(work, kept) {
    work.answered = true;
    for (const [id, each] of this.#batches) if (each === work) this.#batches.delete(id);
    work.shutDown?.();
    try {
      if (work.kind === 'filter') this.engine.answerFilter(work.token, kept);
      else this.engine.markGeotriggersHandled(work.token, kept);
    } catch (error) {
      if (error.code !== 'PLOT_ALREADY_ANSWERED') throw error;
      this.emit('late', { kind: work.kind, token: work.token, code: error.code });
    }
  }
}

/** ":3" when the error tells of line 3 of the script. */
function lineOf(error, script) {
  const stack = String(error?.stack ?? '');
  const found = stack.slice(stack.indexOf(`${script}:`)).match(/^.*?:(\d+)/);
  return stack.includes(`${script}:`) && found ? `:${found[1]}` : '';
}

/** The error that the Android module throws as IllegalArgumentException. */
const illegal = (message) => Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });

/** A Date of any realm. */
const ownDate = (value) => (Object.prototype.toString.call(value) === '[object Date]' ? new Date(Number(value)) : value);

/** A device and the module on it: `plot` is what require('com.plotprojects.ti') gives. */
function createTitanium(options) {
  const device = new TitaniumDevice(options);
  return { plot: device.module, device };
}

let shared = null;
const one = () => (shared ??= createTitanium());

module.exports = {
  createTitanium,
  TitaniumDevice,
  /** The app's one module, with the configuration in assets/plotconfig.json of the working directory. */
  get plot() { return one().plot; },
  get device() { return one().device; },
};
