/*
 * An engine that lives through a scenario, for the targets that spoil what it has kept.
 */
#ifndef LIVED_H
#define LIVED_H

#include "scenario.h"

static int32_t agree(void *user_data, plot_engine *engine, int32_t what, plot_strategy_call *call) {
    (void)user_data, (void)engine;
    if (what == PLOT_STRATEGY_SAVE) plot_strategy_call_set_state(call, "state", NULL);
    return 1;
}

static void later(void *user_data, plot_engine *engine, uint64_t token, plot_list *list) {
    (void)user_data;
    if (token % 2 == 0) plot_engine_answer_filter(engine, 0, token, list, NULL);
}

static plot_engine *fresh(void) {
    plot_engine *engine;
    CHECK(plot_engine_new(&engine, NULL) == PLOT_OK, "engine");
    plot_engine_set_strategy(engine, "s", agree, NULL, NULL, NULL);
    plot_engine_set_filter_callback(engine, later, NULL, NULL, NULL);
    return engine;
}

static void live(plot_engine *engine, const scenario *what, int64_t start) {
    plot_error *error;
    plot_list *list;
    plot_string *string;
    int64_t time = start;
    for (size_t index = 0; index < what->point_count * 2 && index < 16; index++) {
        const place *at = &what->points[index % what->point_count];
        time += 240000;
        int32_t status = plot_engine_update_location(engine, time, at->latitude, at->longitude, 5, -1, -1, &error);
        CHECK(status == PLOT_OK || status == PLOT_OUT_OF_ORDER || status == PLOT_INVALID_ARGUMENT || status == PLOT_STORE_FAILED,
              "%s", plot_error_get_message(error));
        judged(status, &error, "update_location");
    }
    for (size_t index = 0; index < what->payload_count && index < 4; index++)
        plot_engine_process_message(engine, time, what->payloads[index], strlen(what->payloads[index]), NULL);
    for (size_t index = 0; index < what->list_count; index++)
        if (what->lists[index].b != NULL)
            plot_engine_set_list(engine, time, what->lists[index].a, what->lists[index].b, strlen(what->lists[index].b), NULL);
    judged(plot_engine_set_string_segmentation_property(engine, time, "language", "en", &error), &error, "set_string");
    judged(plot_engine_set_clock(engine, time, 5000, "boot", &error), &error, "set_clock");
    if (plot_engine_plan_regions(engine, time, what->points[0].latitude, what->points[0].longitude, 5, 4, 0, &string, NULL) == PLOT_OK)
        plot_string_free(string);
    int32_t (*const lists[])(plot_engine *, plot_list **, plot_error **) = {
        plot_engine_get_sent_notifications, plot_engine_get_sent_geotriggers, plot_engine_get_displayed_notifications};
    for (size_t index = 0; index < COUNT_OF(lists); index++)
        if (lists[index](engine, &list, NULL) == PLOT_OK) {
            plot_list_to_json(list, &string, NULL);
            plot_string_free(string);
            plot_list_free(list);
        }
    if (plot_engine_get_visits(engine, &string, NULL) == PLOT_OK) plot_string_free(string);
    if (plot_engine_get_segmentation_properties(engine, &string, NULL) == PLOT_OK) plot_string_free(string);
    int64_t due;
    for (int count = 0; count < 5 && plot_engine_next_wakeup(engine, &due, NULL) == PLOT_OK && due != PLOT_NO_WAKEUP; count++)
        judged(plot_engine_advance(engine, due, &error), &error, "advance");
}

static plot_config *config_of(const scenario *what) {
    plot_config *config;
    CHECK(plot_config_parse(what->config, strlen(what->config), &config, NULL) == PLOT_OK, "configuration");
    return config;
}

#endif
