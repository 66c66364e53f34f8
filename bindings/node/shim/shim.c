/*
 * shim.c - the native half of shim/index.js: calls, callbacks and memory for the interface of `node:ffi`
 *
 * A Node-API addon over libffi, for runtimes that have no `node:ffi`. Argument checks, texts and codes of errors are
 * those that Node documents, so that lib/ can be written once. Nothing here knows of PlotEngine.
 */
#define NAPI_VERSION 8
#define _GNU_SOURCE
#include <node_api.h>

#include <dlfcn.h>
#include <ffi.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 32
#define INLINE_TEXT 2048

/* The order is that of TYPES in index.js. */
enum kind { K_VOID, K_INT8, K_UINT8, K_INT16, K_UINT16, K_INT32, K_UINT32, K_INT64, K_UINT64, K_FLOAT, K_DOUBLE, K_POINTER, K_COUNT };

static ffi_type *const ffi_types[K_COUNT] = {
    &ffi_type_void,   &ffi_type_sint8,  &ffi_type_uint8,  &ffi_type_sint16, &ffi_type_uint16, &ffi_type_sint32,
    &ffi_type_uint32, &ffi_type_sint64, &ffi_type_uint64, &ffi_type_float,  &ffi_type_double, &ffi_type_pointer};

/* How an error names a type. */
static const char *const kind_names[K_COUNT] = {"void",      "an int8",  "a uint8",  "an int16", "a uint16", "an int32",
                                                "a uint32", "an int64", "a uint64", "a float",  "a double", "a pointer"};

static const struct { int64_t min, max; } small_ranges[K_COUNT] = {
    [K_INT8] = {INT8_MIN, INT8_MAX},    [K_UINT8] = {0, UINT8_MAX},   [K_INT16] = {INT16_MIN, INT16_MAX},
    [K_UINT16] = {0, UINT16_MAX},       [K_INT32] = {INT32_MIN, INT32_MAX}, [K_UINT32] = {0, UINT32_MAX}};

typedef union {
  int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int32_t i32; uint32_t u32; int64_t i64; uint64_t u64;
  float f32; double f64; void *pointer; ffi_arg arg; ffi_sarg sarg;
} slot;

typedef struct {
  void *handle; /* of dlopen; NULL when closed */
  bool closed;
  int references; /* the External and each function */
} library;

typedef struct {
  library *owner;
  void (*pointer)(void);
  ffi_cif cif;
  unsigned count;
  uint8_t result;
  uint8_t kinds[MAX_ARGUMENTS];
  ffi_type *types[MAX_ARGUMENTS];
} function;

typedef struct callback {
  napi_env env; /* NULL once the environment is gone: then a call does nothing */
  napi_ref reference;
  pthread_t thread;
  ffi_closure *closure;
  void *code;
  ffi_cif cif;
  unsigned count;
  uint8_t result;
  uint8_t kinds[MAX_ARGUMENTS];
  ffi_type *types[MAX_ARGUMENTS];
  struct callback *next;
} callback;

typedef struct { callback *callbacks; } instance;

/* ---- Errors ----------------------------------------------------------------------------------------------- */

static napi_value throw_value(napi_env env, const char *format, unsigned index, const char *what) {
  char message[256];
  snprintf(message, sizeof message, format, index, what);
  napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", message);
  return NULL;
}

static napi_value throw_plain(napi_env env, const char *code, const char *message) {
  napi_throw_error(env, code, message);
  return NULL;
}

static bool argument_count(napi_env env, napi_callback_info info, size_t count, napi_value *values) {
  size_t given = count;
  if (napi_get_cb_info(env, info, &given, values, NULL, NULL) != napi_ok || given < count) {
    throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: wrong number of arguments");
    return false;
  }
  return true;
}

/* ---- From JavaScript -------------------------------------------------------------------------------------- */

