'use strict';
// The interface of the built-in `node:ffi`, for runtimes without it: shim.c does the calls, this file the
// signatures and the checks. Names, defaults, texts and codes of errors are those that Node documents.

const fs = require('node:fs');
const path = require('node:path');

const TYPES = ['void', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64', 'pointer'];
const ALIASES = {
  char: 'int8', bool: 'uint8', i8: 'int8', u8: 'uint8', i16: 'int16', u16: 'uint16', i32: 'int32', u32: 'uint32',
  i64: 'int64', u64: 'uint64', f32: 'float32', float: 'float32', f64: 'float64', double: 'float64',
  ptr: 'pointer', str: 'pointer', string: 'pointer', buffer: 'pointer', arraybuffer: 'pointer', function: 'pointer',
};
if (!['x64', 'ia32'].includes(process.arch)) ALIASES.char = 'uint8'; // char is unsigned on ARM and its kin
const KINDS = new Map(TYPES.map((name, index) => [name, index]));
for (const [alias, name] of Object.entries(ALIASES)) KINDS.set(alias, KINDS.get(name));
const KIND_SIZES = [0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8];

const types = Object.freeze({
  __proto__: null,
  VOID: 'void', POINTER: 'pointer', BUFFER: 'buffer', ARRAY_BUFFER: 'arraybuffer', FUNCTION: 'function', BOOL: 'bool',
  CHAR: 'char', STRING: 'string', FLOAT: 'float', DOUBLE: 'double', INT_8: 'int8', UINT_8: 'uint8', INT_16: 'int16',
  UINT_16: 'uint16', INT_32: 'int32', UINT_32: 'uint32', INT_64: 'int64', UINT_64: 'uint64', FLOAT_32: 'float32',
  FLOAT_64: 'float64',
});

// ---- Errors ----------------------------------------------------------------------------------------------------

function coded(Kind, code, message) {
  const error = new Kind(message);
  error.code = code;
  return error;
}
const badValue = (message) => coded(TypeError, 'ERR_INVALID_ARG_VALUE', message);
const badType = (message) => coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
const badRange = (message) => coded(RangeError, 'ERR_OUT_OF_RANGE', message);

// ---- The native half -------------------------------------------------------------------------------------------

/** Where shim.node may be: built here, or shipped. */
function candidates() {
  const root = path.join(__dirname, '..');
  const list = [path.join(root, 'build', 'shim.node')];
  if (process.platform === 'linux' && process.arch === 'x64') list.push(path.join(root, 'prebuilds', 'linux-x64-glibc', 'shim.node'));
  return list;
}

function loadNative() {
  const tried = [];
  for (const file of candidates()) {
    try {
      return require(file);
    } catch (error) {
      tried.push(`  ${file}: ${fs.existsSync(file) ? error.message.split('\n')[0] : 'not there'}`);
    }
  }
  if (tried.some((line) => /addons is disabled/.test(line))) {
    throw coded(
      Error, 'ERR_PLOTENGINE_NO_FFI',
      `plotengine: Node's permission model keeps the package's addon from being loaded. Add --allow-addons, and --allow-fs-read for the package. Tried:\n${tried.join('\n')}`);
  }
  const error = new Error(
    `plotengine: this runtime (${process.version}, ${process.platform}-${process.arch}) has no node:ffi, and the shim that `
    + `stands in for it is not built. Run "node ${path.join(__dirname, 'build.js')}"; it says what is missing. Tried:\n${tried.join('\n')}`);
  error.code = 'ERR_PLOTENGINE_NO_FFI';
  throw error;
}

const native = loadNative();

// ---- Signatures ------------------------------------------------------------------------------------------------

function kindOf(name, what) {
  if (name.includes('\0')) throw badValue(`${what} must not contain null bytes`);
  const kind = KINDS.get(name);
  if (kind === undefined) throw badValue(`Unsupported FFI type: ${name}`);
  return kind;
}

/** {return, arguments} as numbers: {result, kinds}. */
function parseSignature(name, signature) {
  const returnKeys = ['returns', 'return', 'result'].filter((key) => key in signature);
  const argumentKeys = ['parameters', 'arguments'].filter((key) => key in signature);
  if (returnKeys.length > 1) throw badValue(`Function signature of ${name} must have either 'returns', 'return' or 'result' property`);
  if (argumentKeys.length > 1) throw badValue(`Function signature of ${name} must have either 'parameters' or 'arguments' property`);
  let result = 0;
  if (returnKeys.length) {
    const type = signature[returnKeys[0]];
    if (typeof type !== 'string') throw badValue(`Return value type of function ${name} must be a string`);
    result = kindOf(type, `Return value type of function ${name}`);
  }
  let kinds = [];
  if (argumentKeys.length) {
    const list = signature[argumentKeys[0]];
    if (!Array.isArray(list)) throw badValue(`Arguments list of function ${name} must be an array`);
    kinds = Array.from(list, (type, index) => {
      if (typeof type !== 'string') throw badValue(`Argument ${index} of function ${name} must be a string`);
      return kindOf(type, `Argument ${index} of function ${name}`);
    });
  }
  return { result, kinds: Uint8Array.from(kinds) };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const sameSignature = (a, b) => a.result === b.result && a.kinds.length === b.kinds.length && a.kinds.every((kind, i) => kind === b.kinds[i]);

// ---- Libraries -------------------------------------------------------------------------------------------------

class DynamicLibrary {
  #handle;
  #path;
  #closed = false;
  #functions = new Map(); // name -> {fn, signature}
  #symbols = new Map();
  #callbacks = new Set();

  constructor(libraryPath) {
    if (typeof libraryPath !== 'string' && libraryPath !== null) throw badType('Library path must be a string or null');
    if (libraryPath !== null && libraryPath.includes('\0')) throw badValue('Library path must not contain null bytes');
    this.#handle = native.open(libraryPath);
    this.#path = libraryPath;
  }

  get path() { return this.#path; }
  get functions() { return this.getFunctions(); }
  get symbols() { return this.getSymbols(); }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const pointer of this.#callbacks) native.unregisterCallback(pointer);
    this.#callbacks.clear();
    this.#functions.clear();
    this.#symbols.clear();
    native.close(this.#handle);
  }

  #open() {
    if (this.#closed) throw coded(Error, 'ERR_FFI_LIBRARY_CLOSED', 'Library is closed');
  }

  getSymbol(name) {
    if (typeof name !== 'string') throw badType('Symbol name must be a string');
    if (name.includes('\0')) throw badValue('Symbol name must not contain null bytes');
    this.#open();
    let pointer = this.#symbols.get(name);
    if (pointer === undefined) this.#symbols.set(name, pointer = native.symbol(this.#handle, name));
    return pointer;
  }

  getSymbols() {
    this.#open();
    return Object.assign(Object.create(null), Object.fromEntries(this.#symbols));
  }

  #prepare(name, signature) {
    const parsed = parseSignature(name, signature);
    this.#open();
    const known = this.#functions.get(name);
    if (known) {
      if (!sameSignature(known.signature, parsed)) throw badValue(`Function ${name} was already requested with a different signature`);
      return known;
    }
    const pointer = this.#symbols.get(name) ?? native.symbol(this.#handle, name);
    const fn = native.define(this.#handle, pointer, parsed.result, parsed.kinds, name);
    Object.defineProperty(fn, 'length', { value: parsed.kinds.length, configurable: true });
    fn.pointer = pointer;
    Object.defineProperty(fn, KEEP, { value: this }); // a function keeps its library
    return { fn, signature: parsed, pointer };
  }

  getFunction(name, signature) {
    if (typeof name !== 'string') throw badType('Function name must be a string');
    if (name.includes('\0')) throw badValue('Function name must not contain null bytes');
    if (!isObject(signature)) throw badType('Function signature must be an object');
    const entry = this.#prepare(name, signature);
    this.#functions.set(name, entry);
    this.#symbols.set(name, entry.pointer);
    return entry.fn;
  }

  getFunctions(definitions) {
    this.#open();
    const result = Object.create(null);
    if (definitions === undefined) {
      for (const [name, { fn }] of this.#functions) result[name] = fn;
      return result;
    }
    if (!isObject(definitions)) throw badType('Functions signatures must be an object');
    // All or none: nothing is kept when one of them fails.
    const entries = Object.keys(definitions).map((name) => {
      if (name.includes('\0')) throw badValue('Function name must not contain null bytes');
      if (!isObject(definitions[name])) throw badType(`Signature of function ${name} must be an object`);
      return [name, this.#prepare(name, definitions[name])];
    });
    for (const [name, entry] of entries) {
      this.#functions.set(name, entry);
      this.#symbols.set(name, entry.pointer);
      result[name] = entry.fn;
    }
    return result;
  }

  registerCallback(signature, callback) {
    if (typeof signature === 'function' && callback === undefined) {
      callback = signature;
      signature = {};
    }
    this.#open();
    if (!isObject(signature)) throw badType('First argument must be a function or a signature object');
    if (typeof callback !== 'function') throw badType('Second argument must be a function');
    const { result, kinds } = parseSignature('callback', signature);
    const pointer = native.registerCallback(result, kinds, callback);
    this.#callbacks.add(pointer);
    return pointer;
  }

  #callback(pointer) {
    if (typeof pointer !== 'bigint') throw badType('The first argument must be a bigint');
    if (pointer < 0n || pointer > MAX_POINTER) throw badValue('The first argument must be a non-negative bigint');
    this.#open();
    if (!this.#callbacks.has(pointer)) throw badValue('Callback not found');
    return pointer;
  }

  unregisterCallback(pointer) {
    native.unregisterCallback(this.#callback(pointer));
    this.#callbacks.delete(pointer);
  }

  refCallback(pointer) { native.holdCallback(this.#callback(pointer), true); }
  unrefCallback(pointer) { native.holdCallback(this.#callback(pointer), false); }
}

const KEEP = Symbol('library');
const MAX_POINTER = 2n ** 64n - 1n;
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose'); // Node 18
Object.defineProperty(DynamicLibrary.prototype, dispose, { value: DynamicLibrary.prototype.close, configurable: true, writable: true });

function dlopen(libraryPath, definitions) {
  const lib = new DynamicLibrary(libraryPath);
  try {
    const functions = definitions === undefined ? Object.create(null) : lib.getFunctions(definitions);
    return { lib, functions, [dispose]() { lib.close(); } };
  } catch (error) {
    lib.close();
    throw error;
  }
}

function checkLibrary(handle) {
  if (!(handle instanceof DynamicLibrary)) throw badType('The "handle" argument must be an instance of DynamicLibrary');
}
function dlclose(handle) {
  checkLibrary(handle);
  handle.close();
}
function dlsym(handle, symbol) {
  checkLibrary(handle);
  return handle.getSymbol(symbol);
}

// ---- Memory ----------------------------------------------------------------------------------------------------

function address(pointer, offset, size) {
  if (typeof pointer !== 'bigint') throw badValue('The pointer must be a bigint');
  if (pointer < 0n || pointer > MAX_POINTER) throw badValue('The pointer must be a non-negative bigint');
  if (typeof offset !== 'number') throw badValue('The offset must be a number');
  if (!Number.isSafeInteger(offset) || offset < 0) throw badValue('The offset must be a non-negative integer');
  if (pointer === 0n) throw coded(Error, 'ERR_FFI_INVALID_POINTER', 'Cannot dereference a null pointer');
  const place = pointer + BigInt(offset);
  if (place > MAX_POINTER) throw badValue('The pointer and offset exceed the platform address range');
  if (place + BigInt(size) - 1n > MAX_POINTER) throw badValue('The accessed range exceeds the platform address range');
  return place;
}

/** A value that is written to memory may be looser than an argument: a whole number for 64 bits, whatever converts for a float. */
function stored(type, value) {
  if (type.startsWith('float')) {
    if (typeof value === 'bigint') throw badValue('Value must be a number');
    return Number(value);
  }
  if (!type.endsWith('64') || typeof value === 'bigint') return value;
  if (typeof value !== 'number') throw badValue('Value must be a bigint or a number');
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

const memory = {};
for (const type of ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64']) {
  const kind = KINDS.get(type);
  const suffix = type[0].toUpperCase() + type.slice(1);
  memory[`get${suffix}`] = (pointer, offset = 0) => native.load(kind, address(pointer, offset, KIND_SIZES[kind]));
  memory[`set${suffix}`] = (...given) => {
    const [pointer, offset, value] = given;
    if (given.length < 2 || offset === undefined) throw badValue('Expected an offset argument');
    if (given.length < 3 || value === undefined) throw badValue('Expected a value argument');
    native.store(kind, address(pointer, offset, KIND_SIZES[kind]), stored(type, value));
  };
  Object.defineProperty(memory[`get${suffix}`], 'name', { value: `get${suffix}` });
  Object.defineProperty(memory[`set${suffix}`], 'name', { value: `set${suffix}` });
}

function checkPointer(pointer) {
  if (typeof pointer !== 'bigint') throw badType('The first argument must be a bigint');
  if (pointer < 0n || pointer > MAX_POINTER) throw badValue('The first argument must be a non-negative bigint');
}

function toString(pointer) {
  checkPointer(pointer);
  return native.text(pointer);
}

function memoryRange(pointer, length, copy, what) {
  checkPointer(pointer);
  if (typeof length !== 'number') throw badValue('The length must be a number');
  if (!Number.isSafeInteger(length) || length < 0) throw badValue('The length must be a non-negative integer');
  if (pointer === 0n && length > 0) throw coded(Error, 'ERR_FFI_INVALID_POINTER', `Cannot create ${what} from a null pointer`);
  return native.bytes(pointer, length, copy === undefined || Boolean(copy));
}
const toBuffer = (pointer, length, copy) => Buffer.from(memoryRange(pointer, length, copy, 'a buffer'));
const toArrayBuffer = (pointer, length, copy) => memoryRange(pointer, length, copy, 'an ArrayBuffer');

/** `size` is of the bytes in truth, not what an own property of theirs says; `pointer` and `length` are checked against it. */
function exportBytes(bytes, pointer, length, size) {
  checkPointer(pointer);
  if (typeof length !== 'number') throw badType('The "len" argument must be of type number');
  if (!Number.isSafeInteger(length) || length < 0) throw badRange(`The value of "len" is out of range. It must be >= 0. Received ${length}`);
  if (length < size) throw badRange(`The value of "len" is out of range. It must be >= ${size}. Received ${length}`);
  if (pointer === 0n && size > 0) throw coded(Error, 'ERR_FFI_INVALID_POINTER', 'Cannot create a buffer from a null pointer');
  native.write(pointer, bytes, length);
}

function exportString(string, pointer, length, encoding = 'utf8') {
  if (typeof string !== 'string') throw badType('The "string" argument must be of type string');
  if (typeof encoding !== 'string') throw badType('The "encoding" argument must be of type string');
  const wide = /^(utf-?16le|ucs-?2)$/i.test(encoding);
  const bytes = Buffer.concat([Buffer.from(string, encoding), Buffer.alloc(wide ? 2 : 1)]);
  exportBytes(bytes, pointer, length, bytes.length);
}
const getter = (prototype, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(prototype, name).get);
const sizeOfArrayBuffer = getter(ArrayBuffer.prototype, 'byteLength');
const sizeOfDataView = getter(DataView.prototype, 'byteLength'); // throws where the memory is gone
const sizeOfTypedArray = getter(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength');
const kindOfTypedArray = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const sizeOfView = (view) => (kindOfTypedArray(view) === undefined ? sizeOfDataView(view) : sizeOfTypedArray(view));

function exportBuffer(buffer, pointer, length) {
  if (!Buffer.isBuffer(buffer) || kindOfTypedArray(buffer) === undefined) throw badType('The "buffer" argument must be an instance of Buffer');
  exportBytes(buffer, pointer, length, sizeOfTypedArray(buffer));
}
function isArrayBuffer(value) {
  try {
    sizeOfArrayBuffer(value);
    return true;
  } catch {
    return false;
  }
}
function exportArrayBuffer(arrayBuffer, pointer, length) {
  if (!isArrayBuffer(arrayBuffer)) throw badType('The "arrayBuffer" argument must be an instance of ArrayBuffer');
  if (arrayBuffer.detached ?? (native.rawPointer(arrayBuffer) === 0n && sizeOfArrayBuffer(arrayBuffer) > 0)) {
    throw badValue('Invalid ArrayBufferView backing store');
  }
  exportBytes(arrayBuffer, pointer, length, sizeOfArrayBuffer(arrayBuffer));
}
function exportArrayBufferView(arrayBufferView, pointer, length) {
  if (!ArrayBuffer.isView(arrayBufferView)) throw badType('The "arrayBufferView" argument must be an instance of ArrayBufferView');
  exportBytes(arrayBufferView, pointer, length, sizeOfView(arrayBufferView));
}

function getRawPointer(source) {
  if (typeof SharedArrayBuffer === 'function' && source instanceof SharedArrayBuffer) source = new Uint8Array(source);
  const pointer = typeof source === 'object' && source !== null ? native.rawPointer(source) : null;
  if (pointer === null) throw badType('The first argument must be a Buffer, ArrayBuffer, or ArrayBufferView');
  return pointer;
}

const suffix = process.platform === 'win32' ? 'dll' : process.platform === 'darwin' ? 'dylib' : 'so';

module.exports = {
  DynamicLibrary, dlopen, dlclose, dlsym, suffix, types, ...memory,
  toString, toBuffer, toArrayBuffer, exportString, exportBuffer, exportArrayBuffer, exportArrayBufferView, getRawPointer,
};
