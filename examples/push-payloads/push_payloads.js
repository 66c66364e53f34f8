'use strict';
// Pushes of four services, given to the engine as they came. A feed for each says whose they are.

const fs = require('node:fs');
const { Engine, PlotError } = require('plotengine');

const TEN = Date.UTC(2026, 4, 16, 10);
const MINUTE = 60_000;
const BLOCKED = { version: 1, entries: ['eve'] };

function run(service) {
  console.log(service);
  const engine = new Engine({
    onShow({ title, message }) { console.log(`  shown: ${title ? `${title}: ` : ''}${message}`); },
    onRemove({ message }) { console.log(`  taken off: ${message}`); },

    /** The system must not show the push: an app suppresses it here. */
    onEvent({ event, reason, message }) {
      if (event === 'message-dropped') console.log(`  not shown (${reason}): ${message}`);
    },
  });
  try {
    let now = TEN;
    engine.init('plotconfig.json', { time: now });
    engine.setFeed(`${service}.json`, now);
    engine.setList('blocked', BLOCKED, now);
    for (const push of fs.readFileSync(`${service}.jsonl`, 'utf8').trimEnd().split('\n')) {
      engine.processMessage(push, now);
      now += MINUTE;
    }
  } finally {
    engine.close();
  }
}

try {
  for (const service of ['apns', 'fcm', 'cometchat', 'zego']) run(service);
} catch (error) {
  if (!(error instanceof PlotError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
