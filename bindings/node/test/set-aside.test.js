'use strict';
// A damaged store that is set aside (docs/store.md).

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Engine } = require('../index.js');

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
