'use strict';
// A strategy of the app's own: at least five minutes between two notifications.
// The pause begins when a notification leaves the screen.
//
// The walk: the device enters a bakery at 10:01, and its message stays on the screen. It enters a
// museum at 10:05, which is too soon. The user dismisses the bakery's message at 10:08. The device
// leaves the museum and enters it again at 10:14.

const { Engine } = require('plotengine');

const at = (minute) => new Date(Date.UTC(2026, 4, 16, 10, minute));
const say = (time, what, { message }) => {
  console.log(`${time.toISOString().slice(11, 16)} ${what}: ${message}`);
};

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

  onNotificationCreated(notification, created, time) {
    if (created) this.onScreen++;
    say(time, created ? 'shown' : 'too soon', notification);
  }

  onNotificationDeleted(notification, deleted, time) {
    if (!deleted) return;
    this.onScreen--;
    this.next = time.getTime() + 5 * 60_000;
    say(time, 'dismissed', notification);
  }

  load(state) { if (state !== null) [this.onScreen, this.next] = state.split(' ').map(Number); }

  save() { return `${this.onScreen} ${this.next}`; }
}

// Without a show handler, a notification counts as shown. The strategy prints what happens.
const engine = new Engine();
engine.setStrategy('com.example.five-minutes', new FiveMinutes());
engine.init('plotconfig.json', { time: at(0) });
engine.setFeed('feed.json', at(0));
engine.updateLocation({ latitude: 52.40, longitude: 4.90, time: at(0) });
engine.updateLocation({ latitude: 52.37, longitude: 4.89, time: at(1) });
engine.updateLocation({ latitude: 52.36, longitude: 4.885, time: at(5) });
engine.dismissNotification(engine.displayedNotifications()[0], at(8));
engine.updateLocation({ latitude: 52.40, longitude: 4.90, time: at(9) });
engine.updateLocation({ latitude: 52.36, longitude: 4.885, time: at(14) });
engine.close();
