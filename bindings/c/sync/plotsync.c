/* Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0. */
#include "plotsync.h"

#include <curl/curl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>

struct plot_sync {
  plot_engine *engine;
  CURLM *multi;
  pthread_t thread;
  atomic_bool is_over;
  char *certificates;
  struct transfer *transfers; /* of the thread */
};

/* Bytes that grow. */
struct bytes {
  char *data;
  size_t length, room;
};

/* A request that is being made. */
struct transfer {
  plot_sync *sync;
  struct transfer *next, **link;
  CURL *easy;
  int64_t number;
  size_t largest;
  bool is_stream, is_long;
  struct curl_slist *headers;
  struct bytes head, body;
  char *sent;
  char error[CURL_ERROR_SIZE];
};

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool append(struct bytes *bytes, const char *data, size_t length) {
  if (bytes->length + length + 1 > bytes->room) {
    size_t room = 2 * (bytes->length + length + 1);
    char *grown = realloc(bytes->data, room);
    if (!grown) return false;
    bytes->data = grown;
    bytes->room = room;
  }
  memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  bytes->data[bytes->length] = 0;
  return true;
}

static long status_of(struct transfer *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

static size_t take_header(char *line, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t length = size * count;
  /* The head of the answer that counts is the last one: interim answers and proxies have their own. */
  if (length >= 5 && strncmp(line, "HTTP/", 5) == 0) transfer->head.length = 0;
  return append(&transfer->head, line, length) ? length : 0;
}

static size_t take_body(char *piece, size_t size, size_t count, void *data) {
  struct transfer *transfer = data;
  size_t length = size * count;
  if (transfer->is_stream && status_of(transfer) == 200) {
    /* A stream that is over for the engine changes nothing. */
    plot_engine_sync_receive(transfer->sync->engine, now_ms(), transfer->number, piece, length, NULL);
    return atomic_load(&transfer->sync->is_over) ? 0 : length;
  }
  size_t room = transfer->largest + 1 - transfer->body.length;
  if (!append(&transfer->body, piece, length < room ? length : room)) return 0;
  transfer->is_long = transfer->body.length > transfer->largest;
  return transfer->is_long ? 0 : length;
}

static void free_transfer(struct transfer *transfer) {
  if (transfer->easy) {
    curl_multi_remove_handle(transfer->sync->multi, transfer->easy);
    curl_easy_cleanup(transfer->easy);
  }
  *transfer->link = transfer->next;
  if (transfer->next) transfer->next->link = transfer->link;
  curl_slist_free_all(transfer->headers);
  free(transfer->head.data);
  free(transfer->body.data);
  free(transfer->sent);
  free(transfer);
}

/* Begins a request; false when there is no memory for it. */
static bool begin(plot_sync *sync, const json_t *request) {
  struct transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return false;
  transfer->sync = sync;
  transfer->next = sync->transfers;
  transfer->link = &sync->transfers;
  if (transfer->next) transfer->next->link = &transfer->next;
  sync->transfers = transfer;
  transfer->number = json_integer_value(json_object_get(request, "number"));
  transfer->largest = (size_t)json_integer_value(json_object_get(request, "largestBody"));
  transfer->is_stream = json_is_true(json_object_get(request, "stream"));
  long timeout = (long)json_integer_value(json_object_get(request, "timeout"));
  const char *name;
  json_t *value;
  json_object_foreach(json_object_get(request, "headers"), name, value) {
    struct bytes line = {0};
    const char *text = json_string_value(value);
    if (append(&line, name, strlen(name)) && append(&line, ": ", 2) && append(&line, text, strlen(text)))
      transfer->headers = curl_slist_append(transfer->headers, line.data);
    free(line.data);
  }
  transfer->headers = curl_slist_append(transfer->headers, "Expect:");
  CURL *easy = transfer->easy = curl_easy_init();
  if (!easy) {
    free_transfer(transfer);
    return false;
  }
  curl_easy_setopt(easy, CURLOPT_URL, json_string_value(json_object_get(request, "url")));
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, json_string_value(json_object_get(request, "method")));
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
  const char *body = json_string_value(json_object_get(request, "body"));
  if (body) {
    transfer->sent = strdup(body);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, transfer->sent);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(body));
  }
  /* Answers are decoded; a token goes nowhere but to the service that the configuration names. */
  if (!transfer->is_stream) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, timeout);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, timeout);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  if (sync->certificates) curl_easy_setopt(easy, CURLOPT_CAINFO, sync->certificates);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->error);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
  if (curl_multi_add_handle(sync->multi, easy) != CURLM_OK) {
    free_transfer(transfer);
    return false;
  }
  return true;
}

