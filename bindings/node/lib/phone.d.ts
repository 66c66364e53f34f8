/// <reference types="node" />
import { EventEmitter } from 'events';
import { Clock, Config, Engine, Feed, Fix, Notification, OpenAction, Path, Time } from '../index.js';

export interface PhoneOptions {
  /** plotconfig.json; by default looked for in `directory`. */
  config?: Config | Path | object;
  /** Taken with init: when it is refused, nothing is initialised. */
  feed?: Feed | Path | object;
  store?: Path;
  /** Where the app's files are; the working directory by default. */
  directory?: string;
  clock?: Clock;
  /** The device's time zone; the system's by default. */
  timeZone?: string | null;
  /** Whether timers follow the engine's wakeups; true by default. */
  timers?: boolean;
  /** Shows a notification now; false when it cannot. */
  show?: (notification: Notification) => boolean | void;
  /** Opens a URI, as the phone would. */
  open?: (uri: string, action: OpenAction, notification: object) => void;
  log?: (line: string) => void;
  /** Where mailDebugLog writes. */
  debugLog?: string;
}

/** A phone with the app on it. Emits 'show', 'open', 'sent', 'opened', 'event', 'late', 'debugLog' and 'error'. */
export class Phone extends EventEmitter {
  readonly engine: Engine;
  readonly initialized: boolean;
  openNotification(notification: { matchIdentifier?: string } | string, time?: Time): void;
  updateLocation(fix: Fix): void;
  advance(time?: Time): void;
  setFeed(feed: Feed | Path | object, time?: Time): void;
  mailDebugLog(): string;
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
