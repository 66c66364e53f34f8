/*
 * The table of extreme numbers (Tests/abuse/check_abuse.py, Tests/abuse), with numbers that no table has: the first two bytes say which call of the header, then a
 * byte for each of its numbers, whether it is the usual one, an extreme one or the next eight bytes. The calls are honest ones: a length is one that the text has, or
 * one that no text may have.
 */
#define ABUSE_WITHOUT_MAIN
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "../abuse/abuse.c"

#include <float.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *next, *end;

static uint8_t taken(void) { return next < end ? *next++ : 0; }

static uint64_t picked(uint64_t usual) {
    static const uint64_t extremes[] = {
        0, 1, 2, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, (uint64_t)INT64_MAX - 1, (uint64_t)INT64_MIN, (uint64_t)INT64_MIN + 1,
        INT32_MAX, (uint64_t)INT32_MAX + 1, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_C(1) << 53, UINT64_C(253402300799999),
        UINT64_C(253402300800000), START, (uint64_t)-1000, 86400000, UINT64_C(1) << 62,
    };
    const size_t count = sizeof extremes / sizeof extremes[0];
    uint8_t how = taken();
    uint64_t value = 0;
    if (how < 64) return usual;
    if (how < 192) return extremes[how % count] + (how & 1 ? taken() : 0);
    for (int byte = 0; byte < 8; byte++) value = value << 8 | taken();
    return value;
}

static uint64_t number(uint64_t usual, enum role role) {
    uint64_t value = picked(usual);
    switch (role) {
    case LENGTH: return value > usual && value < FIRST_REFUSED_LENGTH ? value % (usual + 1) : value;
    case COUNT: return value > 2 && value < FIRST_REFUSED_COUNT ? value % 3 : value;
    case ENGINES: return value & 1;
    case FREE: break;
    }
    return value;
}

static double real(double usual) {
    static const double extremes[] = {
        0, -0.0, 1, -1, NAN, INFINITY, -INFINITY, 1e300, -1e300, 5e-324, DBL_MAX, 90, -90, 180, -180, 360, 0x1p63, -0x1p63, 0x1p64, 1e-9,
    };
    uint8_t how = taken();
    double value;
    uint64_t bits = 0;
    if (how < 64) return usual;
    if (how < 192) return extremes[how % (sizeof extremes / sizeof extremes[0])];
    for (int byte = 0; byte < 8; byte++) bits = bits << 8 | taken();
    memcpy(&value, &bits, sizeof value);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static world w;
    const probe *p;
    plot_error *error = POISON;
    if (report == NULL) {
        report = stderr;
        snprintf(case_path, sizeof case_path, "/tmp/plot-numbers-%ld", (long)getpid());
    }
    next = data;
    end = data + size;
    p = &numbered[(taken() << 8 | taken()) % (sizeof numbered / sizeof numbered[0])];
    snprintf(where, sizeof where, "%s", p->function);
    build_world(&w, NULL);
    w.spare = (tally){&w, KIND_plot_destroy_fn, 0, 0};
    fuzzed_number = number;
    fuzzed_real = real;
    p->call(&w, p, p->has_error ? &error : NULL);
    fuzzed_number = NULL;
    fuzzed_real = NULL;
    /* The state that it has left behind must be fit for use. */
    if (w.engine) {
        plot_string *string = NULL;
        if (plot_engine_get_visits(w.engine, &string, NULL) == PLOT_OK) plot_string_free(string);
        if (plot_engine_explain(w.engine, "rose", NULL, NULL, &string, NULL) == PLOT_OK) plot_string_free(string);
        w.now += 1000;
        plot_engine_update_location(w.engine, w.now, LATITUDE, LONGITUDE, 5, -1, -1, NULL);
    }
    end_world(&w, where);
    unlink(case_path);
    if (faults) abort();
    return 0;
}
