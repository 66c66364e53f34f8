//! Made from include/plotengine.h by scripts/binding_tables.py: do not edit.
//!
//! The C library as it is. `include/plotengine.h` says what each function does, and who owns what.

use std::os::raw::{c_char, c_void};

/// The ABI that this table was written for. The library's may be newer: the ABI only grows.
pub const ABI_VERSION: i32 = 22;

#[repr(C)]
pub struct plot_engine { _private: [u8; 0] }
#[repr(C)]
pub struct plot_config { _private: [u8; 0] }
#[repr(C)]
pub struct plot_feed { _private: [u8; 0] }
#[repr(C)]
pub struct plot_item { _private: [u8; 0] }
#[repr(C)]
pub struct plot_list { _private: [u8; 0] }
#[repr(C)]
pub struct plot_string { _private: [u8; 0] }
#[repr(C)]
pub struct plot_error { _private: [u8; 0] }
#[repr(C)]
pub struct plot_strategy_call { _private: [u8; 0] }
#[repr(C)]
pub struct plot_replay { _private: [u8; 0] }
#[repr(C)]
pub struct plot_effects { _private: [u8; 0] }
#[repr(C)]
pub struct plot_roaming { _private: [u8; 0] }
#[repr(C)]
pub struct plot_pairs { _private: [u8; 0] }

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct plot_effect {
    pub time_ms: i64,
    pub number: u64,
    pub fix: u32,
    pub device: u32,
    pub kind: u32,
    pub detail: u32,
    pub region: u32,
    pub campaign: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct plot_pair {
    pub time_ms: i64,
    pub metres: f64,
    pub first: u32,
    pub second: u32,
    pub fix: u32,
    pub kind: u32,
}

pub type plot_destroy_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;
pub type plot_filter_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, token: u64, notifications: *mut plot_list)>;
pub type plot_geotrigger_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, token: u64, geotriggers: *mut plot_list)>;
pub type plot_show_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, notification: *const plot_item) -> i32>;
pub type plot_remove_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, notification: *const plot_item) -> i32>;
pub type plot_strategy_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, what: i32, call: *mut plot_strategy_call) -> i32>;
pub type plot_notification_handler_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, notification: *const plot_item, data: *const c_char)>;
pub type plot_open_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, action: i32, uri: *const c_char, notification: *const plot_item)>;
pub type plot_event_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, json: *const c_char, length: usize, item: *const plot_item)>;
pub type plot_decision_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, json: *const c_char, length: usize)>;
pub type plot_recording_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, line: *const c_char, length: usize)>;
pub type plot_log_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, level: i32, message: *const c_char)>;
pub type plot_wakeup_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, time_ms: i64)>;
pub type plot_sync_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, json: *const c_char, length: usize, next_ms: i64)>;
pub type plot_fix_request_fn = Option<unsafe extern "C" fn(user_data: *mut c_void, engine: *mut plot_engine, deadline_ms: i64)>;

