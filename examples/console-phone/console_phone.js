#!/usr/bin/env node
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
  console.error('usage: console_phone.js TRACK.gpx [--config plotconfig.json] [--feed feed.json] [--speed N]');
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
    if (last === undefined) { // The first fix starts the engine, because the walk has times of its own.
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
