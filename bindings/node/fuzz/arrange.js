'use strict';
// Buffers of every kind, each with what a callback may do to it.

/** Numbers by a seed (mulberry32). */
class Random {
  #state;

  constructor(seed) { this.#state = seed >>> 0; }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) { return Math.floor(this.next() * limit); }
  one(list) { return list[this.below(list.length)]; }
  chance(probability) { return this.next() < probability; }
}

const isResizable = 'resizable' in ArrayBuffer.prototype;
const arrangements = ['plain', 'part', 'shared', ...(isResizable ? ['resizable', 'tracking', 'growable', 'growing'] : [])];

/** A view of `Kind` over memory of one of the arrangements. */
function viewOf(Kind, arrangement, length) {
  const size = length * Kind.BYTES_PER_ELEMENT;
  const most = { maxByteLength: 2 * size + 64 };
  switch (arrangement) {
    case 'part': return new Kind(new ArrayBuffer(size + 32), 16, length);
    case 'shared': return new Kind(new SharedArrayBuffer(size));
    case 'resizable': return new Kind(new ArrayBuffer(size, most), 0, length);
    case 'tracking': return new Kind(new ArrayBuffer(size, most));
    case 'growable': return new Kind(new SharedArrayBuffer(size, most), 0, length);
    case 'growing': return new Kind(new SharedArrayBuffer(size, most));
    default: return new Kind(length);
  }
}

const LIES = [0, 1, 3, 1e6, 2 ** 32, 2 ** 53 - 1, -1, NaN, 'x', undefined];

/** Own properties that say something else than the truth. */
function lie(random, view) {
  const value = random.one(LIES);
  for (const name of ['length', 'byteLength', 'byteOffset']) {
    if (random.chance(0.6)) Object.defineProperty(view, name, { value, configurable: true, writable: true });
  }
  if (random.chance(0.2)) Object.defineProperty(view, Symbol.iterator, { value: () => [][Symbol.iterator](), configurable: true });
  if (random.chance(0.2)) Object.defineProperty(view, 'find', { value: () => 0, configurable: true });
}

function subclassOf(Kind) {
  return class extends Kind {
    get length() { return 1e6; }
    get byteLength() { return 1e6; }
  };
}

/** {view, meddle}: meddle does something to the memory, to its length, or to what the view says of it. */
function arranged(random, view, buffer, trap) {
  const fill = (memory) => {
    const Kind = view instanceof Uint8Array ? Uint8Array : view.constructor;
    const all = new Kind(memory, 0, Math.floor(memory.byteLength / Kind.BYTES_PER_ELEMENT));
    all.fill(trap);
  };
  const meddle = () => {
    try {
      switch (random.below(5)) {
        case 0: // longer, shorter, nothing
          if (buffer.resizable) buffer.resize(random.one([0, 8, buffer.maxByteLength, random.below(buffer.maxByteLength + 1)]));
          else if (buffer.growable) buffer.grow(buffer.maxByteLength);
          break;
        case 1: // somebody else's now, and full of other values
          if (buffer instanceof ArrayBuffer) fill(structuredClone(buffer, { transfer: [buffer] }));
          break;
        case 2:
          lie(random, view);
          break;
        default:
          fill(buffer);
      }
    } catch (error) {
      // It is gone already, or is not as long as a number of whole elements.
      if (!(error instanceof TypeError || error instanceof RangeError || error.name === 'DataCloneError')) throw error;
    }
  };
  if (random.chance(0.3)) lie(random, view);
  return { view, meddle };
}

const KINDS = { times: BigInt64Array, devices: Uint32Array };

/** A column of fixes; `trap` is what a callback writes into it. */
function columnOf(random, name, values, trap) {
  const Plain = KINDS[name] ?? Float64Array;
  const Kind = random.chance(0.1) ? subclassOf(Plain) : Plain;
  const view = viewOf(Kind, random.one(arrangements), values.length);
  const { buffer } = view;
  for (let i = 0; i < values.length; i++) view[i] = name === 'times' ? BigInt(values[i]) : values[i];
  return arranged(random, view, buffer, name === 'times' ? 0n : trap ?? 0);
}

/** Bytes of a document. */
function bytesIn(random, bytes) {
  const Kind = random.one([Uint8Array, Uint8Array, Buffer, subclassOf(Uint8Array)]);
  const view = Kind === Buffer ? Buffer.from(bytes) : viewOf(Kind, random.one(arrangements), bytes.length);
  const { buffer } = view;
  for (let i = 0; i < bytes.length; i++) view[i] = bytes[i];
  // A small Buffer lies in memory that all small ones share: its own view only is touched.
  return Kind === Buffer && buffer.byteLength !== bytes.length
    ? { view, meddle: () => (random.chance(0.5) ? lie(random, view) : Uint8Array.prototype.fill.call(view, 0x20)) }
    : arranged(random, view, buffer, 0x20);
}

module.exports = { Random, columnOf, bytesIn };