pub const PLOT_OK: i32 = 0;
pub const PLOT_INVALID_ARGUMENT: i32 = 1;
pub const PLOT_NOT_INITIALIZED: i32 = 2;
pub const PLOT_ALREADY_INITIALIZED: i32 = 3;
pub const PLOT_CLOSED: i32 = 4;
pub const PLOT_OUT_OF_ORDER: i32 = 5;
pub const PLOT_INVALID_DOCUMENT: i32 = 6;
pub const PLOT_IO_ERROR: i32 = 7;
pub const PLOT_STORE_FAILED: i32 = 8;
pub const PLOT_STORE_DAMAGED: i32 = 9;
pub const PLOT_STORE_BUSY: i32 = 10;
pub const PLOT_STORE_READ_ONLY: i32 = 11;
pub const PLOT_STORE_NEWER: i32 = 12;
pub const PLOT_NOT_FOUND: i32 = 13;
pub const PLOT_READ_ONLY_KEY: i32 = 14;
pub const PLOT_WRONG_TYPE: i32 = 15;
pub const PLOT_UNKNOWN_TOKEN: i32 = 16;
pub const PLOT_ALREADY_ANSWERED: i32 = 17;
pub const PLOT_UNKNOWN_ITEM: i32 = 18;
pub const PLOT_STORE_IN_DOUBT: i32 = 19;
pub const PLOT_KEY_IDENTIFIER: &str = "identifier";
pub const PLOT_KEY_MATCH_IDENTIFIER: &str = "matchIdentifier";
pub const PLOT_KEY_CAMPAIGN_ID: &str = "campaignId";
pub const PLOT_KEY_REGION_ID: &str = "regionId";
pub const PLOT_KEY_MESSAGE: &str = "message";
pub const PLOT_KEY_NAME: &str = "name";
pub const PLOT_KEY_DATA: &str = "data";
pub const PLOT_KEY_TITLE: &str = "title";
pub const PLOT_KEY_SUBTITLE: &str = "subtitle";
pub const PLOT_KEY_BODY: &str = "body";
pub const PLOT_KEY_SOUND: &str = "sound";
pub const PLOT_KEY_BADGE: &str = "badge";
pub const PLOT_KEY_CATEGORY: &str = "category";
pub const PLOT_KEY_ATTACHMENTS: &str = "attachments";
pub const PLOT_KEY_ACTIONS: &str = "actions";
pub const PLOT_KEY_USER_INFO: &str = "userInfo";
pub const PLOT_KEY_GEOFENCE_LATITUDE: &str = "geofenceLatitude";
pub const PLOT_KEY_GEOFENCE_LONGITUDE: &str = "geofenceLongitude";
pub const PLOT_KEY_TRIGGER: &str = "trigger";
pub const PLOT_KEY_DWELLING_MINUTES: &str = "dwellingMinutes";
pub const PLOT_KEY_ARRIVAL_SECONDS: &str = "arrivalSeconds";
pub const PLOT_KEY_TRIP_EVENT: &str = "tripEvent";
pub const PLOT_KEY_INSIDE_AT: &str = "insideAt";
pub const PLOT_KEY_NOTIFICATION_HANDLER_TYPE: &str = "notificationHandlerType";
pub const PLOT_KEY_MATCH_RANGE: &str = "matchRange";
pub const PLOT_KEY_REGION_TYPE: &str = "regionType";
pub const PLOT_KEY_TRAVEL_MINUTES: &str = "travelMinutes";
pub const PLOT_KEY_TRAVEL_MODE: &str = "travelMode";
pub const PLOT_KEY_REGION_NAME: &str = "regionName";
pub const PLOT_KEY_PRIORITY: &str = "priority";
pub const PLOT_KEY_REMOVE_ON_EXIT: &str = "removeOnExit";
pub const PLOT_KEY_REMOVE_AT_END: &str = "removeAtEnd";
pub const PLOT_KEY_EXPIRE_AFTER: &str = "expireAfter";
pub const PLOT_KEY_EXPIRE_AT: &str = "expireAt";
pub const PLOT_KEY_UPDATES: &str = "updates";
pub const PLOT_KEY_CORRELATION_KEY: &str = "correlationKey";
pub const PLOT_KEY_COALESCED: &str = "coalesced";
pub const PLOT_KEY_SENDER: &str = "sender";
pub const PLOT_KEY_THREAD: &str = "thread";
pub const PLOT_KEY_REVISION: &str = "revision";
pub const PLOT_KEY_SILENT: &str = "silent";
pub const PLOT_KEY_SUPPRESSED: &str = "suppressed";
pub const PLOT_KEY_DATE_SENT: &str = "dateSent";
pub const PLOT_KEY_DATE_OPENED: &str = "dateOpened";
pub const PLOT_KEY_IS_OPENED: &str = "isOpened";
pub const PLOT_KEY_DATE_HANDLED: &str = "dateHandled";
pub const PLOT_KEY_IS_HANDLED: &str = "isHandled";
pub const PLOT_KEY_IS_APP_IN_FOREGROUND: &str = "isAppInForeground";
pub const PLOT_KEY_CONFIRM: &str = "confirm";
pub const PLOT_OPEN_APP: i32 = 0;
pub const PLOT_OPEN_URI: i32 = 1;
pub const PLOT_OPEN_LANDING_PAGE: i32 = 2;
pub const PLOT_OPEN_APPLINK: i32 = 3;
pub const PLOT_OPEN_DATA: i32 = 4;
pub const PLOT_LOG_ERROR: i32 = 0;
pub const PLOT_LOG_WARNING: i32 = 1;
pub const PLOT_LOG_INFO: i32 = 2;
pub const PLOT_LOG_DEBUG: i32 = 3;
pub const PLOT_STRATEGY_UPDATE_PARAMETERS: i32 = 0;
pub const PLOT_STRATEGY_VOTE_CREATE: i32 = 1;
pub const PLOT_STRATEGY_VOTE_DELETE: i32 = 2;
pub const PLOT_STRATEGY_CREATED: i32 = 3;
pub const PLOT_STRATEGY_DELETED: i32 = 4;
pub const PLOT_STRATEGY_BACKGROUND: i32 = 5;
pub const PLOT_STRATEGY_FOREGROUND: i32 = 6;
pub const PLOT_STRATEGY_START_MONITORING: i32 = 7;
pub const PLOT_STRATEGY_LOAD: i32 = 8;
pub const PLOT_STRATEGY_SAVE: i32 = 9;
pub const PLOT_PROXIMITY_UNKNOWN: i32 = 0;
pub const PLOT_PROXIMITY_IMMEDIATE: i32 = 1;
pub const PLOT_PROXIMITY_NEAR: i32 = 2;
pub const PLOT_PROXIMITY_FAR: i32 = 3;
pub const PLOT_HINT_ENTER: i32 = 0;
pub const PLOT_HINT_EXIT: i32 = 1;
pub const PLOT_HINT_INSIDE: i32 = 2;
pub const PLOT_HINT_OUTSIDE: i32 = 3;
pub const PLOT_PLAN_RESET: i32 = 1;
pub const PLOT_PLAN_FENCE_LEFT: i32 = 2;
pub const PLOT_RECORD_INPUTS: i32 = 1;
pub const PLOT_EFFECT_REFUSED: i32 = 0;
pub const PLOT_EFFECT_REGION_ENTER: i32 = 1;
pub const PLOT_EFFECT_REGION_INSIDE: i32 = 2;
pub const PLOT_EFFECT_REGION_DWELL: i32 = 3;
pub const PLOT_EFFECT_REGION_EXIT: i32 = 4;
pub const PLOT_EFFECT_REGION_APPROACH: i32 = 5;
pub const PLOT_EFFECT_NOTIFICATION_FILTERED: i32 = 6;
pub const PLOT_EFFECT_NOTIFICATION_SHOWN: i32 = 7;
pub const PLOT_EFFECT_NOTIFICATION_FAILED: i32 = 8;
pub const PLOT_EFFECT_NOTIFICATION_OPENED: i32 = 9;
pub const PLOT_EFFECT_NOTIFICATION_ACTION: i32 = 10;
pub const PLOT_EFFECT_NOTIFICATION_DISMISSED: i32 = 11;
pub const PLOT_EFFECT_NOTIFICATION_REMOVED: i32 = 12;
pub const PLOT_EFFECT_GEOTRIGGER: i32 = 13;
pub const PLOT_EFFECT_GEOTRIGGER_DROPPED: i32 = 14;
pub const PLOT_EFFECT_MESSAGE_DROPPED: i32 = 15;
pub const PLOT_EFFECT_MESSAGE_RETRACTED: i32 = 16;
pub const PLOT_EFFECT_STORE_SET_ASIDE: i32 = 17;
pub const PLOT_EFFECT_NOTIFICATION_HELD_OUT: i32 = 18;
pub const PLOT_EFFECT_ABSENCE: i32 = 19;
pub const PLOT_EFFECT_ABSENCE_UNKNOWN: i32 = 20;
pub const PLOT_EFFECT_TRIP_STARTED: i32 = 21;
pub const PLOT_EFFECT_TRIP_APPROACHING: i32 = 22;
pub const PLOT_EFFECT_TRIP_ARRIVED: i32 = 23;
pub const PLOT_EFFECT_TRIP_STOPPED: i32 = 24;
pub const PLOT_EFFECT_TRIP_OFF_ROUTE: i32 = 25;
pub const PLOT_EFFECT_TRIP_DELAYED: i32 = 26;
pub const PLOT_EFFECT_TRIP_WRONG_DESTINATION: i32 = 27;
pub const PLOT_EFFECT_TRIP_EXPIRED: i32 = 28;
pub const PLOT_EFFECT_TRIP_CANCELLED: i32 = 29;
pub const PLOT_EFFECT_FILTER_ASKED: i32 = 64;
pub const PLOT_EFFECT_GEOTRIGGERS_ASKED: i32 = 65;
pub const PLOT_NO_POSITION: u32 = 4294967295;
pub const PLOT_NO_WAKEUP: i64 = -1;
pub const PLOT_ROAMING_DISTANCES: i32 = 1;
pub const PLOT_PAIR_ENTER: i32 = 1;
pub const PLOT_PAIR_EXIT: i32 = 2;
pub const PLOT_PAIR_NEAR: i32 = 3;
pub const PLOT_SAVE_EVENTS: i32 = 1;

