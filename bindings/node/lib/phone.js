'use strict';
// The code that the mirrors of the SDK's frameworks share: an engine, where its files are, and what a phone does with it.

const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, FEED } = require('./engine.js');
const { Config, disposable } = require('./documents.js');
const { PlotError } = require('./errors.js');
const { checkKeys } = require('./keys.js');

const COMMON_OPTIONS = ['config', 'feed', 'store', 'directory', 'clock', 'timers', 'timeZone', 'show', 'open', 'log', 'debugLog'];

/**
 * A phone with the app on it. Emits 'show' (notification), 'open' ({action, uri, notification}), 'sent' and 'opened' (item),
 * 'event' (record, item), 'late' and 'error' as the engine does.
 */
class Phone extends EventEmitter {
  #options;
  #places;

  constructor(options, places, ownOptions) {
    super();
    checkKeys(options, [...COMMON_OPTIONS, ...ownOptions], 'options');
    this.#options = options;
    this.#places = places;
    this.directory = options.directory ?? process.cwd();
    this.log = options.log ?? ((line) => console.warn(line));
    this.engine = new Engine({
      clock: options.clock,
      timers: options.timers ?? true,
      onShow: options.show ? (item) => options.show(item) : undefined,
      onOpen: (action, uri, item) => this.openDefault(action, uri, item),
    });
    this.engine.on('event', (record, item) => {
      this.emit('event', record, item);
      if (record.event === 'notification-shown') {
        this.emit('sent', item);
        this.emit('show', item);
      }
      if (record.event === 'notification-opened') this.emit('opened', item);
    });
    this.engine.on('late', (late) => this.emit('late', late));
    this.engine.on('error', (error) => {
      if (this.listenerCount('error') === 0) throw error;
      this.emit('error', error);
    });
  }

  get initialized() { return this.engine.initialized; }

  /** The configuration file: the option, or the first that is there. */
  #configSource(without) {
    if (this.#options.config !== undefined) return this.#options.config;
    const file = this.#places.map((place) => path.join(this.directory, place)).find((place) => fs.existsSync(place));
    if (file !== undefined || without) return file;
    throw new Error("No configuration file found, please add a file named 'plotconfig.json' to your assets folder containing your configuration");
  }

  /** Starts the engine with the configuration file and the feed, or not at all; `overrides` are properties that the app gave in code. */
  initialize(overrides = {}) {
    const source = this.#configSource(overrides.publicToken !== undefined);
    const config = configOf(source, overrides);
    try {
      this.engine.init(config, { store: this.#options.store, timeZone: this.#options.timeZone, [FEED]: this.#options.feed });
    } finally {
      config.close();
    }
  }

  /** Opens a notification that the app does not handle. */
  openDefault(action, uri, notification) {
    this.#options.open?.(uri, action, notification);
    this.emit('open', { action, uri, notification });
  }

  /** The person taps the notification. */
  openNotification(notification, time) { this.engine.openNotification(notification, time); }
  updateLocation(fix) { this.engine.updateLocation(fix); }
  advance(time) { this.engine.advance(time); }
  setFeed(feed, time) { this.engine.setFeed(feed, time); }

  /** Writes the debug log and gives its path. */
  mailDebugLog() {
    const file = this.#options.debugLog ?? path.join(this.directory, 'plot-debug.log');
    this.engine.writeDebugLog(file);
    this.emit('debugLog', file);
    return file;
  }

  close() { this.engine.close(); }
}
disposable(Phone);

/** A configuration with what the app gave in code in place of what the file says, and with the SDK's behaviour where neither says anything. */
function configOf(source, overrides) {
  const { config, owned } = Config.from(source === undefined ? overrides : source);
  const base = config.toJSON();
  if (owned) config.close();
  base.engine.damagedStore ??= 'setAside';
  base.engine.geotriggersKeepCooldown ??= true;
  return Config.parse({ ...base, ...overrides });
}

/** The text that the SDK raises for a call before init. */
const NOT_INITIALIZED = "Cannot perform requested operation because Plot hasn't been initialized";

const isNotInitialized = (error) => error instanceof PlotError && error.code === 'PLOT_NOT_INITIALIZED';

/** The time of something that may not have happened, as the bridges send it. */
const stamp = (date) => (date ? date.getTime() : -1);

/** Copies message and data of `edited` onto the items whose `own` is its `key`. Gives what is to be kept. */
function matchBack(items, edited, key, unknown, own = 'identifier') {
  const kept = [];
  for (const entry of edited) {
    const item = items.find((each) => each[own] === entry?.[key]);
    if (item === undefined) {
      unknown(entry?.[key]);
      continue;
    }
    if (kept.some((each) => each.matchIdentifier === item.matchIdentifier)) continue;
    const copy = { ...item };
    if (typeof entry.message === 'string') copy.message = entry.message;
    if (typeof entry.data === 'string') copy.data = entry.data;
    kept.push(copy);
  }
  return kept;
}

module.exports = { Phone, NOT_INITIALIZED, isNotInitialized, stamp, matchBack };
