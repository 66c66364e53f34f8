/* Pushes of blocked users: not shown, or without their text. The rules are in feed.json. */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEN INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */
#define MINUTE INT64_C(60000)

/* The app gets these lists from its server after the login. A list has a version, so that an old
 * answer of the server that comes late is ignored. */
static const char blocked[] = "{\"version\": 1, \"entries\": [\"eve\", \"mallory\"]}";
static const char unblocked[] = "{\"version\": 2, \"entries\": [\"mallory\"]}";
static const char groups[] = "{\"version\": 1, \"entries\": [\"climbing\", \"neighbours\"]}";

static void check(int32_t status, plot_error **error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "%s: %s\n", plot_status_name(status), plot_error_get_message(*error));
    plot_error_free(*error);
    exit(1);
}

/* A text of an item, borrowed from it; "" if it has none. */
static const char *text(const plot_item *item, const char *key) {
    const char *value;
    plot_item_get_string(item, key, &value);
    return value;
}

static int32_t show(void *user_data, plot_engine *engine, const plot_item *message) {
    const char *title = text(message, PLOT_KEY_TITLE);
    (void)user_data; (void)engine;
    printf("%s  shown: %s%s%s\n", text(message, PLOT_KEY_IDENTIFIER), title, *title ? ": " : "",
           text(message, PLOT_KEY_MESSAGE));
    return PLOT_OK;
}

/* The system must not show the push: an app suppresses it here. */
static void event(void *user_data, plot_engine *engine, const char *json, size_t length,
                  const plot_item *item) {
    (void)user_data; (void)engine; (void)length;
    if (strstr(json, "\"event\":\"message-dropped\""))
        printf("%s  not shown\n", text(item, PLOT_KEY_IDENTIFIER));
}

static void set_list(plot_engine *engine, int64_t time, const char *name, const char *json) {
    plot_error *error;
    check(plot_engine_set_list(engine, time, name, json, strlen(json), &error), &error);
}

/* Gives the engine each line of a file as it came, one each minute. Returns the time behind it. */
static int64_t deliver(plot_engine *engine, int64_t time, const char *path) {
    char line[8192]; /* a push has at most 4 KiB */
    plot_error *error;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    for (; fgets(line, sizeof line, file); time += MINUTE)
        check(plot_engine_process_message(engine, time, line, strlen(line), &error), &error);
    fclose(file);
    return time;
}

int main(void) {
    plot_engine *engine;
    plot_config *config;
    plot_feed *feed;
    plot_error *error;
    int64_t now = TEN;
    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_feed_load("feed.json", &feed, &error), &error);
    check(plot_engine_new(&engine, &error), &error);
    check(plot_engine_set_show_callback(engine, show, NULL, NULL, &error), &error);
    check(plot_engine_set_event_callback(engine, event, NULL, NULL, &error), &error);
    check(plot_engine_init(engine, now, config, NULL, &error), &error);
    check(plot_engine_set_feed(engine, now, feed, &error), &error);

    set_list(engine, now, "blocked", blocked);
    set_list(engine, now, "groups", groups);
    now = deliver(engine, now, "pushes.jsonl");
    set_list(engine, now, "blocked", unblocked);
    deliver(engine, now, "unblocked.jsonl");

    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    return 0;
}
