'use strict';
// Made from docs/calls.json by scripts/call_tables.py: do not edit.

/** The inputs of vectors that bindings only hand over: the method, and the keys of its arguments. */
module.exports = {
  foreground: ['setForeground', ['value']],
  network: ['setNetwork', ['value']],
  clearAllData: ['clearAllData', []],
};
