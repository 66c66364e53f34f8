#include "runlibraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static void *systemd, *curl;

static const char *load(void **library, const char *const *names) {
  for (; !*library && *names; names++) *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return *library ? NULL : dlerror();
}

const char *plot_load_systemd(void) {
  static const char *const names[] = {"libsystemd.so.0", NULL};
  return load(&systemd, names);
}

const char *plot_load_curl(void) {
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
  return load(&curl, names);
}

static void *symbol(void *library, const char *name) {
  void *found = library ? dlsym(library, name) : NULL;
  if (found) return found;
  fprintf(stderr, "plot: %s is not in its library, or that was not loaded\n", name);
  abort();
}

/* A function of a library, under its own name. */
#define FORWARD(library, result, name, parameters, arguments)        \
  result name parameters {                                           \
    static __typeof__(name) *function;                               \
    if (!function) *(void **)&function = symbol(library, #name);     \
    return function arguments;                                       \
  }

#define EVENT(name, parameters, arguments) FORWARD(systemd, int, sd_event_##name, parameters, arguments)
#define BUS(name, parameters, arguments) FORWARD(systemd, int, sd_bus_##name, parameters, arguments)

EVENT(new, (sd_event **e), (e))
FORWARD(systemd, sd_event *, sd_event_unref, (sd_event *e), (e))
EVENT(prepare, (sd_event *e), (e))
EVENT(wait, (sd_event *e, uint64_t usec), (e, usec))
EVENT(dispatch, (sd_event *e), (e))
EVENT(add_io, (sd_event *e, sd_event_source **s, int fd, uint32_t events, sd_event_io_handler_t f, void *u), (e, s, fd, events, f, u))
EVENT(add_time, (sd_event *e, sd_event_source **s, clockid_t c, uint64_t usec, uint64_t accuracy, sd_event_time_handler_t f, void *u),
      (e, s, c, usec, accuracy, f, u))
EVENT(add_signal, (sd_event *e, sd_event_source **s, int sig, sd_event_signal_handler_t f, void *u), (e, s, sig, f, u))
EVENT(add_child, (sd_event *e, sd_event_source **s, pid_t pid, int options, sd_event_child_handler_t f, void *u), (e, s, pid, options, f, u))
EVENT(add_inotify, (sd_event *e, sd_event_source **s, const char *path, uint32_t mask, sd_event_inotify_handler_t f, void *u),
      (e, s, path, mask, f, u))
EVENT(source_set_exit_on_failure, (sd_event_source *s, int b), (s, b))
EVENT(source_set_io_events, (sd_event_source *s, uint32_t events), (s, events))
EVENT(source_set_enabled, (sd_event_source *s, int enabled), (s, enabled))
EVENT(source_set_time, (sd_event_source *s, uint64_t usec), (s, usec))
FORWARD(systemd, sd_event_source *, sd_event_source_disable_unref, (sd_event_source *s), (s))

BUS(new, (sd_bus **b), (b))
BUS(set_address, (sd_bus *b, const char *address), (b, address))
BUS(set_bus_client, (sd_bus *b, int v), (b, v))
BUS(set_connected_signal, (sd_bus *b, int v), (b, v))
BUS(set_exit_on_disconnect, (sd_bus *b, int v), (b, v))
BUS(start, (sd_bus *b), (b))
BUS(attach_event, (sd_bus *b, sd_event *e, int priority), (b, e, priority))
BUS(detach_event, (sd_bus *b), (b))
FORWARD(systemd, sd_bus *, sd_bus_close_unref, (sd_bus *b), (b))
BUS(get_bus_id, (sd_bus *b, sd_id128_t *id), (b, id))
BUS(match_signal_async,
    (sd_bus *b, sd_bus_slot **s, const char *sender, const char *path, const char *interface, const char *member,
     sd_bus_message_handler_t f, sd_bus_message_handler_t added, void *u),
    (b, s, sender, path, interface, member, f, added, u))
FORWARD(systemd, sd_bus_slot *, sd_bus_slot_unref, (sd_bus_slot *s), (s))
BUS(call, (sd_bus *b, sd_bus_message *m, uint64_t usec, sd_bus_error *e, sd_bus_message **reply), (b, m, usec, e, reply))
BUS(call_async, (sd_bus *b, sd_bus_slot **s, sd_bus_message *m, sd_bus_message_handler_t f, void *u, uint64_t usec), (b, s, m, f, u, usec))
FORWARD(systemd, void, sd_bus_error_free, (sd_bus_error *e), (e))
BUS(message_new_method_call,
    (sd_bus *b, sd_bus_message **m, const char *destination, const char *path, const char *interface, const char *member),
    (b, m, destination, path, interface, member))
FORWARD(systemd, sd_bus_message *, sd_bus_message_unref, (sd_bus_message *m), (m))
FORWARD(systemd, const char *, sd_bus_message_get_path, (sd_bus_message *m), (m))
BUS(message_is_method_error, (sd_bus_message *m, const char *name), (m, name))
FORWARD(systemd, const sd_bus_error *, sd_bus_message_get_error, (sd_bus_message *m), (m))
BUS(message_peek_type, (sd_bus_message *m, char *type, const char **contents), (m, type, contents))
BUS(message_read_basic, (sd_bus_message *m, char type, void *p), (m, type, p))
BUS(message_read_array, (sd_bus_message *m, char type, const void **p, size_t *size), (m, type, p, size))
BUS(message_enter_container, (sd_bus_message *m, char type, const char *contents), (m, type, contents))
BUS(message_exit_container, (sd_bus_message *m), (m))
BUS(message_skip, (sd_bus_message *m, const char *types), (m, types))
BUS(message_open_container, (sd_bus_message *m, char type, const char *contents), (m, type, contents))
BUS(message_close_container, (sd_bus_message *m), (m))
BUS(message_append_basic, (sd_bus_message *m, char type, const void *p), (m, type, p))

FORWARD(systemd, int, sd_notify, (int unset, const char *state), (unset, state))
FORWARD(systemd, int, sd_id128_get_machine_app_specific, (sd_id128_t application, sd_id128_t *id), (application, id))

FORWARD(curl, CURLcode, curl_global_init, (long flags), (flags))
FORWARD(curl, CURLM *, curl_multi_init, (void), ())
FORWARD(curl, CURLMcode, curl_multi_cleanup, (CURLM *m), (m))
FORWARD(curl, CURLMcode, curl_multi_add_handle, (CURLM *m, CURL *e), (m, e))
FORWARD(curl, CURLMcode, curl_multi_remove_handle, (CURLM *m, CURL *e), (m, e))
FORWARD(curl, CURLMcode, curl_multi_socket_action, (CURLM *m, curl_socket_t s, int events, int *running), (m, s, events, running))
FORWARD(curl, CURL *, curl_easy_init, (void), ())
FORWARD(curl, void, curl_easy_cleanup, (CURL *e), (e))
FORWARD(curl, const char *, curl_easy_strerror, (CURLcode code), (code))
FORWARD(curl, struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text))
FORWARD(curl, void, curl_slist_free_all, (struct curl_slist *list), (list))

