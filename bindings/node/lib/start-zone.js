'use strict';
// The time zone that an engine starts with: the system's, or one that the library is known to take.

const { C, callOut, callError, asPointer, checkText } = require('./library.js');
const { PlotError } = require('./errors.js');
const { Config, address } = require('./documents.js');
const { systemZone } = require('./zone.js');

/** Reasons for which the system's time zone was not taken, of which each is told once. */
const warned = new Set();

/** The library's refusals of time zones that were tried. */
const refusals = new Map([['UTC', null]]);

/** Why the library does not take a time zone, or null. An engine that is about to start is not to find out. */
function refusalOf(zone) {
  if (refusals.has(zone)) return refusals.get(zone);
  const config = Config.parse({});
  const pointer = callOut(C.plot_engine_new, asPointer);
  let refusal = null;
  try {
    callError(C.plot_engine_init, pointer, 1_700_000_000_000n, address(config), null);
    callError(C.plot_engine_set_time_zone, pointer, 1_700_000_000_000n, zone);
  } catch (error) {
    refusal = error;
  } finally {
    C.plot_engine_free(pointer);
    config.close();
  }
  refusals.set(zone, refusal);
  return refusal;
}

/** The zone that an engine starts with, or null for the one that it has. An unknown one is refused before anything has begun. */
function zoneOf(timeZone) {
  if (timeZone === null) return null;
  if (timeZone !== undefined) {
    const refusal = refusalOf(checkText(timeZone, 'timeZone'));
    if (refusal !== null) throw new PlotError(refusal.message, refusal);
    return timeZone;
  }
  const found = systemZone();
  const reason = found.reason ?? refusalOf(found.name)?.message;
  if (reason === undefined) return found.name;
  if (!warned.has(reason)) {
    warned.add(reason);
    const sentence = `The time zone of this system is not known, and quiet hours go by the one that the engine remembers, UTC at first: ${reason}. Give init a timeZone.`;
    process.emitWarning(sentence, 'PlotEngineWarning');
  }
  return null;
}

module.exports = { zoneOf };
