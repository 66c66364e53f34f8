import reactNative from './index.js';

export const { createPlotProjects, ReactNativeDevice } = reactNative;
export default reactNative;
