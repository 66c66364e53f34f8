'use strict';
// Buffers that change while the library reads them, or lie about themselves.

const { test } = require('node:test');
const assert = require('node:assert');
const { Config, Engine, EffectKind, Feed, Fleet, PlotError, Replay, lint } = require('../index.js');
const { ffi } = require('../lib/library.js');
const shim = require('../shim');
const { watch } = require('../fuzz/buffers.js');
const { START, MINUTE, config, feed, FAR, AT_MUSEUM } = require('./helpers.js');

const refused = (words) => (error) => error instanceof PlotError && error.code === 'PLOT_INVALID_ARGUMENT' && words.test(error.message);
const closed = (error) => error.code === 'PLOT_CLOSED';
const isResizable = 'resizable' in ArrayBuffer.prototype;
const COUNT = 40_000; // so many that freed memory is unmapped

function running(t, options = {}) {
  const engine = new Engine(options);
  t.after(() => engine.close());
  engine.init(config(), { time: START });
  engine.setFeed(feed({ resend: true }), START);
  return engine;
}

/** Enters the museum with the second fix; all others are far away. */
function columns(memory = (size) => new ArrayBuffer(size)) {
  const times = new BigInt64Array(memory(8 * COUNT));
  const latitudes = new Float64Array(memory(8 * COUNT));
  const longitudes = new Float64Array(memory(8 * COUNT));
  for (let i = 0; i < COUNT; i++) {
    times[i] = BigInt(START + i * 1000);
    latitudes[i] = i === 1 ? AT_MUSEUM.latitude : FAR.latitude;
    longitudes[i] = i === 1 ? AT_MUSEUM.longitude : FAR.longitude;
  }
  return { times, latitudes, longitudes };
}
const kinds = (effects) => Array.from(effects.kinds, (kind) => Object.keys(EffectKind).find((name) => EffectKind[name] === kind));
const VISIT = ['regionEnter', 'notificationShown', 'regionExit'];

const MEDDLING = {
  transferred: [undefined, (buffer) => new Uint8Array(structuredClone(buffer, { transfer: [buffer] })).fill(0)],
  'written to': [undefined, (buffer) => new Uint8Array(buffer).fill(0)],
  ...(isResizable && {
    shrunk: [(size) => new ArrayBuffer(size, { maxByteLength: size }), (buffer) => buffer.resize(0)],
    'shared and written to': [(size) => new SharedArrayBuffer(size, { maxByteLength: 2 * size }), (buffer) => new Uint8Array(buffer).fill(0)],
  }),
};
for (const [name, [memory, meddle]] of Object.entries(MEDDLING)) {
  test(`columns that are ${name} in a callback`, (t) => {
    const fixes = columns(memory);
    const engine = running(t, { onEvent() { for (const { buffer } of Object.values(fixes)) if (buffer.byteLength > 0) meddle(buffer); } });
    assert.deepStrictEqual(kinds(engine.updateLocations(fixes)), VISIT);
  });
}

test('a length of one\'s own is not believed', (t) => {
  const engine = running(t);
  const fixes = columns();
  for (const column of Object.values(fixes)) {
    Object.defineProperty(column, 'length', { value: 2 ** 31 });
    Object.defineProperty(column, 'byteLength', { value: 2 ** 34 });
  }
  assert.deepStrictEqual(kinds(engine.updateLocations(fixes)), VISIT);
  const bytes = (text) => Object.defineProperty(Buffer.from(text), 'byteLength', { value: 2 ** 40 });
  Config.parse(bytes(JSON.stringify(config()))).close();
  Feed.parse(bytes(JSON.stringify(feed()))).close();
  assert.deepStrictEqual(lint({ config: bytes(JSON.stringify(config())) }).filter(({ severity }) => severity === 'error'), []);
  engine.setList('names', bytes('{"version": 1, "entries": []}'), START);
  assert.throws(() => engine.processMessage(bytes('{}'), START), PlotError);
  const replay = new Replay();
  assert.throws(() => replay.take(bytes('{}')), PlotError);
  replay.close();
});

