export * from './index.js';
import * as plotengine from './index.js';
export default plotengine;
