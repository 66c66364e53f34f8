'use strict';
const { randomBytes } = require('node:crypto');
const { C, asString, checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const { Feed, address } = require('../documents.js');
const { parsed, bytesOf } = require('../values.js');
const { countIn } = require('./arguments.js');

/** A status as the library gives it, with dates in the place of texts. */
function syncStatusOf(json) {
  const status = parsed(json);
  for (const key of ['since', 'lastSuccess', 'lastApplied', 'next']) if (status[key] !== null) status[key] = new Date(status[key]);
  return status;
}

function bytesIn(value, name) {
  if (!(value instanceof Uint8Array)) throw fault(`${name}: expected a Uint8Array, found ${describe(value)}`);
  return new Uint8Array(value);
}

/** The synchronization with a campaign service; plotengine/sync has the host that calls these methods. */
module.exports = ({ callOn, getOn, timeOn, openOn }) => class {
  /** Starts it, goes on after a stop, or gives other facts. `feed` counts until there is one of the service; `seed` is the one source of chance. */
  syncBegin({ facts = null, feed = null, seed = randomBytes(32), time, ...others } = {}) {
    checkKeys(others, [], 'options', ['facts', 'feed', 'seed', 'time']);
    openOn(this);
    const json = facts === null ? null : bytesOf(facts, 'facts');
    const chance = bytesIn(seed, 'seed');
    const at = timeOn(this, time);
    const from = feed === null ? null : Feed.from(feed);
    try {
      callOn(
        this, C.plot_engine_sync_begin, at, json, BigInt(json?.byteLength ?? 0), from === null ? 0n : address(from.feed),
        chance, BigInt(chance.byteLength),
      );
    } finally {
      if (from?.owned) from.feed.close();
    }
  }

  /** {request}, the next one; or {until}, a date, or null where only another input changes that. */
  syncNext(time) {
    const next = parsed(getOn(this, C.plot_engine_sync_next, asString, timeOn(this, time)));
    if (next.until) next.until = new Date(next.until);
    return next;
  }

  /** The answer to a request: {status, headers, body}, the body decoded, and whole, or its beginning where it is too long. */
  syncResponse(request, answer, time) {
    const { status, headers = {}, body = new Uint8Array(0) } = answer;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n');
    const bytes = bytesIn(body, 'body');
    if (!Number.isInteger(status)) throw fault(`status: expected a whole number, found ${describe(status)}`);
    callOn(
      this, C.plot_engine_sync_response, timeOn(this, time), countIn(request, 'request'), status, checkText(lines, 'headers'),
      bytes.byteLength === 0 ? null : bytes, BigInt(bytes.byteLength),
    );
  }

  /** There is no answer to a request, or a stream is over; `reason` is for people. */
  syncFailure(request, reason, time) {
    callOn(this, C.plot_engine_sync_failure, timeOn(this, time), countIn(request, 'request'), checkText(reason, 'reason'));
  }

  /** Bytes of a stream, as they come. */
  syncReceive(request, bytes, time) {
    const copy = bytesIn(bytes, 'bytes');
    callOn(this, C.plot_engine_sync_receive, timeOn(this, time), countIn(request, 'request'), copy, BigInt(copy.byteLength));
  }

  /** Sends a recording of this engine, the bytes of its file, to the service: the person has agreed. */
  syncRecording(lines, time) {
    const copy = bytesIn(lines, 'lines');
    callOn(this, C.plot_engine_sync_recording, timeOn(this, time), copy, BigInt(copy.byteLength));
  }

  /** A push message of the service, as a plain object, JSON text or bytes. */
  syncMessage(message, time) {
    const json = bytesOf(message, 'message');
    callOn(this, C.plot_engine_sync_message, timeOn(this, time), json, BigInt(json.byteLength));
  }

  /** Asks for the feed, and sends the events that wait, at once; also after a stop. */
  syncNow(time) { callOn(this, C.plot_engine_sync_now, timeOn(this, time)); }

  /** Asks for nothing any more. */
  syncStop(time) { callOn(this, C.plot_engine_sync_stop, timeOn(this, time)); }

  /** Where it stands. */
  syncStatus() { return syncStatusOf(getOn(this, C.plot_engine_get_sync_status, asString)); }
};

module.exports.syncStatusOf = syncStatusOf;
