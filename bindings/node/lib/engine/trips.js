'use strict';
const { C, asString, checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const { parsed, bytesOf } = require('../values.js');

/** Trips: ways to a region that the app has begun. */
module.exports = ({ callOn, getOn, timeOn }) => {
  return class {
    /** Begins a trip to a region, a plain object or JSON (docs/trips.md). One of the same id that is on goes on with the new plan. */
    startTrip(trip, time) {
      const bytes = bytesOf(trip, 'trip');
      callOn(this, C.plot_engine_start_trip, timeOn(this, time), bytes, BigInt(bytes.byteLength));
    }

    /** A trip is over: the device has arrived, or will not. PLOT_NOT_FOUND where none of that id is on. */
    endTrip(id, { arrived = false, ...others } = {}, time) {
      checkKeys(others, [], 'options', ['arrived']);
      if (typeof arrived !== 'boolean') throw fault(`arrived: expected a boolean, found ${describe(arrived)}`);
      callOn(this, C.plot_engine_end_trip, timeOn(this, time), checkText(id, 'id'), arrived ? 1 : 0);
    }

    /** The trips that are on, sorted by id, and where they stand at a time. */
    trips(time) {
      const trips = parsed(this.tripsText(time));
      for (const trip of trips) for (const key of ['deadline', 'expires', 'started', 'ends', 'arrival']) if (key in trip) trip[key] = new Date(trip[key]);
      return trips;
    }

    /** The same as JSON text. */
    tripsText(time) { return getOn(this, C.plot_engine_get_trips, asString, timeOn(this, time)); }
  };
};
