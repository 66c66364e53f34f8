'use strict';
// The JavaScript half of the Cordova plugin: the object that apps know as `plot`, over an exec function.

const { SERVICE } = require('./device.js');

/** Makes the object over `exec(success, fail, service, action, args)`. */
function makePlot(exec) {
  let initialized = false;
  const waiting = []; // until init has been called

  const run = (task) => {
    if (initialized) task();
    else waiting.push(task);
  };

  const call = (action, args, success, failure) => {
    exec(success, failure, SERVICE, action, args);
  };

  const needCallback = (name, callback) => {
    if (typeof callback !== 'function') console.error(`Plot Error: No resultCallback specified for ${name}`);
  };

  const passAll = (notifications) => notifications;
  const openData = (notification, data) => call('defaultNotificationHandler', [notification, data]);

  const plot = {
    exampleConfiguration: { publicKey: '', cooldownPeriod: -1, enableOnFirstRun: true },
    filterCallback: passAll,
    notificationHandler: openData,

    init(configuration, successCallback, failureCallback) {
      if (typeof configuration === 'function') { // init(success, failure)
        failureCallback = successCallback;
        successCallback = configuration;
        configuration = undefined;
      }
      initialized = true;
      call('initPlot', [configuration ?? {}], successCallback, failureCallback);
      while (waiting.length > 0) waiting.shift()();
    },

    setCooldownPeriod(seconds, successCallback, failureCallback) { call('setCooldownPeriod', [seconds], successCallback, failureCallback); },

    _runNotificationHandler(notification) {
      run(() => (plot.notificationHandler ?? openData)(notification, notification.data));
    },

    _runFilterCallback(notifications) {
      run(() => call('filterCallbackComplete', [(plot.filterCallback ?? passAll)(notifications)]));
    },
  };

  for (const name of ['enable', 'disable', 'clearSentNotifications', 'clearSentGeotriggers', 'mailDebugLog']) {
    plot[name] = (successCallback, failureCallback) => call(name, [], successCallback, failureCallback);
  }
  for (const name of ['isEnabled', 'getVersion', 'loadedNotifications', 'loadedGeotriggers']) {
    plot[name] = (resultCallback, failureCallback) => {
      needCallback(name, resultCallback);
      call(name, [], resultCallback, failureCallback);
    };
  }
  for (const [name, second] of [['sentNotifications', 'dateOpened'], ['sentGeotriggers', 'dateHandled']]) {
    plot[name] = (resultCallback, failureCallback) => {
      needCallback(name, resultCallback);
      call(name, [], (items) => {
        for (const item of items) for (const field of ['dateSent', second]) item[field] = toDate(item[field]);
        resultCallback?.(items);
      }, failureCallback);
    };
  }
  for (const type of ['String', 'Boolean', 'Integer', 'Double', 'Date']) {
    const name = `set${type}SegmentationProperty`;
    plot[name] = (property, value, successCallback, failureCallback) => call(name, [property, value], successCallback, failureCallback);
  }
  return plot;
}

const toDate = (value) => (value === undefined || value < 0 ? null : new Date(value));

module.exports = { makePlot };
