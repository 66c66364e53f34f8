# Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
"""Made from include/plotengine.h by scripts/binding_tables.py: do not edit."""

# fmt: off

ABI_VERSION = 22
"""The ABI this table was written for. The library's may be newer: the ABI only grows."""

CALLBACKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plot_destroy_fn": ("void", ("void *",)),
    "plot_filter_fn": ("void", ("void *", "plot_engine *", "uint64_t", "plot_list *")),
    "plot_geotrigger_fn": ("void", ("void *", "plot_engine *", "uint64_t", "plot_list *")),
    "plot_show_fn": ("int32_t", ("void *", "plot_engine *", "const plot_item *")),
    "plot_remove_fn": ("int32_t", ("void *", "plot_engine *", "const plot_item *")),
    "plot_strategy_fn": ("int32_t", ("void *", "plot_engine *", "int32_t", "plot_strategy_call *")),
    "plot_notification_handler_fn": ("void", ("void *", "plot_engine *", "const plot_item *", "const char *")),
    "plot_open_fn": ("void", ("void *", "plot_engine *", "int32_t", "const char *", "const plot_item *")),
    "plot_event_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t", "const plot_item *")),
    "plot_decision_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t")),
    "plot_recording_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t")),
    "plot_log_fn": ("void", ("void *", "plot_engine *", "int32_t", "const char *")),
    "plot_wakeup_fn": ("void", ("void *", "plot_engine *", "int64_t")),
    "plot_sync_fn": ("void", ("void *", "plot_engine *", "const char *", "size_t", "int64_t")),
    "plot_fix_request_fn": ("void", ("void *", "plot_engine *", "int64_t")),
}
"""Every callback type: result, parameters."""

FUNCTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plot_abi_version": ("int32_t", ()),
    "plot_version": ("const char *", ()),
    "plot_status_name": ("const char *", ("int32_t",)),
    "plot_live_objects": ("int64_t", ()),
    "plot_error_get_status": ("int32_t", ("const plot_error *",)),
    "plot_error_get_message": ("const char *", ("const plot_error *",)),
    "plot_error_get_line": ("int32_t", ("const plot_error *",)),
    "plot_error_get_column": ("int32_t", ("const plot_error *",)),
    "plot_error_get_pointer": ("const char *", ("const plot_error *",)),
    "plot_error_get_expected": ("const char *", ("const plot_error *",)),
    "plot_error_get_found": ("const char *", ("const plot_error *",)),
    "plot_error_get_kind": ("const char *", ("const plot_error *",)),
    "plot_error_get_page": ("const char *", ("const plot_error *",)),
    "plot_error_get_cure": ("const char *", ("const plot_error *",)),
    "plot_error_free": ("void", ("plot_error *",)),
    "plot_string_get": ("const char *", ("const plot_string *",)),
    "plot_string_get_length": ("size_t", ("const plot_string *",)),
    "plot_string_free": ("void", ("plot_string *",)),
    "plot_config_load": ("int32_t", ("const char *", "plot_config **", "plot_error **")),
    "plot_config_parse": ("int32_t", ("const char *", "size_t", "plot_config **", "plot_error **")),
    "plot_config_to_json": ("int32_t", ("const plot_config *", "plot_string **", "plot_error **")),
    "plot_config_get_warning_count": ("size_t", ("const plot_config *",)),
    "plot_config_get_warning": ("const char *", ("const plot_config *", "size_t")),
    "plot_config_free": ("void", ("plot_config *",)),
    "plot_feed_load": ("int32_t", ("const char *", "plot_feed **", "plot_error **")),
    "plot_feed_parse": ("int32_t", ("const char *", "size_t", "plot_feed **", "plot_error **")),
    "plot_feed_import_geojson": ("int32_t", (
        "const char *", "size_t", "const char *", "plot_feed **", "plot_error **",
    )),
    "plot_feed_to_json": ("int32_t", ("const plot_feed *", "plot_string **", "plot_error **")),
    "plot_feed_get_region_count": ("size_t", ("const plot_feed *",)),
    "plot_feed_get_campaign_count": ("size_t", ("const plot_feed *",)),
    "plot_feed_get_region_id": ("const char *", ("const plot_feed *", "size_t")),
    "plot_feed_get_campaign_id": ("const char *", ("const plot_feed *", "size_t")),
    "plot_feed_save": ("int32_t", ("const plot_feed *", "const char *", "plot_error **")),
    "plot_feed_map": ("int32_t", ("const char *", "plot_feed **", "plot_error **")),
    "plot_feed_free": ("void", ("plot_feed *",)),
    "plot_lint": ("int32_t", (
        "const char *", "size_t", "const char *", "size_t", "int64_t", "plot_string **", "plot_error **",
    )),
    "plot_item_get_string": ("int32_t", ("const plot_item *", "const char *", "const char **")),
    "plot_item_get_integer": ("int32_t", ("const plot_item *", "const char *", "int64_t *")),
    "plot_item_get_double": ("int32_t", ("const plot_item *", "const char *", "double *")),
    "plot_item_get_json": ("int32_t", ("const plot_item *", "const char *", "plot_string **")),
    "plot_item_set_string": ("int32_t", ("plot_item *", "const char *", "const char *", "plot_error **")),
    "plot_item_set_integer": ("int32_t", ("plot_item *", "const char *", "int64_t", "plot_error **")),
    "plot_item_set_json": ("int32_t", ("plot_item *", "const char *", "const char *", "size_t", "plot_error **")),
    "plot_item_clear": ("int32_t", ("plot_item *", "const char *", "plot_error **")),
    "plot_item_to_json": ("int32_t", ("const plot_item *", "plot_string **", "plot_error **")),
    "plot_item_copy": ("int32_t", ("const plot_item *", "plot_item **", "plot_error **")),
    "plot_item_free": ("void", ("plot_item *",)),
    "plot_list_new": ("int32_t", ("plot_list **", "plot_error **")),
    "plot_list_get_count": ("size_t", ("const plot_list *",)),
    "plot_list_get": ("plot_item *", ("const plot_list *", "size_t")),
    "plot_list_append": ("int32_t", ("plot_list *", "const plot_item *", "plot_error **")),
    "plot_list_remove": ("int32_t", ("plot_list *", "size_t", "plot_error **")),
    "plot_list_to_json": ("int32_t", ("const plot_list *", "plot_string **", "plot_error **")),
    "plot_list_free": ("void", ("plot_list *",)),
    "plot_engine_new": ("int32_t", ("plot_engine **", "plot_error **")),
    "plot_engine_init": ("int32_t", (
        "plot_engine *", "int64_t", "const plot_config *", "const char *", "plot_error **",
    )),
    "plot_engine_close": ("int32_t", ("plot_engine *",)),
    "plot_engine_free": ("void", ("plot_engine *",)),
    "plot_engine_set_filter_callback": ("int32_t", (
        "plot_engine *", "plot_filter_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_geotrigger_callback": ("int32_t", (
        "plot_engine *", "plot_geotrigger_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_show_callback": ("int32_t", (
        "plot_engine *", "plot_show_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_remove_callback": ("int32_t", (
        "plot_engine *", "plot_remove_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_notification_handler": ("int32_t", (
        "plot_engine *", "plot_notification_handler_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_open_callback": ("int32_t", (
        "plot_engine *", "plot_open_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_event_callback": ("int32_t", (
        "plot_engine *", "plot_event_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_decision_callback": ("int32_t", (
        "plot_engine *", "plot_decision_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_recording_callback": ("int32_t", (
        "plot_engine *", "plot_recording_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_log_callback": ("int32_t", (
        "plot_engine *", "plot_log_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_wakeup_callback": ("int32_t", (
        "plot_engine *", "plot_wakeup_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_sync_callback": ("int32_t", (
        "plot_engine *", "plot_sync_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_fix_request_callback": ("int32_t", (
        "plot_engine *", "plot_fix_request_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_engine_set_strategy": ("int32_t", (
        "plot_engine *", "const char *", "plot_strategy_fn", "void *", "plot_destroy_fn", "plot_error **",
    )),
    "plot_strategy_call_get_item": ("const plot_item *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_next": ("const plot_item *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_time": ("int64_t", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_done": ("int32_t", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_json": ("const char *", ("const plot_strategy_call *",)),
    "plot_strategy_call_get_state": ("const char *", ("const plot_strategy_call *",)),
    "plot_strategy_call_set_state": ("int32_t", ("plot_strategy_call *", "const char *", "plot_error **")),
    "plot_engine_record_to_file": ("int32_t", ("plot_engine *", "const char *", "int32_t", "plot_error **")),
    "plot_engine_stop_recording": ("int32_t", ("plot_engine *", "plot_error **")),
    "plot_replay_new": ("int32_t", ("plot_replay **", "plot_error **")),
    "plot_replay_take_line": ("int32_t", (
        "plot_replay *", "const char *", "size_t", "plot_string **", "plot_error **",
    )),
    "plot_replay_free": ("void", ("plot_replay *",)),
    "plot_engine_enable": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_disable": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_is_enabled": ("int32_t", ("plot_engine *", "int32_t *", "plot_error **")),
    "plot_engine_set_cooldown_period": ("int32_t", ("plot_engine *", "int64_t", "int64_t", "plot_error **")),
    "plot_engine_get_cooldown_period": ("int32_t", ("plot_engine *", "int64_t *", "plot_error **")),
    "plot_engine_set_time_zone": ("int32_t", ("plot_engine *", "int64_t", "const char *", "plot_error **")),
    "plot_engine_get_time_zone": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_set_clock": ("int32_t", ("plot_engine *", "int64_t", "int64_t", "const char *", "plot_error **")),
    "plot_engine_set_feed": ("int32_t", ("plot_engine *", "int64_t", "const plot_feed *", "plot_error **")),
    "plot_engine_offer_feed": ("int32_t", ("plot_engine *", "const plot_feed *", "plot_error **")),
    "plot_engine_set_string_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "const char *", "plot_error **",
    )),
    "plot_engine_set_boolean_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int32_t", "plot_error **",
    )),
    "plot_engine_set_integer_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int64_t", "plot_error **",
    )),
    "plot_engine_set_double_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "double", "plot_error **",
    )),
    "plot_engine_set_date_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int64_t", "plot_error **",
    )),
    "plot_engine_clear_segmentation_property": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "plot_error **",
    )),
    "plot_engine_get_segmentation_properties": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_set_advertising_identifier": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int32_t", "plot_error **",
    )),
    "plot_engine_update_location": ("int32_t", (
        "plot_engine *", "int64_t", "double", "double", "double", "double", "double", "plot_error **",
    )),
    "plot_engine_update_ibeacon": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int32_t", "int32_t", "int32_t", "double", "double",
        "plot_error **",
    )),
    "plot_engine_update_eddystone": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "const char *", "int32_t", "double", "double", "plot_error **",
    )),
    "plot_engine_region_hint": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "int32_t", "double", "double", "double", "plot_error **",
    )),
    "plot_engine_plan_regions": ("int32_t", (
        "plot_engine *", "int64_t", "double", "double", "double", "int32_t", "int32_t", "plot_string **",
        "plot_error **",
    )),
    "plot_engine_move_region": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "double", "double", "plot_error **",
    )),
    "plot_engine_advance": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_next_wakeup": ("int32_t", ("plot_engine *", "int64_t *", "plot_error **")),
    "plot_engine_get_batch": ("int32_t", ("plot_engine *", "uint64_t", "plot_list **", "plot_error **")),
    "plot_engine_answer_filter": ("int32_t", (
        "plot_engine *", "int64_t", "uint64_t", "const plot_list *", "plot_error **",
    )),
    "plot_engine_mark_geotriggers_handled": ("int32_t", (
        "plot_engine *", "int64_t", "uint64_t", "const plot_list *", "plot_error **",
    )),
    "plot_engine_test_filter": ("int32_t", ("plot_engine *", "const plot_list *", "uint64_t *", "plot_error **")),
    "plot_engine_test_geotrigger_handler": ("int32_t", (
        "plot_engine *", "const plot_list *", "uint64_t *", "plot_error **",
    )),
    "plot_engine_get_test_answer": ("int32_t", ("plot_engine *", "uint64_t", "plot_list **", "plot_error **")),
    "plot_engine_open_notification": ("int32_t", ("plot_engine *", "int64_t", "const char *", "plot_error **")),
    "plot_engine_take_action": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "const char *", "plot_error **",
    )),
    "plot_engine_dismiss_notification": ("int32_t", ("plot_engine *", "int64_t", "const char *", "plot_error **")),
    "plot_engine_remove_notification": ("int32_t", ("plot_engine *", "int64_t", "const char *", "plot_error **")),
    "plot_engine_update_notification": ("int32_t", ("plot_engine *", "int64_t", "const plot_item *", "plot_error **")),
    "plot_engine_set_foreground": ("int32_t", ("plot_engine *", "int64_t", "int32_t", "plot_error **")),
    "plot_engine_set_network": ("int32_t", ("plot_engine *", "int64_t", "int32_t", "plot_error **")),
    "plot_engine_update_locations": ("int32_t", (
        "plot_engine *", "size_t", "const int64_t *", "const double *", "const double *", "const double *",
        "const double *", "const double *", "plot_effects **", "plot_error **",
    )),
    "plot_engine_update_locations_together": ("int32_t", (
        "plot_engine *", "int64_t", "size_t", "const int64_t *", "const double *", "const double *", "const double *",
        "const double *", "const double *", "plot_effects **", "plot_error **",
    )),
    "plot_engines_update_locations": ("int32_t", (
        "plot_engine *const *", "size_t", "const uint32_t *", "size_t", "const int64_t *", "const double *",
        "const double *", "const double *", "const double *", "const double *", "plot_effects **", "plot_error **",
    )),
    "plot_engines_replay": ("int32_t", (
        "plot_engine *const *", "size_t", "const uint32_t *", "size_t", "const int64_t *", "const double *",
        "const double *", "const double *", "const double *", "const double *", "int64_t", "plot_effects **",
        "plot_error **",
    )),
    "plot_effects_get_count": ("size_t", ("const plot_effects *",)),
    "plot_effects_get_records": ("const plot_effect *", ("const plot_effects *",)),
    "plot_effects_free": ("void", ("plot_effects *",)),
    "plot_roaming_new": ("int32_t", ("double", "double", "int64_t", "uint32_t", "plot_roaming **", "plot_error **")),
    "plot_roaming_update_locations": ("int32_t", (
        "plot_roaming *", "const uint32_t *", "size_t", "const int64_t *", "const double *", "const double *",
        "plot_pairs **", "plot_error **",
    )),
    "plot_roaming_remove": ("int32_t", ("plot_roaming *", "uint32_t", "plot_pairs **", "plot_error **")),
    "plot_roaming_expire": ("int32_t", ("plot_roaming *", "int64_t", "plot_pairs **", "plot_error **")),
    "plot_roaming_list_pairs": ("int32_t", ("plot_roaming *", "plot_pairs **", "plot_error **")),
    "plot_roaming_free": ("void", ("plot_roaming *",)),
    "plot_pairs_get_count": ("size_t", ("const plot_pairs *",)),
    "plot_pairs_get_records": ("const plot_pair *", ("const plot_pairs *",)),
    "plot_pairs_free": ("void", ("plot_pairs *",)),
    "plot_engine_save": ("int32_t", ("plot_engine *", "int32_t", "plot_string **", "plot_error **")),
    "plot_engine_restore": ("int32_t", (
        "plot_engine *", "int64_t", "const plot_config *", "const plot_feed *", "const char *", "const char *",
        "size_t", "plot_error **",
    )),
    "plot_engines_save": ("int32_t", (
        "plot_engine *const *", "size_t", "int32_t", "int64_t *", "plot_string **", "plot_error **",
    )),
    "plot_engines_restore": ("int32_t", (
        "plot_engine *const *", "size_t", "int64_t", "const plot_config *", "const plot_feed *", "const char *",
        "size_t", "const int64_t *", "plot_error **",
    )),
    "plot_engine_start_trip": ("int32_t", ("plot_engine *", "int64_t", "const char *", "size_t", "plot_error **")),
    "plot_engine_end_trip": ("int32_t", ("plot_engine *", "int64_t", "const char *", "int32_t", "plot_error **")),
    "plot_engine_get_trips": ("int32_t", ("plot_engine *", "int64_t", "plot_string **", "plot_error **")),
    "plot_engine_process_message": ("int32_t", ("plot_engine *", "int64_t", "const char *", "size_t", "plot_error **")),
    "plot_engine_set_list": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "const char *", "size_t", "plot_error **",
    )),
    "plot_engine_edit_list": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "const char *", "size_t", "plot_error **",
    )),
    "plot_engine_list_contains": ("int32_t", (
        "plot_engine *", "const char *", "const char *", "int32_t *", "plot_error **",
    )),
    "plot_engine_get_lists": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_get_events": ("int32_t", (
        "plot_engine *", "const char *", "int64_t", "size_t", "plot_string **", "plot_error **",
    )),
    "plot_engine_acknowledge_events": ("int32_t", ("plot_engine *", "const char *", "int64_t", "plot_error **")),
    "plot_engine_sync_begin": ("int32_t", (
        "plot_engine *", "int64_t", "const char *", "size_t", "const plot_feed *", "const char *", "size_t",
        "plot_error **",
    )),
    "plot_engine_sync_next": ("int32_t", ("plot_engine *", "int64_t", "plot_string **", "plot_error **")),
    "plot_engine_sync_response": ("int32_t", (
        "plot_engine *", "int64_t", "int64_t", "int32_t", "const char *", "const char *", "size_t", "plot_error **",
    )),
    "plot_engine_sync_failure": ("int32_t", ("plot_engine *", "int64_t", "int64_t", "const char *", "plot_error **")),
    "plot_engine_sync_receive": ("int32_t", (
        "plot_engine *", "int64_t", "int64_t", "const char *", "size_t", "plot_error **",
    )),
    "plot_engine_sync_message": ("int32_t", ("plot_engine *", "int64_t", "const char *", "size_t", "plot_error **")),
    "plot_engine_sync_recording": ("int32_t", ("plot_engine *", "int64_t", "const char *", "size_t", "plot_error **")),
    "plot_engine_sync_now": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_sync_stop": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_get_sync_status": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_get_loaded_notifications": ("int32_t", ("plot_engine *", "size_t", "plot_list **", "plot_error **")),
    "plot_engine_get_loaded_geotriggers": ("int32_t", ("plot_engine *", "size_t", "plot_list **", "plot_error **")),
    "plot_engine_get_sent_notifications": ("int32_t", ("plot_engine *", "plot_list **", "plot_error **")),
    "plot_engine_get_sent_geotriggers": ("int32_t", ("plot_engine *", "plot_list **", "plot_error **")),
    "plot_engine_clear_sent_notifications": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_clear_sent_geotriggers": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_clear_all_data": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_get_displayed_notifications": ("int32_t", ("plot_engine *", "plot_list **", "plot_error **")),
    "plot_engine_get_visits": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_get_summary": ("int32_t", ("plot_engine *", "plot_string **", "plot_error **")),
    "plot_engine_write_debug_log": ("int32_t", ("plot_engine *", "const char *", "plot_error **")),
    "plot_engine_keep_decisions": ("int32_t", ("plot_engine *", "int64_t", "plot_error **")),
    "plot_engine_get_decisions": ("int32_t", (
        "plot_engine *", "const char *", "const char *", "size_t", "plot_string **", "plot_error **",
    )),
    "plot_engine_write_decisions_to": ("int32_t", ("plot_engine *", "const char *", "plot_error **")),
    "plot_engine_explain": ("int32_t", (
        "plot_engine *", "const char *", "const char *", "const char *", "plot_string **", "plot_error **",
    )),
}
"""Every function: result, parameters."""
