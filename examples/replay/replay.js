'use strict';
// Plays a recording and prints it as it would be made now: node replay.js RECORDING

const fs = require('node:fs');
const { PlotError, replay } = require('plotengine');

const [recording] = process.argv.slice(2);
if (recording === undefined) {
  console.error('usage: replay.js RECORDING');
  process.exit(2);
}
try {
  process.stdout.write(replay(fs.readFileSync(recording)));
} catch (error) {
  if (!(error instanceof PlotError) && error.syscall === undefined) throw error;
  console.error(`replay: ${error.message}`);
  process.exitCode = 1;
}
