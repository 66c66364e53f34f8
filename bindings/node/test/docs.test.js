'use strict';
// docs/node.md names everything that is public. Its programs are run by Tests/packages/check_pages.py.

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { Engine, Config, Feed } = require('../index.js');
const { project } = require('./helpers.js');

const page = fs.readFileSync(path.join(project, 'docs', 'node.md'), 'utf8');

test('the page names every method, handler and option', () => {
  const names = new Set(page.match(/\w+/g));
  const own = (object) => Object.getOwnPropertyNames(object).filter((name) => name !== 'constructor');
  const emitter = ['on', 'off', 'addListener', 'prependListener', 'removeListener', 'removeAllListeners'];
  for (const name of [...own(Engine.prototype), ...own(Config.prototype), ...own(Feed.prototype)]) {
    if (emitter.includes(name) || /^set(Boolean|Integer|Double|Date)Seg/.test(name)) continue;
    assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  }
  for (const name of Object.keys(require('../index.js'))) assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  const { createPlot } = require('../cordova/index.js');
  const { createTitanium } = require('../titanium/index.js');
  const { plot, device } = createPlot();
  const titanium = createTitanium();
  const derived = /^(_|set\w+Seg|get(Enabled|Version)$|(loaded|sent)\w+$)/;
  for (const name of [...Object.keys(plot), ...Object.keys(titanium.plot)]) {
    if (!derived.test(name) && name !== 'removeEventListener') assert.ok(names.has(name), `docs/node.md does not name ${name}`);
  }
  device.close();
  titanium.device.close();
});
