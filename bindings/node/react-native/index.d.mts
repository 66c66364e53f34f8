import * as reactNative from './index.js';
export { createPlotProjects, ReactNativeDevice } from './index.js';
export type { PlotProjects, RNNotification, RNGeotrigger } from './index.js';
export default reactNative;