extern "C" {
    pub fn plot_abi_version() -> i32;
    pub fn plot_version() -> *const c_char;
    pub fn plot_status_name(status: i32) -> *const c_char;
    pub fn plot_live_objects() -> i64;
    pub fn plot_error_get_status(error: *const plot_error) -> i32;
    pub fn plot_error_get_message(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_line(error: *const plot_error) -> i32;
    pub fn plot_error_get_column(error: *const plot_error) -> i32;
    pub fn plot_error_get_pointer(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_expected(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_found(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_kind(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_page(error: *const plot_error) -> *const c_char;
    pub fn plot_error_get_cure(error: *const plot_error) -> *const c_char;
    pub fn plot_error_free(error: *mut plot_error);
    pub fn plot_string_get(string: *const plot_string) -> *const c_char;
    pub fn plot_string_get_length(string: *const plot_string) -> usize;
    pub fn plot_string_free(string: *mut plot_string);
    pub fn plot_config_load(path: *const c_char, out: *mut *mut plot_config, error: *mut *mut plot_error) -> i32;
    pub fn plot_config_parse(json: *const c_char, length: usize, out: *mut *mut plot_config, error: *mut *mut plot_error) -> i32;
    pub fn plot_config_to_json(config: *const plot_config, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_config_get_warning_count(config: *const plot_config) -> usize;
    pub fn plot_config_get_warning(config: *const plot_config, index: usize) -> *const c_char;
    pub fn plot_config_free(config: *mut plot_config);
    pub fn plot_feed_load(path: *const c_char, out: *mut *mut plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_parse(json: *const c_char, length: usize, out: *mut *mut plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_import_geojson(json: *const c_char, length: usize, options: *const c_char, out: *mut *mut plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_to_json(feed: *const plot_feed, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_get_region_count(feed: *const plot_feed) -> usize;
    pub fn plot_feed_get_campaign_count(feed: *const plot_feed) -> usize;
    pub fn plot_feed_get_region_id(feed: *const plot_feed, position: usize) -> *const c_char;
    pub fn plot_feed_get_campaign_id(feed: *const plot_feed, position: usize) -> *const c_char;
    pub fn plot_feed_save(feed: *const plot_feed, path: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_map(path: *const c_char, out: *mut *mut plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_feed_free(feed: *mut plot_feed);
    pub fn plot_lint(config: *const c_char, config_length: usize, feed: *const c_char, feed_length: usize, time_ms: i64, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_get_string(item: *const plot_item, key: *const c_char, out: *mut *const c_char) -> i32;
    pub fn plot_item_get_integer(item: *const plot_item, key: *const c_char, out: *mut i64) -> i32;
    pub fn plot_item_get_double(item: *const plot_item, key: *const c_char, out: *mut f64) -> i32;
    pub fn plot_item_get_json(item: *const plot_item, key: *const c_char, out: *mut *mut plot_string) -> i32;
    pub fn plot_item_set_string(item: *mut plot_item, key: *const c_char, value: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_set_integer(item: *mut plot_item, key: *const c_char, value: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_set_json(item: *mut plot_item, key: *const c_char, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_clear(item: *mut plot_item, key: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_to_json(item: *const plot_item, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_copy(item: *const plot_item, out: *mut *mut plot_item, error: *mut *mut plot_error) -> i32;
    pub fn plot_item_free(item: *mut plot_item);
    pub fn plot_list_new(out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_list_get_count(list: *const plot_list) -> usize;
    pub fn plot_list_get(list: *const plot_list, index: usize) -> *mut plot_item;
    pub fn plot_list_append(list: *mut plot_list, item: *const plot_item, error: *mut *mut plot_error) -> i32;
    pub fn plot_list_remove(list: *mut plot_list, index: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_list_to_json(list: *const plot_list, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_list_free(list: *mut plot_list);
    pub fn plot_engine_new(out: *mut *mut plot_engine, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_init(engine: *mut plot_engine, time_ms: i64, config: *const plot_config, store_path: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_close(engine: *mut plot_engine) -> i32;
    pub fn plot_engine_free(engine: *mut plot_engine);
    pub fn plot_engine_set_filter_callback(engine: *mut plot_engine, callback: plot_filter_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_geotrigger_callback(engine: *mut plot_engine, callback: plot_geotrigger_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_show_callback(engine: *mut plot_engine, callback: plot_show_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_remove_callback(engine: *mut plot_engine, callback: plot_remove_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_notification_handler(engine: *mut plot_engine, callback: plot_notification_handler_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_open_callback(engine: *mut plot_engine, callback: plot_open_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_event_callback(engine: *mut plot_engine, callback: plot_event_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_decision_callback(engine: *mut plot_engine, callback: plot_decision_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_recording_callback(engine: *mut plot_engine, callback: plot_recording_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_log_callback(engine: *mut plot_engine, callback: plot_log_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_wakeup_callback(engine: *mut plot_engine, callback: plot_wakeup_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_sync_callback(engine: *mut plot_engine, callback: plot_sync_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_fix_request_callback(engine: *mut plot_engine, callback: plot_fix_request_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_strategy(engine: *mut plot_engine, key: *const c_char, callback: plot_strategy_fn, user_data: *mut c_void, destroy: plot_destroy_fn, error: *mut *mut plot_error) -> i32;
    pub fn plot_strategy_call_get_item(call: *const plot_strategy_call) -> *const plot_item;
    pub fn plot_strategy_call_get_next(call: *const plot_strategy_call) -> *const plot_item;
    pub fn plot_strategy_call_get_time(call: *const plot_strategy_call) -> i64;
    pub fn plot_strategy_call_get_done(call: *const plot_strategy_call) -> i32;
    pub fn plot_strategy_call_get_json(call: *const plot_strategy_call) -> *const c_char;
    pub fn plot_strategy_call_get_state(call: *const plot_strategy_call) -> *const c_char;
    pub fn plot_strategy_call_set_state(call: *mut plot_strategy_call, state: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_record_to_file(engine: *mut plot_engine, path: *const c_char, flags: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_stop_recording(engine: *mut plot_engine, error: *mut *mut plot_error) -> i32;
    pub fn plot_replay_new(out: *mut *mut plot_replay, error: *mut *mut plot_error) -> i32;
    pub fn plot_replay_take_line(replay: *mut plot_replay, line: *const c_char, length: usize, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_replay_free(replay: *mut plot_replay);
    pub fn plot_engine_enable(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_disable(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_is_enabled(engine: *mut plot_engine, out: *mut i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_cooldown_period(engine: *mut plot_engine, time_ms: i64, seconds: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_cooldown_period(engine: *mut plot_engine, out: *mut i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_time_zone(engine: *mut plot_engine, time_ms: i64, time_zone: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_time_zone(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_clock(engine: *mut plot_engine, time_ms: i64, monotonic_ms: i64, boot_id: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_feed(engine: *mut plot_engine, time_ms: i64, feed: *const plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_offer_feed(engine: *mut plot_engine, feed: *const plot_feed, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_string_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, value: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_boolean_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, value: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_integer_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, value: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_double_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, value: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_date_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, value: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_clear_segmentation_property(engine: *mut plot_engine, time_ms: i64, key: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_segmentation_properties(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_advertising_identifier(engine: *mut plot_engine, time_ms: i64, identifier: *const c_char, limit_tracking: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_location(engine: *mut plot_engine, time_ms: i64, latitude: f64, longitude: f64, accuracy: f64, speed: f64, course: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_ibeacon(engine: *mut plot_engine, time_ms: i64, proximity_uuid: *const c_char, major_id: i32, minor_id: i32, proximity: i32, rssi: f64, power: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_eddystone(engine: *mut plot_engine, time_ms: i64, namespace_id: *const c_char, instance_id: *const c_char, proximity: i32, rssi: f64, power: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_region_hint(engine: *mut plot_engine, time_ms: i64, region_id: *const c_char, kind: i32, latitude: f64, longitude: f64, accuracy: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_plan_regions(engine: *mut plot_engine, time_ms: i64, latitude: f64, longitude: f64, accuracy: f64, budget: i32, flags: i32, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_move_region(engine: *mut plot_engine, time_ms: i64, region: *const c_char, latitude: f64, longitude: f64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_advance(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_next_wakeup(engine: *mut plot_engine, out: *mut i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_batch(engine: *mut plot_engine, token: u64, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_answer_filter(engine: *mut plot_engine, time_ms: i64, token: u64, kept: *const plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_mark_geotriggers_handled(engine: *mut plot_engine, time_ms: i64, token: u64, handled: *const plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_test_filter(engine: *mut plot_engine, notifications: *const plot_list, token: *mut u64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_test_geotrigger_handler(engine: *mut plot_engine, geotriggers: *const plot_list, token: *mut u64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_test_answer(engine: *mut plot_engine, token: u64, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_open_notification(engine: *mut plot_engine, time_ms: i64, match_identifier: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_take_action(engine: *mut plot_engine, time_ms: i64, match_identifier: *const c_char, action_id: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_dismiss_notification(engine: *mut plot_engine, time_ms: i64, match_identifier: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_remove_notification(engine: *mut plot_engine, time_ms: i64, match_identifier: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_notification(engine: *mut plot_engine, time_ms: i64, item: *const plot_item, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_foreground(engine: *mut plot_engine, time_ms: i64, foreground: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_network(engine: *mut plot_engine, time_ms: i64, available: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_locations(engine: *mut plot_engine, count: usize, times_ms: *const i64, latitudes: *const f64, longitudes: *const f64, accuracies: *const f64, speeds: *const f64, courses: *const f64, out: *mut *mut plot_effects, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_update_locations_together(engine: *mut plot_engine, time_ms: i64, count: usize, times_ms: *const i64, latitudes: *const f64, longitudes: *const f64, accuracies: *const f64, speeds: *const f64, courses: *const f64, out: *mut *mut plot_effects, error: *mut *mut plot_error) -> i32;
    pub fn plot_engines_update_locations(engines: *const *mut plot_engine, engine_count: usize, devices: *const u32, count: usize, times_ms: *const i64, latitudes: *const f64, longitudes: *const f64, accuracies: *const f64, speeds: *const f64, courses: *const f64, out: *mut *mut plot_effects, error: *mut *mut plot_error) -> i32;
    pub fn plot_engines_replay(engines: *const *mut plot_engine, engine_count: usize, devices: *const u32, count: usize, times_ms: *const i64, latitudes: *const f64, longitudes: *const f64, accuracies: *const f64, speeds: *const f64, courses: *const f64, until_ms: i64, out: *mut *mut plot_effects, error: *mut *mut plot_error) -> i32;
    pub fn plot_effects_get_count(effects: *const plot_effects) -> usize;
    pub fn plot_effects_get_records(effects: *const plot_effects) -> *const plot_effect;
    pub fn plot_effects_free(effects: *mut plot_effects);
    pub fn plot_roaming_new(enter_metres: f64, exit_metres: f64, max_age_ms: i64, flags: u32, out: *mut *mut plot_roaming, error: *mut *mut plot_error) -> i32;
    pub fn plot_roaming_update_locations(roaming: *mut plot_roaming, devices: *const u32, count: usize, times_ms: *const i64, latitudes: *const f64, longitudes: *const f64, out: *mut *mut plot_pairs, error: *mut *mut plot_error) -> i32;
    pub fn plot_roaming_remove(roaming: *mut plot_roaming, device: u32, out: *mut *mut plot_pairs, error: *mut *mut plot_error) -> i32;
    pub fn plot_roaming_expire(roaming: *mut plot_roaming, before_ms: i64, out: *mut *mut plot_pairs, error: *mut *mut plot_error) -> i32;
    pub fn plot_roaming_list_pairs(roaming: *mut plot_roaming, out: *mut *mut plot_pairs, error: *mut *mut plot_error) -> i32;
    pub fn plot_roaming_free(roaming: *mut plot_roaming);
    pub fn plot_pairs_get_count(pairs: *const plot_pairs) -> usize;
    pub fn plot_pairs_get_records(pairs: *const plot_pairs) -> *const plot_pair;
    pub fn plot_pairs_free(pairs: *mut plot_pairs);
    pub fn plot_engine_save(engine: *mut plot_engine, flags: i32, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_restore(engine: *mut plot_engine, time_ms: i64, config: *const plot_config, feed: *const plot_feed, store_path: *const c_char, bytes: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engines_save(engines: *const *mut plot_engine, engine_count: usize, flags: i32, ends: *mut i64, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engines_restore(engines: *const *mut plot_engine, engine_count: usize, time_ms: i64, config: *const plot_config, feed: *const plot_feed, bytes: *const c_char, length: usize, ends: *const i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_start_trip(engine: *mut plot_engine, time_ms: i64, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_end_trip(engine: *mut plot_engine, time_ms: i64, trip_id: *const c_char, arrived: i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_trips(engine: *mut plot_engine, time_ms: i64, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_process_message(engine: *mut plot_engine, time_ms: i64, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_set_list(engine: *mut plot_engine, time_ms: i64, name: *const c_char, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_edit_list(engine: *mut plot_engine, time_ms: i64, name: *const c_char, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_list_contains(engine: *mut plot_engine, name: *const c_char, entry: *const c_char, out: *mut i32, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_lists(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_events(engine: *mut plot_engine, consumer: *const c_char, after_sequence: i64, limit: usize, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_acknowledge_events(engine: *mut plot_engine, consumer: *const c_char, sequence: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_begin(engine: *mut plot_engine, time_ms: i64, facts: *const c_char, facts_length: usize, feed: *const plot_feed, seed: *const c_char, seed_length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_next(engine: *mut plot_engine, time_ms: i64, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_response(engine: *mut plot_engine, time_ms: i64, request: i64, status: i32, headers: *const c_char, body: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_failure(engine: *mut plot_engine, time_ms: i64, request: i64, reason: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_receive(engine: *mut plot_engine, time_ms: i64, request: i64, bytes: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_message(engine: *mut plot_engine, time_ms: i64, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_recording(engine: *mut plot_engine, time_ms: i64, json: *const c_char, length: usize, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_now(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_sync_stop(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_sync_status(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_loaded_notifications(engine: *mut plot_engine, limit: usize, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_loaded_geotriggers(engine: *mut plot_engine, limit: usize, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_sent_notifications(engine: *mut plot_engine, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_sent_geotriggers(engine: *mut plot_engine, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_clear_sent_notifications(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_clear_sent_geotriggers(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_clear_all_data(engine: *mut plot_engine, time_ms: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_displayed_notifications(engine: *mut plot_engine, out: *mut *mut plot_list, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_visits(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_summary(engine: *mut plot_engine, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_write_debug_log(engine: *mut plot_engine, path: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_keep_decisions(engine: *mut plot_engine, capacity: i64, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_get_decisions(engine: *mut plot_engine, campaign_id: *const c_char, region_id: *const c_char, limit: usize, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_write_decisions_to(engine: *mut plot_engine, path: *const c_char, error: *mut *mut plot_error) -> i32;
    pub fn plot_engine_explain(engine: *mut plot_engine, campaign_id: *const c_char, region_id: *const c_char, language: *const c_char, out: *mut *mut plot_string, error: *mut *mut plot_error) -> i32;
}
