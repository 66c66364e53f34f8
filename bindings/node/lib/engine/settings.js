'use strict';
const { C, asString, asInt64, checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { Feed, address } = require('../documents.js');
const { milliseconds, parseExactly } = require('../values.js');
const { numberIn, int64In } = require('./arguments.js');

/** Settings of an engine: switched on or not, cooldown, time zone, feed, segmentation. */
module.exports = ({ callOn, getOn, timeOn, openOn }) => {
  return class {
    enable(time) { callOn(this, C.plot_engine_enable, timeOn(this, time)); }
    disable(time) { callOn(this, C.plot_engine_disable, timeOn(this, time)); }

    /** Least time between two notifications, in seconds; 0 for none. */
    setCooldownPeriod(seconds, time) {
      callOn(this, C.plot_engine_set_cooldown_period, timeOn(this, time), int64In(seconds, 'seconds'));
    }
    getCooldownPeriod() { return Number(getOn(this, C.plot_engine_get_cooldown_period, asInt64)); }

    /** The device's time zone, by its IANA name; 'UTC' until it is set. */
    setTimeZone(name, time) { callOn(this, C.plot_engine_set_time_zone, timeOn(this, time), checkText(name, 'timeZone')); }
    getTimeZone() { return getOn(this, C.plot_engine_get_time_zone, asString); }

    /** Takes a feed in place of the one in force: a Feed, a path, a file: URL or a plain object. */
    setFeed(feed, time) {
      openOn(this);
      const at = timeOn(this, time);
      const { feed: read, owned } = Feed.from(feed);
      try {
        callOn(this, C.plot_engine_set_feed, at, address(read));
      } finally {
        if (owned) read.close();
      }
    }

    /** A feed that init takes in place of the one in the store, if that is the same; the store's is then not read. */
    offerFeed(feed) {
      openOn(this);
      const { feed: read, owned } = Feed.from(feed);
      try {
        callOn(this, C.plot_engine_offer_feed, address(read));
      } finally {
        if (owned) read.close();
      }
    }

    setStringSegmentationProperty(key, value, time) {
      const words = value === null || value === undefined ? null : checkText(value, 'value');
      callOn(this, C.plot_engine_set_string_segmentation_property, timeOn(this, time), checkText(key, 'key'), words);
    }
    setBooleanSegmentationProperty(key, value, time) {
      if (typeof value !== 'boolean') throw fault(`value: expected a boolean, found ${describe(value)}`);
      callOn(this, C.plot_engine_set_boolean_segmentation_property, timeOn(this, time), checkText(key, 'key'), value ? 1 : 0);
    }
    setIntegerSegmentationProperty(key, value, time) {
      callOn(this, C.plot_engine_set_integer_segmentation_property, timeOn(this, time), checkText(key, 'key'), int64In(value, 'value'));
    }
    setDoubleSegmentationProperty(key, value, time) {
      callOn(this, C.plot_engine_set_double_segmentation_property, timeOn(this, time), checkText(key, 'key'), numberIn(value, 'value'));
    }
    setDateSegmentationProperty(key, value, time) {
      callOn(this, C.plot_engine_set_date_segmentation_property, timeOn(this, time), checkText(key, 'key'), milliseconds(value, 'value'));
    }
    clearSegmentationProperty(key, time) {
      callOn(this, C.plot_engine_clear_segmentation_property, timeOn(this, time), checkText(key, 'key'));
    }

    /** {key: {type, value}}; dates are Dates, integers beyond 2^53 bigints. */
    getSegmentationProperties() {
      const properties = parseExactly(this.segmentationText());
      for (const property of Object.values(properties)) if (property.type === 'date') property.value = new Date(property.value);
      return properties;
    }
    /** The same as JSON text. */
    segmentationText() { return getOn(this, C.plot_engine_get_segmentation_properties, asString); }

    /** Sets the identifier that events carry from now on; it persists. While tracking is limited, events say only that. null clears. */
    setAdvertisingIdentifier(identifier, limitTracking = false, time) {
      if (typeof limitTracking !== 'boolean') throw fault(`limitTracking: expected a boolean, found ${describe(limitTracking)}`);
      const words = identifier === null || identifier === undefined ? null : checkText(identifier, 'identifier');
      callOn(this, C.plot_engine_set_advertising_identifier, timeOn(this, time), words, limitTracking ? 1 : 0);
    }
  };
};
