'use strict';
// The host of the synchronization, with a service of a few lines; server/Tests/sync.py has Python's and C's against the real one.

const { test } = require('node:test');
const assert = require('node:assert');
const http = require('node:http');
const zlib = require('node:zlib');
const { mkdtempSync, readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { createHash } = require('node:crypto');
const { Engine } = require('../index.js');
const { Sync } = require('../sync/index.js');

const FEED = {
  version: 1,
  regions: [{ id: 'museum', type: 'geofence', latitude: 52.36, longitude: 4.885, radius: 200 }],
  campaigns: [{ id: 'art', type: 'notification', message: 'Art', regions: ['museum'], resend: true }],
};

/** One app, its publications, and the events that came. */
class Service {
  publication = 1;
  events = [];
  streams = [];
  recordings = [];
  /** An answer in place of the service's. */
  instead = null;

  async start() {
    this.server = http.createServer((request, response) => this.answer(request, response));
    await new Promise((resolve) => { this.server.listen(0, '127.0.0.1', resolve); });
    this.config = {
      publicToken: 't', sync: { url: `http://127.0.0.1:${this.server.address().port}`, events: { count: 1 } },
      engine: { noise: 'exact', initial: 'none' },
    };
    return this;
  }

  async answer(request, response) {
    assert.equal(request.headers.authorization, 'Bearer t');
    let body = '';
    for await (const piece of request) body += piece;
    if (this.instead !== null && !request.url.endsWith('/changes')) return this.instead(response);
    if (request.url.endsWith('/changes')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      this.streams.push(response);
      return undefined;
    }
    const json = { 'content-type': 'application/json' };
    if (request.method === 'PUT') return response.writeHead(201, json).end('{"secret":"s"}');
    if (request.url.endsWith('/recordings')) {
      this.recordings.push({ headers: request.headers, body });
      return response.writeHead(204).end();
    }
    if (request.method === 'POST') {
      const { batch, events } = JSON.parse(body);
      this.events.push(...events);
      return response.writeHead(200, json).end(JSON.stringify({ batch, accepted: events.length, duplicates: 0, rejected: [], through: events.at(-1).sequence }));
    }
    const known = { etag: `"${this.publication}"`, 'plot-publication': this.publication, 'plot-issued': 1 };
    if (request.headers['if-none-match'] === known.etag) return response.writeHead(304, known).end();
    const feed = JSON.stringify({ ...FEED, revision: String(this.publication) });
    const digest = `sha-256=${createHash('sha256').update(feed).digest('base64url')}`;
    return response.writeHead(200, { ...json, ...known, 'plot-digest': digest, 'content-encoding': 'gzip' }).end(zlib.gzipSync(feed));
  }

  publish() {
    this.publication += 1;
    for (const stream of this.streams) stream.write(`id: ${this.publication}\nevent: feed\ndata: {"publication":${this.publication},"spread":0}\n\n`);
  }

  stop() {
    this.server.closeAllConnections?.();
    this.server.close();
  }
}

async function until(condition) {
  const end = Date.now() + 10_000;
  while (!condition()) {
    assert.ok(Date.now() < end, 'it did not happen in ten seconds');
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

function engineOf(config) {
  const engine = new Engine();
  engine.init(config, { timeZone: 'UTC' });
  return engine;
}

function cross(engine) {
  engine.updateLocation({ latitude: 52.40, longitude: 4.90 });
  engine.updateLocation({ latitude: 52.36, longitude: 4.885 });
}

test('a publication arrives, and events go home', async () => {
  const service = await new Service().start();
  const heard = new Set();
  const engine = engineOf(service.config);
  const sync = new Sync(engine, { facts: { platform: 'test' }, onStatus: ({ status }) => heard.add(status) });
  await until(() => sync.status.publication === 1 && sync.status.stream === 'open');
  service.publish();
  await until(() => sync.status.revision === '2');
  cross(engine);
  await until(() => service.events.some(({ event }) => event === 'region-enter') && sync.status.waiting === 0);
  assert.ok(!('latitude' in service.events[0]));
  assert.deepEqual(service.events.map(({ sequence }) => sequence), service.events.map((_, index) => index + 1));
  sync.handlePush({ publication: 2 });
  sync.stop();
  sync.stop();
  assert.equal(sync.status.status, 'stopped');
  for (const status of ['syncing', 'applied', 'idle']) assert.ok(heard.has(status), status);
  engine.close();
  service.stop();
});

test('faults change nothing', async () => {
  const service = await new Service().start();
  const engine = engineOf(service.config);
  const sync = new Sync(engine);
  await until(() => sync.status.publication === 1);
  const json = { 'content-type': 'application/json', etag: '"9"', 'plot-publication': 9, 'plot-issued': 9 };
  const faults = [
    (response) => response.destroy(),
    (response) => response.writeHead(500).end(),
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('nope'),
    (response) => {
      response.writeHead(200, { ...json, 'content-length': 50 }).write('{}');
      setImmediate(() => response.destroy());
    },
  ];
  for (const fault of faults) {
    service.instead = fault;
    const { failures } = sync.status;
    sync.now();
    await until(() => sync.status.status === 'offline' && sync.status.failures > 0 && sync.status.failures >= failures);
    assert.equal(sync.status.revision, '1');
  }
  service.instead = null;
  service.publication = 2;
  sync.now();
  await until(() => sync.status.revision === '2');
  sync.stop();
  engine.close();
  service.stop();
});

test('an engine may end first', async () => {
  const service = await new Service().start();
  const engine = engineOf(service.config);
  const sync = new Sync(engine);
  engine.close();
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  sync.stop();
  service.stop();
});

test('slips are said', async () => {
  const engine = engineOf({ publicToken: 't' });
  assert.throws(() => engine.syncNow(), /sync\.url/);
  engine.close();
  const service = await new Service().start();
  const other = engineOf(service.config);
  assert.throws(() => other.syncBegin({ seed: new Uint8Array(3) }), /at least 16 random bytes/);
  assert.throws(() => other.syncBegin({ facts: { token: 'x' } }), /pushToken/);
  assert.throws(() => other.syncMessage({ aps: {} }), /message of the campaign service/);
  assert.throws(() => other.syncBegin({ fact: {} }), /fact/);
  other.close();
  service.stop();
});

test('a bundled feed counts until there is one of the service', async () => {
  const service = await new Service().start();
  const engine = engineOf(service.config);
  engine.syncBegin({ feed: { ...FEED, revision: 'bundled' } });
  const { revision, publication } = engine.syncStatus();
  assert.deepEqual([revision, publication], ['bundled', 0]);
  engine.close();
  service.stop();
});

test('a recording is sent once', async () => {
  const service = await new Service().start();
  const path = join(mkdtempSync(join(tmpdir(), 'plot-sync-')), 'recording.jsonl');
  const engine = new Engine();
  engine.record(path);
  engine.init(service.config, { timeZone: 'UTC' });
  const sync = new Sync(engine);
  try {
    cross(engine);
    assert.equal(sync.status.recording, 'none');
    const lines = readFileSync(path);
    sync.sendRecording(lines);
    await until(() => sync.status.recording === 'sent');
    assert.equal(service.recordings.length, 1);
    assert.equal(service.recordings[0].body, lines.toString());
    assert.equal(service.recordings[0].headers['plot-consent'], 'recordings');
    assert.throws(() => sync.sendRecording(Buffer.from('{"input":"advance","time":"2026-03-01T12:00:00Z"}')), /the first line of a recording/);
    assert.throws(() => sync.sendRecording('text'), /expected a Uint8Array/);
  } finally {
    sync.stop();
    engine.close();
    service.stop();
  }
});
