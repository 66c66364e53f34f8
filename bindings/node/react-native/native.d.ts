import { Phone, PhoneOptions } from '../lib/phone.js';

/** Native modules by name: `PlotProjectsReactModule` from `start` on. */
export const NativeModules: Record<string, any>;

export class NativeEventEmitter {
  constructor(nativeModule?: object | null);
  addListener(type: string, listener: (...values: any[]) => void, context?: unknown): { remove(): void };
  removeAllListeners(type: string): void;
  listenerCount(type: string): number;
  emit(type: string, ...values: unknown[]): void;
  static addListener(type: string, listener: (...values: any[]) => void, context?: unknown): { remove(): void };
}
export const DeviceEventEmitter: NativeEventEmitter;

export const Platform: { OS: 'android'; Version: number; select<T>(choices: { android?: T; default?: T; [platform: string]: T | undefined }): T | undefined };
export const PermissionsAndroid: {
  PERMISSIONS: Record<string, string>;
  RESULTS: { GRANTED: 'granted'; DENIED: 'denied'; NEVER_ASK_AGAIN: 'never_ask_again' };
  check(permission: string): Promise<boolean>;
  request(permission: string): Promise<string>;
  requestMultiple(permissions: readonly string[]): Promise<Record<string, string>>;
};

/** A phone with the native half of the vendor's module. */
export class ReactNativeHost extends Phone {
  constructor(options?: PhoneOptions);
}
/** A phone, before the app is loaded: there is one in a process. */
export function start(options?: PhoneOptions): ReactNativeHost;
