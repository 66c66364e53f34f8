'use strict';
// The functions of include/plotengine.h, one line each, in its order. test/raw.test.js reads the header and compares
// names, argument counts and types. `P` is any handle, out-parameter, callback or user_data; `S` text that goes in;
// `T` borrowed text that comes out; `B` bytes that go in; `Z` size_t.

const P = 'pointer';
const S = 'string';
const T = 'pointer';
const B = 'buffer';
const Z = 'uint64';
const I32 = 'int32';
const I64 = 'int64';
const U64 = 'uint64';
const F64 = 'float64';

const f = (result, ...args) => ({ return: result, arguments: args });

const functions = {
  // Library
  plot_abi_version: f(I32),
  plot_version: f(T),
  plot_status_name: f(T, I32),
  plot_live_objects: f(I64),

  // Errors
  plot_error_get_status: f(I32, P),
  plot_error_get_message: f(T, P),
  plot_error_get_line: f(I32, P),
  plot_error_get_column: f(I32, P),
  plot_error_get_pointer: f(T, P),
  plot_error_get_expected: f(T, P),
  plot_error_get_found: f(T, P),
  plot_error_free: f('void', P),

  // Strings
  plot_string_get: f(T, P),
  plot_string_get_length: f(Z, P),
  plot_string_free: f('void', P),

  // Configuration
  plot_config_load: f(I32, S, P, P),
  plot_config_parse: f(I32, B, Z, P, P),
  plot_config_to_json: f(I32, P, P, P),
  plot_config_get_warning_count: f(Z, P),
  plot_config_get_warning: f(T, P, Z),
  plot_config_free: f('void', P),

  // Campaign feed
  plot_feed_load: f(I32, S, P, P),
  plot_feed_parse: f(I32, B, Z, P, P),
  plot_feed_import_geojson: f(I32, B, Z, S, P, P),
  plot_feed_to_json: f(I32, P, P, P),
  plot_feed_get_region_count: f(Z, P),
  plot_feed_get_campaign_count: f(Z, P),
  plot_feed_get_region_id: f(T, P, Z),
  plot_feed_get_campaign_id: f(T, P, Z),
  plot_feed_save: f(I32, P, S, P),
  plot_feed_map: f(I32, S, P, P),
  plot_feed_free: f('void', P),
  plot_lint: f(I32, B, Z, B, Z, I64, P, P),

  // Items
  plot_item_get_string: f(I32, P, S, P),
  plot_item_get_integer: f(I32, P, S, P),
  plot_item_get_double: f(I32, P, S, P),
  plot_item_get_json: f(I32, P, S, P),
  plot_item_set_string: f(I32, P, S, S, P),
  plot_item_set_integer: f(I32, P, S, I64, P),
  plot_item_set_json: f(I32, P, S, B, Z, P),
  plot_item_clear: f(I32, P, S, P),
  plot_item_to_json: f(I32, P, P, P),
  plot_item_copy: f(I32, P, P, P),
  plot_item_free: f('void', P),
  plot_list_new: f(I32, P, P),
  plot_list_get_count: f(Z, P),
  plot_list_get: f(P, P, Z),
  plot_list_append: f(I32, P, P, P),
  plot_list_remove: f(I32, P, Z, P),
  plot_list_to_json: f(I32, P, P, P),
  plot_list_free: f('void', P),

  // Engine: life
  plot_engine_new: f(I32, P, P),
  plot_engine_init: f(I32, P, I64, P, S, P),
  plot_engine_close: f(I32, P),
  plot_engine_free: f('void', P),

  // Engine: callbacks
  plot_engine_set_filter_callback: f(I32, P, P, P, P, P),
  plot_engine_set_geotrigger_callback: f(I32, P, P, P, P, P),
  plot_engine_set_show_callback: f(I32, P, P, P, P, P),
  plot_engine_set_remove_callback: f(I32, P, P, P, P, P),
  plot_engine_set_notification_handler: f(I32, P, P, P, P, P),
  plot_engine_set_open_callback: f(I32, P, P, P, P, P),
  plot_engine_set_event_callback: f(I32, P, P, P, P, P),
  plot_engine_set_decision_callback: f(I32, P, P, P, P, P),
  plot_engine_set_recording_callback: f(I32, P, P, P, P, P),
  plot_engine_set_log_callback: f(I32, P, P, P, P, P),
  plot_engine_set_wakeup_callback: f(I32, P, P, P, P, P),
  plot_engine_set_fix_request_callback: f(I32, P, P, P, P, P),

  // Engine: strategies
  plot_engine_set_strategy: f(I32, P, S, P, P, P, P),
  plot_strategy_call_get_item: f(P, P),
  plot_strategy_call_get_next: f(P, P),
  plot_strategy_call_get_time: f(I64, P),
  plot_strategy_call_get_done: f(I32, P),
  plot_strategy_call_get_json: f(T, P),
  plot_strategy_call_get_state: f(T, P),
  plot_strategy_call_set_state: f(I32, P, S, P),

  // Engine: recording
  plot_engine_record_to_file: f(I32, P, S, I32, P),
  plot_engine_stop_recording: f(I32, P, P),

  // Replay
  plot_replay_new: f(I32, P, P),
  plot_replay_take_line: f(I32, P, B, Z, P, P),
  plot_replay_free: f('void', P),

  // Engine: settings
  plot_engine_enable: f(I32, P, I64, P),
  plot_engine_disable: f(I32, P, I64, P),
  plot_engine_is_enabled: f(I32, P, P, P),
  plot_engine_set_cooldown_period: f(I32, P, I64, I64, P),
  plot_engine_get_cooldown_period: f(I32, P, P, P),
  plot_engine_set_time_zone: f(I32, P, I64, S, P),
  plot_engine_get_time_zone: f(I32, P, P, P),
  plot_engine_set_clock: f(I32, P, I64, I64, S, P),
  plot_engine_set_feed: f(I32, P, I64, P, P),
  plot_engine_offer_feed: f(I32, P, P, P),
  plot_engine_set_string_segmentation_property: f(I32, P, I64, S, S, P),
  plot_engine_set_boolean_segmentation_property: f(I32, P, I64, S, I32, P),
  plot_engine_set_integer_segmentation_property: f(I32, P, I64, S, I64, P),
  plot_engine_set_double_segmentation_property: f(I32, P, I64, S, F64, P),
  plot_engine_set_date_segmentation_property: f(I32, P, I64, S, I64, P),
  plot_engine_clear_segmentation_property: f(I32, P, I64, S, P),
  plot_engine_get_segmentation_properties: f(I32, P, P, P),
  plot_engine_set_advertising_identifier: f(I32, P, I64, S, I32, P),

  // Engine: inputs
  plot_engine_update_location: f(I32, P, I64, F64, F64, F64, F64, F64, P),
  plot_engine_update_ibeacon: f(I32, P, I64, S, I32, I32, I32, F64, F64, P),
  plot_engine_update_eddystone: f(I32, P, I64, S, S, I32, F64, F64, P),
  plot_engine_region_hint: f(I32, P, I64, S, I32, F64, F64, F64, P),
  plot_engine_plan_regions: f(I32, P, I64, F64, F64, F64, I32, I32, P, P),
  plot_engine_move_region: f(I32, P, I64, S, F64, F64, P),
  plot_engine_advance: f(I32, P, I64, P),
  plot_engine_next_wakeup: f(I32, P, P, P),
  plot_engine_get_batch: f(I32, P, U64, P, P),
  plot_engine_answer_filter: f(I32, P, I64, U64, P, P),
  plot_engine_mark_geotriggers_handled: f(I32, P, I64, U64, P, P),
  plot_engine_test_filter: f(I32, P, P, P, P),
  plot_engine_test_geotrigger_handler: f(I32, P, P, P, P),
  plot_engine_get_test_answer: f(I32, P, U64, P, P),
  plot_engine_open_notification: f(I32, P, I64, S, P),
  plot_engine_take_action: f(I32, P, I64, S, S, P),
  plot_engine_dismiss_notification: f(I32, P, I64, S, P),
  plot_engine_remove_notification: f(I32, P, I64, S, P),
  plot_engine_update_notification: f(I32, P, I64, P, P),
  plot_engine_set_foreground: f(I32, P, I64, I32, P),
  plot_engine_set_network: f(I32, P, I64, I32, P),

  // Engine: many fixes at once
  plot_engine_update_locations: f(I32, P, Z, P, P, P, P, P, P, P, P),
  plot_engine_update_locations_together: f(I32, P, I64, Z, P, P, P, P, P, P, P, P),
  plot_engines_update_locations: f(I32, P, Z, P, Z, P, P, P, P, P, P, P, P),
  plot_engines_replay: f(I32, P, Z, P, Z, P, P, P, P, P, P, I64, P, P),
  plot_effects_get_count: f(Z, P),
  plot_effects_get_records: f(P, P),
  plot_effects_free: f('void', P),

  // Engine: its state as bytes
  plot_engine_save: f(I32, P, I32, P, P),
  plot_engine_restore: f(I32, P, I64, P, P, S, B, Z, P),
  plot_engines_save: f(I32, P, Z, I32, P, P, P),
  plot_engines_restore: f(I32, P, Z, I64, P, P, B, Z, P, P),

  // Engine: messages
  plot_engine_process_message: f(I32, P, I64, B, Z, P),
  plot_engine_set_list: f(I32, P, I64, S, B, Z, P),
  plot_engine_edit_list: f(I32, P, I64, S, B, Z, P),
  plot_engine_list_contains: f(I32, P, S, S, P, P),
  plot_engine_get_lists: f(I32, P, P, P),

  // Engine: lists
  plot_engine_get_events: f(I32, P, S, I64, Z, P, P),
  plot_engine_acknowledge_events: f(I32, P, S, I64, P),
  plot_engine_get_loaded_notifications: f(I32, P, Z, P, P),
  plot_engine_get_loaded_geotriggers: f(I32, P, Z, P, P),
  plot_engine_get_sent_notifications: f(I32, P, P, P),
  plot_engine_get_sent_geotriggers: f(I32, P, P, P),
  plot_engine_clear_sent_notifications: f(I32, P, I64, P),
  plot_engine_clear_sent_geotriggers: f(I32, P, I64, P),
  plot_engine_clear_all_data: f(I32, P, I64, P),
  plot_engine_get_displayed_notifications: f(I32, P, P, P),
  plot_engine_get_visits: f(I32, P, P, P),
  plot_engine_get_summary: f(I32, P, P, P),
  plot_engine_write_debug_log: f(I32, P, S, P),

  // Engine: why it was not shown
  plot_engine_keep_decisions: f(I32, P, I64, P),
  plot_engine_get_decisions: f(I32, P, S, S, Z, P, P),
  plot_engine_write_decisions_to: f(I32, P, S, P),
  plot_engine_explain: f(I32, P, S, S, S, P, P),
};

