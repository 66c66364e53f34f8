'use strict';
// The conversions of Android's JSON getters: apps give '1980' for a year and get 1980. undefined: it is none.

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[df]?\s*$/i;

/** A number as Java reads it from a text; NaN for another one. */
const numberIn = (text) => (NUMBER.test(text) ? Number.parseFloat(text) : NaN);

function integer(value) {
  if (typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)) {
    const exact = BigInt(value.trim().replace(/^\+/, ''));
    return BigInt.asIntN(64, exact) === exact ? exact : undefined;
  }
  const number = Math.trunc(typeof value === 'string' ? numberIn(value) : value);
  return (typeof value === 'string' || typeof value === 'number') && Number.isSafeInteger(number) ? number : undefined;
}

function double(value) {
  const number = typeof value === 'string' ? numberIn(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function boolean(value) {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : undefined;
}

function string(value) {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function date(value) {
  const found = value instanceof Date || typeof value === 'string' || typeof value === 'number' ? new Date(value) : new Date(NaN);
  return Number.isNaN(found.getTime()) ? undefined : found;
}

/** By the names of the setters of segmentation properties. */
const segmentation = { String: string, Boolean: boolean, Integer: integer, Double: double, Date: date };

module.exports = { segmentation };
