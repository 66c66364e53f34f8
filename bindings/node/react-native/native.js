'use strict';
// The module `react-native` as far as the vendor's React Native module reaches into it, with that module's native half on an engine: its JavaScript
// half then runs as it is. What is emitted has the shapes of the Android half.

const { EventEmitter } = require('node:events');
const { Phone, matchBack } = require('../lib/phone.js');
const { LATER } = require('../lib/engine.js');

/** Native modules by name; `start` adds the vendor's. */
const NativeModules = {};

/** Events that native code emits, and JavaScript hears. */
const events = new EventEmitter();
events.setMaxListeners(0);

const FILTER = 'onNotificationsToFilter';
const HANDLE = 'onGeotriggersToHandle';
const OPENED = 'onNotificationOpened';

/** Native code hears of listeners, as React Native tells a module on Android. */
const told = (type) => NativeModules.PlotProjectsReactModule?.addListener(type);

/** React Native's emitter. The vendor's module has called it with a native module, with none, and as a static. */
class NativeEventEmitter {
  constructor(nativeModule) {
    this.nativeModule = nativeModule ?? null;
  }

  addListener(type, listener, context) {
    const heard = (...values) => listener.apply(context, values);
    events.on(type, heard);
    told(type);
    return { remove: () => { events.off(type, heard); } };
  }

  removeAllListeners(type) { events.removeAllListeners(type); }
  listenerCount(type) { return events.listenerCount(type); }
  emit(type, ...values) { events.emit(type, ...values); }

  static addListener(type, listener, context) { return new NativeEventEmitter().addListener(type, listener, context); }
}

const Platform = { OS: 'android', Version: 34, select: (choices) => ('android' in choices ? choices.android : choices.default) };

const PERMISSIONS = Object.fromEntries(
  ['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION', 'ACCESS_BACKGROUND_LOCATION', 'POST_NOTIFICATIONS', 'BLUETOOTH_SCAN']
    .map((name) => [name, `android.permission.${name}`]));
const RESULTS = { GRANTED: 'granted', DENIED: 'denied', NEVER_ASK_AGAIN: 'never_ask_again' };

/** The person grants everything. */
const PermissionsAndroid = {
  PERMISSIONS,
  RESULTS,
  check: async () => true,
  request: async () => RESULTS.GRANTED,
  requestMultiple: async (permissions) => Object.fromEntries(permissions.map((permission) => [permission, RESULTS.GRANTED])),
};

const common = (item, number) => ({
  campaignId: item.campaignId ?? null,
  regionId: item.regionId ?? null,
  matchId: item.matchIdentifier ?? null,
  data: item.data,
  trigger: item.trigger ?? null,
  dwellingMinutes: item.dwellingMinutes ?? 0,
  matchRange: item.matchRange ?? 0,
  regionType: item.regionType ?? null,
  triggerProperties: {},
  matchPayload: {},
  internalId: number,
});
const place = (item) => ('geofenceLatitude' in item ? { geofenceLatitude: item.geofenceLatitude, geofenceLongitude: item.geofenceLongitude } : {});
/** An applink is called otherwise on Android. */
const handlerType = (item) => (item.notificationHandlerType === 'applink' ? 'appLink' : item.notificationHandlerType);

const filterable = (item, number) => ({
  ...common(item, number), ...place(item), customRegionFields: {}, experimentId: null, experimentMessageNumber: 0, message: item.message,
  handlerType: handlerType(item), notificationSmallIcon: 0, notificationAccentColor: 0, activityClass: null,
});
const notification = (item, number) => ({ id: item.identifier, ...common(item, number), ...place(item), message: item.message, handlerType: handlerType(item) });
const geotrigger = (item, number) => ({ ...common(item, number), ...place(item), customRegionFields: {}, name: item.name });

/** A phone with the native half of the vendor's module. */
class ReactNativeHost extends Phone {
  #batches = new Map(); // batchId -> {kind, token, items}
  #lastBatch = 0;
  #registered = { [FILTER]: false, [HANDLE]: false, [OPENED]: false };

  constructor(options = {}) {
    super(options, ['plotconfig.json', 'assets/plotconfig.json'], []);
    NativeModules.PlotProjectsReactModule = this.#module();
  }

  /** Whether the app hears of these: without that, the plugin does it by itself. */
  #register(type, isRegistered) {
    if (!(type in this.#registered)) {
      this.log(`Unknown listener: ${type}`);
      return;
    }
    this.#registered[type] = isRegistered;
    const { engine } = this;
    if (type === FILTER) engine.onFilter = isRegistered ? (items, token) => this.#ask(FILTER, items.map(filterable), items, token) : null;
    if (type === HANDLE) engine.onGeotriggers = isRegistered ? (items, token) => this.#ask(HANDLE, items.map(geotrigger), items, token) : null;
    if (type === OPENED) engine.onNotification = isRegistered ? (item) => { events.emit(OPENED, filterable(item, 0)); } : null;
  }