static bool read_integer(napi_env env, napi_value value, int64_t min, int64_t max, int64_t *out) {
  double number;
  if (napi_get_value_double(env, value, &number) != napi_ok) return false;
  if (!(number >= (double)min && number <= (double)max) || floor(number) != number) return false; /* NaN fails too */
  *out = (int64_t)number;
  return true;
}

/* 64 bits are BigInts, as in Node's own module: a Number is none, however small. */
static bool read_int64(napi_env env, napi_value value, int64_t *out) {
  bool lossless;
  return napi_get_value_bigint_int64(env, value, out, &lossless) == napi_ok && lossless;
}

static bool read_uint64(napi_env env, napi_value value, uint64_t *out) {
  bool lossless;
  return napi_get_value_bigint_uint64(env, value, out, &lossless) == napi_ok && lossless;
}

/* A number of any kind but void and pointer. */
static bool read_number(napi_env env, napi_value value, uint8_t kind, slot *out) {
  int64_t integer;
  double number;
  switch (kind) {
    case K_INT64: return read_int64(env, value, &out->i64);
    case K_UINT64: return read_uint64(env, value, &out->u64);
    case K_FLOAT:
      if (napi_get_value_double(env, value, &number) != napi_ok) return false;
      out->f32 = (float)number;
      return true;
    case K_DOUBLE: return napi_get_value_double(env, value, &out->f64) == napi_ok;
    default:
      if (!read_integer(env, value, small_ranges[kind].min, small_ranges[kind].max, &integer)) return false;
      switch (kind) {
        case K_INT8: out->i8 = (int8_t)integer; break;
        case K_UINT8: out->u8 = (uint8_t)integer; break;
        case K_INT16: out->i16 = (int16_t)integer; break;
        case K_UINT16: out->u16 = (uint16_t)integer; break;
        case K_INT32: out->i32 = (int32_t)integer; break;
        default: out->u32 = (uint32_t)integer; break;
      }
      return true;
  }
}

/* The memory behind a typed array, DataView or ArrayBuffer; none, and NULL, where it is detached. False for something else. */
static bool read_bytes(napi_env env, napi_value value, void **data, size_t *length) {
  bool is;
  napi_value buffer = NULL;
  *data = NULL;
  *length = 0;
  if (napi_is_typedarray(env, value, &is) == napi_ok && is) {
    napi_typedarray_type type = (napi_typedarray_type)-1;
    size_t elements, offset;
    if (napi_get_typedarray_info(env, value, &type, &elements, data, &buffer, &offset) != napi_ok) return false;
    static const uint8_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 2}; /* the last is Float16Array */
    if ((size_t)type >= sizeof sizes) return false;
    *length = elements * sizes[type];
  } else if (napi_is_dataview(env, value, &is) == napi_ok && is) {
    size_t offset;
    if (napi_get_dataview_info(env, value, length, data, &buffer, &offset) != napi_ok) {
      napi_value ignored;
      bool pending;
      if (napi_is_exception_pending(env, &pending) == napi_ok && pending) napi_get_and_clear_last_exception(env, &ignored);
      return true;
    }
  } else if (napi_is_arraybuffer(env, value, &is) == napi_ok && is) {
    if (napi_get_arraybuffer_info(env, value, data, length) != napi_ok) return false;
    buffer = value;
  } else {
    return false;
  }
  if (buffer && napi_is_arraybuffer(env, buffer, &is) == napi_ok && is
      && napi_is_detached_arraybuffer(env, buffer, &is) == napi_ok && is) *length = 0;
  /* Bun says where the memory was. */
  if (!*length) *data = NULL;
  return true;
}

/* ---- To JavaScript ---------------------------------------------------------------------------------------- */

