'use strict';
// The native half of the Cordova plugin: what `cordova.exec` reaches under the service name PlotCordovaPlugin.

const { Phone, NOT_INITIALIZED, isNotInitialized, stamp, matchBack } = require('../lib/phone.js');
const { version } = require('../index.js');
const { LATER } = require('../lib/engine.js');
const { segmentation } = require('../lib/android-json.js');
const remote = require('./remote.js');

const SERVICE = 'PlotCordovaPlugin';

// ---- What goes over the bridge ---------------------------------------------------------------------------------

const place = (item) => ({
  geofenceLatitude: item.geofenceLatitude,
  geofenceLongitude: item.geofenceLongitude,
  dwellingMinutes: item.dwellingMinutes,
  trigger: item.trigger,
  matchRange: item.matchRange,
  regionType: item.regionType,
});

const notification = (item) => ({
  id: item.identifier,
  matchIdentifier: item.matchIdentifier,
  message: item.message,
  data: item.data,
  ...place(item),
  notificationHandlerType: item.notificationHandlerType,
});

const geotrigger = (item) => ({
  id: item.identifier,
  matchIdentifier: item.matchIdentifier,
  name: item.name,
  data: item.data,
  ...place(item),
});

// The Android bridge says matchId, the iOS bridge matchIdentifier: sent items carry both. Dates are milliseconds.
const sentNotification = (item) => ({
  ...notification(item),
  matchId: item.matchIdentifier,
  dateSent: stamp(item.dateSent),
  dateOpened: stamp(item.dateOpened),
  isOpened: item.isOpened,
});

const sentGeotrigger = (item) => ({
  ...geotrigger(item),
  matchId: item.matchIdentifier,
  dateSent: stamp(item.dateSent),
  dateHandled: stamp(item.dateHandled),
  isHandled: item.isHandled,
});

// ---- The actions -----------------------------------------------------------------------------------------------

const SEGMENTATION_ERROR = 'Segmentation property or value not specified or not specified correctly.';

const ACTIONS = {
  initPlot(device, [configuration]) { device.initPlot(configuration); },
  enable(device) { device.engine.enable(); },
  disable(device) { device.engine.disable(); },
  isEnabled: (device) => (device.engine.isEnabled() ? 1 : 0),
  getVersion: () => version,
  setCooldownPeriod(device, [seconds]) {
    if (!Number.isSafeInteger(seconds)) throw new Error('Cooldown period not specified correctly.');
    device.engine.setCooldownPeriod(seconds);
  },
  loadedNotifications: (device) => device.engine.loadedNotifications().map(notification),
  loadedGeotriggers: (device) => device.engine.loadedGeotriggers().map(geotrigger),
  sentNotifications: (device) => device.engine.sentNotifications().map(sentNotification),
  sentGeotriggers: (device) => device.engine.sentGeotriggers().map(sentGeotrigger),
  clearSentNotifications(device) { device.engine.clearSentNotifications(); },
  clearSentGeotriggers(device) { device.engine.clearSentGeotriggers(); },
  mailDebugLog(device) { device.mailDebugLog(); },
  defaultNotificationHandler(device, [item, data]) {
    const uri = typeof data === 'string' ? data : '';
    const action = uri === '' ? 'app' : item?.notificationHandlerType === 'applink' ? 'applink' : 'uri';
    device.openDefault(action, uri, item);
  },
  filterCallbackComplete(device, [notifications]) { device.filterCallbackComplete(notifications); },
};
for (const [type, read] of Object.entries(segmentation)) {
  const method = `set${type}SegmentationProperty`;
  ACTIONS[method] = (device, [property, value]) => {
    if (typeof property === 'string' && property !== '' && value === null) {
      device.engine.clearSegmentationProperty(property);
      return;
    }
    const typed = read(value);
    if (typeof property !== 'string' || property === '' || typed === undefined) throw new Error(SEGMENTATION_ERROR);
    device.engine[method](property, typed);
  };
}

/** A phone with a Cordova app on it. */
class CordovaDevice extends Phone {
  #plugin = null; // gives the plugin's JavaScript, which has _runNotificationHandler and _runFilterCallback
  #remoteFilter = null;
  #remoteHandler = null;
  #remoteTimeout;
  #pending = []; // batches that the plugin's JavaScript was asked about: {token, items}

  constructor(options = {}) {
    super(options, ['www/plotconfig.json', 'plotconfig.json'], ['remoteTimeout']);
    this.#remoteTimeout = options.remoteTimeout;
  }

