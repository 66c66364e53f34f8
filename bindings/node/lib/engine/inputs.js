'use strict';
const { C, callOut, asPointer, asString, asInt64, callError, checkText, describe } = require('../library.js');
const { named, fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const { parsed, listAt, takeList, answerList } = require('../values.js');
const raw = require('../raw.js');
const { tokenOut, tokenIn, HINTS, placeIn, flagIn, SIGHTING, HINT, PLAN, MOTION, matchOf } = require('./arguments.js');

/** Inputs of an engine beside fixes: beacons, hints, time, answers, what the person did. */
module.exports = ({ callOn, getOn, timeOn, answerOn }) => {
  function test(engine, fn, loaded, items, name) {
    if (!Array.isArray(items)) throw fault(`${name}: expected an array of loaded items, found ${describe(items)}`);
    const known = getOn(engine, loaded, asPointer, 0n);
    const chosen = callOut(C.plot_list_new, asPointer);
    try {
      const identifiers = listAt(known).map((item) => item.identifier);
      for (const { identifier } of items) {
        const index = identifiers.indexOf(identifier);
        if (index < 0) throw fault(`${name}: ${identifier} is not loaded`);
        callError(C.plot_list_append, chosen, C.plot_list_get(known, BigInt(index)));
      }
      return tokenOut(getOn(engine, fn, asInt64, chosen));
    } finally {
      C.plot_list_free(known);
      C.plot_list_free(chosen);
    }
  }

  return class {
    /** A beacon was heard: an iBeacon, or one with Eddystone UID frames. */
    updateBeacon(sighting) {
      if (typeof sighting !== 'object' || sighting === null) throw fault(`sighting: expected an object, found ${describe(sighting)}`);
      checkKeys(sighting, SIGHTING, 'sighting');
      const { proximity = 'unknown', rssi = 0, power = 0, time } = sighting;
      if (!Object.hasOwn(raw.proximities, proximity)) {
        throw fault(`proximity: expected ${Object.keys(raw.proximities).join(', ')}, found ${describe(proximity)}`);
      }
      if (typeof rssi !== 'number' || typeof power !== 'number') {
        throw fault(`sighting: expected numbers, found rssi ${describe(rssi)}, power ${describe(power)}`);
      }
      const heard = [raw.proximities[proximity], rssi, power];
      if (sighting.namespaceId !== undefined) {
        const ids = [checkText(sighting.namespaceId, 'namespaceId'), checkText(sighting.instanceId, 'instanceId')];
        callOn(this, C.plot_engine_update_eddystone, timeOn(this, time), ...ids, ...heard);
        return;
      }
      const { majorId, minorId } = sighting;
      if (!Number.isInteger(majorId) || majorId !== (majorId | 0) || !Number.isInteger(minorId) || minorId !== (minorId | 0)) {
        throw fault(`sighting: expected integers, found majorId ${describe(majorId)}, minorId ${describe(minorId)}`);
      }
      callOn(this, C.plot_engine_update_ibeacon, timeOn(this, time), checkText(sighting.proximityUUID, 'proximityUUID'), majorId, minorId, ...heard);
    }

    /** Reports what the operating system says about a region that it watches: {region, kind, latitude, longitude, accuracy, time}. */
    regionHint(hint) {
      if (typeof hint !== 'object' || hint === null) throw fault(`hint: expected an object, found ${describe(hint)}`);
      checkKeys(hint, HINT, 'hint', MOTION);
      if (!HINTS.includes(hint.kind)) throw fault(`kind: expected ${HINTS.join(', ')}, found ${describe(hint.kind)}`);
      callOn(this, C.plot_engine_region_hint, timeOn(this, hint.time), checkText(hint.region, 'region'), raw.hintKinds[hint.kind], ...placeIn(hint));
    }

    /** Plans which regions to register with a system that watches at most `budget` regions, as a difference (docs/region-plan.md). */
    planRegions(request = {}) {
      if (typeof request !== 'object' || request === null) throw fault(`request: expected an object, found ${describe(request)}`);
      checkKeys(request, PLAN, 'request', MOTION);
      const { budget = 0, reset = false, fenceLeft = false } = request;
      if (!Number.isSafeInteger(budget) || budget !== (budget | 0)) throw fault(`budget: expected an integer from 0 to 1000, found ${describe(budget)}`);
      const flags = flagIn(reset, 'reset') * raw.planFlags.reset + flagIn(fenceLeft, 'fenceLeft') * raw.planFlags.fenceLeft;
      return parsed(getOn(this, C.plot_engine_plan_regions, asString, timeOn(this, request.time), ...placeIn(request), budget, flags));
    }

    /** Time has passed: what is due happens, each at its own time. */
    advance(time) { callOn(this, C.plot_engine_advance, timeOn(this, time)); }

    /** When to advance next; null when nothing is due. */
    nextWakeup() {
      const time = getOn(this, C.plot_engine_next_wakeup, asInt64);
      return time < 0n ? null : new Date(Number(time));
    }

    /** The items of an open batch. */
    getBatch(token) { return takeList(getOn(this, C.plot_engine_get_batch, asPointer, tokenIn(token))); }

    /** Answers a filter's batch: the items of `kept` go on, with their edits of content. */
    answerFilter(token, kept, time) { answerOn(this, 'filter', token, kept, time); }

    /** Answers a geotrigger batch: the items of `handled` are handled. */
    markGeotriggersHandled(token, handled, time) { answerOn(this, 'geotriggers', token, handled, time); }

    /** The person opened a sent notification: the item, or its matchIdentifier. */
    openNotification(notification, time) {
      callOn(this, C.plot_engine_open_notification, timeOn(this, time), matchOf(notification));
    }

    /** The person chose an action of a sent notification, by its id. */
    takeAction(notification, action, time) {
      callOn(this, C.plot_engine_take_action, timeOn(this, time), matchOf(notification), checkText(action, 'action'));
    }

    /** The person dismissed a notification: it is off the screen. */
    dismissNotification(notification, time) {
      callOn(this, C.plot_engine_dismiss_notification, timeOn(this, time), matchOf(notification));
    }

    /** Takes a notification off the screen: the item, or its matchIdentifier; all of them without one. */
    removeNotification(notification, time) {
      const match = notification === undefined || notification === null ? null : matchOf(notification);
      callOn(this, C.plot_engine_remove_notification, timeOn(this, time), match);
    }

    /**
     * Changes the content of a notification that is on the screen: an item of displayedNotifications with its edits. onShow gets it as another
     * display, whose `updates` is the matchIdentifier of the one whose place it takes.
     */
    updateNotification(notification, time) {
      const match = matchOf(notification);
      const at = timeOn(this, time);
      const shown = getOn(this, C.plot_engine_get_displayed_notifications, asPointer);
      let answer = 0n;
      try {
        const made = answerList(shown, [{ ...notification, matchIdentifier: match }]);
        if (made.unknown) throw named('PLOT_NOT_FOUND', `No notification on the screen has the matchIdentifier ${JSON.stringify(match)}.`);
        answer = made.answer;
        callOn(this, C.plot_engine_update_notification, at, C.plot_list_get(answer, 0n));
      } finally {
        C.plot_list_free(answer);
        C.plot_list_free(shown);
      }
    }

    /** A region that moves, such as a bus, is now there. */
    moveRegion(region, place, time) {
      if (typeof place !== 'object' || place === null) throw fault(`place: expected an object, found ${describe(place)}`);
      checkKeys(place, ['latitude', 'longitude'], 'place', ['accuracy', ...MOTION]);
      const { latitude, longitude } = place;
      if (typeof latitude !== 'number' || typeof longitude !== 'number') {
        throw fault(`place: expected numbers, found latitude ${describe(latitude)}, longitude ${describe(longitude)}`);
      }
      callOn(this, C.plot_engine_move_region, timeOn(this, time), checkText(region, 'region'), latitude, longitude);
    }

    /** Puts loaded notifications to the filter, with no consequence but the answer; the token of this test. */
    testFilter(notifications) { return test(this, C.plot_engine_test_filter, C.plot_engine_get_loaded_notifications, notifications, 'notifications'); }
    testGeotriggerHandler(geotriggers) { return test(this, C.plot_engine_test_geotrigger_handler, C.plot_engine_get_loaded_geotriggers, geotriggers, 'geotriggers'); }

    /** The items that were kept in a test, with their edits; PLOT_NOT_FOUND while it has not been answered. */
    testAnswer(token) { return takeList(getOn(this, C.plot_engine_get_test_answer, asPointer, tokenIn(token))); }
  };
};
