import * as cordova from './index.js';
export { createPlot, CordovaDevice, CordovaHost, makePlot } from './index.js';
export type { Plot, PlotConfiguration, PlotNotification, PlotGeotrigger, PlotSentNotification, PlotSentGeotrigger, CordovaOptions } from './index.js';
export default cordova;
