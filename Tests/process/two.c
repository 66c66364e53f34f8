/* Two Swift libraries in one process: two REPORT FIRST SECOND, the paths of the libraries in the order in which they are loaded; the one that has
 * `other_work` is the other. They work in turns, one inside the other's callback too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define START INT64_C(1767225600000)

static int events;
static int64_t (*work)(int32_t);
static int64_t expected;

static void on_event(void *user_data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
    (void)user_data; (void)engine; (void)item;
    events++;
    if (strlen(json) != length) fault("an event is not as long as it says");
    if (work(50) != expected) fault("the other library counts otherwise in a callback");
}

int main(int count, char **arguments) {
    static const char config_text[] = "{\"publicToken\": \"t\", \"engine\": {\"noise\": \"exact\"}}";
    static const char feed_text[] =
        "{\"version\": 1, \"regions\": [{\"id\": \"a\", \"type\": \"geofence\", \"latitude\": 52.36, \"longitude\": 4.885, \"radius\": 100}],"
        " \"campaigns\": [{\"id\": \"c\", \"type\": \"notification\", \"message\": \"m\", \"regions\": [\"a\"], \"resend\": true}]}";
    void *libraries[2], *plot = NULL;
    if (count != 4 || (report = fopen(arguments[1], "w")) == NULL) return 2;
    setvbuf(report, NULL, _IOLBF, 0);
    for (int index = 0; index < 2; index++) {
        /* For all: the worst that an app can do, for names of one could be taken for those of the other. */
        libraries[index] = dlopen(arguments[2 + index], RTLD_NOW | RTLD_GLOBAL);
        if (libraries[index] == NULL) {
            fault(dlerror());
            return 1;
        }
        void *found = dlsym(libraries[index], "other_work");
        if (found && !work) *(void **)&work = found;
        if (strstr(arguments[2 + index], "plotengine")) plot = libraries[index];
    }
    if (work == NULL || plot == NULL) return 2;
#define TAKE(name) __typeof__(name) *name##_ = (__typeof__(name) *)dlsym(plot, #name); if (name##_ == NULL) return 2
    TAKE(plot_config_parse); TAKE(plot_feed_parse); TAKE(plot_engine_new); TAKE(plot_engine_init); TAKE(plot_engine_set_feed); TAKE(plot_engine_free);
    TAKE(plot_engine_set_event_callback); TAKE(plot_engine_update_location); TAKE(plot_feed_free); TAKE(plot_config_free); TAKE(plot_live_objects);
    TAKE(plot_lint); TAKE(plot_string_free); TAKE(plot_string_get);
    expected = work(50);
    for (int round = 0; round < 20; round++) {
        plot_config *config = NULL;
        plot_feed *feed = NULL;
        plot_engine *engine = NULL;
        plot_string *findings = NULL;
        if (plot_config_parse_(config_text, sizeof config_text - 1, &config, NULL) || plot_feed_parse_(feed_text, sizeof feed_text - 1, &feed, NULL)
            || plot_engine_new_(&engine, NULL) || plot_engine_set_event_callback_(engine, on_event, NULL, NULL, NULL)
            || plot_engine_init_(engine, START, config, NULL, NULL) || plot_engine_set_feed_(engine, START, feed, NULL))
            fault("the engine does not start");
        for (int step = 0; step < 20; step++) {
            if (plot_engine_update_location_(engine, START + 60000 * (step + 1), step % 2 ? 52.36 : 53, 4.885, 5, -1, -1, NULL)) fault("a fix is refused");
        }
        if (plot_lint_(config_text, sizeof config_text - 1, feed_text, sizeof feed_text - 1, -1, &findings, NULL) || plot_string_get_(findings)[0] != '[') fault("no lint");
        plot_string_free_(findings);
        plot_engine_free_(engine);
        plot_feed_free_(feed);
        plot_config_free_(config);
        if (work(50) != expected) fault("the other library counts otherwise");
    }
    if (events < 20 * 20) fault("too few events");
    if (plot_live_objects_() != 0) fault("objects are left");
    fprintf(report, "%d faults\n", faults);
    fclose(report);
    return faults != 0;
}
