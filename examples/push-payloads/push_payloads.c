/* Pushes of four services, given to the engine as they came. A feed for each says whose they are. */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEN INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */
#define MINUTE INT64_C(60000)

static const char blocked[] = "{\"version\": 1, \"entries\": [\"eve\"]}";

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
    printf("  shown: %s%s%s\n", title, *title ? ": " : "", text(message, PLOT_KEY_MESSAGE));
    return PLOT_OK;
}

static int32_t take_off(void *user_data, plot_engine *engine, const plot_item *message) {
    (void)user_data; (void)engine;
    printf("  taken off: %s\n", text(message, PLOT_KEY_MESSAGE));
    return PLOT_OK;
}

/* The system must not show the push: an app suppresses it here. */
static void event(void *user_data, plot_engine *engine, const char *json, size_t length,
                  const plot_item *item) {
    const char *reason = strstr(json, "\"reason\":\"");
    (void)user_data; (void)engine; (void)length;
    if (!strstr(json, "\"event\":\"message-dropped\"") || !reason) return;
    reason += strlen("\"reason\":\"");
    printf("  not shown (%.*s): %s\n", (int)strcspn(reason, "\""), reason, text(item, PLOT_KEY_MESSAGE));
}

static void run(const char *service) {
    char path[64], line[8192]; /* a push has at most 4 KiB */
    plot_engine *engine;
    plot_config *config;
    plot_feed *feed;
    plot_error *error;
    FILE *pushes;
    int64_t now = TEN;
    printf("%s\n", service);
    check(plot_config_load("plotconfig.json", &config, &error), &error);
    snprintf(path, sizeof path, "%s.json", service);
    check(plot_feed_load(path, &feed, &error), &error);
    check(plot_engine_new(&engine, &error), &error);
    check(plot_engine_set_show_callback(engine, show, NULL, NULL, &error), &error);
    check(plot_engine_set_remove_callback(engine, take_off, NULL, NULL, &error), &error);
    check(plot_engine_set_event_callback(engine, event, NULL, NULL, &error), &error);
    check(plot_engine_init(engine, now, config, NULL, &error), &error);
    check(plot_engine_set_feed(engine, now, feed, &error), &error);
    check(plot_engine_set_list(engine, now, "blocked", blocked, sizeof blocked - 1, &error), &error);

    snprintf(path, sizeof path, "%s.jsonl", service);
    pushes = fopen(path, "r");
    if (pushes == NULL) {
        perror(path);
        exit(1);
    }
    for (; fgets(line, sizeof line, pushes); now += MINUTE)
        check(plot_engine_process_message(engine, now, line, strcspn(line, "\n"), &error), &error);
    fclose(pushes);
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
}

int main(void) {
    static const char *const services[] = {"apns", "fcm", "cometchat", "zego"};
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) run(services[i]);
    return 0;
}