static napi_value to_value(napi_env env, uint8_t kind, const void *memory) {
  napi_value value = NULL;
  int8_t i8; uint8_t u8; int16_t i16; uint16_t u16; int32_t i32; uint32_t u32; int64_t i64; uint64_t u64; float f32; double f64;
  switch (kind) {
#define LOAD(name) memcpy(&name, memory, sizeof name)
    case K_INT8: LOAD(i8); napi_create_int32(env, i8, &value); break;
    case K_UINT8: LOAD(u8); napi_create_uint32(env, u8, &value); break;
    case K_INT16: LOAD(i16); napi_create_int32(env, i16, &value); break;
    case K_UINT16: LOAD(u16); napi_create_uint32(env, u16, &value); break;
    case K_INT32: LOAD(i32); napi_create_int32(env, i32, &value); break;
    case K_UINT32: LOAD(u32); napi_create_uint32(env, u32, &value); break;
    case K_INT64: LOAD(i64); napi_create_bigint_int64(env, i64, &value); break;
    case K_UINT64: case K_POINTER: LOAD(u64); napi_create_bigint_uint64(env, u64, &value); break;
    case K_FLOAT: LOAD(f32); napi_create_double(env, f32, &value); break;
    case K_DOUBLE: LOAD(f64); napi_create_double(env, f64, &value); break;
    default: napi_get_undefined(env, &value); break;
#undef LOAD
  }
  return value;
}

/* ---- Libraries -------------------------------------------------------------------------------------------- */

static void release_library(library *owner) {
  if (--owner->references) return;
  if (owner->handle) dlclose(owner->handle);
  free(owner);
}

static void finalize_library(napi_env env, void *data, void *hint) {
  (void)env; (void)hint;
  release_library(data);
}

/* A text of JavaScript in memory of its own; NULL when it is none. */
static char *copy_text(napi_env env, napi_value value, size_t *length) {
  size_t bytes = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &bytes) != napi_ok) return NULL;
  char *text = malloc(bytes + 1);
  if (text) napi_get_value_string_utf8(env, value, text, bytes + 1, &bytes);
  if (length) *length = bytes;
  return text;
}

/* open(path or null): an External */
static napi_value open_library(napi_env env, napi_callback_info info) {
  napi_value argument, result;
  if (!argument_count(env, info, 1, &argument)) return NULL;
  char *path = copy_text(env, argument, NULL); /* NULL: this process */
  dlerror();
  void *handle = dlopen(path, RTLD_LAZY);
  free(path);
  if (!handle) {
    char message[1024];
    const char *reason = dlerror();
    snprintf(message, sizeof message, "dlopen failed: %s", reason ? reason : "no reason given");
    return throw_plain(env, "ERR_FFI_CALL_FAILED", message);
  }
  library *owner = calloc(1, sizeof *owner);
  if (!owner) { dlclose(handle); return throw_plain(env, "ERR_FFI_CALL_FAILED", "out of memory"); }
  owner->handle = handle;
  owner->references = 1;
  if (napi_create_external(env, owner, finalize_library, NULL, &result) != napi_ok) { release_library(owner); return NULL; }
  return result;
}

static library *get_library(napi_env env, napi_value value) {
  void *data = NULL;
  if (napi_get_value_external(env, value, &data) != napi_ok) throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: not a library");
  return data;
}

static napi_value throw_closed(napi_env env) { return throw_plain(env, "ERR_FFI_LIBRARY_CLOSED", "Library is closed"); }

/* close(library) */
static napi_value close_library(napi_env env, napi_callback_info info) {
  napi_value argument;
  if (!argument_count(env, info, 1, &argument)) return NULL;
  library *owner = get_library(env, argument);
  if (!owner) return NULL;
  if (owner->handle) dlclose(owner->handle);
  owner->handle = NULL;
  owner->closed = true;
  return NULL;
}