/** The callback types of the header. */
const callbacks = {
  plot_destroy_fn: f('void', P),
  plot_filter_fn: f('void', P, P, U64, P),
  plot_geotrigger_fn: f('void', P, P, U64, P),
  plot_show_fn: f(I32, P, P, P),
  plot_remove_fn: f(I32, P, P, P),
  plot_strategy_fn: f(I32, P, P, I32, P),
  plot_notification_handler_fn: f('void', P, P, P, T),
  plot_open_fn: f('void', P, P, I32, T, P),
  plot_event_fn: f('void', P, P, T, Z, P),
  plot_decision_fn: f('void', P, P, T, Z),
  plot_recording_fn: f('void', P, P, T, Z),
  plot_log_fn: f('void', P, P, I32, T),
  plot_wakeup_fn: f('void', P, P, I64),
  plot_fix_request_fn: f('void', P, P, I64),
};

/** The statuses; a test compares them with the header's `#define`s. */
const statuses = {
  PLOT_OK: 0,
  PLOT_INVALID_ARGUMENT: 1,
  PLOT_NOT_INITIALIZED: 2,
  PLOT_ALREADY_INITIALIZED: 3,
  PLOT_CLOSED: 4,
  PLOT_OUT_OF_ORDER: 5,
  PLOT_INVALID_DOCUMENT: 6,
  PLOT_IO_ERROR: 7,
  PLOT_STORE_FAILED: 8,
  PLOT_STORE_DAMAGED: 9,
  PLOT_STORE_BUSY: 10,
  PLOT_STORE_READ_ONLY: 11,
  PLOT_STORE_NEWER: 12,
  PLOT_NOT_FOUND: 13,
  PLOT_READ_ONLY_KEY: 14,
  PLOT_WRONG_TYPE: 15,
  PLOT_UNKNOWN_TOKEN: 16,
  PLOT_ALREADY_ANSWERED: 17,
  PLOT_UNKNOWN_ITEM: 18,
  PLOT_STORE_IN_DOUBT: 19,
};

