/* The smallest useful program: it walks into a place and prints what a phone would show.
 * cc sample.c $(pkg-config --cflags --libs plotengine) */
#include <plotengine.h>
#include <stdio.h>

static int32_t show(void *user_data, plot_engine *engine, const plot_item *notification) {
    const char *message = "";
    (void)user_data; (void)engine;
    plot_item_get_string(notification, PLOT_KEY_MESSAGE, &message);
    return printf("%s\n", message) < 0 ? PLOT_IO_ERROR : PLOT_OK;
}

int main(void) {
    plot_engine *engine; plot_config *config; plot_feed *feed;
    if (plot_config_load("plotconfig.json", &config, NULL) || plot_feed_load("feed.json", &feed, NULL)
        || plot_engine_new(&engine, NULL)) return 1;
    plot_engine_set_show_callback(engine, show, NULL, NULL, NULL);
    plot_engine_init(engine, 1700000000000, config, NULL, NULL);
    plot_engine_set_feed(engine, 1700000000000, feed, NULL);
    plot_engine_update_location(engine, 1700000001000, 52.3700, 4.8900, 10, -1, -1, NULL);
    plot_engine_update_location(engine, 1700000061000, 52.3600, 4.8850, 10, -1, -1, NULL);
    plot_engine_free(engine); plot_feed_free(feed); plot_config_free(config);
    return 0;
}
