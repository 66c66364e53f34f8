'use strict';
const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { project } = require('./helpers.js');
const { lint } = require('..');

const feed = {
  version: 1,
  regions: [{ id: 'a', type: 'geofence', latitude: 52.36, longitude: 4.885 }],
  campaigns: [{ id: 'c', type: 'notification', message: 'Hi {{x}}', regions: ['a'], end: '2026-01-01T00:00:00Z' }],
};
const codes = (options) => lint(options).map((finding) => finding.code);

test('findings are objects', () => {
  const found = lint({ config: { publicToken: 't', debgu: true }, feed });
  assert.deepStrictEqual(found.map(({ code, document, pointer }) => [code, document, pointer]), [
    ['unknown-property', 'configuration', '/debgu'], ['missing-field', 'feed', '/campaigns/0/message'],
  ]);
  assert.deepStrictEqual(found[0], {
    code: 'unknown-property', severity: 'warning', document: 'configuration', pointer: '/debgu', line: 1, column: 28,
    sentence: 'The key "debgu" is unknown; it is ignored.', remedy: 'Write "debug", or leave it out.',
  });
});

test('no token is a note', () => {
  const brief = (config) => lint({ config }).map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
  assert.deepStrictEqual(brief({}), ['note no-public-token ']);
  assert.deepStrictEqual(brief({ publicToken: null }), ['note no-public-token /publicToken']);
  assert.deepStrictEqual(brief({ publicToken: '' }), ['error invalid-value /publicToken']);
});

test('what is over needs a time', () => {
  assert.ok(!codes({ feed }).includes('campaign-over'));
  assert.ok(codes({ feed, time: new Date('2026-01-01T00:00:00Z') }).includes('campaign-over'));
  assert.ok(!codes({ feed, time: Date.parse('2026-01-01T00:00:00Z') - 1 }).includes('campaign-over'));
});

test('paths and bytes', () => {
  assert.deepStrictEqual(codes({ feed: Buffer.from('{') }), ['syntax']);
  assert.deepStrictEqual(codes({ config: Buffer.alloc(0) }), ['syntax']);
  const place = path.join(project, 'demo');
  assert.deepStrictEqual(lint({ config: path.join(place, 'plotconfig.json'), feed: pathToFileURL(path.join(place, 'feed.json')) }), []);
  const read = (name) => fs.readFileSync(path.join(project, 'demo', name));
  assert.deepStrictEqual(lint({ config: read('plotconfig.json'), feed: read('feed.json') }), []);
});

test('arguments are checked', () => {
  assert.throws(() => lint(), { code: 'PLOT_INVALID_ARGUMENT' });
  assert.throws(() => lint({ feed: '/nowhere/at/all' }), { code: 'ENOENT' });
  assert.throws(() => lint({ feed: 7 }), { code: 'PLOT_INVALID_ARGUMENT' });
  assert.throws(() => lint({ feed, time: 'now' }), { code: 'PLOT_INVALID_ARGUMENT' });
});
