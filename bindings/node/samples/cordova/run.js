'use strict';
// Runs the Cordova app of index.js on a phone of its own: node samples/cordova/run.js [plugin.js]
// Without the plugin's own JavaScript the package's `plot` object serves.

const fs = require('node:fs');
const path = require('node:path');
const { CordovaDevice, CordovaHost, makePlot } = require('plotengine/cordova');

let now = Date.parse('2026-05-16T10:00:00Z');
const device = new CordovaDevice({
  config: { publicToken: 'REPLACE_ME', engine: { noise: 'exact', initial: 'enter' } },
  feed: path.join(__dirname, '..', 'feed.json'),
  clock: () => now,
  timers: false,
  show: (notification) => console.log(`On the screen: ${notification.message}`),
});
const page = new CordovaHost(device, { alert: (text) => console.log(`Alert: ${text}`) });
if (process.argv[2]) {
  page.loadPlugin(process.argv[2]);
} else {
  page.window.cordova.define('cordova/plugin/plot', (require, exports, module) => { module.exports = makePlot(require('cordova/exec')); });
  page.window.plot = page.require('cordova/plugin/plot');
}
page.run(fs.readFileSync(path.join(__dirname, 'index.js'), 'utf8'), 'index.js');

/** Once the app has started, and has had its answers. */
function afterStart(task, turns = 20) {
  setImmediate(() => (turns === 0 ? task() : afterStart(task, device.initialized ? turns - 1 : turns)));
}

afterStart(() => {
  // A person walks into the shop, and taps what appears.
  device.updateLocation({ latitude: 52.365, longitude: 4.89 });
  now += 60_000;
  device.updateLocation({ latitude: 52.36, longitude: 4.885 });
  for (const sent of device.engine.sentNotifications()) device.openNotification(sent);
  page.window.plot.sentNotifications((list) => {
    for (const sent of list) console.log(`Sent ${sent.dateSent.toISOString()}, opened ${sent.dateOpened.toISOString()}: ${sent.message}`);
    device.close();
  });
});
