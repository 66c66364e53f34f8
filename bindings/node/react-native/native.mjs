import native from './native.js';

export const { NativeModules, NativeEventEmitter, DeviceEventEmitter, Platform, PermissionsAndroid, ReactNativeHost, start } = native;
export default native;
