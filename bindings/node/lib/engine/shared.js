'use strict';
// The state that engines and fleets share while calls are under way.

const shared = {
  /** The fleet's call that is running: {members, thrown}. */
  fleetCall: null,
  /** How often handlers of some engine, or whether it is open, have changed. */
  changes: 0,
  /** Memory that the library reads. */
  held: [],
};

module.exports = { shared };
