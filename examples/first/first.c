#include <plotengine.h>
#include <stdio.h>
#include <string.h>

static const char config_json[] = "{}";
static const char feed_json[] =
    "{\"version\": 1, \"regions\": [{\"id\": \"museum\", \"type\": \"geofence\","
    "  \"latitude\": 52.36, \"longitude\": 4.885, \"radius\": 200}],"
    " \"campaigns\": [{\"id\": \"welcome\", \"type\": \"notification\","
    "  \"message\": \"Welcome!\", \"regions\": [\"museum\"]}]}";
static int shown = 0;

static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
    const char *message = "";
    (void)user_data; (void)engine;
    shown = plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message) == PLOT_OK;
    return printf("%s\n", message) < 0 ? PLOT_IO_ERROR : PLOT_OK;
}

int main(void) {
    plot_config *config = NULL; plot_feed *feed = NULL; plot_engine *engine = NULL;
    plot_string *why = NULL; plot_error *error = NULL;
    const int64_t now = 1779962400000; // 2026-05-28T10:00:00Z, in milliseconds since 1970
    int failed = plot_config_parse(config_json, strlen(config_json), &config, &error)
        || plot_feed_parse(feed_json, strlen(feed_json), &feed, &error)
        || plot_engine_new(&engine, &error)
        || plot_engine_set_show_callback(engine, show, NULL, NULL, &error)
        || plot_engine_init(engine, now, config, NULL, &error)
        || plot_engine_set_feed(engine, now, feed, &error)
        || plot_engine_update_location(engine, now, 52.3601, 4.8851, 10, -1, -1, &error)
        || (!shown && plot_engine_explain(engine, "welcome", NULL, "en", &why, &error));
    if (failed) fprintf(stderr, "%s\n", plot_error_get_message(error));
    else if (!shown) printf("%s\n", plot_string_get(why));
    plot_error_free(error); plot_string_free(why);
    plot_engine_free(engine); plot_feed_free(feed); plot_config_free(config);
    return failed;
}
