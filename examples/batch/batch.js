'use strict';
// Many fixes in one call: two devices on one feed, and what their walks led to.

const { EffectKind, Engine, Feed, Fleet, Status } = require('plotengine');

const START = Date.UTC(2026, 4, 16, 10);

// Fix i is at position i of each column. The last fix is older than the one before it of device 1.
const fixes = {
  devices: Uint32Array.of(0, 1, 0, 1, 0, 1),
  times: BigInt64Array.from([1, 1, 61, 61, 121, 60], (seconds) => BigInt(START + seconds * 1000)),
  latitudes: Float64Array.of(52.3700, 52.3700, 52.3600, 52.3701, 52.3700, 52.3600),
  longitudes: Float64Array.of(4.8900, 4.8900, 4.8850, 4.8901, 4.8900, 4.8850),
};

const feed = Feed.load('feed.json');
const fleet = new Fleet([0, 1].map(() => {
  const engine = new Engine();
  engine.init('plotconfig.json', { time: START });
  engine.setFeed(feed, START);
  return engine;
}));

const statusName = (number) => Object.keys(Status).find((name) => Status[name] === number);

/** Effect i in words. Effects are columns, too. */
function words(effects, i) {
  switch (effects.kinds[i]) {
    case EffectKind.regionEnter: return `entered ${feed.regionId(effects.regions[i])}`;
    case EffectKind.regionExit: return `left ${feed.regionId(effects.regions[i])}`;
    case EffectKind.notificationShown: return `shown: ${feed.campaignId(effects.campaigns[i])}`;
    case EffectKind.refused: return `refused, ${statusName(effects.details[i])}`;
    default: return `kind ${effects.kinds[i]}`; // a later version may add kinds
  }
}

const effects = fleet.updateLocations(fixes);
for (let i = 0; i < effects.length; i++) {
  console.log(`fix ${effects.fixes[i]}, device ${effects.devices[i]}: ${words(effects, i)}`);
}
for (const engine of fleet.engines) engine.close();
