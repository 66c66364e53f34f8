/* The app of a coffee shop: coupons at the shop, on a phone that may end the process at any time.
 *
 *     coffee morning    from home to the shop; then the phone ends the app
 *     coffee afternoon  the app is started again, while the customer is still in the shop
 */
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIDNIGHT INT64_C(1778889600000) /* 2026-05-16, UTC, in ms */
#define AT(hour, minute) (MIDNIGHT + ((hour)*60 + (minute)) * 60000)
#define HOME 52.3750, 4.8960
#define SHOP 52.3686, 4.8893

typedef struct app {
    const char *customer; /* from the customer's account */
    int64_t now;          /* ms since 1970; a real app asks the clock of the phone */
} app;

typedef struct fix { int64_t time; double latitude, longitude; } fix;

static const fix morning[] = {{AT(8, 0), HOME}, {AT(8, 12), SHOP}, {AT(8, 15), SHOP}};
static const fix afternoon[] = {{AT(8, 21), SHOP}, {AT(8, 40), SHOP}, {AT(8, 50), HOME},
                                {AT(15, 0), SHOP}, {AT(15, 20), SHOP}, {AT(15, 30), HOME}};

/* Every call goes through here. A real app would report the error and go on, because a call that
 * fails has changed nothing. */
static void check(int32_t status, plot_error **error) {
    if (status == PLOT_OK) return;
    fprintf(stderr, "coffee: %s: %s\n", plot_status_name(status), plot_error_get_message(*error));
    plot_error_free(*error);
    exit(1);
}

/* A text of an item, borrowed from it. */
static const char *text(const plot_item *item, const char *key) {
    const char *value;
    plot_error *error = NULL; /* this function gives a status only */
    check(plot_item_get_string(item, key, &value), &error);
    return value;
}

/* Copies the text at a key of a decision; "" if there is none. Decisions are JSON without white
 * space. Looking for the key is enough for ids and reasons, which have no quotes in this feed. For
 * anything else, use a JSON library. */
static const char *field(const char *json, const char *key, char *value, size_t size) {
    char name[32];
    const char *from;
    snprintf(name, sizeof name, "\"%s\":\"", key);
    from = strstr(json, name);
    from = from ? from + strlen(name) : "";
    snprintf(value, size, "%.*s", (int)strcspn(from, "\""), from);
    return value;
}

static void print(int64_t time, const char *what, const char *words) {
    int minutes = (int)((time - MIDNIGHT) / 60000);
    printf("%02d:%02d  %-10s  %s\n", minutes / 60, minutes % 60, what, words);
}

/* A real app asks its own database on the phone: the filter has to work without a network. */
static int is_used(const char *coupon) { return strcmp(coupon, "CROISSANT-0") == 0; }

/* Notifications that are about to be shown: drops used coupons, and greets the customer by name. */
static void filter(void *user_data, plot_engine *engine, uint64_t token, plot_list *notifications) {
    app *own = user_data;
    plot_error *error;
    size_t i = 0;
    while (i < plot_list_get_count(notifications)) {
        plot_item *item = plot_list_get(notifications, i);
        char message[512];
        if (is_used(text(item, PLOT_KEY_DATA))) {
            check(plot_list_remove(notifications, i, &error), &error);
            continue; /* the items behind it have moved up */
        }
        /* A message that is too long for the buffer stays as it is. */
        if (snprintf(message, sizeof message, "%s: %s", own->customer,
                     text(item, PLOT_KEY_MESSAGE)) < (int)sizeof message)
            check(plot_item_set_string(item, PLOT_KEY_MESSAGE, message, &error), &error);
        i++;
    }
    /* An empty list is an answer too. Without an answer, the engine waits until filterDeadline. */
    check(plot_engine_answer_filter(engine, own->now, token, notifications, &error), &error);
}

/* Geotriggers are for the app. The customer sees nothing of them. */
static void handle(void *user_data, plot_engine *engine, uint64_t token, plot_list *geotriggers) {
    app *own = user_data;
    plot_error *error;
    for (size_t i = 0; i < plot_list_get_count(geotriggers); i++)
        print(own->now, "geotrigger", text(plot_list_get(geotriggers, i), PLOT_KEY_NAME));
    check(plot_engine_mark_geotriggers_handled(engine, own->now, token, geotriggers, &error),
          &error);
}

