import { Phone, PhoneOptions } from '../lib/phone.js';

export interface TiNotification {
  identifier: string;
  message: string;
  data: string;
  geofenceLatitude: number | null;
  geofenceLongitude: number | null;
  trigger: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  dwellingMinutes: number;
  matchRange: number;
  isBeacon: boolean;
  notificationHandlerType: 'regular' | 'landingPage' | 'applink';
}

export interface TiGeotrigger {
  identifier: string;
  name: string;
  data: string;
  geofenceLatitude: number | null;
  geofenceLongitude: number | null;
  trigger: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  dwellingMinutes: number;
  matchRange: number;
  isBeacon: boolean;
}

/** Times are milliseconds since 1970; -1: not yet. */
export interface TiSentNotification extends TiNotification {
  matchIdentifier: string;
  dateSent: number;
  dateOpened: number;
  isOpened: boolean;
}

export interface TiSentGeotrigger extends TiGeotrigger {
  matchIdentifier: string;
  dateSent: number;
  dateHandled: number;
  isHandled: boolean;
}

export interface TiConfiguration {
  notificationFilterEnabled?: boolean;
  geotriggerHandlerEnabled?: boolean;
  /** @deprecated */
  publicToken?: string;
  /** @deprecated */
  cooldownPeriod?: number;
  /** @deprecated */
  enableOnFirstRun?: boolean;
}

export interface Filterable { filterId: string; notifications: TiNotification[] }
export interface Handleable { handlerId: string; geotriggers: TiGeotrigger[] }
export type TiListener = (event: TiNotification & { type: 'plotNotificationReceived' }) => void;

/** The value of require('com.plotprojects.ti'). */
export interface TiPlot {
  initPlot(configuration: TiConfiguration): void;
  enable(): void;
  disable(): void;
  readonly enabled: boolean;
  getEnabled(): boolean;
  readonly version: string;
  getVersion(): string;
  setCooldownPeriod(seconds: number): void;
  mailDebugLog(): void;
  setStringSegmentationProperty(property: string, value: string | null): void;
  setBooleanSegmentationProperty(property: string, value: boolean): void;
  setIntegerSegmentationProperty(property: string, value: number): void;
  setDoubleSegmentationProperty(property: string, value: number): void;
  setDateSegmentationProperty(property: string, value: Date): void;
  getLoadedNotifications(): TiNotification[];
  getLoadedGeotriggers(): TiGeotrigger[];
  getSentNotifications(): TiSentNotification[];
  getSentGeotriggers(): TiSentGeotrigger[];
  readonly loadedNotifications: TiNotification[];
  readonly loadedGeotriggers: TiGeotrigger[];
  readonly sentNotifications: TiSentNotification[];
  readonly sentGeotriggers: TiSentGeotrigger[];
  clearSentNotifications(): void;
  clearSentGeotriggers(): void;
  addEventListener(name: 'plotNotificationReceived', listener: TiListener): void;
  removeEventListener(name: 'plotNotificationReceived', listener: TiListener): void;
  popFilterableNotifications(): Filterable;
  sendNotifications(answer: Filterable): void;
  popGeotriggers(): Handleable;
  markGeotriggersHandled(answer: Handleable | TiGeotrigger[]): void;
  markGeoTriggersHandled(answer: Handleable | TiGeotrigger[]): void;
}

export interface TitaniumOptions extends PhoneOptions {
  /** plotfilter.js; by default looked for in assets/. */
  filterScript?: string;
  /** plotgeotriggerhandler.js; by default looked for in assets/. */
  geotriggerScript?: string;
  /** Milliseconds that a script may take; 10,000 by default. */
  scriptTimeout?: number;
  /** The object `Ti` of the scripts. */
  Ti?: object;
}

export class TitaniumDevice extends Phone {
  constructor(options?: TitaniumOptions);
  readonly module: TiPlot;
}

export function createTitanium(options?: TitaniumOptions): { plot: TiPlot; device: TitaniumDevice };
/** The app's one module. */
export const plot: TiPlot;
/** The device under it. */
export const device: TitaniumDevice;
