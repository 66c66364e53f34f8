#!/usr/bin/env node
'use strict';
// A strategy of the app's own: at least five minutes between two notifications.
// The pause begins when a notification leaves the screen.
//
// The walk: the device enters a bakery at 10:01, and its message stays on the screen. It enters a
// museum at 10:05, which is too soon. The user dismisses the bakery's message at 10:08. The device
// leaves the museum and enters it again at 10:14.

const { Engine } = require('plotengine');

/**
 * Votes change no state, because the engine may ask again, and other strategies may say no.
 * State changes when the engine reports the result.
 */
class FiveMinutes {
  onScreen = 0;
  next = 0;

  createNewNotification(notification, context, time) {
    return this.onScreen === 0 && time.getTime() >= this.next;
  }

  onNotificationCreated(notification, created) { if (created) this.onScreen++; }

  onNotificationDeleted(notification, deleted, time) {
    if (!deleted) return;
    this.onScreen--;
    this.next = time.getTime() + 5 * 60_000;
  }

  load(state) { if (state !== null) [this.onScreen, this.next] = state.split(' ').map(Number); }

  save() { return `${this.onScreen} ${this.next}`; }
}

const feed = {
  version: 1,
  regions: [
    { id: 'bakery', type: 'geofence', latitude: 52.37, longitude: 4.89, radius: 100 },
    { id: 'museum', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 100 },
  ],
  campaigns: [
    { id: 'bread', type: 'notification', message: 'Bakery', regions: ['bakery'] },
    { id: 'art', type: 'notification', message: 'Museum', regions: ['museum'], resend: true },
  ],
};

const ten = Date.UTC(2026, 4, 16, 10);
const at = (minutes) => ten + minutes * 60_000;
const say = (minutes, words) => {
  console.log(`${new Date(at(minutes)).toISOString().slice(11, 16)} ${words}`);
};
let minute = 0;

const engine = new Engine({
  onShow(notification) { say(minute, `shown: ${notification.message}`); },
  onDecision({ reason }) { if (reason === 'vetoed') say(minute, 'too soon: Museum'); },
});
engine.setStrategy('com.example.five-minutes', new FiveMinutes());
const config = { publicToken: 'REPLACE_ME', engine: { noise: 'exact' } };
engine.init(config, { time: ten, timeZone: 'UTC' });
engine.setFeed(feed, ten);
const stops = [[0, 52.40, 4.90], [1, 52.37, 4.89], [5, 52.36, 4.885], [9, 52.40, 4.90], [14, 52.36, 4.885]];
for (const [minutes, latitude, longitude] of stops) {
  minute = minutes;
  if (minutes === 9) {
    const [bread] = engine.displayedNotifications();
    engine.dismissNotification(bread, at(8));
    say(8, `dismissed: ${bread.message}`);
  }
  engine.updateLocation({ latitude, longitude, time: at(minutes) });
}
engine.close();
