'use strict';
// One wakeup of a phone's system: a process begins, hands over why, and ends.
//
// phone_life.js SECONDS start | fix LATITUDE LONGITUDE ACCURACY | fixes FILE | region ID KIND | timer

const fs = require('node:fs');
const { Engine } = require('plotengine');

const START = Date.UTC(2026, 4, 16, 10);

const clock = (date) => new Date(date).toISOString().slice(11, 19);
const [seconds, why, ...rest] = process.argv.slice(2);
const time = START + Number(seconds) * 1000;

// A host on a phone leaves out each time, and the clock: the engine reads both itself.
const engine = new Engine({
  timers: false,
  onShow: ({ message }) => { console.log(`  shown: ${message}`); },
  onEvent: ({ event, region, since, time: at }) => {
    if (event.startsWith('region-')) console.log(`  ${event} ${region}, ${clock(since ?? at)}`);
  },
  onFixRequest: (deadline) => { console.log(`  a fix is wanted until ${clock(deadline)}`); },
});
engine.setClock(3_600_000 + Number(seconds) * 1000, 'boot 1', time);
engine.init('plotconfig.json', { store: 'store', time, timeZone: 'Europe/Amsterdam' });
if (why === 'start') {
  engine.setFeed('feed.json', time);
} else if (why === 'fix') {
  const [latitude, longitude, accuracy] = rest.map(Number);
  engine.updateLocation({ latitude, longitude, accuracy, time });
} else if (why === 'fixes') {
  const rows = fs.readFileSync(rest[0], 'utf8').trim().split('\n').map((row) => row.split(',').map(Number));
  const column = (number) => rows.map((row) => row[number]);
  engine.updateLocations({
    times: column(0).map((second) => START + second * 1000),
    latitudes: column(1), longitudes: column(2), accuracies: column(3),
  }, { together: true, time });
} else if (why === 'region') {
  engine.regionHint({ region: rest[0], kind: rest[1], time });
}
engine.advance(time);
const wakeup = engine.nextWakeup();
console.log(wakeup === null ? '  no timer' : `  next timer: ${clock(wakeup)}`);
engine.close();
