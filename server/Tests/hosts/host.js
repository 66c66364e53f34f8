'use strict';
// An app with Node's host of the synchronization, for server/Tests/sync.py: node host.js CONFIG STORE
// reads lines: "at LATITUDE LONGITUDE", "now", "status", which prints the status as JSON.

const path = require('node:path');
const readline = require('node:readline');

const node = path.join(__dirname, '../../../bindings/node');
const { Engine } = require(node);
const { Sync } = require(path.join(node, 'sync'));

async function main([config, store]) {
  const engine = new Engine();
  engine.init(config, { store });
  const sync = new Sync(engine);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, latitude, longitude] = line.split(' ');
    if (word === 'at') engine.updateLocation({ latitude: Number(latitude), longitude: Number(longitude), accuracy: 5 });
    else if (word === 'now') engine.syncNow();
    else console.log(JSON.stringify(engine.syncStatus()));
  }
  sync.stop();
  engine.close();
}

main(process.argv.slice(2));
