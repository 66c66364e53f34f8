/*
 * Many fixes in one call (docs/batch.md): two devices on one feed, and what their walks led to.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include <plotengine.h>
#include <stdio.h>

static int failed(plot_error *error) {
    fprintf(stderr, "%s\n", plot_error_get_message(error));
    plot_error_free(error);
    return 1;
}

int main(void) {
    const uint32_t devices[] = {0, 1, 0, 1, 0, 1};
    const int64_t start = 1700000000000;
    const int64_t times_ms[] = {start + 1000,  start + 1000,   start + 61000,
                                start + 61000, start + 121000, start + 60000};
    const double latitudes[] = {52.3700, 52.3700, 52.3600, 52.3701, 52.3700, 52.3600};
    const double longitudes[] = {4.8900, 4.8900, 4.8850, 4.8901, 4.8900, 4.8850};
    plot_config *config;
    plot_feed *feed;
    plot_engine *engines[2];
    plot_effects *effects;
    plot_error *error;
    const plot_effect *records;
    size_t i;

    if (plot_config_load("plotconfig.json", &config, &error) || plot_feed_load("feed.json", &feed, &error))
        return failed(error);
    for (i = 0; i < 2; i++) {
        if (plot_engine_new(&engines[i], &error) || plot_engine_init(engines[i], start, config, NULL, &error)
            || plot_engine_set_feed(engines[i], start, feed, &error)) return failed(error);
    }
    if (plot_engines_update_locations(engines, 2, devices, 6, times_ms, latitudes, longitudes, NULL, NULL, NULL,
                                      &effects, &error)) return failed(error);
    records = plot_effects_get_records(effects);
    for (i = 0; i < plot_effects_get_count(effects); i++) {
        const plot_effect *record = &records[i];
        printf("fix %u, device %u: ", (unsigned)record->fix, (unsigned)record->device);
        switch (record->kind) {
        case PLOT_EFFECT_REFUSED: printf("refused, %s\n", plot_status_name((int32_t)record->detail)); break;
        case PLOT_EFFECT_REGION_ENTER: printf("entered %s\n", plot_feed_get_region_id(feed, record->region)); break;
        case PLOT_EFFECT_REGION_EXIT: printf("left %s\n", plot_feed_get_region_id(feed, record->region)); break;
        case PLOT_EFFECT_NOTIFICATION_SHOWN:
            printf("shown: %s\n", plot_feed_get_campaign_id(feed, record->campaign));
            break;
        default: printf("something else (%u)\n", (unsigned)record->kind);
        }
    }
    plot_effects_free(effects);
    for (i = 0; i < 2; i++) plot_engine_free(engines[i]);
    plot_feed_free(feed);
    plot_config_free(config);
    return 0;
}
