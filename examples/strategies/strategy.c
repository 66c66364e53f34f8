/* A strategy of the app's own: at least five minutes between two notifications.
 * The pause begins when a notification leaves the screen.
 *
 * The walk: the device enters a bakery at 10:01, and its message stays on the screen. It enters a
 * museum at 10:05, which is too soon. The user dismisses the bakery's message at 10:08. The device
 * leaves the museum and enters it again at 10:14. */
#include <plotengine.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MINUTE INT64_C(60000)
#define TEN INT64_C(1778925600000) /* 2026-05-16T10:00:00Z */

static const char config_text[] =
    "{\"publicToken\": \"REPLACE_ME\", \"engine\": {\"noise\": \"exact\"}}";
static const char feed_text[] =
    "{\"version\": 1, \"regions\": ["
    "{\"id\": \"bakery\", \"type\": \"geofence\", \"radius\": 100,"
    " \"latitude\": 52.37, \"longitude\": 4.89},"
    "{\"id\": \"museum\", \"type\": \"geofence\", \"radius\": 100,"
    " \"latitude\": 52.36, \"longitude\": 4.885}],"
    "\"campaigns\": ["
    "{\"id\": \"bread\", \"type\": \"notification\", \"message\": \"Bakery\","
    " \"regions\": [\"bakery\"]},"
    "{\"id\": \"art\", \"type\": \"notification\", \"message\": \"Museum\","
    " \"regions\": [\"museum\"], \"resend\": true}]}";

typedef struct five_minutes {
    int on_screen;
    int64_t next; /* ms; not before */
} five_minutes;

static void say(int64_t time, const char *what, const plot_item *item) {
    const char *message = "";
    plot_item_get_string(item, PLOT_KEY_MESSAGE, &message);
    printf("10:%02d %s: %s\n", (int)((time - TEN) / MINUTE), what, message);
}

/* Votes change no state, because the engine may ask again, and other strategies may say no.
 * State changes when the engine reports the result. */
static int32_t five_minutes_call(void *user_data, plot_engine *engine, int32_t what,
                                 plot_strategy_call *call) {
    five_minutes *own = user_data;
    int64_t time = plot_strategy_call_get_time(call);
    const plot_item *item = plot_strategy_call_get_item(call);
    const char *kept = plot_strategy_call_get_state(call);
    char state[64];
    (void)engine;
    switch (what) {
    case PLOT_STRATEGY_VOTE_CREATE: return own->on_screen == 0 && time >= own->next;
    case PLOT_STRATEGY_CREATED:
        own->on_screen += plot_strategy_call_get_done(call);
        say(time, plot_strategy_call_get_done(call) ? "shown" : "too soon", item);
        break;
    case PLOT_STRATEGY_DELETED:
        if (!plot_strategy_call_get_done(call)) break;
        own->on_screen--;
        own->next = time + 5 * MINUTE;
        say(time, "dismissed", item);
        break;
    case PLOT_STRATEGY_LOAD:
        if (kept && sscanf(kept, "%d %" SCNd64, &own->on_screen, &own->next) != 2)
            memset(own, 0, sizeof *own);
        break;
    case PLOT_STRATEGY_SAVE:
        snprintf(state, sizeof state, "%d %" PRId64, own->on_screen, own->next);
        plot_strategy_call_set_state(call, state, NULL);
        break;
    default: break;
    }
    return 1; /* a yes to all other votes */
}

static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
    (void)user_data; (void)engine; (void)notification;
    return PLOT_OK;
}

static int walk(plot_engine *engine, int minutes, double latitude, double longitude) {
    return plot_engine_update_location(engine, TEN + minutes * MINUTE, latitude, longitude, 10, -1, -1, NULL);
}

static int dismiss_first(plot_engine *engine, int minutes) {
    plot_list *list;
    const char *match;
    int failed = plot_engine_get_displayed_notifications(engine, &list, NULL);
    if (failed) return failed;
    failed = plot_item_get_string(plot_list_get(list, 0), PLOT_KEY_MATCH_IDENTIFIER, &match)
        || plot_engine_dismiss_notification(engine, TEN + minutes * MINUTE, match, NULL);
    plot_list_free(list);
    return failed;
}

int main(void) {
    five_minutes own = {0, 0};
    plot_engine *engine; plot_config *config; plot_feed *feed;
    int failed;
    if (plot_config_parse(config_text, strlen(config_text), &config, NULL)
        || plot_feed_parse(feed_text, strlen(feed_text), &feed, NULL) || plot_engine_new(&engine, NULL)) return 1;
    failed = plot_engine_set_show_callback(engine, show, NULL, NULL, NULL)
        || plot_engine_set_strategy(engine, "com.example.five-minutes", five_minutes_call, &own, NULL, NULL)
        || plot_engine_init(engine, TEN, config, NULL, NULL) || plot_engine_set_feed(engine, TEN, feed, NULL)
        || walk(engine, 0, 52.40, 4.90) || walk(engine, 1, 52.37, 4.89) || walk(engine, 5, 52.36, 4.885)
        || dismiss_first(engine, 8)
        || walk(engine, 9, 52.40, 4.90) || walk(engine, 14, 52.36, 4.885);
    plot_engine_free(engine); plot_feed_free(feed); plot_config_free(config);
    return failed;
}