  /** Connects the plugin's JavaScript: a function that gives its module. */
  connect(getPlugin) {
    this.#plugin = getPlugin;
    this.engine.on('wakeup', () => this.#dropLate());
    this.engine.onNotification = (item) => this.#plugin()._runNotificationHandler(overBridge(notification(item)));
    this.#setFilter();
  }

  /** cordova.exec. Exactly one of `success` and `fail` is called, later. `parse` makes the values in the app's own realm. */
  exec(success, fail, service, action, args = [], parse = JSON.parse) {
    let answer;
    try {
      if (service !== SERVICE) throw new Error('Class not found');
      if (!Object.hasOwn(ACTIONS, action)) throw new Error('Invalid action');
      const given = Array.from(args ?? []);
      // JSON knows no undefined, and null means something.
      const value = ACTIONS[action](this, overBridge(given).map((one, index) => (given[index] === undefined ? undefined : one)));
      answer = [success, value];
    } catch (error) {
      answer = [fail, isNotInitialized(error) ? NOT_INITIALIZED : error.message];
    }
    const [callback, value] = answer;
    if (typeof callback !== 'function') return;
    const json = value === undefined ? undefined : JSON.stringify(value);
    setImmediate(() => (json === undefined ? callback() : callback(parse(json))));
  }

  // ---- init ----------------------------------------------------------------------------------------------------

  initPlot(configuration) {
    if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) {
      throw new Error('Configuration not specified or not specified correctly.');
    }
    const { publicKey, cooldownPeriod, enableOnFirstRun, debug, remoteNotificationFilter, remoteGeotriggerHandler } = configuration;
    const overrides = {};
    if (given(publicKey) && publicKey !== '') {
      if (typeof publicKey !== 'string') throw new Error('Public token not specified correctly.');
      overrides.publicToken = publicKey;
    }
    if (given(cooldownPeriod)) {
      if (!Number.isSafeInteger(cooldownPeriod)) throw new Error('Cooldown period not specified correctly.');
      if (cooldownPeriod >= 0) overrides.cooldownPeriod = cooldownPeriod; // -1: as it was
    }
    if (given(enableOnFirstRun)) {
      if (typeof enableOnFirstRun !== 'boolean') throw new Error('Enable on first run not specified correctly.');
      overrides.enableOnFirstRun = enableOnFirstRun;
    }
    if (given(debug)) {
      if (typeof debug !== 'boolean') throw new Error('Debug not specified correctly.');
      overrides.debug = debug;
    }
    const filter = url(remoteNotificationFilter, 'Remote notification filter');
    const handler = url(remoteGeotriggerHandler, 'Remote geotrigger handler');
    if (this.initialized) {
      // Apps call init at every start of their JavaScript; the native half may be running already.
      if (overrides.cooldownPeriod !== undefined) this.engine.setCooldownPeriod(overrides.cooldownPeriod);
      this.#setRemote(filter, handler);
      return;
    }
    const before = [this.#remoteFilter, this.#remoteHandler];
    this.#setRemote(filter, handler); // they are asked about what was open in the store
    try {
      this.initialize(overrides);
    } catch (error) {
      if (!this.initialized) this.#setRemote(...before);
      throw error;
    }
  }

  #setRemote(filter, handler) {
    this.#remoteFilter = filter;
    this.#remoteHandler = handler;
    this.#setFilter();
    this.engine.onGeotriggers = handler === null ? null : (items) => {
      // Handled first, told then: what the server answers changes nothing.
      remote.handle(handler, items, this.#remoteTimeout, this.log);
      return items;
    };
  }

  // ---- The filter ----------------------------------------------------------------------------------------------

  #setFilter() {
    if (this.#remoteFilter !== null) this.engine.onFilter = (items) => this.#askServer(items);
    else if (this.#plugin !== null) this.engine.onFilter = (items, token) => this.#askPlugin(items, token);
    else this.engine.onFilter = null;
  }

  async #askServer(items) {
    const answer = await remote.filter(this.#remoteFilter, items, this.#remoteTimeout, this.log);
    return matchBack(items, answer, 'identifier', (id) => this.log(`Remote notification filter: unknown identifier ${id} ignored`));
  }

  #askPlugin(items, token) {
    this.#pending.push({ token, items });
    this.#plugin()._runFilterCallback(overBridge(items.map(notification)));
    return LATER;
  }

  /** The plugin's answer names no batch: it belongs to the oldest open one that has all its notifications. */
  filterCallbackComplete(notifications) {
    if (!Array.isArray(notifications)) throw new Error('Filtered notifications not specified correctly.');
    this.#dropLate();
    const has = ({ items }) => notifications.every((entry) => items.some((item) => item.identifier === entry?.id));
    const batch = this.#pending.find(has) ?? this.#pending[0];
    if (batch === undefined) {
      this.log('Notification filter: no notifications are waiting, the answer is ignored');
      return;
    }
    this.#pending.splice(this.#pending.indexOf(batch), 1);
    const kept = matchBack(batch.items, notifications, 'id', (id) => this.log(`Notification filter: unknown id ${id} ignored`));
    this.engine.answerFilter(batch.token, kept);
  }

  /** Forgets what is not asked any more, and says so. */
  #dropLate() {
    for (const batch of this.#pending.filter(({ token }) => !this.#isOpen(token))) {
      this.#pending.splice(this.#pending.indexOf(batch), 1);
      this.log(`Notification filter: no answer in time about ${batch.items.map((item) => item.identifier).join(', ')}`);
    }
  }

  #isOpen(token) {
    try {
      this.engine.getBatch(token);
      return true;
    } catch {
      return false;
    }
  }
}

const given = (value) => value !== undefined && value !== null;

function url(value, name) {
  if (!given(value) || value === '') return null;
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value)) throw new Error(`${name} not specified correctly.`);
  return value;
}

/** The bridge carries JSON. */
const overBridge = (value) => JSON.parse(JSON.stringify(value));

module.exports = { CordovaDevice, SERVICE };
