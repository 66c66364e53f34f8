// Checked by tsc, never run: what the declarations must allow, and (@ts-expect-error) what they must not.
import plotengine = require('plotengine');
import { Engine, Config, Feed, PlotError, LATER, Status, Notification, jsonText, liveObjects } from 'plotengine';
import { createPlot, CordovaDevice, CordovaHost, plot as shared, Plot } from 'plotengine/cordova';
import { createTitanium } from 'plotengine/titanium';
import { createPlotProjects } from 'plotengine/react-native';

const engine = new Engine({
  clock: () => Date.now(),
  timers: true,
  onShow: (item) => item.message.length > 0,
  onFilter(items, token) {
    const first: string = items[0].identifier;
    this.visits();
    return first === '' ? LATER : items.map((item) => ({ ...item, message: `Hello, ${item.message}` }));
  },
  onGeotriggers: async (items) => items.filter((item) => item.name !== ''),
  onOpen: (action, uri) => { if (action === 'landingPage') console.log(uri); },
});
engine.init('plotconfig.json', { time: new Date(), store: new URL('file:///tmp/plot.db') }).setFeed(Feed.load('feed.json'), 1700000000000);
engine.init({ publicToken: 'x' }, { timeZone: 'Europe/Amsterdam' });
engine.init({ publicToken: 'x' }, { timeZone: null });
// @ts-expect-error
engine.init({ publicToken: 'x' }, { stores: 'plot.db' });
// @ts-expect-error
engine.onShwo = () => {};
// @ts-expect-error
engine.updateLocation({ latitude: 52.37, longitude: 4.89, acuracy: 10 });
const reading: plotengine.ClockReading = plotengine.systemClock();
new Engine({ clock: () => ({ time: Date.now(), monotonic: reading.monotonic, boot: reading.boot }) });
const zoneHere: string | null = plotengine.systemTimeZone();
console.log(zoneHere, engine.initialized);
createPlot({ timeZone: 'UTC', clock: plotengine.systemClock });
engine.init(Config.parse('{}'));
engine.updateLocation({ latitude: 52.37, longitude: 4.89, accuracy: 10, time: new Date() });
engine.updateBeacon({ proximityUUID: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', majorId: 1, minorId: 7, proximity: 'near', time: new Date() });
engine.updateBeacon({ namespaceId: '00112233445566778899', instanceId: 'aabbccddeeff', rssi: -60.5, power: -18 });
engine.moveRegion('bus', { latitude: 52.37, longitude: 4.89 }, 1700000000000);
engine.regionHint({ region: 'shop', kind: 'inside', latitude: 52.37, longitude: 4.89, time: new Date() });
for (const planned of engine.planRegions({ budget: 20, fenceLeft: true }).add) console.log(planned.id, planned.kind === 'beacon' ? planned.majorId : planned.radius);
engine.on('region-enter', (record) => { if (record.source === 'beacon') console.log(record.since ?? record.time); });
engine.on('region-approach', (record, item) => console.log(record.arrivalSeconds, record.arrival, item));
engine.on('notification-shown', (record, item) => { const time: string = record.time; console.log(time, item?.identifier); });
engine.once('wakeup', (time) => console.log(time?.getTime())).off('log', (level, message) => console.log(level, message));
engine.addListener('fixRequest', (deadline) => deadline.getTime()).prependListener('event', (record) => console.log(record.sequence));
// @ts-expect-error
engine.on('notification-shwon', () => {});
// @ts-expect-error
engine.once('log', (level: number) => level);
engine[Symbol.dispose]();
engine[Symbol.asyncDispose]().then(() => {});
engine.on('late', ({ token, code }) => console.log(token, code));
engine.on('error', (error) => console.error(error));
engine.on('decision', (record) => console.log(record.step, record.nextPossible));
engine.onFilter = null;
engine.onWakeup = (time) => console.log(time?.getTime());
engine.setIntegerSegmentationProperty('big', 2n ** 62n);
engine.setDateSegmentationProperty('signUp', new Date());
engine.setStringSegmentationProperty('gone', null);
const sent: Notification[] = engine.sentNotifications();
engine.openNotification(sent[0]);
engine.takeAction(sent[0], 'save', new Date());
engine.setAdvertisingIdentifier(null);
engine.setStrategy('s', {
  createNewNotification: (notification, context, time) => context.displayed === 0 && notification.message !== '' && time.getTime() > 0,
  onNotificationDeleted(notification, deleted) { if (deleted) console.log(notification.identifier); },
  load(state) { if (state !== null) state.trim(); },
  save: () => null,
});
engine.removeStrategy('s');
engine.onRemove = ({ matchIdentifier }) => matchIdentifier !== 'kept';
engine.dismissNotification(engine.displayedNotifications()[0], new Date());
engine.removeNotification();
engine.updateNotification({ ...engine.displayedNotifications()[0], title: null, message: 'Sold out' }, new Date());
engine.setForeground(true);
engine.setNetwork(false, 1700000000000);
engine.testAnswer(engine.testFilter(engine.loadedNotifications()));
engine.onFilter = (items) => items.map((item) => ({
  ...item, title: null, badge: 1, attachments: [{ id: 'a', url: 'a.png' }], actions: [{ id: 'a', title: 'A' }], userInfo: { ...item.userInfo, seen: true },
}));
// @ts-expect-error: a badge is a number
engine.answerFilter(1, [{ identifier: 'x', badge: 'one' }]);
const opened: Date | null | undefined = sent[0].dateOpened;
const property = engine.getSegmentationProperties()['x'];
if (property.type === 'date') property.value.getTime();
try {
  engine.advance();
} catch (error) {
  if (error instanceof PlotError && error.code === 'PLOT_OUT_OF_ORDER') console.log(error.status === Status.PLOT_OUT_OF_ORDER, error.line, error.pointer, error.expected);
}
const count: number = liveObjects();
const text: string | undefined = jsonText(sent[0]);
console.log(opened, count, text, plotengine.version, plotengine.ffi);

// @ts-expect-error: a string is no time
engine.advance('now');
// @ts-expect-error: onShow answers at once
engine.onShow = async () => true;
// @ts-expect-error: a vote answers at once
engine.setStrategy('s', { createNewNotification: async () => true });
// @ts-expect-error: onRemove answers at once
engine.onRemove = async () => true;
// @ts-expect-error: made by load and parse
new Config();
// @ts-expect-error: an unknown option
new Engine({ onFliter: () => [] });
// @ts-expect-error: a fix has a latitude
engine.updateLocation({ longitude: 4 });
// @ts-expect-error: an iBeacon has a major and a minor
engine.updateBeacon({ proximityUUID: 'f7826da6-4fa2-4e98-8024-bc5b71e0893e', majorId: 1 });
// @ts-expect-error: a proximity that there is not
engine.updateBeacon({ namespaceId: '00112233445566778899', instanceId: 'aabbccddeeff', proximity: 'Near' });
// @ts-expect-error: a place has a longitude
engine.moveRegion('bus', { latitude: 52 });
// @ts-expect-error: a kind of hint that there is not
engine.regionHint({ region: 'shop', kind: 'dwell' });
// @ts-expect-error: the items to keep
engine.onFilter = () => undefined;
// @ts-expect-error: a status that there is not
Status.PLOT_NOTHING;
engine.close();

const { plot, device } = createPlot({ config: { publicToken: 'x' }, remoteTimeout: 1000, open: (uri, action) => console.log(uri, action) });
plot.init({ remoteNotificationFilter: 'https://example.org/' }, () => {}, (message: string) => console.error(message));
plot.init(() => {});
plot.filterCallback = (notifications) => notifications.filter((item) => item.id !== '');
plot.notificationHandler = (notification, data) => console.log(notification.id, data);
plot.sentNotifications((list) => { const date: Date | null = list[0].dateOpened; console.log(date); });
plot.isEnabled((enabled) => { const flag: 0 | 1 = enabled; console.log(flag); });
device.on('sent', (item) => console.log(item));
new CordovaHost(new CordovaDevice()).loadPlugin('plot.js').enable();
const same: Plot = shared;
// @ts-expect-error: a Date
same.setDateSegmentationProperty('signUp', 'today');

const titanium = createTitanium({ scriptTimeout: 10_000 });
titanium.plot.addEventListener('plotNotificationReceived', (event) => console.log(event.message, event.data, event.identifier));
titanium.plot.initPlot({ notificationFilterEnabled: true });
const batch = titanium.plot.popGeotriggers();
titanium.plot.markGeoTriggersHandled(batch);
titanium.plot.markGeotriggersHandled(batch.geotriggers);
console.log(titanium.plot.enabled, titanium.plot.version);

const { PlotProjects } = createPlotProjects();
PlotProjects.registerNotificationFilter((batchId, notifications) => PlotProjects.filterNotifications(batchId, JSON.stringify(notifications)));

// The documents that people write.
const place: plotengine.FeedRegion = { id: 'museum', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 200, 'x-own': 1 };
const written: plotengine.CampaignFeed = {
  version: 1, regions: [place, { id: 'all', type: 'group', regions: ['museum'] }],
  campaigns: [{ id: 'welcome', type: 'notification', message: 'Welcome!', regions: ['museum'], trigger: 'dwelling', dwellingMinutes: 5 }],
  settings: {},
};
Feed.parse(written);
const configured: plotengine.PlotConfiguration = { cooldownPeriod: 600, engine: { noise: 'balanced', initial: 'enter', filterDeadline: 10 } };
engine.init(configured).setFeed(written);
// @ts-expect-error
const slip: plotengine.FeedCampaign = { id: 'welcome', type: 'notification', message: 'Welcome!', regions: ['museum'], cooldwnPeriod: 5 };
// @ts-expect-error
const word: plotengine.FeedCampaign = { id: 'welcome', type: 'notification', message: 'Welcome!', regions: ['museum'], trigger: 'entre' };
// @ts-expect-error
const nowhere: plotengine.CampaignFeed = { version: 1, regions: [] };
console.log(slip, word, nowhere);