  #ask(type, data, items, token) {
    const batchId = ++this.#lastBatch;
    this.#batches.set(batchId, { type, token, items });
    events.emit(type, { data, batchId });
    return LATER;
  }

  #answer(type, batchId, text) {
    const batch = this.#batches.get(Number(batchId));
    if (batch?.type !== type) {
      this.log(`No batch has the id ${batchId}`);
      return;
    }
    let entries;
    try {
      entries = JSON.parse(text);
      if (!Array.isArray(entries)) throw new Error('expected a list');
    } catch (error) {
      this.log(`The answer to batch ${batchId} cannot be read: ${error.message}`);
      return;
    }
    this.#batches.delete(Number(batchId));
    const kept = matchBack(batch.items, entries, 'matchId', (id) => this.log(`Unknown matchId ${id} ignored`), 'matchIdentifier');
    try {
      if (type === FILTER) this.engine.answerFilter(batch.token, kept);
      else this.engine.markGeotriggersHandled(batch.token, kept);
    } catch (error) {
      if (error.code !== 'PLOT_ALREADY_ANSWERED') throw error;
      this.emit('late', { kind: type === FILTER ? 'filter' : 'geotriggers', token: batch.token, code: error.code });
    }
  }

  #module() {
    const { engine } = this;
    const register = (type, isRegistered) => () => { this.#register(type, isRegistered); };
    const isRegistered = (type) => () => this.#registered[type];
    return {
      initialize: () => { this.initialize(); },
      enable: () => engine.enable(),
      disable: () => engine.disable(),
      isEnabled: (callback) => callback(engine.isEnabled()),
      setAdvertisingId: (id, limit) => engine.setAdvertisingIdentifier(id, Boolean(limit)),
      sendAttributionEvent: (action) => this.log(`The attribution event ${action} goes nowhere: there is no campaign service`),
      setStringSegmentationProperty: (name, value) => engine.setStringSegmentationProperty(name, value),
      setBooleanSegmentationProperty: (name, value) => engine.setBooleanSegmentationProperty(name, value),
      setIntegerSegmentationProperty: (name, value) => engine.setIntegerSegmentationProperty(name, value),
      setLongSegmentationProperty: (name, value) => engine.setIntegerSegmentationProperty(name, value),
      setDoubleSegmentationProperty: (name, value) => engine.setDoubleSegmentationProperty(name, value),
      setDateSegmentationProperty: (name, value) => engine.setDateSegmentationProperty(name, value), // milliseconds
      setNotificationFilterRegistered: register(FILTER, true),
      unsetNotificationFilterRegistered: register(FILTER, false),
      isNotificationFilterRegistered: isRegistered(FILTER),
      filterNotifications: (batchId, text) => this.#answer(FILTER, batchId, text),
      setGeotriggerHandlerRegistered: register(HANDLE, true),
      unsetGeotriggerHandlerRegistered: register(HANDLE, false),
      isGeotriggerHandlerRegistered: isRegistered(HANDLE),
      handleGeotriggers: (batchId, text) => this.#answer(HANDLE, batchId, text),
      setNotificationOpenHandlerRegistered: register(OPENED, true),
      unsetNotificationOpenHandlerRegistered: register(OPENED, false),
      isNotificationOpenHandlerRegistered: isRegistered(OPENED),
      getLoadedNotifications: (callback) => callback(engine.loadedNotifications(200).map(notification)),
      getLoadedGeotriggers: (callback) => callback(engine.loadedGeotriggers(200).map(geotrigger)),
      mailDebugLog: () => { this.mailDebugLog(); },
      addListener: (type) => this.#register(type, true),
      removeListeners: (type) => this.#register(type, false),
    };
  }

  close() {
    super.close();
    if (NativeModules.PlotProjectsReactModule !== undefined) events.removeAllListeners();
    delete NativeModules.PlotProjectsReactModule;
  }
}

/** A phone, before the app is loaded: there is one in a process. */
function start(options) {
  if (NativeModules.PlotProjectsReactModule !== undefined) throw new Error('A phone has been started; close it first');
  return new ReactNativeHost(options);
}

exports.NativeModules = NativeModules;
exports.NativeEventEmitter = NativeEventEmitter;
exports.DeviceEventEmitter = new NativeEventEmitter();
exports.Platform = Platform;
exports.PermissionsAndroid = PermissionsAndroid;
exports.ReactNativeHost = ReactNativeHost;
exports.start = start;
