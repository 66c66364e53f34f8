'use strict';
// Keys of this package's own objects: one that is not known is refused, with the name that was most likely meant. Keys that are ignored in
// silence turn a slip of the fingers into a store that is never written.

const { fault } = require('./errors.js');

/** Other people's names for the same. */
const SYNONYMS = {
  lat: 'latitude', lng: 'longitude', lon: 'longitude', long: 'longitude', timestamp: 'time', bearing: 'course', date: 'time',
  storePath: 'store', storage: 'store', tz: 'timeZone', reason: 'kind',
};

/** How many letters are to be put in, taken out, replaced or swapped with the next, to make one name of another. */
function distance(a, b) {
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

/** The name that was most likely meant; undefined when none is near. */
function nearest(name, known) {
  if (Object.hasOwn(SYNONYMS, name) && known.includes(SYNONYMS[name])) return SYNONYMS[name];
  const word = name.slice(0, 40).toLowerCase();
  let best;
  let least = 1 + Math.floor(word.length / 3);
  for (const each of known) {
    const apart = distance(word, each.toLowerCase());
    if (apart < least) [best, least] = [each, apart];
  }
  const isBegun = (each) => each.length >= 3 && (each.toLowerCase().startsWith(word) || word.startsWith(each.toLowerCase()));
  return best ?? (word.length >= 3 ? known.find(isBegun) : undefined);
}

const quoted = (name) => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);

/** The error text for an unknown name. */
function unknown(name, known, what) {
  const meant = nearest(name, known);
  return meant === undefined
    ? `${what}: ${quoted(name)} is unknown; expected one of ${known.join(', ')}`
    : `${what}: ${quoted(name)} is unknown; did you mean "${meant}"? The known ones are ${known.join(', ')}`;
}

/** Refuses own keys that are neither known nor `others`, which are somebody else's and ignored. */
function checkKeys(given, known, what, others = []) {
  for (const name in given) {
    if (known.includes(name) || others.includes(name) || !Object.hasOwn(given, name)) continue;
    throw fault(unknown(name, known, what));
  }
}

/**
 * Refuses properties that an object of the class itself does not have: a handler whose name is misspelt would never be called. A subclass has fields of its
 * own. A setter can only be asked behind the prototype, where nothing else has the name; all names of the emitter stand before it, for speed.
 */
function refuseOthers(prototype, known, what, isOurs) {
  const parent = Object.getPrototypeOf(prototype);
  const last = new Proxy(Object.create(parent), {
    set(target, name, value, receiver) {
      if (typeof name === 'string' && !name.startsWith('_') && isOurs(receiver)) {
        throw fault(`${unknown(name, known, what)}. Fields of your own belong in a subclass`);
      }
      return Reflect.set(target, name, value, receiver);
    },
  });
  Object.setPrototypeOf(prototype, Object.create(last, Object.getOwnPropertyDescriptors(parent)));
}

module.exports = { checkKeys, refuseOthers };
