import { Phone, PhoneOptions } from '../lib/phone.js';

export interface RNItem {
  identifier: string;
  matchId?: string;
  campaignId: string;
  regionId: string;
  data: string;
  geofenceLatitude?: number;
  geofenceLongitude?: number;
  trigger: 'enter' | 'exit' | 'dwelling' | 'inside' | 'approaching' | 'absent' | 'trip';
  dwellingMinutes: number;
  matchRange: number;
  regionType: 'geofence' | 'beacon';
}
export interface RNNotification extends RNItem { message: string; handlerType: 'regular' | 'landingPage' | 'applink' }
export interface RNGeotrigger extends RNItem { name: string }
export interface RNSentNotification extends RNNotification { dateSent: number; dateOpened: number; isOpened: boolean }
export interface RNSentGeotrigger extends RNGeotrigger { dateSent: number; dateHandled: number; isHandled: boolean }

export interface PlotProjects {
  initialize(): void;
  enable(): void;
  disable(): void;
  isEnabled(callback: (enabled: boolean) => void): void;
  getVersion(callback: (version: string) => void): void;
  setAdvertisingId(id: string | null, limit: boolean): void;
  setStringSegmentationProperty(name: string, value: string | null): void;
  setBooleanSegmentationProperty(name: string, value: boolean): void;
  setIntegerSegmentationProperty(name: string, value: number): void;
  setLongSegmentationProperty(name: string, value: number): void;
  setDoubleSegmentationProperty(name: string, value: number): void;
  /** Milliseconds since 1970. */
  setDateSegmentationProperty(name: string, value: number): void;
  registerNotificationFilter(callback: (batchId: string, notifications: RNNotification[]) => void): void;
  unregisterNotificationFilter(): void;
  filterNotifications(batchId: string, json: string): void;
  registerGeotriggerHandler(callback: (batchId: string, geotriggers: RNGeotrigger[]) => void): void;
  unregisterGeotriggerHandler(): void;
  handleGeotriggers(batchId: string, json: string): void;
  registerNotificationOpenHandler(callback: (notification: RNNotification) => void): void;
  unregisterNotificationOpenHandler(): void;
  getLoadedNotifications(callback: (notifications: RNNotification[]) => void): void;
  getLoadedGeotriggers(callback: (geotriggers: RNGeotrigger[]) => void): void;
  getSentNotifications(callback: (notifications: RNSentNotification[]) => void): void;
  getSentGeotriggers(callback: (geotriggers: RNSentGeotrigger[]) => void): void;
  mailDebugLog(): void;
}

export class ReactNativeDevice extends Phone {
  constructor(options?: PhoneOptions);
  readonly module: PlotProjects;
}

export function createPlotProjects(options?: PhoneOptions): { PlotProjects: PlotProjects; device: ReactNativeDevice };
