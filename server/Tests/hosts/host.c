/* An app with the C host of the synchronization, for server/Tests/sync.py: host CONFIG STORE
 * reads lines: "at LATITUDE LONGITUDE", "now", "status", which prints the status as JSON. */
#include "plotsync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void need(int32_t status, plot_error *error) {
  if (status == PLOT_OK) return;
  fprintf(stderr, "host: %s\n", error ? plot_error_get_message(error) : plot_status_name(status));
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  plot_error *error = NULL;
  plot_config *config = NULL;
  plot_engine *engine = NULL;
  need(plot_config_load(arguments[1], &config, &error), error);
  need(plot_engine_new(&engine, &error), error);
  need(plot_engine_init(engine, now_ms(), config, arguments[2], &error), error);
  plot_sync *sync = plot_sync_start(engine, NULL, &error);
  need(sync ? PLOT_OK : PLOT_IO_ERROR, error);
  char line[100];
  while (fgets(line, sizeof line, stdin)) {
    double latitude, longitude;
    error = NULL;
    if (sscanf(line, "at %lf %lf", &latitude, &longitude) == 2) {
      int32_t status;
      /* The other thread may have told a later time meanwhile, and `exact` takes nothing that is late. */
      do {
        plot_error_free(error);
        status = plot_engine_update_location(engine, now_ms(), latitude, longitude, 5, -1, -1, &error);
      } while (status == PLOT_OUT_OF_ORDER);
      need(status, error);
    } else if (strcmp(line, "now\n") == 0) {
      need(plot_engine_sync_now(engine, now_ms(), &error), error);
    } else {
      plot_string *status = NULL;
      need(plot_engine_get_sync_status(engine, &status, &error), error);
      puts(plot_string_get(status));
      plot_string_free(status);
    }
  }
  plot_sync_stop(sync);
  plot_engine_free(engine);
  plot_config_free(config);
  return 0;
}