/* symbol(library, name): the address */
static napi_value find_symbol(napi_env env, napi_callback_info info) {
  napi_value arguments[2], result;
  if (!argument_count(env, info, 2, arguments)) return NULL;
  library *owner = get_library(env, arguments[0]);
  if (!owner) return NULL;
  if (owner->closed) return throw_closed(env);
  char *name = copy_text(env, arguments[1], NULL);
  if (!name) return throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: not a name");
  dlerror();
  void *address = dlsym(owner->handle, name);
  const char *reason = dlerror();
  free(name);
  if (reason) {
    char message[1024];
    snprintf(message, sizeof message, "dlsym failed: %s", reason);
    return throw_plain(env, "ERR_FFI_CALL_FAILED", message);
  }
  napi_create_bigint_uint64(env, (uintptr_t)address, &result);
  return result;
}

/* ---- Functions -------------------------------------------------------------------------------------------- */

static napi_value call_function(napi_env env, napi_callback_info info) {
  napi_value arguments[MAX_ARGUMENTS];
  size_t given = MAX_ARGUMENTS;
  void *data;
  if (napi_get_cb_info(env, info, &given, arguments, NULL, &data) != napi_ok) return NULL;
  const function *self = data;
  if (self->owner->closed) return throw_closed(env);
  if (given != self->count) {
    char message[80];
    snprintf(message, sizeof message, "Invalid argument count: expected %u, got %zu", self->count, given);
    napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", message);
    return NULL;
  }

  slot values[MAX_ARGUMENTS], result;
  void *pointers[MAX_ARGUMENTS];
  char inline_text[INLINE_TEXT];
  size_t used = 0;
  char *long_texts[MAX_ARGUMENTS];
  unsigned long_count = 0;
  napi_value returned = NULL;

  for (unsigned i = 0; i < self->count; i++) {
    pointers[i] = &values[i];
    uint8_t kind = self->kinds[i];
    if (kind == K_VOID) { values[i].u64 = 0; continue; }
    if (kind != K_POINTER) {
      if (!read_number(env, arguments[i], kind, &values[i])) { throw_value(env, "Argument %u must be %s", i, kind_names[kind]); goto done; }
      continue;
    }
    bool lossless;
    if (napi_get_value_bigint_uint64(env, arguments[i], &values[i].u64, &lossless) == napi_ok) {
      if (!lossless) { throw_value(env, "Argument %u must be a non-negative pointer bigint%s", i, ""); goto done; }
      continue;
    }
    napi_valuetype type = napi_undefined;
    napi_typeof(env, arguments[i], &type);
    if (type == napi_null || type == napi_undefined) { values[i].pointer = NULL; continue; }
    if (type == napi_string) {
      size_t length = 0;
      napi_get_value_string_utf8(env, arguments[i], NULL, 0, &length);
      char *text = inline_text + used;
      if (length + 1 > INLINE_TEXT - used) {
        text = malloc(length + 1);
        if (!text) { throw_plain(env, "ERR_FFI_CALL_FAILED", "out of memory"); goto done; }
        long_texts[long_count++] = text;
      } else {
        used += length + 1;
      }
      napi_get_value_string_utf8(env, arguments[i], text, length + 1, &length);
      if (memchr(text, 0, length)) { throw_value(env, "Argument %u must not contain null bytes%s", i, ""); goto done; }
      values[i].pointer = text;
      continue;
    }
    size_t length;
    if (type != napi_object || !read_bytes(env, arguments[i], &values[i].pointer, &length)) { throw_value(env, "Argument %u must be a buffer, an ArrayBuffer, a string, or a bigint%s", i, ""); goto done; }
  }

  result.u64 = 0;
  ffi_call((ffi_cif *)&self->cif, self->pointer, &result, pointers);
  /* libffi widens small results to a register; memory is little-endian wherever the shim is built. */
  returned = self->result == K_VOID ? NULL : to_value(env, self->result, &result);
done:
  while (long_count) free(long_texts[--long_count]);
  return returned;
}

static void finalize_function(napi_env env, void *data, void *hint) {
  (void)env; (void)hint;
  release_library(((function *)data)->owner);
  free(data);
}