/** The PLOT_OPEN_ values, by the names this binding gives them. */
const openActions = { app: 0, uri: 1, landingPage: 2, applink: 3, data: 4 };

/** The PLOT_STRATEGY_ values, by the names of their methods. */
const strategyCalls = {
  updateParameters: 0, createNewNotification: 1, deleteCurrentNotification: 2, onNotificationCreated: 3,
  onNotificationDeleted: 4, onBackground: 5, onForeground: 6, onStartMonitoring: 7, load: 8, save: 9,
};

/** The PLOT_HINT_ values. */
const proximities = { unknown: 0, immediate: 1, near: 2, far: 3 };
const hintKinds = { enter: 0, exit: 1, inside: 2, outside: 3 };

/** The PLOT_RECORD_ values. */
const recordFlags = { inputs: 1 };
const saveFlags = { events: 1 };

/** The PLOT_PLAN_ values. */
const planFlags = { reset: 1, fenceLeft: 2 };

/** The PLOT_EFFECT_ values. */
const effectKinds = {
  refused: 0, regionEnter: 1, regionInside: 2, regionDwell: 3, regionExit: 4, regionApproach: 5, notificationFiltered: 6,
  notificationShown: 7, notificationFailed: 8, notificationOpened: 9, notificationAction: 10, notificationDismissed: 11,
  notificationRemoved: 12, geotrigger: 13, geotriggerDropped: 14, messageDropped: 15, messageRetracted: 16,
  storeSetAside: 17,
  filterAsked: 64, geotriggersAsked: 65,
};

const NO_POSITION = 4294967295;

/** The PLOT_LOG_ values. */
const logLevels = { error: 0, warning: 1, info: 2, debug: 3 };

const ABI_VERSION = 15;

module.exports = { functions, callbacks, statuses, openActions, hintKinds, proximities, planFlags, recordFlags, saveFlags, logLevels, effectKinds, NO_POSITION, strategyCalls, ABI_VERSION };
