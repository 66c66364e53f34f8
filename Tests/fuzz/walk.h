/* A short life with a feed: it is set, fixes come, time goes on, and everything is listed. */
#ifndef PLOT_FUZZ_WALK_H
#define PLOT_FUZZ_WALK_H

#include "fuzz.h"

static inline int32_t kept(void *user_data, plot_engine *engine, const plot_item *item) {
    (void)user_data, (void)engine;
    plot_string *json = NULL;
    CHECK(plot_item_to_json(item, &json, NULL) == PLOT_OK, "an item cannot be written");
    plot_string_free(json);
    return PLOT_OK;
}

static inline void walk(const plot_feed *feed) {
    static const double places[][2] = {{0, 0}, {52.37, 4.89}, {52.3601, 4.8851}, {-33.9, 18.4}, {89.99, 0}, {0, 180}};
    static const char text[] = "{\"publicToken\": \"t\", \"enableOnFirstRun\": true}";
    plot_config *config;
    plot_engine *engine;
    plot_error *error;
    plot_list *list;
    plot_string *string;
    int64_t time = 1778925600000, due;
    CHECK(plot_config_parse(text, sizeof text - 1, &config, NULL) == PLOT_OK, "configuration");
    CHECK(plot_engine_new(&engine, NULL) == PLOT_OK, "engine");
    plot_engine_set_show_callback(engine, kept, NULL, NULL, NULL);
    CHECK(plot_engine_init(engine, time, config, NULL, NULL) == PLOT_OK, "init");
    CHECK(judged(plot_engine_set_feed(engine, time, feed, &error), &error, "set_feed") == PLOT_OK, "set_feed");
    for (size_t index = 0; index < COUNT_OF(places); index++) {
        time += 600000;
        CHECK(judged(plot_engine_update_location(engine, time, places[index][0], places[index][1], 5, -1, -1, &error),
                     &error, "update_location") == PLOT_OK, "fix %zu", index);
        CHECK(plot_engine_next_wakeup(engine, &due, NULL) == PLOT_OK, "next_wakeup");
        CHECK(due == PLOT_NO_WAKEUP || due >= time, "a wakeup at %" PRId64 ", before %" PRId64, due, time);
    }
    for (int count = 0; count < 4 && plot_engine_next_wakeup(engine, &due, NULL) == PLOT_OK && due != PLOT_NO_WAKEUP; count++)
        CHECK(judged(plot_engine_advance(engine, due, &error), &error, "advance") == PLOT_OK, "advance");
    CHECK(plot_engine_get_loaded_notifications(engine, 5, &list, NULL) == PLOT_OK, "loaded");
    plot_list_free(list);
    CHECK(plot_engine_get_visits(engine, &string, NULL) == PLOT_OK, "visits");
    plot_string_free(string);
    if (plot_engine_plan_regions(engine, time, 0, 0, -1, 5, 0, &string, NULL) == PLOT_OK) plot_string_free(string);
    plot_engine_free(engine);
    plot_config_free(config);
}

#endif