/* Reads (result kind, kinds of the arguments) into a call interface. */
static bool read_signature(napi_env env, napi_value result_value, napi_value kinds_value, uint8_t *result, uint8_t *kinds,
                           ffi_type **types, unsigned *count, ffi_cif *cif) {
  uint32_t code;
  void *bytes;
  size_t length;
  napi_get_value_uint32(env, result_value, &code);
  if (!read_bytes(env, kinds_value, &bytes, &length) || code >= K_COUNT) {
    throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: bad signature");
    return false;
  }
  if (length > MAX_ARGUMENTS) {
    throw_value(env, "A function takes at most %u arguments here%s", MAX_ARGUMENTS, "");
    return false;
  }
  *result = (uint8_t)code;
  *count = (unsigned)length;
  for (size_t i = 0; i < length; i++) {
    kinds[i] = ((uint8_t *)bytes)[i];
    types[i] = kinds[i] == K_VOID ? &ffi_type_pointer : ffi_types[kinds[i] % K_COUNT];
  }
  if (ffi_prep_cif(cif, FFI_DEFAULT_ABI, *count, ffi_types[code], types) != FFI_OK) {
    throw_plain(env, "ERR_FFI_CALL_FAILED", "ffi_prep_cif failed");
    return false;
  }
  return true;
}

/* define(library, address, result kind, argument kinds, name): a function */
static napi_value define_function(napi_env env, napi_callback_info info) {
  napi_value arguments[5], result;
  if (!argument_count(env, info, 5, arguments)) return NULL;
  library *owner = get_library(env, arguments[0]);
  if (!owner) return NULL;
  if (owner->closed) return throw_closed(env);
  uint64_t address;
  bool lossless;
  if (napi_get_value_bigint_uint64(env, arguments[1], &address, &lossless) != napi_ok) return throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: bad address");
  function *self = calloc(1, sizeof *self);
  if (!self) return throw_plain(env, "ERR_FFI_CALL_FAILED", "out of memory");
  if (!read_signature(env, arguments[2], arguments[3], &self->result, self->kinds, self->types, &self->count, &self->cif)) { free(self); return NULL; }
  self->owner = owner;
  self->pointer = (void (*)(void))(uintptr_t)address;
  char *name = copy_text(env, arguments[4], NULL);
  napi_status status = napi_create_function(env, name ? name : "", NAPI_AUTO_LENGTH, call_function, self, &result);
  free(name);
  if (status != napi_ok || napi_add_finalizer(env, result, self, finalize_function, NULL, NULL) != napi_ok) { free(self); return NULL; }
  owner->references++;
  return result;
}

/* ---- Callbacks -------------------------------------------------------------------------------------------- */

/* Uses that Node documents as not allowed end the process there too: native code waits for a result that does not exist. */
static void abort_callback(napi_env env, const char *message, napi_value error) {
  char text[512] = "";
  if (error) {
    napi_value string, property;
    bool is_error = false;
    napi_is_error(env, error, &is_error);
    if (is_error && napi_get_named_property(env, error, "stack", &property) == napi_ok) error = property;
    if (napi_coerce_to_string(env, error, &string) == napi_ok) napi_get_value_string_utf8(env, string, text, sizeof text, NULL);
  }
  fprintf(stderr, "%s\n", text);
  napi_fatal_error("ffi callback", NAPI_AUTO_LENGTH, message, NAPI_AUTO_LENGTH);
}

/* Whether a call failed because its thread is being stopped, by worker.terminate() or process.exit(), and not by a
 * throw: V8 then gives null for the exception, and no script runs any more. */
static bool is_stopping(napi_env env, napi_value error) {
  napi_valuetype type = napi_null;
  if (error && napi_typeof(env, error, &type) != napi_ok) return true;
  if (type != napi_null && type != napi_undefined) return false;
  napi_value script, result;
  if (napi_create_string_utf8(env, "0", 1, &script) != napi_ok || napi_run_script(env, script, &result) != napi_ok) {
    bool pending = false;
    if (napi_is_exception_pending(env, &pending) == napi_ok && pending) napi_get_and_clear_last_exception(env, &result);
    return true;
  }
  return false;
}

