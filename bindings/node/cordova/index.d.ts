import { Phone, PhoneOptions } from '../lib/phone.js';

export interface PlotNotification {
  id: string;
  matchIdentifier?: string;
  message: string;
  data: string;
  geofenceLatitude?: number;
  geofenceLongitude?: number;
  dwellingMinutes: number;
  trigger: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  notificationHandlerType: 'regular' | 'landingPage' | 'applink';
  matchRange: number;
  regionType: 'geofence' | 'beacon';
}

export interface PlotGeotrigger {
  id: string;
  matchIdentifier?: string;
  name: string;
  data: string;
  geofenceLatitude?: number;
  geofenceLongitude?: number;
  dwellingMinutes: number;
  trigger: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  matchRange: number;
  regionType: 'geofence' | 'beacon';
}

export interface PlotSentNotification extends PlotNotification {
  matchId: string;
  dateSent: Date | null;
  dateOpened: Date | null;
  isOpened: boolean;
}

export interface PlotSentGeotrigger extends PlotGeotrigger {
  matchId: string;
  dateSent: Date | null;
  dateHandled: Date | null;
  isHandled: boolean;
}

export interface PlotConfiguration {
  /** @deprecated plotconfig.json has it. */
  publicKey?: string;
  /** @deprecated Seconds; -1: as before. */
  cooldownPeriod?: number;
  /** @deprecated plotconfig.json has it. */
  enableOnFirstRun?: boolean;
  debug?: boolean;
  remoteNotificationFilter?: string;
  remoteGeotriggerHandler?: string;
}

type Done = () => void;
type Failed = (message: string) => void;

/** The object that apps know as `plot`. */
export interface Plot {
  exampleConfiguration: PlotConfiguration;
  /** By default everything passes. */
  filterCallback: (notifications: PlotNotification[]) => PlotNotification[];
  /** By default the data is opened as a URI. */
  notificationHandler: (notification: PlotNotification, data: string) => void;
  init(configuration?: PlotConfiguration | null, successCallback?: Done, failureCallback?: Failed): void;
  init(successCallback: Done, failureCallback?: Failed): void;
  enable(successCallback?: Done, failureCallback?: Failed): void;
  disable(successCallback?: Done, failureCallback?: Failed): void;
  isEnabled(resultCallback: (enabled: 0 | 1) => void, failureCallback?: Failed): void;
  getVersion(resultCallback: (version: string) => void, failureCallback?: Failed): void;
  setCooldownPeriod(seconds: number, successCallback?: Done, failureCallback?: Failed): void;
  loadedNotifications(resultCallback: (notifications: PlotNotification[]) => void, failureCallback?: Failed): void;
  loadedGeotriggers(resultCallback: (geotriggers: PlotGeotrigger[]) => void, failureCallback?: Failed): void;
  sentNotifications(resultCallback: (notifications: PlotSentNotification[]) => void, failureCallback?: Failed): void;
  sentGeotriggers(resultCallback: (geotriggers: PlotSentGeotrigger[]) => void, failureCallback?: Failed): void;
  clearSentNotifications(successCallback?: Done, failureCallback?: Failed): void;
  clearSentGeotriggers(successCallback?: Done, failureCallback?: Failed): void;
  setStringSegmentationProperty(property: string, value: string, successCallback?: Done, failureCallback?: Failed): void;
  setBooleanSegmentationProperty(property: string, value: boolean, successCallback?: Done, failureCallback?: Failed): void;
  setIntegerSegmentationProperty(property: string, value: number, successCallback?: Done, failureCallback?: Failed): void;
  setDoubleSegmentationProperty(property: string, value: number, successCallback?: Done, failureCallback?: Failed): void;
  setDateSegmentationProperty(property: string, value: Date, successCallback?: Done, failureCallback?: Failed): void;
  mailDebugLog(successCallback?: Done, failureCallback?: Failed): void;
}

export interface CordovaOptions extends PhoneOptions {
  /** Milliseconds that the remote filter and handler may take; 20,000 by default. */
  remoteTimeout?: number;
}

export type Exec = (
  success: ((value?: any) => void) | null | undefined, fail: Failed | null | undefined, service: string, action: string, args?: unknown[],
) => void;

/** A phone with a Cordova app on it: the native half of the plugin. */
export class CordovaDevice extends Phone {
  constructor(options?: CordovaOptions);
  exec(
    success: ((value?: any) => void) | null | undefined, fail: Failed | null | undefined, service: string, action: string,
    args?: unknown[], parse?: (json: string) => any,
  ): void;
  connect(getPlugin: () => { _runNotificationHandler(notification: PlotNotification): void; _runFilterCallback(notifications: PlotNotification[]): void }): void;
}

/** A page: cordova.define, cordova.require, cordova.exec. */
export class CordovaHost {
  constructor(device: CordovaDevice, globals?: Record<string, unknown>);
  readonly device: CordovaDevice;
  readonly window: Record<string, any>;
  require(id: string): any;
  run(source: string, filename?: string): any;
  loadPlugin(file: string): Plot;
}

export function makePlot(exec: Exec): Plot;
export function createPlot(options?: CordovaOptions): { plot: Plot; device: CordovaDevice };
/** The app's one `plot`. */
export const plot: Plot;
/** The device under it. */
export const device: CordovaDevice;
