/* One wakeup of a phone's system: a process begins, hands over why, and ends.
 *
 * phone_life SECONDS start | fix LATITUDE LONGITUDE ACCURACY | fixes FILE | region ID KIND | timer
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */
#define MOST 1000

static void check(int32_t status, plot_error **error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "phone_life: %s\n", plot_error_get_message(*error));
    plot_error_free(*error);
    exit(1);
}

/* A time of 16 May as 10:02:00. */
static const char *clock_of(int64_t time_ms) {
    static char text[32];
    long second = (long)((time_ms - START) / 1000) + 10 * 3600;
    snprintf(text, sizeof text, "%02ld:%02ld:%02ld", second / 3600, second / 60 % 60, second % 60);
    return text;
}

/* The text behind a key of an event, as far as its closing quote; NULL for none. */
static const char *member(const char *json, const char *key, char *text, size_t size) {
    const char *start = strstr(json, key);
    if (start == NULL) return NULL;
    snprintf(text, size, "%s", start + strlen(key));
    text[strcspn(text, "\"")] = '\0';
    return text;
}

static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
    const char *message;
    (void)user_data, (void)engine;
    if (plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message) == PLOT_OK)
        printf("  shown: %s\n", message);
    return PLOT_OK;
}

static void tell(void *user_data, plot_engine *engine, const char *json, size_t length,
                 const plot_item *item) {
    char event[64], region[64], at[64];
    (void)user_data, (void)engine, (void)length, (void)item;
    if (strstr(json, "\"event\":\"region-") == NULL) return;
    member(json, "\"event\":\"", event, sizeof event);
    member(json, "\"region\":\"", region, sizeof region);
    if (member(json, "\"since\":\"", at, sizeof at) == NULL)
        member(json, "\"time\":\"", at, sizeof at);
    printf("  %s %s, %.8s\n", event, region, at + 11);
}

static void ask_for_fix(void *user_data, plot_engine *engine, int64_t deadline_ms) {
    (void)user_data, (void)engine;
    printf("  a fix is wanted until %s\n", clock_of(deadline_ms));
}

/* Gives the fixes of a file to the engine, all together. */
static void give(plot_engine *engine, int64_t now, const char *path, plot_error **error) {
    static int64_t times_ms[MOST];
    static double latitudes[MOST], longitudes[MOST], accuracies[MOST];
    size_t count = 0;
    long after;
    plot_effects *effects;
    FILE *file = fopen(path, "r");
    if (file == NULL) exit(1);
    while (count < MOST && fscanf(file, "%ld,%lf,%lf,%lf", &after, &latitudes[count],
                                  &longitudes[count], &accuracies[count]) == 4)
        times_ms[count++] = START + after * INT64_C(1000);
    fclose(file);
    check(plot_engine_update_locations_together(engine, now, count, times_ms, latitudes, longitudes,
                                                accuracies, NULL, NULL, &effects, error), error);
    plot_effects_free(effects);
}

static int32_t kind_of(const char *word) {
    if (strcmp(word, "enter") == 0) return PLOT_HINT_ENTER;
    return strcmp(word, "exit") == 0 ? PLOT_HINT_EXIT : PLOT_HINT_INSIDE;
}

int main(int count, char **arguments) {
    plot_config *config;
    plot_feed *feed;
    plot_engine *engine;
    plot_error *error;
    int64_t seconds, now, wakeup;
    if (count < 3) return 2;
    seconds = atol(arguments[1]);
    now = START + seconds * 1000;
    const char *why = arguments[2];

    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_engine_new(&engine, &error), &error);
    check(plot_engine_set_show_callback(engine, show, NULL, NULL, &error), &error);
    check(plot_engine_set_event_callback(engine, tell, NULL, NULL, &error), &error);
    check(plot_engine_set_fix_request_callback(engine, ask_for_fix, NULL, NULL, &error), &error);
    /* The clock first: what was due meanwhile is judged by it. */
    check(plot_engine_set_clock(engine, now, 3600000 + seconds * 1000, "boot 1", &error), &error);
    check(plot_engine_init(engine, now, config, "store", &error), &error);
    check(plot_engine_set_time_zone(engine, now, "Europe/Amsterdam", &error), &error);
    if (strcmp(why, "start") == 0) {
        check(plot_feed_load("feed.json", &feed, &error), &error);
        check(plot_engine_set_feed(engine, now, feed, &error), &error);
        plot_feed_free(feed);
    } else if (strcmp(why, "fix") == 0 && count == 6) {
        check(plot_engine_update_location(engine, now, atof(arguments[3]), atof(arguments[4]),
                                          atof(arguments[5]), -1, -1, &error), &error);
    } else if (strcmp(why, "fixes") == 0 && count == 4) {
        give(engine, now, arguments[3], &error);
    } else if (strcmp(why, "region") == 0 && count == 5) {
        check(plot_engine_region_hint(engine, now, arguments[3], kind_of(arguments[4]), 0, 0, -1,
                                      &error), &error);
    }
    check(plot_engine_advance(engine, now, &error), &error);
    check(plot_engine_next_wakeup(engine, &wakeup, &error), &error);
    if (wakeup == PLOT_NO_WAKEUP) printf("  no timer\n");
    else printf("  next timer: %s\n", clock_of(wakeup));
    plot_engine_free(engine);
    plot_config_free(config);
    return 0;
}
