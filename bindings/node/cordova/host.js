'use strict';
// A small page: `cordova.define`, `cordova.require` and `cordova.exec`, enough to run the plugin's own JavaScript and an
// app's script. A context of its own, as a page has.

const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { page } = require('./page.js');

const PLUGIN = 'cordova/plugin/plot';

/** A page on the device. `globals` are added to its window. */
class CordovaHost {
  #modules = new Map(); // id -> {factory, module}

  constructor(device, globals = {}) {
    this.device = device;
    const window = {
      console, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask, URL, ...page((text) => device.log(String(text))), ...globals,
    };
    window.window = window;
    // Whoever listens is told, as by Cordova, also when the device has been ready for long.
    const { document } = window;
    const listen = document.addEventListener.bind(document);
    document.addEventListener = (name, listener, ...rest) => {
      if (name !== 'deviceready') listen(name, listener, ...rest);
      else setImmediate(() => (typeof listener === 'function' ? listener.call(document, { type: name }) : listener.handleEvent({ type: name })));
    };
    this.window = vm.createContext(window);
    const parse = vm.runInContext('JSON.parse', this.window);
    const exec = (success, fail, service, action, args) => device.exec(success, fail, service, action, args, parse);
    window.cordova = {
      define: (id, factory) => {
        if (this.#modules.has(id)) throw new Error(`module ${id} already defined`);
        this.#modules.set(id, { factory, module: null });
      },
      require: (id) => this.require(id),
      exec,
    };
    window.cordova.define('cordova/exec', (require, exports, module) => { module.exports = exec; });
    window.cordova.define('cordova', (require, exports, module) => { module.exports = window.cordova; });
    device.connect(() => withRealm(this.require(PLUGIN), parse));
  }

  /** cordova.require */
  require(id) {
    const entry = this.#modules.get(id);
    if (entry === undefined) throw new Error(`module ${id} not found`);
    if (entry.module === null) {
      entry.module = { id, exports: {} };
      const local = (name) => this.require(name.startsWith('.') ? path.posix.join(path.posix.dirname(id), name) : name);
      entry.factory(local, entry.module.exports, entry.module);
    }
    return entry.module.exports;
  }

  /** Runs a script in the page. */
  run(source, filename = 'page.js') {
    return vm.runInContext(source, this.window, { filename });
  }

  /**
   * Loads the plugin's JavaScript: a file that calls cordova.define itself, or a CommonJS one, which is then defined as
   * cordova/plugin/plot. Its module becomes the global `plot`.
   */
  loadPlugin(file) {
    const source = fs.readFileSync(file, 'utf8');
    if (/\bcordova\s*\.\s*define\s*\(/.test(source)) {
      this.run(source, file);
    } else {
      const factory = this.run(`(function (require, exports, module) {${source}\n})`, file);
      this.window.cordova.define(PLUGIN, factory);
    }
    this.window.plot = this.require(PLUGIN);
    return this.window.plot;
  }
}

/** Hands the plugin values of its own realm, so that `instanceof Array` holds there. */
function withRealm(plugin, parse) {
  const own = (value) => parse(JSON.stringify(value));
  return {
    _runNotificationHandler: (notification) => plugin._runNotificationHandler(own(notification)),
    _runFilterCallback: (notifications) => plugin._runFilterCallback(own(notifications)),
  };
}

module.exports = { CordovaHost };
