import type { CampaignFeed, Engine, Feed, Path, SyncFacts, SyncStatus } from '../index';

export interface SyncOptions {
  /** Counts until there is a feed of the service. */
  feed?: Feed | Path | CampaignFeed | object | null;
  /** About this device (docs/sync.md, Facts). */
  facts?: SyncFacts | null;
  onStatus?: (status: SyncStatus) => void;
}

/** Synchronizes an engine with a campaign service; it needs `sync.url` in the configuration. Requests are made with `fetch`. */
export class Sync {
  constructor(engine: Engine, options?: SyncOptions);
  readonly engine: Engine;
  readonly status: SyncStatus;
  /** Asks for the feed, and sends the events that wait, at once. */
  now(): void;
  /** Sends a recording of the engine, the bytes of its file, to the service: the person has agreed. */
  sendRecording(lines: Uint8Array): void;
  /** A push message of the service has come (QuickSync). */
  handlePush(payload: object | string | Uint8Array): void;
  /** Asks for nothing any more. */
  stop(): void;
}