static void run_callback(ffi_cif *cif, void *result, void **memory, void *data) {
  callback *self = data;
  napi_env env = self->env;
  (void)cif;
  if (self->result != K_VOID) memset(result, 0, sizeof(ffi_arg));
  if (!env) return;
  if (!pthread_equal(pthread_self(), self->thread)) {
    fputs("Callbacks can only be invoked on the system thread they were created on\n", stderr);
    abort();
  }
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return;
  napi_value fn = NULL, receiver, returned = NULL, arguments[MAX_ARGUMENTS];
  napi_get_reference_value(env, self->reference, &fn);
  if (!fn) goto done; /* unreferenced, and collected */
  for (unsigned i = 0; i < self->count; i++) arguments[i] = to_value(env, self->kinds[i], memory[i]);
  napi_get_undefined(env, &receiver);
  napi_status status = napi_call_function(env, receiver, fn, self->count, arguments, &returned);
  if (status != napi_ok) {
    bool pending = false;
    napi_value error = NULL;
    napi_is_exception_pending(env, &pending);
    if (pending) napi_get_and_clear_last_exception(env, &error);
    if (!is_stopping(env, error)) abort_callback(env, "Callbacks cannot throw an exception", error);
    goto done; /* the thread is being stopped: native code gets zero */
  }
  bool is_promise = false;
  napi_is_promise(env, returned, &is_promise);
  if (is_promise) abort_callback(env, "Callbacks cannot return promises", NULL);
  if (self->result == K_VOID) goto done;
  slot value = {.u64 = 0};
  if (self->result == K_POINTER) {
    bool lossless = false;
    size_t length;
    napi_valuetype type = napi_undefined;
    napi_typeof(env, returned, &type);
    if (type == napi_null || type == napi_undefined) value.pointer = NULL;
    else if (type == napi_bigint && napi_get_value_bigint_uint64(env, returned, &value.u64, &lossless) == napi_ok && lossless) {}
    else if (type == napi_object && read_bytes(env, returned, &value.pointer, &length)) {}
    else abort_callback(env, "Callback returned invalid value for declared FFI type", NULL);
  } else if (!read_number(env, returned, self->result, &value)) {
    abort_callback(env, "Callback returned invalid value for declared FFI type", NULL);
  }
  switch (self->result) { /* libffi wants small integers widened */
    case K_INT8: value.sarg = value.i8; break;
    case K_INT16: value.sarg = value.i16; break;
    case K_INT32: value.sarg = value.i32; break;
    case K_UINT8: value.arg = value.u8; break;
    case K_UINT16: value.arg = value.u16; break;
    case K_UINT32: value.arg = value.u32; break;
    default: break;
  }
  memcpy(result, &value, ffi_types[self->result]->size < sizeof(ffi_arg) && self->result != K_FLOAT ? sizeof(ffi_arg) : ffi_types[self->result]->size);
done:
  napi_close_handle_scope(env, scope);
}

/* registerCallback(result kind, argument kinds, fn): its address */
static napi_value register_callback(napi_env env, napi_callback_info info) {
  napi_value arguments[3], result;
  if (!argument_count(env, info, 3, arguments)) return NULL;
  callback *self = calloc(1, sizeof *self);
  if (!self) return throw_plain(env, "ERR_FFI_CALL_FAILED", "out of memory");
  if (!read_signature(env, arguments[0], arguments[1], &self->result, self->kinds, self->types, &self->count, &self->cif)) { free(self); return NULL; }
  self->closure = ffi_closure_alloc(sizeof *self->closure, &self->code);
  if (!self->closure || ffi_prep_closure_loc(self->closure, &self->cif, run_callback, self, self->code) != FFI_OK
      || napi_create_reference(env, arguments[2], 1, &self->reference) != napi_ok) {
    if (self->closure) ffi_closure_free(self->closure);
    free(self);
    return throw_plain(env, "ERR_FFI_CALL_FAILED", "the callback could not be made");
  }
  self->env = env;
  self->thread = pthread_self();
  instance *here = NULL;
  napi_get_instance_data(env, (void **)&here);
  self->next = here->callbacks;
  here->callbacks = self;
  napi_create_bigint_uint64(env, (uintptr_t)self->code, &result);
  return result;
}

