'use strict';
// Between the library's JSON and the plain values of this package.

const { C, callOut, callError, asPointer, asString, checkText, describe } = require('./library.js');
const { fault } = require('./errors.js');
const { kindOf, checkMemory, copyOf, encoded } = require('./buffers.js');
const { fileURLToPath } = require('node:url');
const { isDeepStrictEqual } = require('node:util');

// ---- Exact text ------------------------------------------------------------------------------------------------

const texts = new WeakMap();

/** Parses JSON of the library and remembers its exact text. */
function parsed(json) {
  const value = JSON.parse(json);
  texts.set(value, json);
  return value;
}

/** The exact JSON text that the library gave for an item, a list, an event or a decision; undefined for anything else. */
const jsonText = (value) => texts.get(value);

// ---- Time ------------------------------------------------------------------------------------------------------

/** Milliseconds since 1970 from a Date or a number. */
function wholeMilliseconds(value, name) {
  const number = value instanceof Date ? value.getTime() : value;
  if (!Number.isSafeInteger(number)) {
    throw fault(`${name}: expected a Date or whole milliseconds since 1970, found ${describe(value)}`);
  }
  return number;
}
const milliseconds = (value, name) => BigInt(wholeMilliseconds(value, name));

// ---- Items -----------------------------------------------------------------------------------------------------

/** A time as a Date; null where the library says -1, "not yet". */
const date = (value) => (value < 0 ? null : new Date(value));

/** An item of the library as a plain object: dates are Dates, flags booleans. */
function plain(item) {
  if (item.dateSent !== undefined) item.dateSent = date(item.dateSent);
  if (item.dateOpened !== undefined) item.dateOpened = date(item.dateOpened);
  if (item.isOpened !== undefined) item.isOpened = item.isOpened !== 0;
  if (item.expireAt !== undefined) item.expireAt = new Date(item.expireAt);
  for (const flag of ['isAppInForeground', 'confirm']) if (item[flag] !== undefined) item[flag] = item[flag] === 1;
  if (item.dateHandled !== undefined) item.dateHandled = date(item.dateHandled);
  if (item.isHandled !== undefined) item.isHandled = item.isHandled !== 0;
  return item;
}

/** A borrowed plot_item as a plain object; null for NULL. */
function itemAt(pointer) {
  return pointer === 0n ? null : plain(parsed(callOut(C.plot_item_to_json, asString, pointer)));
}

/** A borrowed plot_list as an array of plain objects. */
function listAt(pointer) {
  const items = parsed(callOut(C.plot_list_to_json, asString, pointer));
  for (const item of items) plain(item);
  return items;
}

/** A plot_list of ours as an array of plain objects; the list is freed. */
function takeList(pointer) {
  try {
    return listAt(pointer);
  } finally {
    C.plot_list_free(pointer);
  }
}

/** Also of what came over JSON, where the order of an object's keys says nothing. */
const same = isDeepStrictEqual;

/** The keys of content beside message and data; docs/items.md gives their types. */
const CONTENT = new Set(['title', 'subtitle', 'body', 'sound', 'badge', 'category', 'attachments', 'actions', 'userInfo']);

/** Writes what an answer says of a content key; null takes it away. */
function writeContent(native, name, value) {
  if (value === null) {
    callError(C.plot_item_clear, native, name);
    return;
  }
  const json = stringifyExactly(value);
  if (json === undefined) throw fault(`${name}: expected a value of JSON, found ${describe(value)}`);
  const bytes = encoded(checkText(json, name));
  callError(C.plot_item_set_json, native, name, bytes, BigInt(bytes.byteLength));
}

/**
 * Makes the plot_list of an answer: the items of `kept`, in its order, each found in the batch by its matchIdentifier
 * (by its identifier where it has none), with what differs written to it. Whether that may be written, and whether an
 * item may be there twice, the library decides. Gives the list, to be freed, or the first item that is not in the batch.
 */
function answerList(batch, kept) {
  const originals = listAt(batch);
  const answer = callOut(C.plot_list_new, asPointer);
  try {
    for (const item of kept) {
      if (typeof item !== 'object' || item === null) throw fault(`the answer: expected items of the batch, found ${describe(item)}`);
      const key = item.matchIdentifier === undefined ? 'identifier' : 'matchIdentifier';
      const index = originals.findIndex((original) => original[key] === item[key]);
      if (index < 0) {
        C.plot_list_free(answer);
        return { unknown: item };
      }
      const native = C.plot_list_get(batch, BigInt(index));
      const isNotification = originals[index].name === undefined;
      for (const [name, value] of Object.entries(item)) {
        if (value === undefined || same(value, originals[index][name])) continue;
        if (isNotification && CONTENT.has(name)) {
          if (value !== null || name in originals[index]) writeContent(native, name, value);
          continue;
        }
        if (!(name in originals[index])) continue;
        const words = typeof originals[index][name] === 'string' ? checkText(value, name) : String(value);
        callError(C.plot_item_set_string, native, name, words);
      }
      callError(C.plot_list_append, answer, native);
    }
    return { answer };
  } catch (error) {
    C.plot_list_free(answer);
    throw error;
  }
}

// ---- Documents -------------------------------------------------------------------------------------------------

/** A path from a string or a file: URL. */
function pathOf(value, name) {
  return checkText(value instanceof URL ? fileURLToPath(value) : value, name);
}

/**
 * Whether JSON says nothing of what an object holds: a Promise that was not awaited, a Map, an ArrayBuffer. As an empty object it could be a whole
 * configuration. Plain is what has no prototype but the Object's of any realm.
 */
function isOpaque(source) {
  if (Array.isArray(source) || typeof source.toJSON === 'function') return false;
  const prototype = Object.getPrototypeOf(source);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  return kindOf(source) !== undefined || Object.keys(source).length === 0;
}

/** The bytes of a document given as text, as bytes or as a plain value; in memory of their own, whatever happens to the source. */
function bytesOf(source, name) {
  if (typeof source === 'string') return encoded(checkTextOfDocument(source, name));
  if (kindOf(source) === 'Uint8Array') {
    checkMemory(source, name);
    return copyOf(source);
  }
  const json = typeof source === 'object' && source !== null && !isOpaque(source) ? stringifyExactly(source) : undefined;
  if (typeof json === 'string') return encoded(json);
  throw fault(`${name}: expected JSON text, bytes or a plain object, found ${describe(source)}`);
}

/** NUL may stand in a document (its reader refuses it, with its place); a lone surrogate would be repaired in silence. */
function checkTextOfDocument(source, name) {
  checkText(source.replaceAll('\0', ' '), name);
  return source;
}

// ---- Segmentation ----------------------------------------------------------------------------------------------

/** An integer beyond 2^53 comes as a bigint, exactly. */
function parseExactly(json) {
  if (!/\d{16}/.test(json)) return JSON.parse(json);
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) => (
    token[0] === '"' || Number.isSafeInteger(Number(token)) ? token : `{"\\u0000":"${token}"}`));
  return JSON.parse(marked, (key, value) => (value !== null && typeof value === 'object' && '\0' in value ? BigInt(value['\0']) : value));
}

/** The reverse: a bigint is written as an integer. */
function stringifyExactly(value) {
  const text = JSON.stringify(value, (key, part) => (typeof part === 'bigint' ? { '\0': String(part) } : part));
  return text?.replace(/"(?:[^"\\]|\\.)*"|\{"\\u0000":"(-?\d+)"\}/g, (token, digits) => digits ?? token);
}

module.exports = { jsonText, parsed, milliseconds, wholeMilliseconds, itemAt, listAt, takeList, answerList, pathOf, bytesOf, parseExactly };
