'use strict';
// The interface of node:ffi, as this package uses it. Runs on whichever of the two lib/ffi.js has chosen: with
// PLOTENGINE_FFI=builtin the same checks hold the shim and the built-in module to the same behaviour.

const { test, before } = require('node:test');
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ffi, kind } = require('../lib/ffi.js');
const { root, folder, node } = require('./helpers.js');

const library = path.join(os.tmpdir(), `plotengine-fixture-${process.pid}.so`);
const two = (type) => ({ return: type, arguments: [type, type] });
const definitions = {
  add_i8: two('int8'), add_u8: two('uint8'), add_i16: two('int16'), add_u16: two('uint16'), add_i32: two('int32'), add_u32: two('uint32'),
  add_i64: two('int64'), add_u64: two('uint64'), add_f32: two('float32'), add_f64: two('float64'),
  same_char: { return: 'char', arguments: ['char'] },
  same_pointer: { return: 'pointer', arguments: ['pointer'] },
  text_length: { return: 'uint64', arguments: ['string'] },
  two_lengths: { return: 'uint64', arguments: ['string', 'string'] },
  sum: { return: 'uint64', arguments: ['buffer', 'uint64'] },
  reverse: { arguments: ['buffer', 'uint64'] },
  count: {},
  counted: { return: 'int32' },
  many: { return: 'float64', arguments: ['int32', 'float64', 'int64', 'float32', 'uint8', 'float64', 'int16', 'float64', 'uint64', 'float64'] },
  allocate: { return: 'pointer', arguments: ['uint64'] },
  release: { arguments: ['pointer'] },
  call_int: { return: 'int32', arguments: ['function', 'int32'] },
  call_void: { arguments: ['pointer'] },
  call_text: { arguments: ['pointer'] },
  call_wide: { return: 'int64', arguments: ['pointer'] },
  call_i8: { return: 'int8', arguments: ['pointer'] },
  call_u16: { return: 'uint16', arguments: ['pointer'] },
  call_f32: { return: 'float32', arguments: ['pointer'] },
  call_f64: { return: 'float64', arguments: ['pointer'] },
  call_null: { return: 'int32', arguments: ['pointer'] },
};
let lib;
let C;

before(() => {
  const source = path.join(__dirname, 'fixtures', 'fixture.c');
  const result = spawnSync(process.env.CC || 'cc', ['-shared', '-fPIC', '-O1', source, '-o', library, '-lpthread'], { encoding: 'utf8' });
  assert.strictEqual(result.status, 0, result.stderr);
  ({ lib, functions: C } = ffi.dlopen(library, definitions));
  process.on('exit', () => fs.rmSync(library, { force: true }));
});

