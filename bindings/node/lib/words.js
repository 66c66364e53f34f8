'use strict';
// The library's messages in this package's words: they name functions and arguments as the header does.

/** Those whose name here is not the same in camel case. */
const NAMES = {
  plot_engine_new: 'new Engine()', plot_engine_free: 'engine.close()', plot_engine_record_to_file: 'engine.record()',
  plot_engine_answer_filter: 'engine.answerFilter()', plot_engine_next_wakeup: 'engine.nextWakeup()', plot_engine_is_enabled: 'engine.isEnabled()',
  plot_engine_get_cooldown_period: 'engine.getCooldownPeriod()', plot_engine_get_time_zone: 'engine.getTimeZone()', plot_engine_get_batch: 'engine.getBatch()',
  plot_engine_get_segmentation_properties: 'engine.getSegmentationProperties()', plot_engine_get_test_answer: 'engine.testAnswer()',
  plot_engine_update_ibeacon: 'engine.updateBeacon()', plot_engine_update_eddystone: 'engine.updateBeacon()',
  plot_engine_set_filter_callback: 'engine.onFilter', plot_engine_set_geotrigger_callback: 'engine.onGeotriggers', plot_engine_set_show_callback: 'engine.onShow',
  plot_engine_set_remove_callback: 'engine.onRemove', plot_engine_set_notification_handler: 'engine.onNotification', plot_engine_set_open_callback: 'engine.onOpen',
  plot_engine_set_event_callback: 'engine.onEvent', plot_engine_set_decision_callback: 'engine.onDecision', plot_engine_set_recording_callback: 'engine.onRecording',
  plot_engine_set_log_callback: 'engine.onLog', plot_engine_set_wakeup_callback: 'engine.onWakeup',
  plot_engine_set_fix_request_callback: 'engine.onFixRequest', plot_engine_set_sync_callback: 'engine.onSync',
  plot_engines_save: 'fleet.save()', plot_engines_restore: 'fleet.restore()',
  plot_engine_update_locations_together: 'engine.updateLocations()', plot_engines_update_locations: 'fleet.updateLocations()', plot_engines_replay: 'fleet.replay()', plot_feed_import_geojson: 'Feed.importGeoJSON()', plot_replay_new: 'new Replay()',
  plot_roaming_new: 'new Roaming()', plot_roaming_list_pairs: 'roaming.pairs()', plot_roaming_free: 'roaming.close()', plot_replay_take_line: 'replay.take()', plot_replay_free: 'replay.close()', plot_feed_free: 'feed.close()', plot_config_free: 'config.close()',
  plot_engine_get_events: 'engine.pendingEvents()', plot_strategy_call_get_next: 'next', plot_config_get_warning: 'config.warnings', plot_config_get_warning_count: 'config.warnings', plot_lint: 'lint()',
};
const ARGUMENTS = {
  action_id: 'action', boot_id: 'boot', campaign_id: 'campaign', instance_id: 'instanceId', limit_tracking: 'limitTracking', major_id: 'majorId', match_identifier: 'matchIdentifier',
  minor_id: 'minorId', monotonic_ms: 'monotonic', namespace_id: 'namespaceId', proximity_uuid: 'proximityUUID', region_id: 'region', store_path: 'store',
  enter_metres: 'enter', exit_metres: 'exit', max_age_ms: 'maxAge', before_ms: 'before', time_ms: 'time', times_ms: 'times', time_zone: 'timeZone',
};
const STATIC = /^plot_(config|feed)_(load|parse|map)$/;

const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** The JavaScript name of a function of the header. */
function nameOf(symbol) {
  if (Object.hasOwn(NAMES, symbol)) return NAMES[symbol];
  const [, owner, word] = /^plot_(engine|config|feed|roaming)_(?:get_)?(\w+)$/.exec(symbol) ?? [];
  if (owner === undefined) return symbol;
  const what = STATIC.test(symbol) ? owner[0].toUpperCase() + owner.slice(1) : owner;
  if (/^(region|campaign)_count$/.test(word)) return `${what}.${camel(word)}`;
  return `${what}.${word === 'to_json' ? 'toString' : camel(word)}()`;
}

/** A sentence of the library, but for what it quotes. */
function translated(sentence) {
  return sentence
    .replace(/^[a-z]+(?:_[a-z]+)+(?=[:[])/, (name) => ARGUMENTS[name] ?? camel(name))
    .replace(/"(?:[^"\\]|\\.)*"|\bplot_[a-z_]+\b(?:\(\))?|\bNULL\b/g, (token) => {
      if (token[0] === '"') return token;
      return token === 'NULL' ? 'null' : nameOf(token.replace('()', ''));
    });
}

module.exports = { translated, nameOf };
