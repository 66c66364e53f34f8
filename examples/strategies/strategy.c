/* A strategy of the app's own: at least five minutes between two notifications.
 * The pause begins when a notification leaves the screen.
 *
 * The walk: the device enters a bakery at 10:01, and its message stays on the screen. It enters a
 * museum at 10:05, which is too soon. The user dismisses the bakery's message at 10:08. The device
 * leaves the museum and enters it again at 10:14. */
#include <inttypes.h>
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE INT64_C(60000)
#define TEN INT64_C(1778925600000) /* 2026-05-16T10:00:00Z, in ms */

typedef struct five_minutes {
    int on_screen;
    int64_t next; /* no notification before this time, in ms */
} five_minutes;

static void check(int32_t status, plot_error **error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "strategy: %s\n", plot_error_get_message(*error));
    plot_error_free(*error);
    exit(1);
}

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
    const char *saved = plot_strategy_call_get_state(call);
    plot_error *error;
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
        if (saved && sscanf(saved, "%d %" SCNd64, &own->on_screen, &own->next) != 2)
            memset(own, 0, sizeof *own);
        break;
    case PLOT_STRATEGY_SAVE:
        snprintf(state, sizeof state, "%d %" PRId64, own->on_screen, own->next);
        check(plot_strategy_call_set_state(call, state, &error), &error);
        break;
    default: break;
    }
    return 1; /* yes to all other votes */
}

/* Without a show callback, a notification counts as shown. The strategy prints what happens. */
static void move(plot_engine *engine, int minute, double latitude, double longitude) {
    int64_t time = TEN + minute * MINUTE;
    plot_error *error;
    check(plot_engine_update_location(engine, time, latitude, longitude, 10, -1, -1, &error),
          &error);
}

static void dismiss_first(plot_engine *engine, int minute) {
    plot_list *list;
    plot_error *error;
    const char *match;
    check(plot_engine_get_displayed_notifications(engine, &list, &error), &error);
    check(plot_item_get_string(plot_list_get(list, 0), PLOT_KEY_MATCH_IDENTIFIER, &match), &error);
    check(plot_engine_dismiss_notification(engine, TEN + minute * MINUTE, match, &error), &error);
    plot_list_free(list);
}

int main(void) {
    five_minutes own = {0, 0};
    plot_engine *engine;
    plot_config *config;
    plot_feed *feed;
    plot_error *error;
    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_feed_load("feed.json", &feed, &error), &error);
    check(plot_engine_new(&engine, &error), &error);
    check(plot_engine_set_strategy(engine, "com.example.five-minutes", five_minutes_call, &own,
                                   NULL, &error), &error);
    check(plot_engine_init(engine, TEN, config, NULL, &error), &error);
    check(plot_engine_set_feed(engine, TEN, feed, &error), &error);

    move(engine, 0, 52.40, 4.90);
    move(engine, 1, 52.37, 4.89);
    move(engine, 5, 52.36, 4.885);
    dismiss_first(engine, 8);
    move(engine, 9, 52.40, 4.90);
    move(engine, 14, 52.36, 4.885);

    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    return 0;
}
