'use strict';
// The true contents of a caller's buffer, and copies of it. An own property or a subclass may give any `length`; a resizable buffer shrinks, a
// transferred one is gone, a shared one is written to by other threads. The library reads addresses, and checks none of this.

const { types } = require('node:util');
const { fault } = require('./errors.js');

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const uncurry = (fn) => Function.prototype.call.bind(fn);
const getter = (prototype, name) => {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return get && uncurry(get);
};

/** "Float64Array" and so on, whatever the prototype says; undefined for anything else. */
const kindOf = getter(TypedArray, Symbol.toStringTag);
/** The number of elements; 0 where the memory is gone. */
const lengthOf = getter(TypedArray, 'length');
const bufferOf = getter(TypedArray, 'buffer');
const isResizable = getter(ArrayBuffer.prototype, 'resizable') ?? (() => false); // Node 18 has none
const elementAt = uncurry(TypedArray.at); // throws where the memory is gone

const constructors = { Uint8Array, Uint32Array, Float64Array, BigInt64Array };

/** Refuses an array whose buffer was transferred, or shrunk below it: it has no length of its own any more. */
function checkMemory(view, name) {
  if (lengthOf(view) > 0) return;
  try {
    elementAt(view, 0);
  } catch {
    throw fault(`${name}: expected an array that has its memory, found one whose buffer was transferred or shrunk`);
  }
}

/** Whether nothing but code on this thread can take the memory away or change it, and that only by transferring it. */
function isSteady(view) {
  const buffer = bufferOf(view);
  return !types.isSharedArrayBuffer(buffer) && !isResizable(buffer);
}

/** The elements as they are now, in memory that nobody else has. */
const copyOf = (view, kind = kindOf(view)) => new constructors[kind](view);

const encoder = new TextEncoder();
/** UTF-8 in memory of its own: that of a small Buffer is shared with all other small ones. */
const encoded = (text) => encoder.encode(text);

module.exports = { kindOf, lengthOf, checkMemory, isSteady, copyOf, encoded };
