import plotengine from './index.js';

export const {
  Engine, Fleet, Roaming, Config, Feed, Replay, replay, lint, PlotError, LATER, Status, EffectKind, NO_POSITION,
  version, abiVersion, libraryPath, ffi, liveObjects, jsonText, systemClock, systemTimeZone,
} = plotengine;
export default plotengine;
