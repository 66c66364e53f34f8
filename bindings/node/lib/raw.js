'use strict';
// The header's declarations (table.js is made from them), with the names that this binding gives to its numbers.

const { functions, callbacks, constants, ABI_VERSION } = require('./table.js');

/** The numbers whose names begin so, by the rest of their names: PLOT_OPEN_LANDING_PAGE is landingPage. */
const group = (prefix) => Object.fromEntries(Object.entries(constants).filter(([name]) => name.startsWith(prefix))
  .map(([name, value]) => [name.slice(prefix.length).toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]));

const openActions = group('PLOT_OPEN_');
const hintKinds = group('PLOT_HINT_');
const proximities = group('PLOT_PROXIMITY_');
const planFlags = group('PLOT_PLAN_');
const recordFlags = group('PLOT_RECORD_');
const saveFlags = group('PLOT_SAVE_');
const logLevels = group('PLOT_LOG_');
const effectKinds = group('PLOT_EFFECT_');
const pairKinds = group('PLOT_PAIR_');
const roamingFlags = group('PLOT_ROAMING_');
const NO_POSITION = constants.PLOT_NO_POSITION;

/** The PLOT_STRATEGY_ values, by the names of their methods. */
const strategyCalls = Object.fromEntries(Object.entries({
  updateParameters: 'UPDATE_PARAMETERS', createNewNotification: 'VOTE_CREATE', deleteCurrentNotification: 'VOTE_DELETE',
  onNotificationCreated: 'CREATED', onNotificationDeleted: 'DELETED', onBackground: 'BACKGROUND', onForeground: 'FOREGROUND',
  onStartMonitoring: 'START_MONITORING', load: 'LOAD', save: 'SAVE',
}).map(([method, name]) => [method, constants[`PLOT_STRATEGY_${name}`]]));

/** The statuses: the numbers that are in no group. */
const grouped = /^PLOT_(OPEN|HINT|PROXIMITY|PLAN|RECORD|SAVE|LOG|EFFECT|STRATEGY|PAIR|ROAMING)_|^PLOT_NO_POSITION$/;
const statuses = Object.fromEntries(Object.entries(constants).filter(([name]) => !grouped.test(name)));

module.exports = { functions, callbacks, statuses, openActions, hintKinds, proximities, planFlags, recordFlags, saveFlags, logLevels, effectKinds, pairKinds, roamingFlags, NO_POSITION, strategyCalls, ABI_VERSION };
