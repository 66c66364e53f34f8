/* The host of the synchronization with a campaign service for C, on libcurl (docs/sync.md). It carries requests and answers in a thread of
 * its own, and decides nothing. Build it with your app: plotsync.c needs libcurl 7.68, Jansson and pthreads. */
#ifndef PLOTSYNC_H
#define PLOTSYNC_H

#include <plotengine.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plot_sync plot_sync;

/* Each may be NULL. */
typedef struct plot_sync_options {
  const char *facts;        /* JSON about this device, as in plot_engine_sync_begin */
  const plot_feed *feed;    /* counts until there is one of the service */
  const char *certificates; /* a file with the authorities to trust in place of the system's */
} plot_sync_options;

/* Starts it; `options` may be NULL. The engine must outlive it. Callbacks of the engine that an answer leads to run in its thread. It takes the sync
 * callback of the engine. NULL when it cannot start; `error` says why, where it is the library that refuses. */
plot_sync *plot_sync_start(plot_engine *engine, const plot_sync_options *options, plot_error **error);

/* Asks for nothing any more, and frees it. Not from within a callback. */
void plot_sync_stop(plot_sync *sync);

#ifdef __cplusplus
}
#endif

#endif
