'use strict';
// A damaged store that is set aside (docs/store.md).

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Engine } = require('../index.js');
const { CordovaDevice } = require('../cordova/index.js');
const { createTitanium } = require('../titanium/index.js');
const { ReactNativeDevice } = require('../react-native/index.js');

test('an app goes on after its store was damaged', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plot-'));
  const store = path.join(folder, 'plot.store');
  const start = (damagedStore, time) => {
    const events = [];
    const engine = new Engine({ clock: () => time });
    engine.on('event', (happened) => events.push(happened));
    try {
      engine.init({ engine: { damagedStore } }, { store });
    } finally {
      engine.close();
    }
    return events;
  };
  try {
    start('refuse', 1_700_000_000_000);
    const damaged = fs.readFileSync(store);
    damaged.fill(0xa7, 100, 300);
    fs.writeFileSync(store, damaged);
    assert.throws(() => start('refuse', 1_700_000_000_000), { code: 'PLOT_STORE_DAMAGED' });
    const [first, ...rest] = start('setAside', 1_700_000_001_000);
    assert.deepStrictEqual([first.event, first.lost.includes('settings'), rest], ['store-set-aside', true, []]);
    assert.deepStrictEqual(fs.readFileSync(`${store}-damaged`), damaged);
    assert.deepStrictEqual(start('refuse', 1_700_000_002_000), []);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

const MIRRORS = {
  Cordova: (options) => new CordovaDevice(options),
  Titanium: (options) => createTitanium(options).device,
  'React Native': (options) => new ReactNativeDevice(options),
};

for (const [name, make] of Object.entries(MIRRORS)) {
  test(`the mirror of ${name} sets aside unless the app says otherwise`, () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plot-'));
    const store = path.join(folder, 'plot.store');
    const start = (engine) => {
      const device = make({ config: { publicToken: 'REPLACE_ME', engine }, store, directory: folder, timers: false, clock: () => 1_700_000_000_000, log: () => {} });
      try {
        device.initialize();
      } finally {
        device.close();
      }
    };
    try {
      start({});
      const damaged = fs.readFileSync(store);
      damaged.fill(0xa7, 100, 300);
      fs.writeFileSync(store, damaged);
      assert.throws(() => start({ damagedStore: 'refuse' }), { code: 'PLOT_STORE_DAMAGED' });
      start({ noise: 'careful' });
      assert.deepStrictEqual(fs.readFileSync(`${store}-damaged`), damaged);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
}
