'use strict';
// An app that keeps itself up to date: its notifications come from a campaign service, and its events go there.
//   node live.js CONFIG STORE     reads "LATITUDE LONGITUDE" lines from standard input, until they end

const readline = require('node:readline');
const { Engine } = require('plotengine');
const { Sync } = require('plotengine/sync');

async function main([config, store]) {
  const engine = new Engine({ onShow: ({ message }) => console.log('shown:', message) });
  engine.init(config, { store });
  const sync = new Sync(engine, { facts: { platform: 'linux' } });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [latitude, longitude] = line.split(' ').map(Number);
    engine.updateLocation({ latitude, longitude, accuracy: 5 });
  }
  sync.stop();
  engine.close();
}

main(process.argv.slice(2));
