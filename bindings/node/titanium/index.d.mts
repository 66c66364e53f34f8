import * as titanium from './index.js';
export { createTitanium, TitaniumDevice } from './index.js';
export type { TiPlot, TiConfiguration, TiNotification, TiGeotrigger, TiSentNotification, TiSentGeotrigger, TitaniumOptions } from './index.js';
export default titanium;
