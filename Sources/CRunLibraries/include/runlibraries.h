/* libsystemd and libcurl, for `plot run` alone: they are loaded when it begins, so that the rest of the tool runs without them. */
#pragma once

#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>

/* Loads a library, once: NULL, or why it cannot be. No function of it may be called before. */
const char *plot_load_systemd(void);
const char *plot_load_curl(void);

/* The value of SO_PEERCRED. The C library's own struct needs _GNU_SOURCE, which a module cannot define. */
struct plot_peer {
  int pid;
  unsigned int uid;
  unsigned int gid;
};

/* curl_easy_setopt and its like take variable arguments, which Swift cannot call. */
CURLcode plot_curl_set_number(CURL *easy, CURLoption option, long value);
CURLcode plot_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode plot_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode plot_curl_set_reader(
    CURL *easy, CURLoption option, size_t (*reader)(char *, size_t, size_t, void *), CURLoption context_option, void *context);
long plot_curl_response_code(CURL *easy);
CURLMcode plot_curl_multi_set(
    CURLM *multi, int (*on_socket)(CURL *, curl_socket_t, int, void *, void *), int (*on_timer)(CURLM *, long, void *),
    void *context);

/* The next request that has ended, and its result; 0 for none. */
int plot_curl_ended(CURLM *multi, CURL **easy, CURLcode *result);
