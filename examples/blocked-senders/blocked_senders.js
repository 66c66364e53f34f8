'use strict';
// Pushes of blocked users: not shown, or without their text. The rules are in feed.json.

const fs = require('node:fs');
const { Engine, PlotError } = require('plotengine');

const TEN = Date.UTC(2026, 4, 16, 10);
const MINUTE = 60_000;

// The app gets these lists from its server after the login. A list has a version, so that an old
// answer of the server that comes late is ignored.
const BLOCKED = { version: 1, entries: ['eve', 'mallory'] };
const UNBLOCKED = { version: 2, entries: ['mallory'] };
const GROUPS = { version: 1, entries: ['climbing', 'neighbours'] };

const engine = new Engine({
  onShow({ identifier, title, message }) {
    console.log(`${identifier}  shown: ${title ? `${title}: ` : ''}${message}`);
  },

  /** The system must not show the push: an app suppresses it here. */
  onEvent({ event, messageId }) {
    if (event === 'message-dropped') console.log(`${messageId}  not shown`);
  },
});

/** Gives the engine each line of a file as it came, one each minute. */
function deliver(time, path) {
  for (const line of fs.readFileSync(path, 'utf8').trimEnd().split('\n')) {
    engine.processMessage(line, time);
    time += MINUTE;
  }
  return time;
}

try {
  let now = TEN;
  engine.init('plotconfig.json', { time: now });
  engine.setFeed('feed.json', now);
  engine.setList('blocked', BLOCKED, now);
  engine.setList('groups', GROUPS, now);
  now = deliver(now, 'pushes.jsonl');
  engine.setList('blocked', UNBLOCKED, now);
  deliver(now, 'unblocked.jsonl');
} catch (error) {
  if (!(error instanceof PlotError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  engine.close();
}
