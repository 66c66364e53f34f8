'use strict';
// A surface in the style of the React Native module: batches by id, lists by callback.

const { Phone, stamp, matchBack } = require('../lib/phone.js');
const { version } = require('../index.js');
const { LATER } = require('../lib/engine.js');

const common = (item) => ({
  identifier: item.identifier,
  matchId: item.matchIdentifier,
  campaignId: item.campaignId,
  regionId: item.regionId,
  data: item.data,
  geofenceLatitude: item.geofenceLatitude,
  geofenceLongitude: item.geofenceLongitude,
  trigger: item.trigger,
  dwellingMinutes: item.dwellingMinutes,
  matchRange: item.matchRange,
  regionType: item.regionType,
});

const notification = (item) => ({ ...common(item), message: item.message, handlerType: item.notificationHandlerType });
const geotrigger = (item) => ({ ...common(item), name: item.name });

/** Results go to a callback, where one is given. */
const call = (callback, value) => {
  if (typeof callback === 'function') callback(value);
};

class ReactNativeDevice extends Phone {
  #batches = new Map(); // batchId -> {kind, token, items}
  #remove = { onNotificationsToFilter: null, onGeotriggersToHandle: null, onNotificationOpened: null };

  constructor(options = {}) {
    super(options, ['plotconfig.json', 'assets/plotconfig.json'], []);
    this.module = this.#makeModule();
  }

  #offer(kind, event, items, token) {
    const batchId = String(token);
    this.#batches.set(batchId, { kind, token, items });
    this.emit(event, { batchId, data: items.map(kind === 'filter' ? notification : geotrigger) });
    return LATER;
  }

  #answer(kind, batchId, json) {
    const batch = this.#batches.get(String(batchId));
    if (batch === undefined || batch.kind !== kind) throw new Error(`No batch has the id ${batchId}`);
    const entries = typeof json === 'string' ? JSON.parse(json) : json;
    if (!Array.isArray(entries)) throw new Error('The answer is not a list');
    this.#batches.delete(String(batchId));
    const kept = matchBack(batch.items, entries, 'identifier', (id) => this.log(`Unknown identifier ${id} ignored`));
    try {
      if (kind === 'filter') this.engine.answerFilter(batch.token, kept);
      else this.engine.markGeotriggersHandled(batch.token, batch.items.filter((item) => kept.some((each) => each.matchIdentifier === item.matchIdentifier)));
    } catch (error) {
      if (error.code !== 'PLOT_ALREADY_ANSWERED') throw error;
      this.emit('late', { kind, token: batch.token, code: error.code });
    }
  }

  #register(event, listener) {
    this.#unregister(event);
    this.on(event, listener);
    this.#remove[event] = () => this.off(event, listener);
  }

  #unregister(event) {
    this.#remove[event]?.();
    this.#remove[event] = null;
  }

  #makeModule() {
    const device = this;
    const { engine } = this;
    const module = {
      initialize: () => device.initialize(),
      enable: () => engine.enable(),
      disable: () => engine.disable(),
      isEnabled: (callback) => call(callback, engine.isEnabled()),
      getVersion: (callback) => call(callback, version),
      setAdvertisingId: (id, limit) => engine.setAdvertisingIdentifier(id, Boolean(limit)),
      setStringSegmentationProperty: (name, value) => engine.setStringSegmentationProperty(name, value),
      setBooleanSegmentationProperty: (name, value) => engine.setBooleanSegmentationProperty(name, value),
      setIntegerSegmentationProperty: (name, value) => engine.setIntegerSegmentationProperty(name, value),
      setLongSegmentationProperty: (name, value) => engine.setIntegerSegmentationProperty(name, value),
      setDoubleSegmentationProperty: (name, value) => engine.setDoubleSegmentationProperty(name, value),
      setDateSegmentationProperty: (name, value) => engine.setDateSegmentationProperty(name, value), // milliseconds
      registerNotificationFilter(callback) {
        device.#register('onNotificationsToFilter', ({ batchId, data }) => callback(batchId, data));
        engine.onFilter = (items, token) => device.#offer('filter', 'onNotificationsToFilter', items, token);
      },
      unregisterNotificationFilter() {
        device.#unregister('onNotificationsToFilter');
        engine.onFilter = null;
      },
      filterNotifications: (batchId, json) => device.#answer('filter', batchId, json),
      registerGeotriggerHandler(callback) {
        device.#register('onGeotriggersToHandle', ({ batchId, data }) => callback(batchId, data));
        engine.onGeotriggers = (items, token) => device.#offer('geotriggers', 'onGeotriggersToHandle', items, token);
      },
      unregisterGeotriggerHandler() {
        device.#unregister('onGeotriggersToHandle');
        engine.onGeotriggers = null;
      },
      handleGeotriggers: (batchId, json) => device.#answer('geotriggers', batchId, json),
      registerNotificationOpenHandler(callback) {
        device.#register('onNotificationOpened', callback);
        engine.onNotification = (item) => device.emit('onNotificationOpened', notification(item));
      },
      unregisterNotificationOpenHandler() {
        device.#unregister('onNotificationOpened');
        engine.onNotification = null;
      },
      getLoadedNotifications: (callback) => call(callback, engine.loadedNotifications(200).map(notification)),
      getLoadedGeotriggers: (callback) => call(callback, engine.loadedGeotriggers(200).map(geotrigger)),
      getSentNotifications: (callback) => call(callback, engine.sentNotifications().map((item) => ({
        ...notification(item), dateSent: stamp(item.dateSent), dateOpened: stamp(item.dateOpened), isOpened: item.isOpened,
      }))),
      getSentGeotriggers: (callback) => call(callback, engine.sentGeotriggers().map((item) => ({
        ...geotrigger(item), dateSent: stamp(item.dateSent), dateHandled: stamp(item.dateHandled), isHandled: item.isHandled,
      }))),
      mailDebugLog: () => { device.mailDebugLog(); },
    };
    return module;
  }
}

/** A device and the module on it. */
function createPlotProjects(options) {
  const device = new ReactNativeDevice(options);
  return { PlotProjects: device.module, device };
}

module.exports = { createPlotProjects, ReactNativeDevice };
