'use strict';
const { C, file, kind, text } = require('./lib/library.js');
const { PlotError } = require('./lib/errors.js');
const { Config, Feed, Replay, replay } = require('./lib/documents.js');
const { Engine, Fleet, LATER } = require('./lib/engine.js');
const { lint } = require('./lib/lint.js');
const { Roaming } = require('./lib/roaming.js');
const { systemClock } = require('./lib/clock.js');
const { systemZone } = require('./lib/zone.js');
const { jsonText } = require('./lib/values.js');
const { statuses, effectKinds, NO_POSITION } = require('./lib/raw.js');

module.exports = {
  Engine,
  Fleet,
  Roaming,
  Config,
  Feed,
  lint,
  Replay,
  replay,
  PlotError,
  LATER,
  Status: Object.freeze({ ...statuses }),
  /** The subject of a record of effects, by its number in the header. */
  EffectKind: Object.freeze({ ...effectKinds }),
  /** Where an effect is about no region, or no campaign. */
  NO_POSITION,
  /** The version of the library, such as "0.1.0". */
  version: text(C.plot_version()),
  abiVersion: C.plot_abi_version(),
  /** The file that the library was opened from. */
  libraryPath: file,
  /** "builtin" when node:ffi carries the calls, "shim" when the package's own addon does. */
  ffi: kind,
  /** How many objects of the library are alive in the process. For leak tests. */
  liveObjects: () => Number(C.plot_live_objects()),
  jsonText,
  systemClock,
  /** The IANA name of this machine's time zone; null when it has none. */
  systemTimeZone: () => systemZone().name ?? null,
};
