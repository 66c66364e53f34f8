/* An app of the first ABI: it knows Tests/abi/plotengine-1.h and nothing later, calls each of its 83 functions, and prints what it gets.
 * Tests/abi/check.py links it with an empty library of that header, and runs it with today's, in an empty folder. */
#include "plotengine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NINE INT64_C(1700470800000) /* 2023-11-20T09:00:00Z */
#define MINUTE INT64_C(60000)

static const char config_text[] =
    "{\"publicToken\": \"t\", \"debug\": true, \"cooldownPeriod\": 0, \"colour\": 1, \"engine\": {\"noise\": \"exact\", \"filterDeadline\": 600}}";
static const char feed_text[] =
    "{\"version\": 1, \"regions\": ["
    "{\"id\": \"museum\", \"type\": \"geofence\", \"name\": \"Museum\", \"latitude\": 52.36, \"longitude\": 4.885, \"radius\": 200}],"
    "\"campaigns\": ["
    "{\"id\": \"art\", \"type\": \"notification\", \"message\": \"Welcome at {{name}}\", \"data\": \"https://example.org/art\","
    " \"regions\": [\"museum\"], \"resend\": true},"
    "{\"id\": \"bye\", \"type\": \"notification\", \"message\": \"Goodbye\", \"trigger\": \"exit\", \"handlerType\": \"landingPage\","
    " \"data\": \"https://example.org/bye\", \"regions\": [\"museum\"], \"resend\": true},"
    "{\"id\": \"count\", \"type\": \"geotrigger\", \"name\": \"visitors\", \"regions\": [\"museum\"], \"resend\": true}]}";
static const char points[] =
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {\"name\": \"Dam\"},"
    " \"geometry\": {\"type\": \"Point\", \"coordinates\": [4.8926, 52.3731]}}]}";

static const char wrong[] = "{\"publicToken\":\n 3}";

static int destroyed, events, decisions, logged, wakeups;
static int asked;      /* batches of the filter */
static uint64_t later; /* the second, which is answered later */

static void must(int32_t status, const char *what) {
    if (status == PLOT_OK) return;
    printf("%s: %s\n", what, plot_status_name(status));
    exit(1);
}
#define MUST(call) must(call, #call)

static void on_destroy(void *user_data) {
    destroyed += user_data != NULL;
}

static void on_filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *notifications) {
    plot_item *item = plot_list_get(notifications, 0);
    const char *message = "";
    (void)user_data;
    MUST(plot_item_get_string(item, PLOT_KEY_MESSAGE, &message));
    printf("filter: %zu, %s\n", plot_list_get_count(notifications), message);
    if (asked++) {
        later = token;
        return;
    }
    MUST(plot_item_set_string(item, PLOT_KEY_MESSAGE, "Do come in", NULL));
    printf("  a key of scheduling: %s\n", plot_status_name(plot_item_set_string(item, PLOT_KEY_TRIGGER, "exit", NULL)));
    MUST(plot_engine_answer_filter(engine, NINE + 2 * MINUTE, token, notifications, NULL));
}

static void on_geotriggers(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    const char *name = "";
    (void)user_data;
    MUST(plot_item_get_string(plot_list_get(geotriggers, 0), PLOT_KEY_NAME, &name));
    printf("geotriggers: %zu, %s\n", plot_list_get_count(geotriggers), name);
    MUST(plot_engine_mark_geotriggers_handled(engine, NINE + 2 * MINUTE, token, geotriggers, NULL));
}

static int32_t on_show(void *user_data, plot_engine *engine, const plot_item *notification) {
    const char *message = "";
    double latitude = 0;
    int64_t range = 0;
    (void)user_data; (void)engine;
    MUST(plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message));
    MUST(plot_item_get_double(notification, PLOT_KEY_GEOFENCE_LATITUDE, &latitude));
    MUST(plot_item_get_integer(notification, PLOT_KEY_MATCH_RANGE, &range));
    printf("show: %s (%.3f, %" PRId64 " m)\n", message, latitude, range);
    return PLOT_OK;
}

static void on_handler(void *user_data, plot_engine *engine, const plot_item *notification, const char *data) {
    const char *type = "";
    (void)user_data; (void)engine;
    MUST(plot_item_get_string(notification, PLOT_KEY_NOTIFICATION_HANDLER_TYPE, &type));
    printf("handler: %s, %s\n", type, data);
}

