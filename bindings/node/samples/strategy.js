#!/usr/bin/env node
'use strict';
// A strategy of the app's own: five minutes between two notifications, counted from when the last one left the screen.
//
//   node samples/strategy.js
//
// The walk: a bakery at 10:01, where the message stays on the screen; a museum at 10:05, too soon; the person dismisses
// the message of the bakery at 10:08, leaves, and is at the museum again at 10:14.

const { Engine } = require('plotengine');

/** A vote only looks; what happened is counted when it is told. */
class FiveMinutes {
  onScreen = 0;
  next = 0;

  createNewNotification(notification, context, time) { return this.onScreen === 0 && time.getTime() >= this.next; }

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
const say = (minutes, words) => console.log(`${new Date(at(minutes)).toISOString().slice(11, 16)} ${words}`);
let minute = 0;

const engine = new Engine({
  onShow(notification) { say(minute, `shown: ${notification.message}`); },
  onDecision({ reason }) { if (reason === 'vetoed') say(minute, 'too soon: Museum'); },
});
engine.setStrategy('com.example.five-minutes', new FiveMinutes());
engine.init({ publicToken: 'REPLACE_ME', engine: { noise: 'exact' } }, { time: ten, timeZone: 'UTC' });
engine.setFeed(feed, ten);
for (const [minutes, latitude, longitude] of [[0, 52.40, 4.90], [1, 52.37, 4.89], [5, 52.36, 4.885], [9, 52.40, 4.90], [14, 52.36, 4.885]]) {
  minute = minutes;
  if (minutes === 9) {
    const [bread] = engine.displayedNotifications();
    engine.dismissNotification(bread, at(8));
    say(8, `dismissed: ${bread.message}`);
  }
  engine.updateLocation({ latitude, longitude, time: at(minutes) });
}
engine.close();
