const { Engine } = require('plotengine');

const feed = {
  version: 1,
  regions: [{ id: 'museum', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 200 }],
  campaigns: [{ id: 'welcome', type: 'notification', message: 'Welcome!', regions: ['museum'] }],
};
const shown = [];
const engine = new Engine({ onShow: (notification) => { shown.push(notification); } });
engine.init({});
engine.setFeed(feed);
engine.updateLocation({ latitude: 52.3601, longitude: 4.8851, accuracy: 10 });
console.log(shown.length ? shown[0].message : engine.explain('welcome').sentence);
engine.close();
