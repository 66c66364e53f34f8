'use strict';
const { C, asPointer, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { kindOf, checkMemory, isSteady, copyOf } = require('../buffers.js');
const { effectsAt } = require('../batch.js');

/** Effects as columns; freed. */
function takeEffects(frame) {
  const pointer = asPointer(frame);
  try {
    return effectsAt(pointer);
  } finally {
    C.plot_effects_free(pointer);
  }
}

/** A state's bytes, in memory that nobody else changes. */
function stateIn(state, name) {
  if (kindOf(state) !== 'Uint8Array') throw fault(`${name}: expected a Uint8Array, found ${describe(state)}`);
  checkMemory(state, name);
  return isSteady(state) ? state : copyOf(state);
}

module.exports = { takeEffects, stateIn };
