'use strict';
const { C, text, callOut, callError, asPointer, asString, checkText, describe } = require('./library.js');
const { closed, fault, named } = require('./errors.js');
const { NO_POSITION } = require('./raw.js');
const { encoded } = require('./buffers.js');
const { pathOf, bytesOf } = require('./values.js');

/** `using` and `await using` close a value of the class. */
function disposable({ prototype }) {
  // Node 18 has neither symbol.
  for (const [name, value] of [['dispose', function () { this.close(); }], ['asyncDispose', async function () { this.close(); }]]) {
    Object.defineProperty(prototype, Symbol[name] ?? Symbol.for(`Symbol.${name}`), { value, configurable: true, writable: true });
  }
}

/** Frees what was forgotten. */
const forgotten = new FinalizationRegistry(({ free, pointer }) => free(pointer));

/** The path of a document; a JSON text is a slip. */
function fileOf(path, reader) {
  if (typeof path === 'string' && /^\s*[{[]/.test(path)) throw fault(`path: expected a path, found JSON. Did you mean ${reader}?`);
  return pathOf(path, 'path');
}

/** A handle of the library: freed by close, by `using`, or when it is forgotten. */
class Handle {
  #pointer;
  #free;
  #what;

  constructor(pointer, free, what) {
    this.#pointer = pointer;
    this.#free = free;
    this.#what = what;
    forgotten.register(this, { free, pointer }, this);
  }

  /** The address, for calls of this package. */
  static address(handle) {
    if (handle.#pointer === 0n) throw closed(handle.#what);
    return handle.#pointer;
  }

  close() {
    if (this.#pointer === 0n) return;
    forgotten.unregister(this);
    const pointer = this.#pointer;
    this.#pointer = 0n;
    this.#free(pointer);
  }
}
disposable(Handle);

const { address } = Handle;
const secret = Symbol('made by load and parse');

function onlyInside(given, name) {
  if (given !== secret) throw new TypeError(`${name} is made by its static methods, such as ${name}.load and ${name}.parse`);
}

/** A read plotconfig.json. Immutable. */
class Config extends Handle {
  constructor(given, pointer) {
    onlyInside(given, 'Config');
    super(pointer, C.plot_config_free, 'configuration');
  }

  /** Reads a file: a path or a file: URL. */
  static load(path) {
    return new Config(secret, callOut(C.plot_config_load, asPointer, fileOf(path, 'Config.parse')));
  }

  /** Reads JSON text, bytes of JSON, or a plain object. */
  static parse(source) {
    // Its JSON would be a configuration with unknown keys, and the engine one without a campaign.
    if (source instanceof Feed) throw fault('configuration: expected a Config, a path or a plain object, found a Feed');
    const bytes = bytesOf(source, 'configuration');
    return new Config(secret, callOut(C.plot_config_parse, asPointer, bytes, BigInt(bytes.byteLength)));
  }

  /** A Config as it is; a path or URL is loaded, a plain object read. `owned` tells whether it is to be closed. */
  static from(source) {
    if (source instanceof Config) return { config: source, owned: false };
    const isPath = typeof source === 'string' || source instanceof URL;
    return { config: isPath ? Config.load(source) : Config.parse(source), owned: true };
  }

  /** The warnings of the reader, a sentence each. */
  get warnings() {
    const pointer = address(this);
    const count = Number(C.plot_config_get_warning_count(pointer));
    return Array.from({ length: count }, (_, i) => text(C.plot_config_get_warning(pointer, BigInt(i))));
  }

  /** Every property with its value, defaults filled in, as JSON text. */
  toString() {
    return callOut(C.plot_config_to_json, asString, address(this));
  }

  /** The same as a plain object. */
  toJSON() {
    return JSON.parse(this.toString());
  }
}

/** A read campaign feed. Immutable; may serve many engines. */
class Feed extends Handle {
  constructor(given, pointer) {
    onlyInside(given, 'Feed');
    super(pointer, C.plot_feed_free, 'feed');
  }

  /** Reads a file: a path or a file: URL. */
  static load(path) {
    return new Feed(secret, callOut(C.plot_feed_load, asPointer, fileOf(path, 'Feed.parse')));
  }

  /** Reads JSON text, bytes of JSON, or a plain object. */
  static parse(source) {
    const bytes = bytesOf(source, 'feed');
    return new Feed(secret, callOut(C.plot_feed_parse, asPointer, bytes, BigInt(bytes.byteLength)));
  }

  /** Takes a compiled feed from the file that `save` wrote; the file must not be written to as long as it is in use. */
  static map(path) {
    return new Feed(secret, callOut(C.plot_feed_map, asPointer, pathOf(path, 'path')));
  }

  /** Makes a feed from GeoJSON points, polygons and lines: a geofence for each, one campaign over all of them. */
  static importGeoJSON(source, options) {
    const bytes = bytesOf(source, 'GeoJSON');
    const words = options === undefined ? null : checkText(JSON.stringify(options), 'options');
    return new Feed(secret, callOut(C.plot_feed_import_geojson, asPointer, bytes, BigInt(bytes.byteLength), words));
  }

  /** A Feed as it is; a path or URL is loaded, a plain object read. `owned` tells whether it is to be closed. */
  static from(source) {
    if (source instanceof Feed) return { feed: source, owned: false };
    const isPath = typeof source === 'string' || source instanceof URL;
    return { feed: isPath ? Feed.load(source) : Feed.parse(source), owned: true };
  }

  get regionCount() {
    return Number(C.plot_feed_get_region_count(address(this)));
  }

  get campaignCount() {
    return Number(C.plot_feed_get_campaign_count(address(this)));
  }

  /** The id of the region at a position, such as an effect's; null for NO_POSITION. */
  regionId(position) { return idAt(C.plot_feed_get_region_id, this, position); }

  /** The id of the campaign at a position; null for NO_POSITION. */
  campaignId(position) { return idAt(C.plot_feed_get_campaign_id, this, position); }

  /** Compiles the feed into a file for `Feed.map`, in place of what the file was. */
  save(path) {
    callError(C.plot_feed_save, address(this), pathOf(path, 'path'));
  }

  /** The feed as JSON text; reading it back gives an equal feed. */
  toString() {
    return callOut(C.plot_feed_to_json, asString, address(this));
  }

  /** The same as a plain object. */
  toJSON() {
    return JSON.parse(this.toString());
  }
}

function idAt(fn, feed, position) {
  if (!Number.isSafeInteger(position) || position < 0) throw fault(`position: expected a whole number from 0, found ${describe(position)}`);
  if (position === NO_POSITION) return null;
  const found = fn(address(feed), BigInt(position));
  if (found === 0n) throw named('PLOT_NOT_FOUND', `The feed has nothing at position ${position}.`);
  return text(found);
}

/** Plays a recording line by line (docs/recording.md). */
class Replay extends Handle {
  constructor() {
    super(callOut(C.plot_replay_new, asPointer), C.plot_replay_free, 'replay');
  }

  /**
   * Takes the next line, a string or bytes, without its line end; gives the lines that an engine would write for it: an input and all it leads
   * to, and nothing for the line of an effect, which came with its input.
   */
  take(line) {
    const bytes = typeof line === 'string' ? encoded(line) : bytesOf(line, 'line');
    return callOut(C.plot_replay_take_line, asString, address(this), bytes, BigInt(bytes.byteLength)).split('\n').slice(0, -1);
  }
}

/** Plays a whole recording, as text or bytes; gives its text as it would be now. */
function replay(recording) {
  const text = typeof recording === 'string' ? recording : Buffer.from(bytesOf(recording, 'recording')).toString();
  const player = new Replay();
  try {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.flatMap((line) => player.take(line)).map((line) => `${line}\n`).join('');
  } finally {
    player.close();
  }
}

module.exports = { Handle, Config, Feed, Replay, replay, address, disposable };
