'use strict';
const { C, callOut, asString } = require('./library.js');
const { bytesOf, milliseconds } = require('./values.js');
const { fault } = require('./errors.js');

/** What is wrong in a configuration, a feed or both, or most likely not what was meant; with `time`, also what is over by then. */
function lint({ config, feed, time } = {}) {
  // An empty buffer has no address, which would be no text at all; a space says as much.
  const given = (source, name) => {
    const bytes = bytesOf(source, name);
    return bytes.byteLength === 0 ? Buffer.from(' ') : bytes;
  };
  const texts = [[config, 'config'], [feed, 'feed']].map(([source, name]) => (source == null ? null : given(source, name)));
  if (texts.every((text) => text === null)) throw fault('lint: expected a config, a feed or both, found neither');
  const at = time == null ? -1n : milliseconds(time, 'time');
  return JSON.parse(callOut(C.plot_lint, asString, ...texts.flatMap((text) => [text, BigInt(text?.byteLength ?? 0)]), at));
}

module.exports = { lint };
