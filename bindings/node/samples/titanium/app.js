'use strict';
// The manual, chapter 4, as a Titanium app: node samples/titanium/app.js
// plotfilter.js and plotgeotriggerhandler.js stand in assets/, as in an app.

const path = require('node:path');
const { createTitanium } = require('plotengine/titanium');

// The phone. In an app this is the device, and `plot` comes from require('com.plotprojects.ti').
let now = Date.parse('2026-05-16T10:00:00Z');
const { plot, device } = createTitanium({
  directory: __dirname,
  feed: path.join(__dirname, '..', 'feed.json'),
  clock: () => now,
  timers: false,
  log: (line) => console.log(line),
  show: (notification) => console.log(`On the screen: ${notification.message}`),
});

// 4.1 Notification handling: before initPlot
plot.addEventListener('plotNotificationReceived', (notification) => {
  console.log(`Opened: ${notification.identifier}, ${notification.message}, ${notification.data}`);
});

plot.initPlot({ notificationFilterEnabled: true, geotriggerHandlerEnabled: true });

// 4.7 Segmentation

// Set the segment for being a premium member to true.
plot.setBooleanSegmentationProperty("premiumMember", true);

// Set the segment for gender to male.
plot.setStringSegmentationProperty("gender", "M");

// Set the segment for year of birth to 1980.
plot.setIntegerSegmentationProperty("yearOfBirth", 1980);

// Set the segment for money spent to $10.35.
plot.setDoubleSegmentationProperty("moneySpent", 10.35);

// Set the sign-up date segment to now.
plot.setDateSegmentationProperty("signUp", new Date());

// 4.4 Retrieve cached notifications
const cachedNotifications = plot.getLoadedNotifications();
const cachedGeotriggers = plot.getLoadedGeotriggers();
console.log(`Listening to ${cachedNotifications.length} notification and ${cachedGeotriggers.length} geotriggers`);

// A person walks into the shop, and taps what appears.
device.updateLocation({ latitude: 52.365, longitude: 4.89 });
now += 60_000;
device.updateLocation({ latitude: 52.36, longitude: 4.885 });

setTimeout(() => {
  // 4.5 List sent notifications and geotriggers
  for (const sent of plot.getSentNotifications()) device.openNotification(sent.matchIdentifier);
  for (const sent of plot.getSentGeotriggers()) console.log(`Geotrigger: ${sent.name}, handled: ${sent.isHandled}`);
  plot.clearSentNotifications();
  plot.clearSentGeotriggers();
  device.close();
}, 100);
