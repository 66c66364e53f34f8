'use strict';
// The app of a coffee shop: coupons at the shop, on a phone that may end the process at any time.
//
//   node coffee.js morning     from home to the shop; then the phone ends the app
//   node coffee.js afternoon   the app is started again, while the customer is still in the shop

const { Engine, PlotError } = require('plotengine');

const HOME = { latitude: 52.3750, longitude: 4.8960 };
const SHOP = { latitude: 52.3686, longitude: 4.8893 };
const at = (hour, minute) => new Date(Date.UTC(2026, 4, 16, hour, minute));
const WALKS = {
  morning: [[at(8, 0), HOME], [at(8, 12), SHOP], [at(8, 15), SHOP]],
  afternoon: [
    [at(8, 21), SHOP], [at(8, 40), SHOP], [at(8, 50), HOME],
    [at(15, 0), SHOP], [at(15, 20), SHOP], [at(15, 30), HOME],
  ],
};

/** A real app asks its own database on the phone: the filter has to work without a network. */
const isUsed = (coupon) => coupon === 'CROISSANT-0';

const say = (time, what, words) => {
  console.log(`${time.toISOString().slice(11, 16)}  ${what.padEnd(10)}  ${words}`);
};

/** The app of one customer. */
class App {
  constructor(customer, now) {
    this.customer = customer;
    this.now = now;
    // Handlers come first: init() delivers what an earlier process has left open.
    this.engine = new Engine({
      clock: () => this.now, // a real app leaves this out, and
      timers: false, // this too: timers then call advance() at each wakeup
      onFilter: (notifications) => this.filter(notifications),
      onGeotriggers: (geotriggers) => this.handle(geotriggers),
      onShow: (notification) => this.show(notification),
      onDecision: (decision) => this.decide(decision),
    });
    this.engine.init('plotconfig.json', { store: 'coffee.db' });
    this.engine.setFeed('feed.json');
    // From the customer's account. The feed says who gets which campaign.
    this.engine.setBooleanSegmentationProperty('member', true);
    this.engine.setStringSegmentationProperty('drink', 'espresso');
  }

  /** Notifications that are about to be shown: drops used coupons, and greets by name. */
  filter(notifications) {
    return notifications
      .filter((item) => !isUsed(item.data))
      .map((item) => ({ ...item, message: `${this.customer}: ${item.message}` }));
  }

  /** Geotriggers are for the app. The customer sees nothing of them. */
  handle(geotriggers) {
    for (const geotrigger of geotriggers) say(this.now, 'geotrigger', geotrigger.name);
    return geotriggers;
  }

  /** An exception here means that it could not be shown: it may come again. */
  show(notification) {
    say(this.now, 'shown', notification.message);
  }

  /** The engine reports each step of a decision. A drop keeps a campaign from being shown. */
  decide({ verdict, campaign, reason }) {
    if (verdict === 'drop' && campaign) say(this.now, 'not shown', `${campaign}: ${reason}`);
  }

  /** The list is in the store: after a start, it has what earlier processes have shown. */
  printSent() {
    for (const item of this.engine.sentNotifications()) say(item.dateSent, 'sent', item.message);
  }

  /**
   * The phone: an alarm at each wakeup, then the fix.
   * Without the alarm, a dwelling would be reported only with the next fix.
   */
  move(time, position) {
    for (let due; (due = this.engine.nextWakeup()) !== null && due <= time;) {
      this.now = due;
      this.engine.advance();
    }
    this.now = time;
    this.engine.updateLocation({ ...position, accuracy: 10 });
  }
}

const walk = WALKS[process.argv[2] ?? 'morning'];
try {
  const app = new App('Anna', walk[0][0]);
  app.printSent();
  for (const [time, position] of walk) app.move(time, position);
  app.engine.close();
} catch (error) {
  if (!(error instanceof PlotError)) throw error;
  console.error(`coffee: ${error.code}: ${error.message}`);
  process.exitCode = 1;
}