static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
    (void)engine;
    print(((app *)user_data)->now, "shown", text(notification, PLOT_KEY_MESSAGE));
    return PLOT_OK; /* any other value means that it could not be shown: it may come again */
}

/* The engine reports each step of a decision. A drop keeps a campaign from being shown. */
static void decide(void *user_data, plot_engine *engine, const char *json, size_t length) {
    char campaign[256], verdict[16], reason[64], words[400];
    (void)engine; (void)length;
    field(json, "campaign", campaign, sizeof campaign);
    field(json, "reason", reason, sizeof reason);
    if (strcmp(field(json, "verdict", verdict, sizeof verdict), "drop") != 0 || !*campaign) return;
    snprintf(words, sizeof words, "%s: %s", campaign, reason);
    print(((app *)user_data)->now, "not shown", words);
}

static void start(plot_engine *engine, app *own) {
    int64_t now = own->now;
    plot_config *config;
    plot_feed *feed;
    plot_error *error;
    /* Callbacks come first: plot_engine_init delivers what an earlier process has left open. */
    check(plot_engine_set_filter_callback(engine, filter, own, NULL, &error), &error);
    check(plot_engine_set_geotrigger_callback(engine, handle, own, NULL, &error), &error);
    check(plot_engine_set_show_callback(engine, show, own, NULL, &error), &error);
    check(plot_engine_set_decision_callback(engine, decide, own, NULL, &error), &error);
    check(plot_config_load("plotconfig.json", &config, &error), &error);
    check(plot_engine_init(engine, now, config, "coffee.db", &error), &error);
    plot_config_free(config);
    check(plot_feed_load("feed.json", &feed, &error), &error);
    check(plot_engine_set_feed(engine, now, feed, &error), &error);
    plot_feed_free(feed);
    /* From the customer's account. The feed says who gets which campaign. */
    check(plot_engine_set_boolean_segmentation_property(engine, now, "member", 1, &error), &error);
    check(plot_engine_set_string_segmentation_property(engine, now, "drink", "espresso", &error),
          &error);
}

/* The list is in the store: after a start, it has what earlier processes have shown. */
static void print_sent(plot_engine *engine) {
    plot_list *sent;
    plot_error *error;
    check(plot_engine_get_sent_notifications(engine, &sent, &error), &error);
    for (size_t i = 0; i < plot_list_get_count(sent); i++) {
        int64_t time;
        check(plot_item_get_integer(plot_list_get(sent, i), PLOT_KEY_DATE_SENT, &time), &error);
        print(time, "sent", text(plot_list_get(sent, i), PLOT_KEY_MESSAGE));
    }
    plot_list_free(sent);
}

/* The phone: an alarm at each wakeup, then the fix. Without the alarm, a dwelling would be reported
 * only with the next fix. */
static void move(plot_engine *engine, app *own, const fix *to) {
    double latitude = to->latitude, longitude = to->longitude;
    plot_error *error;
    int64_t due;
    for (;;) {
        check(plot_engine_next_wakeup(engine, &due, &error), &error);
        if (due == PLOT_NO_WAKEUP || due > to->time) break;
        own->now = due;
        check(plot_engine_advance(engine, due, &error), &error);
    }
    own->now = to->time;
    check(plot_engine_update_location(engine, to->time, latitude, longitude, 10, -1, -1, &error),
          &error);
}

int main(int count, char **arguments) {
    int is_morning = count < 2 || strcmp(arguments[1], "afternoon") != 0;
    const fix *walk = is_morning ? morning : afternoon;
    size_t length = (is_morning ? sizeof morning : sizeof afternoon) / sizeof(fix);
    app own = {"Anna", walk[0].time};
    plot_engine *engine;
    plot_error *error;
    check(plot_engine_new(&engine, &error), &error);
    start(engine, &own);
    print_sent(engine);
    for (size_t i = 0; i < length; i++) move(engine, &own, &walk[i]);
    plot_engine_free(engine);
    return 0;
}
