'use strict';
const { C, asPointer, asString, checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const { parsed, takeList, pathOf } = require('../values.js');
const { textOrNull, limitIn } = require('./arguments.js');

/** Lists and reasons that an engine gives: loaded, sent and displayed notifications, visits, decisions, reasons. */
module.exports = ({ callOn, getOn, timeOn }) => {
  return class {
    loadedNotifications(limit) { return takeList(getOn(this, C.plot_engine_get_loaded_notifications, asPointer, limitIn(limit))); }
    loadedGeotriggers(limit) { return takeList(getOn(this, C.plot_engine_get_loaded_geotriggers, asPointer, limitIn(limit))); }
    sentNotifications() { return takeList(getOn(this, C.plot_engine_get_sent_notifications, asPointer)); }
    sentGeotriggers() { return takeList(getOn(this, C.plot_engine_get_sent_geotriggers, asPointer)); }
    /** The notifications on the screen, oldest first. */
    displayedNotifications() { return takeList(getOn(this, C.plot_engine_get_displayed_notifications, asPointer)); }
    clearSentNotifications(time) { callOn(this, C.plot_engine_clear_sent_notifications, timeOn(this, time)); }
    clearSentGeotriggers(time) { callOn(this, C.plot_engine_clear_sent_geotriggers, timeOn(this, time)); }

    /** The visits in progress: [{region, visit, ordinal, entered}]. */
    visits() {
      const visits = parsed(getOn(this, C.plot_engine_get_visits, asString));
      for (const visit of visits) visit.entered = new Date(visit.entered);
      return visits;
    }

    /**
     * Where the engine is: {time, enabled, foreground, timeZone, regions, campaigns, visits, displayed, waiting, questions, nextWakeup?}
     * (docs/explain.md, Summary).
     */
    summary() {
      const summary = parsed(getOn(this, C.plot_engine_get_summary, asString));
      for (const name of ['time', 'nextWakeup']) if (name in summary) summary[name] = new Date(summary[name]);
      return summary;
    }

    /** Writes the debug log to a file. */
    writeDebugLog(path) { callOn(this, C.plot_engine_write_debug_log, pathOf(path, 'path')); }

    /** Keeps the newest decisions in memory, 0 to 100000; 0 for none, as at first. */
    keepDecisions(capacity) {
      if (!Number.isSafeInteger(capacity)) throw fault(`capacity: expected an integer from 0 to 100000, found ${describe(capacity)}`);
      callOn(this, C.plot_engine_keep_decisions, BigInt(capacity));
    }

    /** Those that are kept, oldest first: about a campaign and a region; the newest `limit` of them. */
    decisions(about = {}) {
      checkKeys(about, ['campaign', 'region', 'limit'], 'decisions');
      const { campaign = null, region = null, limit } = about;
      return parsed(getOn(this, C.plot_engine_get_decisions, asString, textOrNull(campaign, 'campaign'), textOrNull(region, 'region'), limitIn(limit)));
    }

    /** Appends each decision from now on to a file, a line of JSON each; null stops. */
    writeDecisionsTo(path) { callOn(this, C.plot_engine_write_decisions_to, path === null ? null : pathOf(path, 'path')); }

    /** Why a campaign has not been shown at a region yet, or when it was (docs/explain.md). Without a region: the one nearest to a showing. */
    explain(campaign, options = {}) {
      checkKeys(options, ['region', 'language'], 'options of explain');
      const { region = null, language = 'en' } = options;
      const about = [checkText(campaign, 'campaign'), textOrNull(region, 'region'), checkText(language, 'language')];
      return parsed(getOn(this, C.plot_engine_explain, asString, ...about));
    }
  };
};