static callback **find_callback(napi_env env, napi_value pointer) {
  uint64_t address = 0;
  bool lossless;
  instance *here = NULL;
  napi_get_instance_data(env, (void **)&here);
  napi_get_value_bigint_uint64(env, pointer, &address, &lossless);
  for (callback **link = &here->callbacks; *link; link = &(*link)->next)
    if ((uintptr_t)(*link)->code == address) return link;
  napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", "Callback not found");
  return NULL;
}

/* unregisterCallback(pointer) */
static napi_value unregister_callback(napi_env env, napi_callback_info info) {
  napi_value argument;
  if (!argument_count(env, info, 1, &argument)) return NULL;
  callback **link = find_callback(env, argument);
  if (!link) return NULL;
  callback *self = *link;
  *link = self->next;
  napi_delete_reference(env, self->reference);
  ffi_closure_free(self->closure);
  free(self);
  return NULL;
}

/* holdCallback(pointer, strongly) */
static napi_value hold_callback(napi_env env, napi_callback_info info) {
  napi_value arguments[2], fn = NULL;
  if (!argument_count(env, info, 2, arguments)) return NULL;
  callback **link = find_callback(env, arguments[0]);
  if (!link) return NULL;
  bool strongly = true;
  napi_get_value_bool(env, arguments[1], &strongly);
  napi_get_reference_value(env, (*link)->reference, &fn);
  if (!fn) {
    napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", "Callback function has been garbage collected");
    return NULL;
  }
  uint32_t count = 0;
  napi_reference_ref(env, (*link)->reference, &count);
  for (uint32_t target = strongly ? 1 : 0; count > target;) napi_reference_unref(env, (*link)->reference, &count);
  return NULL;
}

static void finalize_instance(napi_env env, void *data, void *hint) {
  (void)env; (void)hint;
  instance *here = data;
  for (callback *each = here->callbacks; each; each = each->next) each->env = NULL; /* native code may still hold them */
  free(here);
}

/* ---- Memory ----------------------------------------------------------------------------------------------- */

/* load(kind, address), address not NULL */
static napi_value load_value(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  uint32_t kind = 0;
  uint64_t address = 0;
  bool lossless;
  if (!argument_count(env, info, 2, arguments)) return NULL;
  napi_get_value_uint32(env, arguments[0], &kind);
  napi_get_value_bigint_uint64(env, arguments[1], &address, &lossless);
  return to_value(env, (uint8_t)kind, (const void *)(uintptr_t)address);
}

/* store(kind, address, value) */
static napi_value store_value(napi_env env, napi_callback_info info) {
  napi_value arguments[3];
  uint32_t kind = 0;
  uint64_t address = 0;
  bool lossless;
  slot value;
  if (!argument_count(env, info, 3, arguments)) return NULL;
  napi_get_value_uint32(env, arguments[0], &kind);
  napi_get_value_bigint_uint64(env, arguments[1], &address, &lossless);
  if (!read_number(env, arguments[2], (uint8_t)kind, &value)) {
    char message[64];
    snprintf(message, sizeof message, "Value must be %s", kind_names[kind]);
    napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE", message);
    return NULL;
  }
  memcpy((void *)(uintptr_t)address, &value, ffi_types[kind]->size);
  return NULL;
}

