#!/usr/bin/env node
'use strict';
// Replays a recorded walk and shows what a phone would show, in the terminal:
//
//   node samples/replay.js FEED.json PLOTCONFIG.json TRACK.gpx [--speed N]
//
// --speed 600 plays ten minutes a second; without it the walk is over at once.

const fs = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { Engine, PlotError } = require('plotengine');

const args = process.argv.slice(2);
const at = args.indexOf('--speed');
const speed = at < 0 ? Infinity : Number(args.splice(at, 2)[1]);
const [feed, config, track] = args;
if (track === undefined || !(speed > 0)) {
  console.error('usage: replay.js FEED.json PLOTCONFIG.json TRACK.gpx [--speed N]');
  process.exit(2);
}

/** The fixes of a GPX track. */
function* fixes(text) {
  for (const [, attributes, body] of text.matchAll(/<trkpt\b([^>]*)>([^]*?)<\/trkpt>/g)) {
    const attribute = (name) => Number(new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)`).exec(attributes)[1]);
    const element = (name) => new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`).exec(body)?.[1];
    yield {
      time: new Date(element('time')), latitude: attribute('lat'), longitude: attribute('lon'),
      accuracy: Number(element('accuracy') ?? 0), speed: element('speed') === undefined ? undefined : Number(element('speed')),
    };
  }
}

const colour = (code, text) => (process.stdout.isTTY ? `\u001b[${code}m${text}\u001b[0m` : text);
const clock = (time) => new Date(time).toISOString().slice(11, 16);
let shown = 0;

const engine = new Engine({
  onGeotriggers: (geotriggers) => geotriggers, // the app has seen them
  onEvent(record, item) {
    const place = item?.regionName ?? record.region;
    switch (record.event) {
      case 'notification-shown':
        shown++;
        console.log(`${clock(record.time)}  ${colour('1;36', record.message)}${record.data ? colour('2', `  ${record.data}`) : ''}`);
        break;
      case 'geotrigger': console.log(`${clock(record.time)}  ${colour('33', `geotrigger ${record.message}`)}`); break;
      case 'region-enter': console.log(colour('2', `${clock(record.time)}  + ${place}`)); break;
      case 'region-exit': console.log(colour('2', `${clock(record.time)}  - ${place}`)); break;
      default:
    }
  },
});

async function main() {
  let last;
  for (const fix of fixes(fs.readFileSync(track, 'utf8'))) {
    if (last === undefined) { // the first fix starts the engine: the walk brings its own time
      engine.init(config, { time: fix.time, timeZone: null });
      engine.setStringSegmentationProperty('language', 'en', fix.time);
      engine.setBooleanSegmentationProperty('premiumMember', true, fix.time);
      engine.setFeed(feed, fix.time);
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
