'use strict';
// A phone in the terminal: replays a GPX track and prints what the phone would show.
//
//   node console_phone.js TRACK.gpx [--config plotconfig.json] [--feed feed.json] [--speed N]
//
// --speed 600 plays ten minutes per second. Without it, the walk is over at once.

const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const { Engine, PlotError } = require('plotengine');

const { values, positionals: [track] } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string', default: 'plotconfig.json' },
    feed: { type: 'string', default: 'feed.json' },
    speed: { type: 'string', default: 'Infinity' },
  },
});
const speed = Number(values.speed);
if (track === undefined || !(speed > 0)) {
  console.error('usage: console_phone.js TRACK.gpx [--config FILE] [--feed FILE] [--speed N]');
  process.exit(2);
}

/** The fixes of a GPX track. */
function* fixes(text) {
  for (const [, attributes, body] of text.matchAll(/<trkpt\b([^>]*)>([^]*?)<\/trkpt>/g)) {
    const attribute = (name) => {
      return Number(new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)`).exec(attributes)[1]);
    };
    const element = (name) => new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(body)?.[1];
    yield {
      time: new Date(element('time')),
      latitude: attribute('lat'),
      longitude: attribute('lon'),
      accuracy: Number(element('accuracy') ?? NaN), // NaN: not known
      speed: Number(element('speed') ?? NaN),
    };
  }
}

const colour = (code, text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);
const say = (time, style, words) => {
  console.log(`${new Date(time).toISOString().slice(11, 16)}  ${colour(style, words)}`);
};
let shown = 0;

const engine = new Engine({
  onGeotriggers: (geotriggers) => geotriggers, // the app has handled all of them
  onEvent(record) {
    switch (record.event) {
      case 'notification-shown':
        shown++;
        say(record.time, '1;36', `${record.message}  ${record.data}`.trimEnd());
        break;
      case 'geotrigger': say(record.time, '33', `geotrigger ${record.message}`); break;
      case 'region-enter': say(record.time, '2', `+ ${record.region}`); break;
      case 'region-exit': say(record.time, '2', `- ${record.region}`); break;
      default:
    }
  },
});

async function main() {
  let last;
  for (const fix of fixes(fs.readFileSync(track, 'utf8'))) {
    if (last === undefined) {
      // The first fix starts the engine, because the walk has times of its own.
      engine.init(values.config, { time: fix.time, timeZone: null });
      engine.setStringSegmentationProperty('language', 'en', fix.time);
      engine.setBooleanSegmentationProperty('premiumMember', true, fix.time);
      engine.setFeed(values.feed, fix.time);
    } else if (speed !== Infinity) {
      await sleep((fix.time - last) / speed);
    }
    engine.updateLocation(fix);
    last = fix.time;
  }
  console.log(`${shown} notifications`);
  engine.close();
}

main().catch((error) => {
  console.error(error instanceof PlotError ? `${error.code}: ${error.message}` : error);
  process.exitCode = 1;
});