test('arrays of another kind than their prototype says', (t) => {
  const engine = running(t);
  const disguised = Object.setPrototypeOf(new Float32Array(COUNT), Float64Array.prototype);
  assert.deepStrictEqual(kinds(engine.updateLocations({ ...columns(), accuracies: disguised })), VISIT);
  const hollow = Object.create(Float64Array.prototype);
  assert.throws(() => engine.updateLocations({ ...columns(), latitudes: hollow }), refused(/^latitudes: expected a Float64Array/));
  assert.throws(() => Config.parse(Object.create(Uint8Array.prototype)), PlotError);
});

test('arrays without their memory are refused', (t) => {
  const engine = running(t);
  const gone = (Kind) => {
    const column = new Kind(4);
    structuredClone(column.buffer, { transfer: [column.buffer] });
    return column;
  };
  const fixes = { times: gone(BigInt64Array), latitudes: gone(Float64Array), longitudes: gone(Float64Array) };
  assert.throws(() => engine.updateLocations(fixes), refused(/^times: expected an array that has its memory/));
  assert.throws(() => Feed.parse(gone(Uint8Array)), refused(/^feed: expected an array that has its memory/));
  assert.strictEqual(engine.updateLocations({ times: new BigInt64Array(0), latitudes: new Float64Array(0), longitudes: [] }).length, 0);
});

test('a getter, an element or a clock may close the engine before the call', (t) => {
  const engine = running(t);
  assert.throws(() => engine.updateLocation({ get latitude() { engine.close(); return 52; }, longitude: 4, time: START }), closed);
  const timed = new Engine({ clock: () => { timed.close(); return START; }, timers: false });
  assert.throws(() => timed.init(config()), closed);
  const one = running(t);
  const fleet = new Fleet([running(t), one]);
  fleet.updateLocations({ devices: [0], times: [START], latitudes: [52], longitudes: [4] });
  assert.throws(() => fleet.updateLocations({ devices: [1], get times() { one.close(); return [START + 1]; }, latitudes: [52], longitudes: [4] }), closed);
});

test('a fleet called again from inside leaves the call further out its engines', (t) => {
  let isInside = false;
  const engines = [0, 1, 2].map(() => running(t, {
    onShow() {
      if (isInside) return;
      isInside = true;
      engines[2].close();
      fleet.updateLocations({ devices: [0], times: [START + 5 * MINUTE], ...{ latitudes: [52], longitudes: [4] } });
    },
  }));
  const fleet = new Fleet(engines);
  const places = [FAR, FAR, FAR, AT_MUSEUM, AT_MUSEUM, AT_MUSEUM];
  const effects = fleet.updateLocations({
    devices: [0, 1, 2, 1, 1, 2], times: places.map((_, i) => START + i * MINUTE), latitudes: places.map(({ latitude }) => latitude), longitudes: places.map(({ longitude }) => longitude),
  });
  assert.deepStrictEqual(kinds(effects), ['regionEnter', 'notificationShown', 'refused']);
  assert.deepStrictEqual([...effects.devices], [1, 1, 2]);
});

test('what the shim writes fits, whatever the source says of its length', () => {
  const block = new Uint8Array(64);
  const pointer = shim.getRawPointer(block);
  const lying = (view) => Object.defineProperty(Object.defineProperty(view, 'byteLength', { value: 1 }), 'length', { value: 1 });
  for (const write of [
    () => shim.exportArrayBufferView(lying(new Uint8Array(64).fill(1)), pointer, 32), () => shim.exportBuffer(lying(Buffer.alloc(64, 1)), pointer, 32),
    () => shim.exportArrayBuffer(lying(new Uint8Array(64).fill(1).buffer), pointer, 32), () => shim.exportArrayBufferView(lying(new DataView(new ArrayBuffer(64))), pointer, 32),
  ]) assert.throws(write, { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => shim.exportBuffer(Object.create(Buffer.prototype), pointer, 32), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.ok(block.every((byte) => byte === 0));
  assert.ok(ffi.getRawPointer(block) > 0n);
});

test('a few hundred rounds of the fuzzer', () => {
  assert.strictEqual(watch({ seed: 21, from: 0, rounds: 250 }), 0);
});