/* Those with variable arguments, by their address. */
#define VARIABLE(name) ((__typeof__(name) *)symbol(curl, #name))

CURLcode plot_curl_set_number(CURL *easy, CURLoption option, long value) { return VARIABLE(curl_easy_setopt)(easy, option, value); }

CURLcode plot_curl_set_text(CURL *easy, CURLoption option, const char *value) { return VARIABLE(curl_easy_setopt)(easy, option, value); }

CURLcode plot_curl_set_pointer(CURL *easy, CURLoption option, void *value) { return VARIABLE(curl_easy_setopt)(easy, option, value); }

CURLcode plot_curl_set_reader(
    CURL *easy, CURLoption option, size_t (*reader)(char *, size_t, size_t, void *), CURLoption context_option, void *context) {
  CURLcode code = VARIABLE(curl_easy_setopt)(easy, option, reader);
  return code != CURLE_OK ? code : VARIABLE(curl_easy_setopt)(easy, context_option, context);
}

long plot_curl_response_code(CURL *easy) {
  long code = 0;
  return VARIABLE(curl_easy_getinfo)(easy, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

CURLMcode plot_curl_multi_set(
    CURLM *multi, int (*on_socket)(CURL *, curl_socket_t, int, void *, void *), int (*on_timer)(CURLM *, long, void *),
    void *context) {
  __typeof__(curl_multi_setopt) *set = VARIABLE(curl_multi_setopt);
  CURLMcode code = set(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  if (code == CURLM_OK) code = set(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = set(multi, CURLMOPT_TIMERFUNCTION, on_timer);
  if (code == CURLM_OK) code = set(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

int plot_curl_ended(CURLM *multi, CURL **easy, CURLcode *result) {
  __typeof__(curl_multi_info_read) *read = (__typeof__(curl_multi_info_read) *)symbol(curl, "curl_multi_info_read");
  int rest = 0;
  for (CURLMsg *message; (message = read(multi, &rest));)
    if (message->msg == CURLMSG_DONE) {
      *easy = message->easy_handle;
      *result = message->data.result;
      return 1;
    }
  return 0;
}
