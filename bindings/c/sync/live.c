/* An app that keeps itself up to date: its notifications come from a campaign service, and its events go there (docs/sync.md).
 *   live CONFIG STORE [SECONDS]     reads "LATITUDE LONGITUDE" lines from standard input, until they end and SECONDS have passed */
#include "plotsync.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int32_t show(void *data, plot_engine *engine, const plot_item *item) {
  (void)data, (void)engine;
  const char *message = NULL;
  if (plot_item_get_string(item, PLOT_KEY_MESSAGE, &message) == PLOT_OK) printf("shown: %s\n", message);
  return PLOT_OK;
}

static void tell(void *data, plot_engine *engine, const char *json, size_t length, const plot_item *item) {
  (void)data, (void)engine, (void)item;
  printf("event: %.*s\n", (int)length, json);
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(plot_error *error) {
  fprintf(stderr, "live: %s\n", error ? plot_error_get_message(error) : "it cannot start");
  plot_error_free(error);
  return 1;
}

int main(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: live CONFIG STORE [SECONDS]\n"), 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  plot_error *error = NULL;
  plot_config *config = NULL;
  plot_engine *engine = NULL;
  if (plot_config_load(arguments[1], &config, &error) != PLOT_OK || plot_engine_new(&engine, &error) != PLOT_OK) return fail(error);
  plot_engine_set_show_callback(engine, show, NULL, NULL, NULL);
  plot_engine_set_event_callback(engine, tell, NULL, NULL, NULL);
  if (plot_engine_init(engine, now_ms(), config, arguments[2], &error) != PLOT_OK) return fail(error);
  plot_sync_options options = {.facts = "{\"platform\":\"linux\"}"};
  plot_sync *sync = plot_sync_start(engine, &options, &error);
  if (!sync) return fail(error);
  double latitude, longitude;
  while (scanf("%lf %lf", &latitude, &longitude) == 2)
    if (plot_engine_update_location(engine, now_ms(), latitude, longitude, 5, -1, -1, &error) != PLOT_OK) return fail(error);
  struct timespec rest = {count > 3 ? atoi(arguments[3]) : 0, 0};
  nanosleep(&rest, NULL);
  plot_string *status = NULL;
  if (plot_engine_get_sync_status(engine, &status, NULL) == PLOT_OK) printf("status: %s\n", plot_string_get(status));
  plot_string_free(status);
  plot_sync_stop(sync);
  plot_engine_free(engine);
  plot_config_free(config);
  return 0;
}