/* text(address): a string; null for 0n */
static napi_value text_at(napi_env env, napi_callback_info info) {
  napi_value argument, result = NULL;
  uint64_t address = 0;
  bool lossless;
  if (!argument_count(env, info, 1, &argument)) return NULL;
  napi_get_value_bigint_uint64(env, argument, &address, &lossless);
  if (!address) napi_get_null(env, &result);
  else napi_create_string_utf8(env, (const char *)(uintptr_t)address, NAPI_AUTO_LENGTH, &result);
  return result;
}

/* bytes(address, length, copy): an ArrayBuffer */
static napi_value bytes_at(napi_env env, napi_callback_info info) {
  napi_value arguments[3], result = NULL;
  uint64_t address = 0;
  int64_t length = 0;
  bool lossless, copy = true;
  if (!argument_count(env, info, 3, arguments)) return NULL;
  napi_get_value_bigint_uint64(env, arguments[0], &address, &lossless);
  napi_get_value_int64(env, arguments[1], &length);
  napi_get_value_bool(env, arguments[2], &copy);
  if (copy || !length) {
    void *memory = NULL;
    if (napi_create_arraybuffer(env, (size_t)length, &memory, &result) != napi_ok) return throw_plain(env, "ERR_MEMORY_ALLOCATION_FAILED", "Failed to allocate memory");
    if (length) memcpy(memory, (const void *)(uintptr_t)address, (size_t)length);
  } else if (napi_create_external_arraybuffer(env, (void *)(uintptr_t)address, (size_t)length, NULL, NULL, &result) != napi_ok) {
    return throw_plain(env, "ERR_OPERATION_FAILED", "This runtime does not allow views of native memory");
  }
  return result;
}

/* write(address, source of bytes, size of the memory there): copies all of it, or nothing that would not fit */
static napi_value write_bytes(napi_env env, napi_callback_info info) {
  napi_value arguments[3];
  uint64_t address = 0;
  int64_t size = 0;
  bool lossless;
  void *bytes;
  size_t length;
  if (!argument_count(env, info, 3, arguments)) return NULL;
  napi_get_value_bigint_uint64(env, arguments[0], &address, &lossless);
  napi_get_value_int64(env, arguments[2], &size);
  if (!read_bytes(env, arguments[1], &bytes, &length) || !length) return NULL;
  if (size < 0 || length > (uint64_t)size) return throw_plain(env, "ERR_INTERNAL_ASSERTION", "shim: more bytes than the memory has room for");
  memmove((void *)(uintptr_t)address, bytes, length);
  return NULL;
}

/* rawPointer(source of bytes): its address; 0n when detached, null when it is none */
static napi_value raw_pointer(napi_env env, napi_callback_info info) {
  napi_value argument, result = NULL;
  void *bytes;
  size_t length;
  if (!argument_count(env, info, 1, &argument)) return NULL;
  if (!read_bytes(env, argument, &bytes, &length)) napi_get_null(env, &result);
  else napi_create_bigint_uint64(env, (uintptr_t)bytes, &result);
  return result;
}

/* ---- Module ----------------------------------------------------------------------------------------------- */

NAPI_MODULE_INIT() {
  static const struct { const char *name; napi_callback call; } table[] = {
      {"open", open_library},
      {"close", close_library},
      {"symbol", find_symbol},
      {"define", define_function},
      {"registerCallback", register_callback},
      {"unregisterCallback", unregister_callback},
      {"holdCallback", hold_callback},
      {"load", load_value},
      {"store", store_value},
      {"text", text_at},
      {"bytes", bytes_at},
      {"write", write_bytes},
      {"rawPointer", raw_pointer},
  };
  instance *here = calloc(1, sizeof *here);
  if (!here || napi_set_instance_data(env, here, finalize_instance, NULL) != napi_ok) {
    free(here);
    napi_throw_error(env, NULL, "shim: out of memory");
    return NULL;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    napi_value fn;
    if (napi_create_function(env, table[i].name, NAPI_AUTO_LENGTH, table[i].call, NULL, &fn) != napi_ok
        || napi_set_named_property(env, exports, table[i].name, fn) != napi_ok) return NULL;
  }
  return exports;
}