static void on_open(void *user_data, plot_engine *engine, int32_t action, const char *uri, const plot_item *notification) {
    (void)user_data; (void)engine; (void)notification;
    printf("open: %s, %s\n", action == PLOT_OPEN_LANDING_PAGE ? "landing page" : "something else", uri);
}

static void on_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    const char *key = strstr(json, "\"event\":"), *end;
    (void)user_data; (void)engine; (void)item;
    events++;
    if (!key || strlen(json) != length) {
        printf("this is no event: %s\n", json);
        exit(1);
    }
    key = strchr(key + 8, '"') + 1;
    end = strchr(key, '"');
    printf("event: %.*s\n", (int)(end - key), key);
}

static void on_decision(void *user_data, plot_engine *engine, const char *json, size_t length) {
    (void)user_data; (void)engine;
    decisions += strlen(json) == length;
}

static void on_log(void *user_data, plot_engine *engine, int32_t level, const char *message) {
    (void)user_data; (void)engine;
    logged += message[0] != 0 && level <= PLOT_LOG_DEBUG;
}

static void on_wakeup(void *user_data, plot_engine *engine, int64_t time_ms) {
    (void)user_data; (void)engine; (void)time_ms;
    wakeups++;
}

static int listen(plot_engine *engine) { /* how many callbacks were registered */
    static int me;
    MUST(plot_engine_set_filter_callback(engine, on_filter, &me, on_destroy, NULL));
    MUST(plot_engine_set_geotrigger_callback(engine, on_geotriggers, &me, on_destroy, NULL));
    MUST(plot_engine_set_show_callback(engine, on_show, &me, on_destroy, NULL));
    MUST(plot_engine_set_notification_handler(engine, on_handler, &me, on_destroy, NULL));
    MUST(plot_engine_set_open_callback(engine, on_open, &me, on_destroy, NULL));
    MUST(plot_engine_set_event_callback(engine, on_event, &me, on_destroy, NULL));
    MUST(plot_engine_set_decision_callback(engine, on_decision, &me, on_destroy, NULL));
    MUST(plot_engine_set_log_callback(engine, on_log, &me, on_destroy, NULL));
    MUST(plot_engine_set_wakeup_callback(engine, on_wakeup, &me, on_destroy, NULL));
    return 9;
}

static void print_string(const char *what, plot_string *text) {
    printf("%s: %s\n", what, plot_string_get(text));
    if (plot_string_get_length(text) != strlen(plot_string_get(text))) printf("  of another length\n");
    plot_string_free(text);
}

/* The documents: from files and from memory, with their warnings and faults. */
static void documents(plot_config **config, plot_feed **feed) {
    plot_feed *imported = NULL, *loaded = NULL;
    plot_config *read = NULL;
    plot_string *text = NULL;
    plot_error *error = NULL;
    FILE *file;
    MUST(plot_config_parse(config_text, strlen(config_text), config, NULL));
    printf("config: %zu warning, %s\n", plot_config_get_warning_count(*config), plot_config_get_warning(*config, 0));
    MUST(plot_config_to_json(*config, &text, NULL));
    printf("config: %s\n", plot_string_get_length(text) > 100 ? "all properties" : plot_string_get(text));
    file = fopen("plotconfig.json", "w");
    if (!file || fputs(plot_string_get(text), file) < 0 || fclose(file)) exit(1);
    plot_string_free(text);
    MUST(plot_config_load("plotconfig.json", &read, NULL));
    plot_config_free(read);
    MUST(plot_feed_parse(feed_text, strlen(feed_text), feed, NULL));
    printf("feed: %zu region, %zu campaigns\n", plot_feed_get_region_count(*feed), plot_feed_get_campaign_count(*feed));
    MUST(plot_feed_to_json(*feed, &text, NULL));
    file = fopen("feed.json", "w");
    if (!file || fputs(plot_string_get(text), file) < 0 || fclose(file)) exit(1);
    plot_string_free(text);
    MUST(plot_feed_load("feed.json", &loaded, NULL));
    printf("loaded: %zu region\n", plot_feed_get_region_count(loaded));
    plot_feed_free(loaded);
    MUST(plot_feed_import_geojson(points, strlen(points), "{\"radius\": 120, \"message\": \"Hello\"}", &imported, NULL));
    printf("imported: %zu region\n", plot_feed_get_region_count(imported));
    plot_feed_free(imported);
    if (plot_config_parse(wrong, strlen(wrong), &read, &error) != PLOT_INVALID_DOCUMENT || read) exit(1);
    printf("fault: %s, line %d, column %d, '%s', expected %s, found %s\n", plot_status_name(plot_error_get_status(error)),
           (int)plot_error_get_line(error), (int)plot_error_get_column(error), plot_error_get_pointer(error), plot_error_get_expected(error),
           plot_error_get_found(error));
    printf("fault: %s\n", plot_error_get_message(error));
    plot_error_free(error);
}