const badValue = (message) => ({ name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE', message });
const badType = { code: 'ERR_INVALID_ARG_TYPE' };
const closed = { code: 'ERR_FFI_LIBRARY_CLOSED' };

test('integers wrap as their C types do', () => {
  assert.strictEqual(C.add_i8(120, 10), -126);
  assert.strictEqual(C.add_u8(250, 10), 4);
  assert.strictEqual(C.add_i16(32767, 1), -32768);
  assert.strictEqual(C.add_u16(65530, 10), 4);
  assert.strictEqual(C.add_i32(-10, 52), 42);
  assert.strictEqual(C.add_u32(0xFFFFFFFF, 1), 0);
  assert.strictEqual(C.add_i64(-(2n ** 63n), 1n), -(2n ** 63n) + 1n);
  assert.strictEqual(C.add_u64(2n ** 64n - 1n, 0n), 2n ** 64n - 1n);
  assert.strictEqual(C.same_char(process.arch === 'x64' ? -128 : 128), process.arch === 'x64' ? -128 : 128);
});

test('floats, and more arguments than there are registers', () => {
  assert.strictEqual(C.add_f32(1.25, 2.5), 3.75);
  assert.strictEqual(C.add_f64(0.1, 0.2), 0.1 + 0.2);
  assert.ok(Number.isNaN(C.add_f64(NaN, 1)));
  assert.strictEqual(C.many(1, 2, 3n, 4, 5, 6, 7, 8, 9n, 10), 55);
});

test('nothing in, nothing out', () => {
  assert.strictEqual(C.count(), undefined);
  C.count();
  assert.strictEqual(C.counted(), 2);
});

test('arguments out of their range are refused, with their index', () => {
  for (const [name, article, values] of [
    ['add_i8', 'an int8', [1.5, 128, -129, NaN, Infinity, '1', true, 1n, null, undefined, {}]],
    ['add_u8', 'a uint8', [-1, 256, 0.5, NaN, true, 1n]],
    ['add_i16', 'an int16', [32768, -32769, NaN]],
    ['add_u16', 'a uint16', [65536, -1]],
    ['add_i32', 'an int32', [2 ** 31, -(2 ** 31) - 1, 1.5, NaN, '1', 1n, undefined]],
    ['add_u32', 'a uint32', [2 ** 32, -1, NaN]],
    ['add_i64', 'an int64', [2n ** 63n, -(2n ** 63n) - 1n, 1, 2 ** 53, 1.5, NaN, '1', null]],
    ['add_u64', 'a uint64', [2n ** 64n, -1n, 1, -1, 2 ** 53, NaN, '1']],
    ['add_f32', 'a float', ['1', 1n, null, undefined, {}]],
    ['add_f64', 'a double', ['1', 1n, true, {}]],
  ]) {
    const good = name.endsWith('64') && name[4] !== 'f' ? 1n : 1;
    for (const value of values) {
      assert.throws(() => C[name](value, good), badValue(`Argument 0 must be ${article}`), `${name}(${String(value)})`);
      assert.throws(() => C[name](good, value), badValue(`Argument 1 must be ${article}`));
    }
  }
});

test('the number of arguments is exact', () => {
  assert.throws(() => C.add_i32(1), badValue('Invalid argument count: expected 2, got 1'));
  assert.throws(() => C.add_i32(1, 2, 3), badValue('Invalid argument count: expected 2, got 3'));
  assert.throws(() => C.count(1), badValue('Invalid argument count: expected 0, got 1'));
});

test('pointers: null, undefined, bigint', () => {
  assert.strictEqual(C.same_pointer(null), 0n);
  assert.strictEqual(C.same_pointer(undefined), 0n);
  assert.strictEqual(C.same_pointer(0x1234n), 0x1234n);
  assert.strictEqual(C.same_pointer(2n ** 64n - 1n), 2n ** 64n - 1n);
  assert.throws(() => C.same_pointer(-1n), badValue('Argument 0 must be a non-negative pointer bigint'));
  assert.throws(() => C.same_pointer(2n ** 64n), badValue('Argument 0 must be a non-negative pointer bigint'));
  for (const value of [1, true, Symbol('x'), {}, [], () => {}]) {
    assert.throws(() => C.same_pointer(value), badValue('Argument 0 must be a buffer, an ArrayBuffer, a string, or a bigint'));
  }
});

test('texts go in as temporary UTF-8', () => {
  assert.strictEqual(C.text_length('héllo'), 6n);
  assert.strictEqual(C.text_length(''), 0n);
  assert.strictEqual(C.text_length(null), 0n);
  assert.strictEqual(C.text_length(Buffer.from('four\0')), 4n);
  assert.strictEqual(C.two_lengths('abc', 'x'.repeat(999)), 3999n);
  assert.strictEqual(C.two_lengths('y'.repeat(1500), 'x'.repeat(900)), 1500900n);
  assert.strictEqual(C.text_length('z'.repeat(100_000)), 100_000n);
  assert.throws(() => C.text_length('a\0b'), badValue('Argument 0 must not contain null bytes'));
});

test('bytes are borrowed, not copied', () => {
  const bytes = Buffer.from([1, 2, 3, 4]);
  assert.strictEqual(C.sum(bytes, 4n), 10n);
  C.reverse(bytes, 4n);
  assert.deepStrictEqual([...bytes], [4, 3, 2, 1]);
  const whole = new Uint8Array([5, 6, 7, 8]);
  assert.strictEqual(C.sum(whole.buffer, 4n), 26n);
  assert.strictEqual(C.sum(whole.subarray(1, 3), 2n), 13n);
  assert.strictEqual(C.sum(new DataView(whole.buffer, 2), 2n), 15n);
  assert.strictEqual(C.sum(new Uint16Array([0x0102]), 2n), 3n);
  assert.strictEqual(C.same_pointer(bytes), ffi.getRawPointer(bytes));
});

test('detached memory is none', () => {
  const buffer = new ArrayBuffer(8);
  const view = new Uint8Array(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  for (const gone of [buffer, view, new DataView(new ArrayBuffer(0))]) {
    assert.strictEqual(C.same_pointer(gone), 0n);
    assert.strictEqual(ffi.getRawPointer(gone), 0n);
  }
  assert.strictEqual(C.sum(view, 0n), 0n);
});

test('memory is read and written', () => {
  const at = C.allocate(64n);
  for (const [name, values] of [
    ['Int8', [-128, 127]], ['Uint8', [0, 255]], ['Int16', [-32768, 32767]], ['Uint16', [65535]], ['Int32', [-(2 ** 31)]],
    ['Uint32', [2 ** 32 - 1]], ['Int64', [-(2n ** 63n)]], ['Uint64', [2n ** 64n - 1n]], ['Float32', [0.25]], ['Float64', [0.1]],
  ]) {
    for (const value of values) {
      for (const offset of [0, 3]) {
        ffi[`set${name}`](at, offset, value);
        assert.strictEqual(ffi[`get${name}`](at, offset), value);
      }
    }
  }
  ffi.setInt64(at, 0, 5);
  assert.strictEqual(ffi.getInt64(at), 5n);
  ffi.exportString('né', at, 64);
  assert.strictEqual(ffi.toString(at), 'né');
  ffi.exportString('A', at, 8, 'utf16le');
  assert.deepStrictEqual([...ffi.toBuffer(at, 4)], [0x41, 0, 0, 0]);
  ffi.exportBuffer(Buffer.from([9, 8, 7]), at, 3);
  const copy = ffi.toBuffer(at, 3);
  const view = ffi.toBuffer(at, 3, false);
  view[0] = 1;
  assert.deepStrictEqual([[...copy], [...ffi.toBuffer(at, 3)]], [[9, 8, 7], [1, 8, 7]]);
  ffi.exportArrayBuffer(new Uint8Array([1, 2]).buffer, at, 2);
  ffi.exportArrayBufferView(new Uint8Array([3]), at + 2n, 1);
  assert.deepStrictEqual([...new Uint8Array(ffi.toArrayBuffer(at, 3))], [1, 2, 3]);
  C.release(at);
});

test('memory arguments are checked', () => {
  const at = C.allocate(8n);
  assert.strictEqual(ffi.toString(0n), null);
  assert.strictEqual(ffi.toBuffer(0n, 0).length, 0);
  assert.throws(() => ffi.getInt32(0n), { code: 'ERR_FFI_INVALID_POINTER', message: 'Cannot dereference a null pointer' });
  assert.throws(() => ffi.getInt32(1), badValue('The pointer must be a bigint'));
  assert.throws(() => ffi.getInt32(at, '0'), badValue('The offset must be a number'));
  assert.throws(() => ffi.getInt32(-1n), badValue('The pointer must be a non-negative bigint'));
  assert.throws(() => ffi.getInt8(2n ** 64n - 1n, 8), badValue('The pointer and offset exceed the platform address range'));
  assert.throws(() => ffi.getInt32(2n ** 64n - 2n), badValue('The accessed range exceeds the platform address range'));
  assert.throws(() => ffi.setInt8(at, 0, 1.5), badValue('Value must be an int8'));
  assert.throws(() => ffi.setUint64(at, 0, -1n), badValue('Value must be a uint64'));
  assert.throws(() => ffi.setInt64(at, 0, 2 ** 53), badValue('Value must be an int64'));
  assert.throws(() => ffi.setInt64(at, 0, '1'), badValue('Value must be a bigint or a number'));
  assert.throws(() => ffi.setFloat64(at, 0, 1n), badValue('Value must be a number'));
  assert.throws(() => ffi.setUint8(at), /Expected an offset argument/);
  assert.throws(() => ffi.setUint8(at, 0), /Expected a value argument/);
  assert.throws(() => ffi.toBuffer('x', 4), badType);
  assert.throws(() => ffi.toBuffer(at, -1), badValue('The length must be a non-negative integer'));
  assert.throws(() => ffi.toBuffer(0n, 1), /Cannot create a buffer from a null pointer/);
  assert.throws(() => ffi.toBuffer(at, '4'), badValue('The length must be a number'));
  assert.throws(() => ffi.exportString('ok', at, 2), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => ffi.exportString(1, at, 2), badType);
  assert.throws(() => ffi.exportBuffer(Buffer.alloc(2), at, 1), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => ffi.exportBuffer(new Uint8Array(2), at, 2), badType);
  assert.throws(() => ffi.exportArrayBuffer({ byteLength: 1 }, at, 4), badType);
  assert.throws(() => ffi.getRawPointer('x'), badType);
  C.release(at);
});

test('callbacks take and give each type', () => {
  const seen = [];
  const twice = lib.registerCallback({ return: 'int32', arguments: ['int32'] }, (value) => value * 2);
  const text = lib.registerCallback({ arguments: ['pointer'] }, (pointer) => { seen.push(ffi.toString(pointer)); });
  const wide = lib.registerCallback({ return: 'int64', arguments: ['int64', 'uint64', 'float64', 'float32', 'int8', 'pointer'] }, (...args) => {
    seen.push(args);
    return -(2n ** 62n);
  });
  assert.strictEqual(typeof twice, 'bigint');
  assert.strictEqual(C.call_int(twice, -21), -42);
  C.call_text(text);
  assert.strictEqual(C.call_wide(wide), -(2n ** 62n));
  assert.deepStrictEqual(seen, ['héllo', [-(2n ** 63n), 2n ** 64n - 1n, 0.5, 0.25, -7, 0n]]);
  for (const [call, type, value] of [['call_i8', 'int8', -3], ['call_u16', 'uint16', 65535], ['call_f32', 'float32', 0.5], ['call_f64', 'float64', 0.1]]) {
    const pointer = lib.registerCallback({ return: type }, () => value);
    assert.strictEqual(C[call](pointer), value);
    lib.unregisterCallback(pointer);
  }
  for (const value of [null, undefined, 0n]) {
    const pointer = lib.registerCallback({ return: 'pointer' }, () => value);
    assert.strictEqual(C.call_null(pointer), 1);
    lib.unregisterCallback(pointer);
  }
  for (const pointer of [twice, text, wide]) lib.unregisterCallback(pointer);
});

test('callbacks may call again, and register others', () => {
  let inner = 0;
  const leaf = lib.registerCallback(() => { inner++; });
  const outer = lib.registerCallback({ return: 'int32', arguments: ['int32'] }, (value) => {
    C.call_void(leaf);
    lib.unregisterCallback(lib.registerCallback(() => {}));
    return value + 1;
  });
  assert.strictEqual(C.call_int(outer, 1), 2);
  assert.strictEqual(inner, 1);
  assert.throws(() => C.add_i32(1), /expected 2, got 1/); // an error inside does not linger
  lib.unregisterCallback(outer);
  lib.unregisterCallback(leaf);
});

test('registering is checked', () => {
  assert.throws(() => lib.registerCallback(1), badType);
  assert.throws(() => lib.registerCallback({}, 1), badType);
  assert.throws(() => lib.registerCallback({ return: 'bogus' }, () => {}), badValue('Unsupported FFI type: bogus'));
  const pointer = lib.registerCallback(() => {});
  lib.unrefCallback(pointer);
  lib.refCallback(pointer);
  lib.unregisterCallback(pointer);
  assert.throws(() => lib.unregisterCallback(pointer), badValue('Callback not found'));
  assert.throws(() => lib.refCallback(pointer), badValue('Callback not found'));
  assert.throws(() => lib.unregisterCallback(-1n), badValue('The first argument must be a non-negative bigint'));
  assert.throws(() => lib.unregisterCallback(1), badType);
});

const inProcess = (body) => node(`
  const { ffi } = require('./lib/ffi.js');
  const { lib, functions: C } = ffi.dlopen(process.argv[1], {
    call_int: { return: 'int32', arguments: ['pointer', 'int32'] }, call_void: { arguments: ['pointer'] }, call_on_thread: { arguments: ['pointer'] } });
  const one = (fn) => lib.registerCallback({ return: 'int32', arguments: ['int32'] }, fn);
  ${body}
  console.log('survived');`, { args: [library] });

test('what a callback must not do ends the process', () => {
  for (const [body, said] of [
    ['C.call_int(one(() => { throw new Error("thrown inside"); }), 1);', /Callbacks cannot throw/],
    ['C.call_int(one(() => { throw null; }), 1);', /Callbacks cannot throw/],
    ['C.call_int(one(async () => 1), 1);', /promise/],
    ['C.call_int(one(() => 1.5), 1);', /invalid value/],
    ['C.call_int(one(() => 2 ** 31), 1);', /invalid value/],
    ['C.call_on_thread(lib.registerCallback(() => {}));', /thread/],
  ]) {
    const result = inProcess(body);
    assert.notStrictEqual(result.status, 0, body);
    assert.doesNotMatch(result.stdout, /survived/);
    assert.match(result.stderr, said, body);
  }
});

test('an unreferenced callback that was collected gives zero', () => {
  const result = node(`
    const { ffi } = require('./lib/ffi.js');
    const { lib, functions: C } = ffi.dlopen(process.argv[1], { call_int: { return: 'int32', arguments: ['pointer', 'int32'] } });
    let pointer;
    (() => { pointer = lib.registerCallback({ return: 'int32', arguments: ['int32'] }, (value) => value + 1); })();
    console.log(C.call_int(pointer, 1));
    lib.unrefCallback(pointer);
    setTimeout(() => { gc(); setTimeout(() => { gc(); console.log(C.call_int(pointer, 1));
      try { lib.refCallback(pointer); } catch (error) { console.log(error.code); } }, 10); }, 10);`, { flags: ['--expose-gc'], args: [library] });
  assert.strictEqual(result.stdout, '2\n0\nERR_INVALID_ARG_VALUE\n', result.stderr);
});

test('libraries and symbols', () => {
  const { lib: own, functions } = ffi.dlopen(library);
  assert.deepStrictEqual(Object.keys(functions), []);
  assert.strictEqual(Object.getPrototypeOf(functions), null);
  assert.ok(own instanceof ffi.DynamicLibrary);
  assert.strictEqual(own.path, library);
  const add = own.getFunction('add_i32', two('int32'));
  assert.strictEqual(own.getFunction('add_i32', two('int32')).pointer, add.pointer);
  assert.strictEqual(own.getFunction('add_i32', two('i32')).pointer, add.pointer);
  assert.strictEqual(own.getSymbol('add_i32'), add.pointer);
  assert.strictEqual(ffi.dlsym(own, 'add_i32'), add.pointer);
  assert.strictEqual(own.symbols.add_i32, add.pointer);
  assert.strictEqual(own.functions.add_i32(1, 2), 3);
  assert.strictEqual(add.name, 'add_i32');
  assert.throws(() => own.getFunction('add_i32', two('uint32')), badValue('Function add_i32 was already requested with a different signature'));
  assert.throws(() => own.getFunction('missing', {}), { code: 'ERR_FFI_CALL_FAILED', message: /^dlsym failed:/ });
  assert.throws(() => own.getFunctions({ count: {}, missing: {} }), /dlsym failed:/);
  assert.deepStrictEqual(Object.keys(own.functions), ['add_i32']);
  assert.throws(() => own.getFunctions([]), { name: 'TypeError', message: 'Functions signatures must be an object' });
  assert.throws(() => own.getFunctions({ count: 1 }), { name: 'TypeError', message: 'Signature of function count must be an object' });
  assert.throws(() => own.getFunction('count', 1), { name: 'TypeError', message: 'Function signature must be an object' });
  assert.throws(() => own.getFunction('count', { return: 'bogus' }), badValue('Unsupported FFI type: bogus'));
  assert.throws(() => own.getFunction('count', { return: 1 }), badValue('Return value type of function count must be a string'));
  assert.throws(() => own.getFunction('count', { arguments: 'int32' }), badValue('Arguments list of function count must be an array'));
  assert.throws(() => own.getFunction('count', { arguments: [1] }), badValue('Argument 0 of function count must be a string'));
  assert.throws(() => own.getFunction('count\0', {}), badValue('Function name must not contain null bytes'));
  assert.throws(() => own.getSymbol('count\0'), badValue('Symbol name must not contain null bytes'));
  own.close();
  own.close();
  assert.throws(() => add(1, 2), closed);
  assert.throws(() => own.getFunction('count', {}), closed);
  assert.throws(() => own.getSymbol('count'), closed);
  assert.throws(() => own.registerCallback(() => {}), closed);
  assert.strictEqual(C.add_i32(1, 2), 3); // another handle on the same file lives on
});

test('nothing is said of a module that is experimental', () => {
  const result = node(`
    const { kind } = require('./lib/ffi.js');
    process.emitWarning('own', 'ExperimentalWarning');
    process.emitWarning('other');
    console.log(kind);`);
  assert.strictEqual(result.stdout, `${kind}\n`);
  assert.match(result.stderr, /^\(node:\d+\) ExperimentalWarning: own\n[^]*Warning: other\n$/);
  assert.doesNotMatch(result.stderr, /FFI/);
});

test('libraries that cannot be opened', () => {
  assert.throws(() => ffi.dlopen('/nowhere/lib.so'), { code: 'ERR_FFI_CALL_FAILED', message: /^dlopen failed: .*nowhere/ });
  assert.throws(() => ffi.dlopen('a\0b'), badValue('Library path must not contain null bytes'));
  assert.throws(() => ffi.dlopen(1), badType);
  assert.strictEqual(ffi.suffix, 'so');
  assert.strictEqual(ffi.types.INT_32, 'int32');
  const { functions, lib: process } = ffi.dlopen(null, { abs: { return: 'int32', arguments: ['int32'] } });
  assert.strictEqual(functions.abs(-3), 3);
  process.close();
});

test('a function keeps its library', async () => {
  const result = node(`
    const { ffi } = require('./lib/ffi.js');
    let add = new ffi.DynamicLibrary(process.argv[1]).getFunction('add_i32', { return: 'int32', arguments: ['int32', 'int32'] });
    let turns = 0;
    (function turn() { gc(); if (add(20, 22) !== 42) process.exit(1); if (++turns < 5) setImmediate(turn); else console.log('held'); })();`,
  { flags: ['--expose-gc'], args: [library] });
  assert.strictEqual(result.stdout, 'held\n', result.stderr);
});

test('worker threads have libraries and callbacks of their own', () => {
  const result = node(`
    const { Worker } = require('node:worker_threads');
    const body = \`
      const { ffi } = require(process.cwd() + '/lib/ffi.js');
      const { lib, functions: C } = ffi.dlopen(require('node:worker_threads').workerData, { call_int: { return: 'int32', arguments: ['pointer', 'int32'] } });
      const pointer = lib.registerCallback({ return: 'int32', arguments: ['int32'] }, (value) => value + 1);
      require('node:worker_threads').parentPort.postMessage(C.call_int(pointer, 1));\`;
    let answers = 0;
    for (let i = 0; i < 4; i++) new Worker(body, { eval: true, workerData: process.argv[1] }).on('message', (value) => { if (value === 2 && ++answers === 4) console.log('four'); });`,
  { args: [library] });
  assert.strictEqual(result.stdout, 'four\n', result.stderr);
});

// Node's own module and Deno end the process then; lib/library.js keeps process.exit from it.
test('a worker that is stopped inside a callback stops alone, on Node with the shim', () => {
  for (const [how, code] of [['parentPort.postMessage(0); for (;;);', 1], ['process.exit(3);', 3]]) {
    const result = node(`
      const { Worker } = require('node:worker_threads');
      const body = \`
        const { workerData, parentPort } = require('node:worker_threads');
        const { ffi } = require(process.cwd() + '/lib/ffi.js');
        const { lib, functions: C } = ffi.dlopen(workerData, { call_int: { return: 'int32', arguments: ['pointer', 'int32'] } });
        C.call_int(lib.registerCallback({ return: 'int32', arguments: ['int32'] }, () => { ${how} }), 1);
        parentPort.postMessage('went on');\`;
      const worker = new Worker(body, { eval: true, workerData: process.argv[1] });
      worker.on('message', (message) => { if (message === 0) worker.terminate(); else console.log(message); });
      worker.on('exit', (code) => console.log('exit', code));`, { args: [library] });
    if (kind === 'builtin' || (process.versions.deno && code === 3)) {
      assert.match(result.stderr, /Callbacks cannot throw an exception/);
      assert.strictEqual(result.signal, 'SIGABRT');
      continue;
    }
    assert.strictEqual(result.stdout, `exit ${code}\n`, result.stderr);
    assert.strictEqual(result.status, 0);
  }
});

test('the permission model: what is to be added is named', { skip: Boolean(process.versions.bun || process.versions.deno) }, () => {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const flags = [flag, '--allow-fs-read=*', '--no-warnings'];
  const env = { PLOTENGINE_FFI: 'shim', NODE_OPTIONS: '' };
  const refused = node("require('./index.js')", { flags, env });
  assert.notStrictEqual(refused.status, 0);
  assert.match(refused.stderr, /permission model keeps the package's addon from being loaded\. Add --allow-addons/);
  const allowed = node("console.log(require('./index.js').liveObjects())", { flags: [...flags, '--allow-addons'], env });
  assert.strictEqual(allowed.stdout, '0\n', allowed.stderr);
});

test('the build says what is missing', (t) => {
  const place = folder(t);
  const build = (env) => spawnSync(process.execPath, [path.join(root, 'shim', 'build.js'), '--output', path.join(place, 'shim.node')], { encoding: 'utf8', env: { ...process.env, ...env } });
  const good = build({});
  assert.strictEqual(good.status, 0, good.stderr);
  assert.ok(fs.existsSync(path.join(place, 'shim.node')));
  const without = build({ CC: '/nowhere/cc' });
  assert.strictEqual(without.status, 1);
  assert.match(without.stderr, /Missing:\n {2}- a C compiler: "\/nowhere\/cc" does not run/);
  // A compiler that does not find ffi.h
  const compiler = path.join(place, 'cc');
  fs.writeFileSync(compiler, '#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 1\n', { mode: 0o755 });
  assert.match(build({ CC: compiler }).stderr, /libffi and its header \(ffi\.h\)/);
});
