'use strict';
const { CordovaDevice } = require('./device.js');
const { CordovaHost } = require('./host.js');
const { makePlot } = require('./plot.js');

/** A device and the object that apps know as `plot`, connected. */
function createPlot(options) {
  const device = new CordovaDevice(options);
  const plot = makePlot((...args) => device.exec(...args));
  device.connect(() => plot);
  return { plot, device };
}

let shared = null;
const one = () => (shared ??= createPlot());

module.exports = {
  createPlot,
  CordovaDevice,
  CordovaHost,
  makePlot,
  /** The app's one `plot`, with the configuration in www/plotconfig.json or plotconfig.json of the working directory. */
  get plot() { return one().plot; },
  /** The device under it: feeds it positions and taps. */
  get device() { return one().device; },
};
