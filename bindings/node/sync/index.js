'use strict';
// The host of the synchronization with a campaign service: it carries requests and answers with `fetch`, and decides nothing.

const { PlotError } = require('../lib/errors.js');

/** The longest sleep of a timer: a clock that was set, or a machine that slept, is noticed after this. */
const LONGEST_SLEEP = 60_000;

/** A stranger's words, as a text that the library takes. */
const textOf = (found) => Buffer.from(found).toString().replaceAll('\0', ' ').slice(0, 4096);

class Sync {
  #engine;
  #onStatus;
  #timer = null;
  #running = false;
  #again = false;
  #stopped = false;
  #aborts = new Set();
  #changed = () => {
    // Never from within the callback: it may be in the middle of a call.
    setImmediate(() => this.#turn());
  };

  #tell = (status) => {
    this.#changed();
    this.#onStatus?.(status);
  };

  /** Starts at once. `feed` counts until there is one of the service; `facts` are about this device (docs/sync.md, Facts). */
  constructor(engine, { feed = null, facts = null, onStatus } = {}) {
    this.#engine = engine;
    this.#onStatus = onStatus;
    engine.on('sync', this.#tell);
    engine.syncBegin({ feed, facts });
    this.#changed();
  }

  get engine() { return this.#engine; }

  /** Where it stands. */
  get status() { return this.#engine.syncStatus(); }

  /** Asks for the feed, and sends the events that wait, at once. */
  now() { this.#engine.syncNow(); }

  /** Sends a recording of the engine, the bytes of its file, to the service: the person has agreed. `status.recording` says what became of it. */
  sendRecording(lines) { this.#engine.syncRecording(lines); }

  /** A push message of the service has come (QuickSync): its payload as a plain object or as JSON. */
  handlePush(payload) { this.#engine.syncMessage(payload); }

  /** Asks for nothing any more. Safe in every callback, and more than once. */
  stop() {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#engine.off('sync', this.#tell);
    if (!this.#engine.closed) this.#engine.syncStop();
    for (const abort of this.#aborts) abort.abort();
  }

  /** Makes what is due, until there is a wait; one request at a time beside a stream. */
  async #turn() {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    try {
      while (!this.#stopped && !this.#engine.closed) {
        this.#again = false;
        const { request, until } = this.#engine.syncNext();
        if (request === undefined) {
          this.#sleep(until);
          if (!this.#again) break;
        } else if (request.stream) {
          this.#carry(request);
        } else {
          await this.#carry(request);
        }
      }
    } catch (error) {
      if (error.code !== 'PLOT_CLOSED') throw error;
    } finally {
      this.#running = false;
    }
  }

  #sleep(until) {
    clearTimeout(this.#timer);
    if (until === null) return;
    this.#timer = setTimeout(() => this.#turn(), Math.min(Math.max(until.getTime() - Date.now(), 1), LONGEST_SLEEP));
    this.#timer.unref?.();
  }

  async #carry(request) {
    const abort = new AbortController();
    this.#aborts.add(abort);
    let answer = null;
    let reason = 'the service has ended the stream';
    try {
      answer = await this.#fetch(request, abort);
    } catch (error) {
      reason = String(error?.cause?.message ?? error?.message ?? error) || 'no answer';
    } finally {
      this.#aborts.delete(abort);
    }
    if (this.#stopped || this.#engine.closed) return;
    try {
      if (answer === null) this.#engine.syncFailure(request.number, textOf(reason));
      else this.#engine.syncResponse(request.number, answer);
    } catch (error) {
      // An answer that the engine refuses counts as none, and it asks again. Others are the app's, from a callback.
      if (!(error instanceof PlotError)) this.#engine.emit('error', error);
    }
    this.#changed();
  }

  /** The answer; null where a stream has come to its end. */
  async #fetch({ number, method, url, headers, body, timeout, largestBody, stream }, abort) {
    let alarm = null;
    // A time without a byte, not of the whole answer.
    const wait = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => abort.abort(new Error(`nothing came for ${timeout} s`)), timeout * 1000);
      alarm.unref?.();
    };
    wait();
    try {
      const response = await fetch(url, { method, headers, body, redirect: 'manual', signal: abort.signal });
      const parts = [];
      let size = 0;
      if (response.body !== null) {
        for await (const part of response.body) {
          wait();
          if (stream && response.status === 200) {
            if (this.#stopped || this.#engine.closed) break;
            this.#engine.syncReceive(number, part);
            continue;
          }
          parts.push(part);
          size += part.byteLength;
          if (size > largestBody) break;
        }
      }
      if (stream && response.status === 200) return null;
      const bytes = Buffer.concat(parts).subarray(0, largestBody + 1);
      return { status: response.status, headers: Object.fromEntries([...response.headers].map((pair) => pair.map(textOf))), body: new Uint8Array(bytes) };
    } finally {
      clearTimeout(alarm);
    }
  }
}

module.exports = { Sync };
