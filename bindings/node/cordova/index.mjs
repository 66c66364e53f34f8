import cordova from './index.js';

export const { createPlot, CordovaDevice, CordovaHost, makePlot } = cordova;
export default cordova;
