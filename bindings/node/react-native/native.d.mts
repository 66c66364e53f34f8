import * as native from './native.js';
export { NativeModules, NativeEventEmitter, DeviceEventEmitter, Platform, PermissionsAndroid, ReactNativeHost, start } from './native.js';
export default native;