static void settings(plot_engine *engine) {
    int32_t enabled = 7;
    int64_t seconds = 7;
    plot_string *text = NULL;
    MUST(plot_engine_disable(engine, NINE, NULL));
    MUST(plot_engine_is_enabled(engine, &enabled, NULL));
    printf("enabled: %d\n", (int)enabled);
    MUST(plot_engine_enable(engine, NINE, NULL));
    MUST(plot_engine_set_cooldown_period(engine, NINE, 90, NULL));
    MUST(plot_engine_get_cooldown_period(engine, &seconds, NULL));
    printf("cooldown: %" PRId64 " s\n", seconds);
    MUST(plot_engine_set_cooldown_period(engine, NINE, 0, NULL));
    MUST(plot_engine_set_string_segmentation_property(engine, NINE, "city", "Amsterdam", NULL));
    MUST(plot_engine_set_boolean_segmentation_property(engine, NINE, "member", 1, NULL));
    MUST(plot_engine_set_integer_segmentation_property(engine, NINE, "age", 44, NULL));
    MUST(plot_engine_set_double_segmentation_property(engine, NINE, "score", 0.5, NULL));
    MUST(plot_engine_set_date_segmentation_property(engine, NINE, "born", NINE, NULL));
    MUST(plot_engine_clear_segmentation_property(engine, NINE, "age", NULL));
    MUST(plot_engine_get_segmentation_properties(engine, &text, NULL));
    print_string("properties", text);
}

static void print_list(const char *what, plot_list *list) {
    plot_string *text = NULL;
    MUST(plot_list_to_json(list, &text, NULL));
    printf("%s: %zu%s\n", what, plot_list_get_count(list), plot_string_get(text)[0] == '[' ? "" : ", and no array");
    plot_string_free(text);
    plot_list_free(list);
}

static void lists(plot_engine *engine, char *match, size_t size) {
    plot_list *list = NULL, *own = NULL;
    plot_item *copy = NULL;
    plot_string *text = NULL;
    const char *value = "";
    MUST(plot_engine_get_loaded_notifications(engine, 0, &list, NULL));
    print_list("loaded notifications", list);
    MUST(plot_engine_get_loaded_geotriggers(engine, 0, &list, NULL));
    print_list("loaded geotriggers", list);
    MUST(plot_engine_get_sent_geotriggers(engine, &list, NULL));
    print_list("sent geotriggers", list);
    MUST(plot_engine_get_sent_notifications(engine, &list, NULL));
    MUST(plot_item_copy(plot_list_get(list, 0), &copy, NULL));
    print_list("sent notifications", list);
    MUST(plot_item_get_string(copy, PLOT_KEY_MATCH_IDENTIFIER, &value));
    snprintf(match, size, "%s", value);
    MUST(plot_item_to_json(copy, &text, NULL));
    printf("item: %s\n", strstr(plot_string_get(text), "\"message\"") ? "has a message" : plot_string_get(text));
    plot_string_free(text);
    MUST(plot_list_new(&own, NULL));
    MUST(plot_list_append(own, copy, NULL));
    MUST(plot_list_append(own, copy, NULL));
    MUST(plot_list_remove(own, 0, NULL));
    printf("beyond the end: %s\n", plot_status_name(plot_list_remove(own, 1, NULL)));
    print_list("own", own);
    plot_item_free(copy);
}

