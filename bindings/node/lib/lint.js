'use strict';
const fs = require('node:fs');
const { C, callOut, asString } = require('./library.js');
const { bytesOf, milliseconds, pathOf } = require('./values.js');
const { fault } = require('./errors.js');
const { encoded } = require('./buffers.js');
const { checkKeys } = require('./keys.js');

/**
 * Finds faults and likely slips in a configuration, a feed or both; with `time`, also campaigns that are over by then. Each is a path or
 * file: URL, as for an engine, a plain object, or bytes of JSON, with places in that text.
 */
function lint(about = {}) {
  checkKeys(about, ['config', 'feed', 'time'], 'lint');
  const { config, feed, time } = about;
  // An empty buffer has no address, which would be no text at all; a space says as much.
  const given = (source, name) => {
    const isPath = typeof source === 'string' || source instanceof URL;
    const bytes = isPath ? fs.readFileSync(pathOf(source, name)) : bytesOf(source, name);
    return bytes.byteLength === 0 ? encoded(' ') : bytes;
  };
  const texts = [[config, 'config'], [feed, 'feed']].map(([source, name]) => (source == null ? null : given(source, name)));
  if (texts.every((text) => text === null)) throw fault('lint: expected a config, a feed or both, found neither');
  const at = time == null ? -1n : milliseconds(time, 'time');
  return JSON.parse(callOut(C.plot_lint, asString, ...texts.flatMap((text) => [text, BigInt(text?.byteLength ?? 0)]), at));
}

module.exports = { lint };
