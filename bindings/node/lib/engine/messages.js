'use strict';
const { C, asString, asInt32, checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const { parsed, bytesOf } = require('../values.js');
const { limitIn, countIn } = require('./arguments.js');

/** The consumer of events that lists them and acknowledges them. */
const APP = 'app';

async function* outboxOf(engine, events) {
  while (events.length > 0) {
    for (const event of events) {
      yield event;
      engine.acknowledgeEvents(event.sequence);
    }
    ({ events } = engine.pendingEvents({ limit: 100 }));
  }
}

/** Messages, the app's lists, and events that it acknowledges. */
module.exports = ({ callOn, getOn, timeOn }) => {
  return class {
    /** A message has come, such as a push: its payload as a plain object, JSON text or bytes. */
    processMessage(payload, time) {
      const bytes = bytesOf(payload, 'payload');
      callOn(this, C.plot_engine_process_message, timeOn(this, time), bytes, BigInt(bytes.byteLength));
    }

    /** Sets a list that rules ask, {version, entries}; null makes it absent. One that is older is ignored. */
    setList(name, entries, time) {
      const bytes = entries === null || entries === undefined ? null : bytesOf(entries, 'entries');
      callOn(this, C.plot_engine_set_list, timeOn(this, time), checkText(name, 'name'), bytes, BigInt(bytes?.byteLength ?? 0));
    }

    /** Adds entries to a list that rules ask, and takes others out; an absent list is there from now on. */
    editList(name, edit, time) {
      if (typeof edit !== 'object' || edit === null) throw fault(`edit: expected an object {add, remove}, found ${describe(edit)}`);
      checkKeys(edit, ['add', 'remove'], 'edit', ['add', 'remove']);
      const bytes = bytesOf(edit, 'edit');
      callOn(this, C.plot_engine_edit_list, timeOn(this, time), checkText(name, 'name'), bytes, BigInt(bytes.byteLength));
    }

    /** Whether an entry is in a list; PLOT_NOT_FOUND when the list is absent. */
    listContains(name, entry) {
      return getOn(this, C.plot_engine_list_contains, asInt32, checkText(name, 'name'), checkText(entry, 'entry')) !== 0;
    }

    /** The lists that are there, sorted by name: [{name, version, count, refreshed}]. */
    lists() {
      const lists = parsed(getOn(this, C.plot_engine_get_lists, asString));
      for (const list of lists) list.refreshed = new Date(list.refreshed);
      return lists;
    }

    /** The events that wait for the app, those after a sequence; at most `limit`, 0 for all. Takes nothing. Needs `engine.events.acknowledge`. */
    pendingEvents({ after = 0, limit = 0, ...others } = {}) {
      checkKeys(others, [], 'options', ['after', 'limit']);
      return parsed(getOn(this, C.plot_engine_get_events, asString, APP, countIn(after, 'after'), limitIn(limit)));
    }

    /** The app needs no event up to this sequence any more. */
    acknowledgeEvents(sequence) { callOn(this, C.plot_engine_acknowledge_events, APP, countIn(sequence, 'sequence')); }

    /** The events that wait for the app, one after another, until none does; each is acknowledged when the next one is asked for. */
    outbox() { return outboxOf(this, this.pendingEvents({ limit: 100 }).events); }
  };
};