int main(void) {
    plot_engine *engine = NULL;
    plot_config *config = NULL;
    plot_feed *feed = NULL;
    plot_list *list = NULL;
    plot_string *text = NULL;
    int64_t next = 0;
    const char *second = "";
    char match[256];
    int registered;
    if (plot_abi_version() < 1 || !plot_version()[0]) return 1;
    documents(&config, &feed);
    MUST(plot_engine_new(&engine, NULL));
    registered = listen(engine);
    MUST(plot_engine_init(engine, NINE, config, "store.db", NULL));
    settings(engine);
    MUST(plot_engine_set_feed(engine, NINE, feed, NULL));
    MUST(plot_engine_update_location(engine, NINE + MINUTE, 52.37, 4.89, 10, -1, -1, NULL));
    MUST(plot_engine_update_location(engine, NINE + 2 * MINUTE, 52.36, 4.885, 10, 1.4, 90, NULL));
    printf("an older fix: %s\n", plot_status_name(plot_engine_update_location(engine, NINE, 52.36, 4.885, 10, -1, -1, NULL)));
    MUST(plot_engine_get_visits(engine, &text, NULL));
    printf("visits: %s\n", strstr(plot_string_get(text), "\"museum\"") ? "museum" : plot_string_get(text));
    plot_string_free(text);
    lists(engine, match, sizeof match);
    MUST(plot_engine_open_notification(engine, NINE + 3 * MINUTE, match, NULL));
    printf("open nothing: %s\n", plot_status_name(plot_engine_open_notification(engine, NINE + 3 * MINUTE, "nothing", NULL)));
    MUST(plot_engine_update_location(engine, NINE + 4 * MINUTE, 52.37, 4.89, 10, -1, -1, NULL));
    MUST(plot_engine_update_location(engine, NINE + 5 * MINUTE, 52.36, 4.885, 10, -1, -1, NULL));
    MUST(plot_engine_next_wakeup(engine, &next, NULL));
    printf("next: %" PRId64 " minutes\n", (next - NINE) / MINUTE);
    MUST(plot_engine_get_batch(engine, later, &list, NULL));
    MUST(plot_engine_answer_filter(engine, NINE + 6 * MINUTE, later, list, NULL));
    plot_list_free(list);
    printf("answered again: %s\n", plot_status_name(plot_engine_answer_filter(engine, NINE + 6 * MINUTE, later, NULL, NULL)));
    printf("no such batch: %s\n", plot_status_name(plot_engine_get_batch(engine, 12345, &list, NULL)));
    MUST(plot_engine_write_debug_log(engine, "debug.txt", NULL));
    MUST(plot_engine_close(engine));
    printf("after the close: %s\n", plot_status_name(plot_engine_advance(engine, NINE, NULL)));
    printf("destroyed: %d of %d\n", destroyed, registered);
    plot_engine_free(engine);

    /* The next start. */
    MUST(plot_engine_new(&engine, NULL));
    registered += listen(engine);
    MUST(plot_engine_init(engine, NINE + 7 * MINUTE, config, "store.db", NULL));
    printf("again: %s\n", plot_status_name(plot_engine_init(engine, NINE, config, NULL, NULL)));
    MUST(plot_engine_get_sent_notifications(engine, &list, NULL));
    MUST(plot_item_get_string(plot_list_get(list, 1), PLOT_KEY_MATCH_IDENTIFIER, &second));
    MUST(plot_engine_open_notification(engine, NINE + 8 * MINUTE, second, NULL));
    print_list("sent, after a restart", list);
    MUST(plot_engine_advance(engine, NINE + 9 * MINUTE, NULL));
    MUST(plot_engine_next_wakeup(engine, &next, NULL));
    printf("nothing is due: %d\n", next == PLOT_NO_WAKEUP);
    MUST(plot_engine_clear_sent_notifications(engine, NINE + 9 * MINUTE, NULL));
    MUST(plot_engine_clear_sent_geotriggers(engine, NINE + 9 * MINUTE, NULL));
    MUST(plot_engine_get_sent_notifications(engine, &list, NULL));
    print_list("sent, cleared", list);
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    printf("destroyed: %d of %d\n", destroyed, registered);
    printf("decisions, log, wakeups: %s\n", decisions && logged && wakeups ? "told" : "not told");
    printf("events: %d\n", events);
    printf("alive: %" PRId64 "\n", plot_live_objects());
    return 0;
}