static void finish(struct transfer *transfer, CURLcode result) {
  plot_engine *engine = transfer->sync->engine;
  long status = status_of(transfer);
  bool is_whole = result == CURLE_OK || transfer->is_long;
  if (atomic_load(&transfer->sync->is_over)) {
    /* Nobody wants it any more. */
  } else if (is_whole && !(transfer->is_stream && status == 200)) {
    /* An answer that the engine refuses counts as none, and it asks again. */
    plot_engine_sync_response(engine, now_ms(), transfer->number, (int32_t)status, transfer->head.data ? transfer->head.data : "",
                              transfer->body.data, transfer->body.length, NULL);
  } else {
    const char *reason = result == CURLE_OK        ? "the service has ended the stream"
                         : transfer->error[0] != 0 ? transfer->error
                                                   : curl_easy_strerror(result);
    plot_engine_sync_failure(engine, now_ms(), transfer->number, reason, NULL);
  }
  free_transfer(transfer);
}

/* Begins what is due, and gives how many milliseconds there is nothing more; a minute at the most, for clocks are set. */
static int next(plot_sync *sync) {
  for (;;) {
    plot_string *text = NULL;
    if (plot_engine_sync_next(sync->engine, now_ms(), &text, NULL) != PLOT_OK) return 60000;
    json_t *step = json_loads(plot_string_get(text), 0, NULL);
    plot_string_free(text);
    json_t *request = json_object_get(step, "request");
    bool begun = request && begin(sync, request);
    int64_t wait = 60000;
    if (request && !begun) {
      plot_engine_sync_failure(sync->engine, now_ms(), json_integer_value(json_object_get(request, "number")), "no memory", NULL);
    } else if (!request && json_is_integer(json_object_get(step, "until"))) {
      wait = json_integer_value(json_object_get(step, "until")) - now_ms();
    }
    json_decref(step);
    if (!request) return wait < 1 ? 1 : wait > 60000 ? 60000 : (int)wait;
  }
}

static void *run(void *data) {
  plot_sync *sync = data;
  while (!atomic_load(&sync->is_over)) {
    int wait = next(sync), running = 0, left = 0;
    curl_multi_perform(sync->multi, &running);
    CURLMsg *message;
    bool has_ended = false;
    while ((message = curl_multi_info_read(sync->multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      struct transfer *transfer = NULL;
      CURLcode result = message->data.result;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
      finish(transfer, result);
      has_ended = true;
    }
    if (!has_ended) curl_multi_poll(sync->multi, NULL, 0, wait, NULL);
  }
  return NULL;
}

static void changed(void *data, plot_engine *engine, const char *json, size_t length, int64_t next_ms) {
  (void)engine, (void)json, (void)length, (void)next_ms;
  curl_multi_wakeup(((plot_sync *)data)->multi);
}

plot_sync *plot_sync_start(plot_engine *engine, const plot_sync_options *options, plot_error **error) {
  if (error) *error = NULL;
  const plot_sync_options none = {0};
  if (!options) options = &none;
  char seed[32];
  if (getrandom(seed, sizeof seed, 0) != sizeof seed || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return NULL;
  plot_sync *sync = calloc(1, sizeof *sync);
  if (!sync) return NULL;
  sync->engine = engine;
  sync->certificates = options->certificates ? strdup(options->certificates) : NULL;
  sync->multi = curl_multi_init();
  if (sync->multi && plot_engine_set_sync_callback(engine, changed, sync, NULL, error) == PLOT_OK) {
    const char *facts = options->facts;
    if (plot_engine_sync_begin(engine, now_ms(), facts, facts ? strlen(facts) : 0, options->feed, seed, sizeof seed, error) == PLOT_OK &&
        pthread_create(&sync->thread, NULL, run, sync) == 0)
      return sync;
    plot_engine_set_sync_callback(engine, NULL, NULL, NULL, NULL);
  }
  if (sync->multi) curl_multi_cleanup(sync->multi);
  free(sync->certificates);
  free(sync);
  return NULL;
}

void plot_sync_stop(plot_sync *sync) {
  if (!sync) return;
  atomic_store(&sync->is_over, true);
  plot_engine_set_sync_callback(sync->engine, NULL, NULL, NULL, NULL);
  plot_engine_sync_stop(sync->engine, now_ms(), NULL);
  curl_multi_wakeup(sync->multi);
  pthread_join(sync->thread, NULL);
  while (sync->transfers) free_transfer(sync->transfers);
  curl_multi_cleanup(sync->multi);
  free(sync->certificates);
  free(sync);
}
