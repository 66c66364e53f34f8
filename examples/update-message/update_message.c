/* A push that updates one on the screen, one that retracts, and two that come too late. */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEN INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */
#define MINUTE INT64_C(60000)

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
    (void)user_data; (void)engine;
    printf("%s  shown: %s\n", text(message, PLOT_KEY_IDENTIFIER), text(message, PLOT_KEY_MESSAGE));
    return PLOT_OK;
}

/* Any other value than PLOT_OK means that it is still on the screen. */
static int32_t take_off(void *user_data, plot_engine *engine, const plot_item *message) {
    (void)user_data; (void)engine;
    printf("%s  removed\n", text(message, PLOT_KEY_IDENTIFIER));
    return PLOT_OK;
}

/* After these events the system must not show the push: an app suppresses it here. */
static void event(void *user_data, plot_engine *engine, const char *json, size_t length,
                  const plot_item *item) {
    (void)user_data; (void)engine; (void)length;
    if (strstr(json, "\"event\":\"message-dropped\"")
        || strstr(json, "\"event\":\"message-retracted\""))
        printf("%s  not shown\n", text(item, PLOT_KEY_IDENTIFIER));
}

/* A push that is no message for the engine is shown as it came: nothing of it gets lost. */
static void take(plot_engine *engine, int64_t time, const char *json, size_t length) {
    plot_error *error;
    int32_t status = plot_engine_process_message(engine, time, json, length, &error);
    if (status == PLOT_INVALID_DOCUMENT) {
        printf("as it came: %.*s\n", (int)length, json);
        plot_error_free(error);
    } else {
        check(status, &error);
    }
}

int main(void) {
    char line[8192]; /* a push has at most 4 KiB */
    plot_engine *engine;
    plot_config *config;
    plot_feed *feed;
    plot_list *screen;
    plot_error *error;
    int64_t now = TEN;
    FILE *pushes = fopen("pushes.jsonl", "r");
    if (pushes == NULL) {
        perror("pushes.jsonl");
        return 1;
    }
    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_feed_load("feed.json", &feed, &error), &error);
    check(plot_engine_new(&engine, &error), &error);
    check(plot_engine_set_show_callback(engine, show, NULL, NULL, &error), &error);
    check(plot_engine_set_remove_callback(engine, take_off, NULL, NULL, &error), &error);
    check(plot_engine_set_event_callback(engine, event, NULL, NULL, &error), &error);
    check(plot_engine_init(engine, now, config, NULL, &error), &error);
    check(plot_engine_set_feed(engine, now, feed, &error), &error);

    for (; fgets(line, sizeof line, pushes); now += MINUTE)
        take(engine, now, line, strcspn(line, "\n"));
    check(plot_engine_get_displayed_notifications(engine, &screen, &error), &error);
    for (size_t i = 0; i < plot_list_get_count(screen); i++)
        printf("on the screen: %s\n", text(plot_list_get(screen, i), PLOT_KEY_MESSAGE));

    plot_list_free(screen);
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    fclose(pushes);
    return 0;
}
