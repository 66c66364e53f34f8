'use strict';
const { checkText, describe } = require('../library.js');
const { fault } = require('../errors.js');
const { checkKeys } = require('../keys.js');
const raw = require('../raw.js');
// Values of a host as the library takes them.

const tokenOut = (token) => (token <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(token) : token);
function tokenIn(token) {
  if (typeof token === 'bigint' && token >= 0n && token < 2n ** 64n) return token;
  if (Number.isSafeInteger(token) && token >= 0) return BigInt(token);
  throw fault(`token: expected the token of a batch, found ${describe(token)}`);
}

function numberIn(value, name) {
  if (typeof value !== 'number') throw fault(`${name}: expected a number, found ${describe(value)}`);
  return value;
}

const HINTS = Object.keys(raw.hintKinds);

/** Latitude, longitude and accuracy; an accuracy of -1 says that there is no position. */
function placeIn({ latitude, longitude, accuracy }) {
  if ((latitude === undefined || latitude === null) && (longitude === undefined || longitude === null)) return [0, 0, -1];
  const meters = numberOr(0, accuracy, 'accuracy');
  if (!(meters >= 0)) throw fault(`accuracy: expected metres, 0 or more, found ${describe(meters)}`);
  return [numberIn(latitude, 'latitude'), numberIn(longitude, 'longitude'), meters];
}

function int64In(value, name) {
  const integer = Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof integer !== 'bigint' || BigInt.asIntN(64, integer) !== integer) {
    throw fault(`${name}: expected a whole number of 64 bits (a bigint beyond 2^53), found ${describe(value)}`);
  }
  return integer;
}

function flagIn(value, name) {
  if (typeof value !== 'boolean') throw fault(`${name}: expected a boolean, found ${describe(value)}`);
  return value ? 1 : 0;
}

function saveFlagsOf(options) {
  checkKeys(options, ['events'], 'options of save');
  return flagIn(options.events ?? false, 'events') ? raw.saveFlags.events : 0;
}

function textOrNull(value, name) { return value === null ? null : checkText(value, name); }

function limitIn(value) { return value === undefined ? 0n : countIn(value, 'limit'); }

function countIn(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) throw fault(`${name}: expected a whole number from 0, found ${describe(value)}`);
  return BigInt(value);
}

/** Keys of the browsers' GeolocationCoordinates that say nothing to an engine. */
const W3C = ['altitude', 'altitudeAccuracy', 'heading'];
const FIX = ['latitude', 'longitude', 'accuracy', 'speed', 'course', 'time'];
const SIGHTING = ['proximityUUID', 'majorId', 'minorId', 'namespaceId', 'instanceId', 'proximity', 'rssi', 'power', 'time'];
const HINT = ['region', 'kind', 'latitude', 'longitude', 'accuracy', 'time'];
const PLAN = ['budget', 'latitude', 'longitude', 'accuracy', 'reset', 'fenceLeft', 'time'];
/** The values of a fix that a place may carry along. */
const MOTION = ['speed', 'course', ...W3C];

/** A number that may not be known: absent, null or NaN. */
function numberOr(otherwise, value, name) {
  if (value === undefined || value === null || Number.isNaN(value)) return otherwise;
  return numberIn(value, name);
}

/** The matchIdentifier of an item, or one as it is. */
function matchOf(notification) {
  const id = typeof notification === 'object' && notification !== null ? notification.matchIdentifier : notification;
  return checkText(id, 'matchIdentifier');
}

module.exports = {
  tokenOut, tokenIn, numberIn, HINTS, placeIn, int64In, flagIn, saveFlagsOf, textOrNull, limitIn, countIn,
  W3C, FIX, SIGHTING, HINT, PLAN, MOTION, numberOr, matchOf,
};
