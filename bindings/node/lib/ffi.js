'use strict';
// The foreign function interface: the built-in `node:ffi` where the runtime has one, else the shim, which offers
// the same. PLOTENGINE_FFI=builtin or =shim insists on one of them.

const wanted = process.env.PLOTENGINE_FFI;
if (wanted && wanted !== 'builtin' && wanted !== 'shim') {
  throw new Error(`plotengine: PLOTENGINE_FFI is "${wanted}"; expected "builtin" or "shim"`);
}

function builtin() {
  // Its warning that it is experimental goes to the standard error of programs that have not chosen it.
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'object' && rest[0] !== null ? rest[0].type : rest[0];
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
  try {
    return require('node:ffi');
  } catch (error) {
    if (wanted === 'builtin') throw error;
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const found = wanted === 'shim' ? null : builtin();

module.exports = { ffi: found ?? require('../shim'), kind: found ? 'builtin' : 'shim' };
