/* Many fixes in one call: two devices on one feed, and what their walks led to.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>

#define START INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */
#define AFTER(seconds) (START + (seconds) * INT64_C(1000))

static void check(int32_t status, plot_error **error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "batch: %s\n", plot_error_get_message(*error));
    plot_error_free(*error);
    exit(1);
}

static void print(const plot_effect *effect, const plot_feed *feed) {
    printf("fix %u, device %u: ", (unsigned)effect->fix, (unsigned)effect->device);
    switch (effect->kind) {
    case PLOT_EFFECT_REGION_ENTER:
        printf("entered %s\n", plot_feed_get_region_id(feed, effect->region));
        break;
    case PLOT_EFFECT_REGION_EXIT:
        printf("left %s\n", plot_feed_get_region_id(feed, effect->region));
        break;
    case PLOT_EFFECT_NOTIFICATION_SHOWN:
        printf("shown: %s\n", plot_feed_get_campaign_id(feed, effect->campaign));
        break;
    case PLOT_EFFECT_REFUSED:
        printf("refused, %s\n", plot_status_name((int32_t)effect->detail));
        break;
    default: /* a later version may add kinds */
        printf("kind %u\n", (unsigned)effect->kind);
    }
}

int main(void) {
    /* Fix i is at position i of each column. The last fix is older than the one before it of
     * device 1. */
    const uint32_t devices[] = {0, 1, 0, 1, 0, 1};
    const int64_t times_ms[] = {AFTER(1), AFTER(1), AFTER(61), AFTER(61), AFTER(121), AFTER(60)};
    const double latitudes[] = {52.3700, 52.3700, 52.3600, 52.3701, 52.3700, 52.3600};
    const double longitudes[] = {4.8900, 4.8900, 4.8850, 4.8901, 4.8900, 4.8850};
    const size_t count = sizeof devices / sizeof *devices;
    plot_config *config;
    plot_feed *feed;
    plot_engine *engines[2];
    plot_effects *effects;
    plot_error *error;

    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_feed_load("feed.json", &feed, &error), &error);
    for (size_t i = 0; i < 2; i++) {
        check(plot_engine_new(&engines[i], &error), &error);
        check(plot_engine_init(engines[i], START, config, NULL, &error), &error);
        check(plot_engine_set_feed(engines[i], START, feed, &error), &error);
    }
    check(plot_engines_update_locations(engines, 2, devices, count, times_ms, latitudes, longitudes,
                                        NULL, NULL, NULL, &effects, &error), &error);
    const plot_effect *records = plot_effects_get_records(effects);
    for (size_t i = 0; i < plot_effects_get_count(effects); i++) print(&records[i], feed);

    plot_effects_free(effects);
    for (size_t i = 0; i < 2; i++) plot_engine_free(engines[i]);
    plot_feed_free(feed);
    plot_config_free(config);
    return 0;
}
