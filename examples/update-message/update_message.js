'use strict';
// A push that updates one on the screen, one that retracts, and two that come too late.

const fs = require('node:fs');
const { Engine, PlotError } = require('plotengine');

const TEN = Date.UTC(2026, 4, 16, 10);
const MINUTE = 60_000;

const engine = new Engine({
  onShow({ identifier, message }) { console.log(`${identifier}  shown: ${message}`); },

  /** An exception here means that it is still on the screen. */
  onRemove({ identifier }) { console.log(`${identifier}  removed`); },

  /** After these events the system must not show the push: an app suppresses it here. */
  onEvent({ event, messageId }) {
    if (event === 'message-dropped' || event === 'message-retracted') {
      console.log(`${messageId}  not shown`);
    }
  },
});

/** A push that is no message for the engine is shown as it came: nothing of it gets lost. */
function take(push, time) {
  try {
    engine.processMessage(push, time);
  } catch (error) {
    if (error.code !== 'PLOT_INVALID_DOCUMENT') throw error;
    console.log(`as it came: ${push}`);
  }
}

try {
  let now = TEN;
  engine.init('plotconfig.json', { time: now });
  engine.setFeed('feed.json', now);
  for (const push of fs.readFileSync('pushes.jsonl', 'utf8').trimEnd().split('\n')) {
    take(push, now);
    now += MINUTE;
  }
  for (const { message } of engine.displayedNotifications()) {
    console.log(`on the screen: ${message}`);
  }
} catch (error) {
  if (!(error instanceof PlotError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  engine.close();
}
