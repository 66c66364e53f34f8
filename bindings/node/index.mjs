import plotengine from './index.js';

export const {
  Engine, Config, Feed, Replay, replay, lint, PlotError, LATER, Status, version, abiVersion, libraryPath,
  ffi, liveObjects, jsonText,
} = plotengine;
export default plotengine;
