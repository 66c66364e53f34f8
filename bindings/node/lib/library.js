'use strict';
// Finds and opens the C library, once in a thread, and carries calls over the border: out-parameters, errors, texts.

const fs = require('node:fs');
const path = require('node:path');
const { isMainThread } = require('node:worker_threads');
const { ffi, kind } = require('./ffi.js');
const raw = require('./raw.js');
const { PlotError, fault } = require('./errors.js');
const { translated } = require('./words.js');

const LIBRARY = 'libplotengine.so.0';

/** Where the library may be, best first: what the environment says, what the package carries, what a build left. */
function candidates() {
  if (process.env.PLOTENGINE_LIBRARY) return [path.resolve(process.env.PLOTENGINE_LIBRARY)];
  const root = path.join(__dirname, '..');
  return [
    path.join(root, 'prebuilds', `${process.platform}-${process.arch}-glibc`, LIBRARY),
    path.join(root, '..', '..', 'build', 'lib', LIBRARY),
  ];
}

function open() {
  const tried = [];
  for (const file of candidates()) {
    if (!fs.existsSync(file)) {
      tried.push(`  ${file}: not there`);
      continue;
    }
    try {
      const opened = ffi.dlopen(file, raw.functions);
      return { file, ...opened };
    } catch (error) {
      tried.push(`  ${file}: ${error.message}`);
    }
  }
  const error = new Error(
    `plotengine: ${LIBRARY} could not be opened. Set PLOTENGINE_LIBRARY to its path. Tried:\n${tried.join('\n')}`);
  error.code = 'ERR_PLOTENGINE_NO_LIBRARY';
  throw error;
}

const { file, lib, functions: C } = open();

const abi = C.plot_abi_version();
if (abi < raw.ABI_VERSION) {
  throw new Error(`plotengine: ${file} has ABI version ${abi}; this package needs ${raw.ABI_VERSION} or later`);
}

// Out-parameters live in one block of memory that never moves. Each call that is under way has a frame of two words
// of its own, because a callback may call again before the outer call has returned.
const FRAMES = 256;
const block = new ArrayBuffer(FRAMES * 16);
const words = new BigUint64Array(block);
const signed = new BigInt64Array(block);
const doubles = new Float64Array(block);
const base = ffi.getRawPointer(block);
const outPointers = Array.from({ length: FRAMES }, (_, i) => base + BigInt(i * 16));
const errorPointers = Array.from({ length: FRAMES }, (_, i) => base + BigInt(i * 16 + 8));
let depth = 0;

function enter() {
  if (depth === FRAMES) throw new RangeError(`plotengine: more than ${FRAMES} calls inside each other`);
  const frame = depth++;
  words[2 * frame] = 0n;
  words[2 * frame + 1] = 0n;
  return frame;
}

function leave() {
  if (--depth === 0 && exit !== null) process.exit(exit.code);
}

// ---- Callbacks -------------------------------------------------------------------------------------------------
//
// In a worker thread process.exit() ends what is running at once, and so a call of the library in its middle: Node's own module and Deno
// then end the whole process. There it waits until the outermost call has returned; of what a handler does after it, nothing is done, as it throws.

let exit = null;

function exitLater(code) {
  exit ??= { code };
  throw new Error('process.exit() in a handler: the thread ends when the call has returned.');
}

function exitingLater(body) {
  return (...given) => {
    const { exit: atOnce } = process;
    process.exit = exitLater;
    try {
      return body(...given);
    } finally {
      process.exit = atOnce;
    }
  };
}

/** The address at which the library calls `body` on this thread, as a callback of the type. It is never unregistered. */
function register(type, body) {
  return lib.registerCallback(raw.callbacks[type], isMainThread ? body : exitingLater(body));
}

const text = (pointer) => ffi.toString(pointer) ?? '';

/** The name of a status, as the header has it. */
const statusName = (status) => text(C.plot_status_name(status));

/** The error for a status and an error object, which is freed. */
function takeError(status, pointer) {
  const code = statusName(status);
  if (pointer === 0n) return new PlotError(`The engine refused: ${code}`, { code, status });
  const message = text(C.plot_error_get_message(pointer));
  const found = text(C.plot_error_get_found(pointer));
  const error = new PlotError(translated(message), {
    code,
    status,
    line: C.plot_error_get_line(pointer),
    column: C.plot_error_get_column(pointer),
    pointer: text(C.plot_error_get_pointer(pointer)),
    expected: translated(text(C.plot_error_get_expected(pointer))),
    found: found === 'NULL' ? 'null' : found,
    kind: text(C.plot_error_get_kind(pointer)),
    page: text(C.plot_error_get_page(pointer)),
    cure: text(C.plot_error_get_cure(pointer)),
  });
  C.plot_error_free(pointer);
  originals.set(error, message);
  return error;
}

const originals = new WeakMap();
/** The message of an error in the header's words, which are the same in every language. */
const originalMessage = (error) => originals.get(error) ?? error.message;

/** The text of a plot_string, which is freed. */
function takeString(pointer) {
  const result = text(C.plot_string_get(pointer));
  C.plot_string_free(pointer);
  return result;
}

/** Calls a function whose last parameters are `out` and `error`. Gives what `read` makes of the frame. */
function callOut(fn, read, ...args) {
  const frame = enter();
  try {
    const status = fn(...args, outPointers[frame], errorPointers[frame]);
    if (status !== 0) throw takeError(status, words[2 * frame + 1]);
    return read(frame);
  } finally {
    leave();
  }
}

/** Calls a function whose last parameter is `error`. */
function callError(fn, ...args) {
  const frame = enter();
  try {
    const status = fn(...args, errorPointers[frame]);
    if (status !== 0) throw takeError(status, words[2 * frame + 1]);
  } finally {
    leave();
  }
}

const asPointer = (frame) => words[2 * frame];
const asString = (frame) => takeString(words[2 * frame]);
/** Bytes, with zeros or not. */
function takeBytes(pointer) {
  const length = Number(C.plot_string_get_length(pointer));
  const bytes = new Uint8Array(length === 0 ? 0 : ffi.toArrayBuffer(C.plot_string_get(pointer), length, true));
  C.plot_string_free(pointer);
  return bytes;
}
const asBytes = (frame) => takeBytes(words[2 * frame]);
const asInt64 = (frame) => signed[2 * frame];
const asInt32 = (frame) => Number(BigInt.asIntN(32, signed[2 * frame]));
const asDouble = (frame) => doubles[2 * frame];

/** Text for the library: refused where a conversion would change it in silence. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
function checkText(value, name) {
  if (typeof value !== 'string') throw fault(`${name}: expected a string, found ${describe(value)}`);
  if (value.includes('\0') || LONE_SURROGATE.test(value)) {
    throw fault(`${name}: expected Unicode text without NUL, found ${JSON.stringify(value)}`);
  }
  return value;
}

function describe(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'undefined': return 'undefined';
    case 'number': case 'boolean': return String(value);
    case 'bigint': return `${value}n`;
    case 'string': return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'function': return 'a function';
    case 'symbol': return 'a symbol';
    default: return value instanceof Date ? 'an invalid Date' : `an object of ${value.constructor?.name ?? 'no class'}`;
  }
}

module.exports = {
  C, lib, ffi, file, kind, text, takeString, callOut, callError, enter, leave, register, takeError, statusName, errorPointers, outPointers, words,
  asPointer, asString, asBytes, asInt64, asInt32, asDouble, checkText, describe, originalMessage,
};
