'use strict';
// Made from docs/calls.json by scripts/call_tables.py: do not edit.
const { C, asInt32 } = require('../library.js');
const { flagIn } = require('./arguments.js');

/** Calls of an engine that only hand values over. */
module.exports = ({ callOn, getOn, timeOn }) => {
  return class {
    /** The app has come to the foreground (true), or gone to the background (false); remembered. */
    setForeground(foreground, time) { callOn(this, C.plot_engine_set_foreground, timeOn(this, time), flagIn(foreground, 'foreground')); }

    /** There is a network (true), or there is none (false); remembered. */
    setNetwork(available, time) { callOn(this, C.plot_engine_set_network, timeOn(this, time), flagIn(available, 'available')); }

    /** Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay. */
    clearAllData(time) { callOn(this, C.plot_engine_clear_all_data, timeOn(this, time)); }

    /** Whether places are followed. */
    isEnabled() { return getOn(this, C.plot_engine_is_enabled, asInt32) !== 0; }
  };
};
