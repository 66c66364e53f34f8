/* A long life of one device: a fix every 10 s while it is awake, 300 campaigns at 100 places, starts anew, a clock that is set. What the
 * engine does is compared, one by one, with a plain model of presence, repeats and caps; memory and the file are looked at each month. */
#define _GNU_SOURCE
#include <plotengine.h>

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REGIONS 100
#define CAMPAIGNS 300
#define SECOND INT64_C(1000)
#define DAY (86400 * SECOND)

enum trigger { ENTER, EXIT, DWELL };

static struct region { double latitude, longitude, radius; int is_inside; int64_t ordinal, entered; int told; } regions[REGIONS];
static struct campaign {
    int at[3], count, is_geotrigger;
    enum trigger trigger;
    int minutes;
    int64_t cooldown; /* s; 0: none */
    int resend;
    int cap;           /* displays; 0: none */
    int64_t window;    /* s */
    int64_t last[3];   /* shown at each of its regions; -1: never */
    int64_t shown[16]; /* the last displays, a ring */
    int shown_count;
} campaigns[CAMPAIGNS];
static int64_t all_shown[16];
static int all_count;
#define ALL_MAX 12

static uint64_t dice = 20260101;
static uint64_t bits(void) {
    uint64_t z = dice += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static int any(int n) { return (int)(bits() % (uint64_t)n); }
static double part(void) { return (double)(bits() >> 11) / 9007199254740992.0; }

static int64_t now, offset, boot_at; /* the true time in ms; the wall clock is now + offset */
static int boot;
static plot_engine *engine;
static plot_config *config;
static plot_feed *feed;
static long shows, fails, events, geotriggers, fixes, starts, clocks;

/* ---- What is expected, in order */

static char expected[4096][48];
static int expected_count, expected_at;

static void fail(const char *format, ...) {
    va_list list;
    fprintf(stderr, "endurance: day %lld, %lld s: ", (long long)(now / DAY), (long long)(now % DAY / SECOND));
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
    exit(1);
}

static void expect(const char *format, ...) {
    va_list list;
    if (expected_count == 4096) fail("too much at once");
    va_start(list, format);
    vsnprintf(expected[expected_count++], sizeof expected[0], format, list);
    va_end(list);
}

static void happened(const char *format, ...) {
    char line[48];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (expected_at == expected_count) fail("\"%s\" happened, and nothing was expected", line);
    if (strcmp(line, expected[expected_at])) fail("\"%s\" happened, expected \"%s\"", line, expected[expected_at]);
    expected_at++;
}

static void settled(void) {
    if (expected_at != expected_count) fail("\"%s\" was expected, and did not happen", expected[expected_at]);
    expected_at = expected_count = 0;
}

/* ---- The model */

static double distance(double latitude, double longitude, const struct region *region) {
    double rad = M_PI / 180, a = sin((region->latitude - latitude) * rad / 2), b = sin((region->longitude - longitude) * rad / 2);
    double h = a * a + cos(latitude * rad) * cos(region->latitude * rad) * b * b;
    return 2 * 6371008.8 * asin(fmin(1, sqrt(h)));
}

static int within(const int64_t *ring, int count, int max, int64_t window) {
    /* Whether `max` of the last displays are younger than the window. */
    if (count < max) return 0;
    return now - ring[(count - max) % 16] < window * SECOND;
}

/* Whether showing works is decided by both sides from the same number. */
static int show_works(int campaign, int region) {
    return ((uint64_t)now / 1000 * 31 + (uint64_t)campaign * 7 + (uint64_t)region) % 23 != 0;
}

static void candidate(int c, int k) {
    struct campaign *campaign = &campaigns[c];
    int r = campaign->at[k];
    int64_t last = campaign->last[k];
    if (last >= 0 && !campaign->resend && !(campaign->cooldown && now - last >= campaign->cooldown * SECOND)) return;
    if (campaign->is_geotrigger) {
        expect("geotrigger c%03d;r%03d", c, r);
        campaign->last[k] = now;
        return;
    }
    if (campaign->cap && within(campaign->shown, campaign->shown_count, campaign->cap, campaign->window)) return;
    if (within(all_shown, all_count, ALL_MAX, 86400)) return;
    expect("show c%03d;r%03d", c, r);
    if (!show_works(c, r)) {
        expect("failed c%03d;r%03d", c, r);
        return;
    }
    expect("shown c%03d;r%03d", c, r);
    campaign->last[k] = now;
    campaign->shown[campaign->shown_count++ % 16] = now;
    all_shown[all_count++ % 16] = now;
}

static struct { int region; enum trigger trigger; int minutes; } instants[REGIONS * 4];
static int instant_count;

static void at_region(int r, enum trigger trigger, int minutes) {
    instants[instant_count].region = r;
    instants[instant_count].trigger = trigger;
    instants[instant_count++].minutes = minutes;
}

/* The campaigns' consequences of this instant: geotriggers first. */
static void react(void) {
    for (int geotrigger = 1; geotrigger >= 0; geotrigger--)
        for (int i = 0; i < instant_count; i++)
            for (int c = 0; c < CAMPAIGNS; c++) {
                struct campaign *campaign = &campaigns[c];
                if (campaign->is_geotrigger != geotrigger || campaign->trigger != instants[i].trigger) continue;
                if (campaign->trigger == DWELL && campaign->minutes != instants[i].minutes) continue;
                for (int k = 0; k < campaign->count; k++)
                    if (campaign->at[k] == instants[i].region) candidate(c, k);
            }
    instant_count = 0;
}

static int lengths[REGIONS][4], length_count[REGIONS];

static int64_t next_dwelling(void) {
    int64_t next = -1;
    for (int r = 0; r < REGIONS; r++)
        if (regions[r].is_inside && regions[r].told < length_count[r]) {
            int64_t due = regions[r].entered + lengths[r][regions[r].told] * 60 * SECOND;
            if (next < 0 || due < next) next = due;
        }
    return next;
}

/* The dwellings that are due now. */
static void dwell(void) {
    for (int r = 0; r < REGIONS; r++)
        while (regions[r].is_inside && regions[r].told < length_count[r]
               && regions[r].entered + lengths[r][regions[r].told] * 60 * SECOND <= now) {
            int minutes = lengths[r][regions[r].told++];
            expect("dwell r%03d %lld %d", r, (long long)regions[r].ordinal, minutes);
            at_region(r, DWELL, minutes);
        }
    react();
}

static void move_to(double latitude, double longitude) {
    static int inside[REGIONS];
    for (int r = 0; r < REGIONS; r++) inside[r] = distance(latitude, longitude, &regions[r]) <= regions[r].radius;
    for (int r = 0; r < REGIONS; r++)
        if (regions[r].is_inside && !inside[r]) {
            expect("exit r%03d %lld", r, (long long)regions[r].ordinal);
            regions[r].is_inside = 0;
            at_region(r, EXIT, 0);
        }
    for (int r = 0; r < REGIONS; r++)
        if (!regions[r].is_inside && inside[r]) {
            regions[r].is_inside = 1;
            regions[r].ordinal++;
            regions[r].entered = now;
            regions[r].told = 0;
            expect("enter r%03d %lld", r, (long long)regions[r].ordinal);
            at_region(r, ENTER, 0);
        }
    react();
}

/* ---- The engine */

static void check(int status, const char *what, plot_error *error) {
    if (status != PLOT_OK) fail("%s gives %s: %s", what, plot_status_name(status), plot_error_get_message(error));
}
#define CHECK(call)                    \
    do {                               \
        plot_error *error = NULL;      \
        check((call), #call, error);   \
    } while (0)

static int32_t on_show(void *data, plot_engine *e, const plot_item *item) {
    const char *name = "";
    int c, r;
    (void)data, (void)e;
    plot_item_get_string(item, PLOT_KEY_IDENTIFIER, &name);
    happened("show %s", name);
    if (sscanf(name, "c%d;r%d", &c, &r) != 2) fail("%s", name);
    shows++;
    return show_works(c, r) ? PLOT_OK : PLOT_IO_ERROR;
}

static void on_event(void *data, plot_engine *e, const char *json, size_t length, const plot_item *item) {
    (void)data, (void)e, (void)length;
    char region[16] = "";
    const char *name = "", *at = strstr(json, "\"event\":\"") + 9, *place = strstr(json, "\"region\":\"");
    events++;
    if (place) snprintf(region, sizeof region, "%.4s", place + 10);
    if (item) plot_item_get_string(item, PLOT_KEY_IDENTIFIER, &name);
    const char *ordinal = strstr(json, "\"ordinal\":"), *minutes = strstr(json, "\"dwellingMinutes\":");
    long long number = ordinal ? atoll(ordinal + 10) : 0;
    if (!strncmp(at, "region-enter\"", 13)) happened("enter %s %lld", region, number);
    else if (!strncmp(at, "region-exit\"", 12)) happened("exit %s %lld", region, number);
    else if (!strncmp(at, "region-dwell\"", 13)) happened("dwell %s %lld %d", region, number, atoi(minutes + 18));
    else if (!strncmp(at, "geotrigger\"", 11)) geotriggers++, happened("geotrigger %s", name);
    else if (!strncmp(at, "notification-shown\"", 19)) happened("shown %s", name);
    else if (!strncmp(at, "notification-failed\"", 20)) fails++, happened("failed %s", name);
    else if (strncmp(at, "notification-opened\"", 20) && strncmp(at, "notification-dismissed\"", 23)) fail("%s", json);
}

static void tell_clock(void) {
    char name[32];
    snprintf(name, sizeof name, "boot %d", boot);
    CHECK(plot_engine_set_clock(engine, now + offset, now - boot_at, name, &error));
}

static void open_engine(const char *store) {
    CHECK(plot_engine_new(&engine, &error));
    CHECK(plot_engine_set_show_callback(engine, on_show, NULL, NULL, &error));
    CHECK(plot_engine_set_event_callback(engine, on_event, NULL, NULL, &error));
    tell_clock();
    CHECK(plot_engine_init(engine, now + offset, config, store, &error));
    starts++;
}

/* The host calls at each wakeup before `until`, exactly. */
static void wake_until(int64_t until) {
    int64_t arrival = now;
    for (;;) {
        int64_t wakeup, due = next_dwelling();
        CHECK(plot_engine_next_wakeup(engine, &wakeup, &error));
        if (wakeup != PLOT_NO_WAKEUP && due < 0 && wakeup - offset <= until) fail("a wakeup that nothing is known of");
        if (due >= 0 && wakeup != due + offset) fail("the next wakeup is off by %lld ms", (long long)(wakeup - due - offset));
        if (due < 0 || due > until) break;
        now = due;
        dwell();
        CHECK(plot_engine_advance(engine, now + offset, &error));
        settled();
    }
    now = arrival;
}

static void compare_visits(void) {
    size_t length = 0;
    plot_string *text = NULL;
    CHECK(plot_engine_get_visits(engine, &text, &error));
    for (const char *at = plot_string_get(text); (at = strstr(at, "{\"region\":\"")); at++) {
        int r = atoi(at + 12);
        long long ordinal = atoll(strstr(at, "\"ordinal\":") + 10);
        if (!regions[r].is_inside || regions[r].ordinal != ordinal) fail("visit %lld of r%03d is on", ordinal, r);
        length++;
    }
    size_t inside = 0;
    for (int r = 0; r < REGIONS; r++) inside += (size_t)regions[r].is_inside;
    if (inside != length) fail("%zu visits are on, expected %zu", length, inside);
    plot_string_free(text);
}

static void make_world(void) {
    static char json[200000];
    size_t length = 0;
#define ADD(...) length += (size_t)snprintf(json + length, sizeof json - length, __VA_ARGS__)
    ADD("{\"version\":1,\"regions\":[");
    for (int r = 0; r < REGIONS; r++) {
        struct region *region = &regions[r];
        region->latitude = round((52.30 + part() * 0.12) * 1e6) / 1e6;
        region->longitude = round((4.80 + part() * 0.2) * 1e6) / 1e6;
        region->radius = 80 + any(320);
        ADD("%s{\"id\":\"r%03d\",\"type\":\"geofence\",\"latitude\":%.6f,\"longitude\":%.6f,\"radius\":%.0f}", r ? "," : "", r,
            region->latitude, region->longitude, region->radius);
    }
    ADD("],\"campaigns\":[");
    for (int c = 0; c < CAMPAIGNS; c++) {
        struct campaign *campaign = &campaigns[c];
        campaign->is_geotrigger = any(6) == 0;
        campaign->trigger = any(10) < 5 ? ENTER : any(2) ? EXIT : DWELL;
        if (campaign->trigger == DWELL) campaign->minutes = 5 * (1 + any(3));
        int repeats = any(3);
        campaign->resend = repeats == 1;
        if (repeats == 2) campaign->cooldown = 3600 * (1 + any(200));
        if (!campaign->is_geotrigger && !any(3)) {
            campaign->cap = 1 + any(3);
            campaign->window = 3600 * (1 + any(100));
        }
        campaign->count = 1 + any(3);
        ADD("%s{\"id\":\"c%03d\",\"type\":\"%s\",\"%s\":\"c\",\"trigger\":\"%s\"", c ? "," : "", c,
            campaign->is_geotrigger ? "geotrigger" : "notification", campaign->is_geotrigger ? "name" : "message",
            campaign->trigger == ENTER ? "enter" : campaign->trigger == EXIT ? "exit" : "dwelling");
        if (campaign->minutes) ADD(",\"dwellingMinutes\":%d", campaign->minutes);
        if (campaign->resend) ADD(",\"resend\":true");
        if (campaign->cooldown) ADD(",\"cooldownPeriod\":%lld", (long long)campaign->cooldown);
        if (campaign->cap) ADD(",\"caps\":[{\"max\":%d,\"window\":%lld}]", campaign->cap, (long long)campaign->window);
        ADD(",\"regions\":[");
        for (int k = 0; k < campaign->count; k++) {
            int again;
            do {
                campaign->at[k] = any(REGIONS);
                again = 0;
                for (int j = 0; j < k; j++) again |= campaign->at[j] == campaign->at[k];
            } while (again);
            campaign->last[k] = -1;
            ADD("%s\"r%03d\"", k ? "," : "", campaign->at[k]);
        }
        ADD("]}");
        if (campaign->trigger == DWELL)
            for (int k = 0; k < campaign->count; k++) {
                int r = campaign->at[k], known = 0, j = length_count[r];
                for (int i = 0; i < length_count[r]; i++) known |= lengths[r][i] == campaign->minutes;
                if (known) continue;
                for (; j > 0 && lengths[r][j - 1] > campaign->minutes; j--) lengths[r][j] = lengths[r][j - 1];
                lengths[r][j] = campaign->minutes;
                length_count[r]++;
            }
    }
    ADD("],\"settings\":{\"caps\":[{\"per\":\"all\",\"max\":%d,\"window\":86400}]}}", ALL_MAX);
    static const char configuration[] = "{\"publicToken\":\"T\",\"engine\":{\"noise\":\"exact\",\"initial\":\"enter\"}}";
    CHECK(plot_config_parse(configuration, sizeof configuration - 1, &config, &error));
    CHECK(plot_feed_parse(json, length, &feed, &error));
}

static long resident(void) {
    long pages = 0, total = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &total, &pages) != 2) fail("/proc/self/statm");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int count, char **arguments) {
    int days = count > 1 ? atoi(arguments[1]) : 365;
    const char *folder = count > 2 ? arguments[2] : "/tmp";
    char store[400];
    struct stat facts;
    struct timespec began, ended;
    long first_resident = 0, first_used = 0, last_resident = 0, last_used = 0, largest = 0;
    if (days < 1) return fprintf(stderr, "usage: endurance DAYS FOLDER\n"), 2;
    clock_gettime(CLOCK_MONOTONIC, &began);
    snprintf(store, sizeof store, "%s/endurance-%d.db", folder, (int)getpid());
    make_world();
    now = 20000 * DAY;
    int64_t start = now;
    open_engine(store);
    CHECK(plot_engine_set_feed(engine, now + offset, feed, &error));
    double latitude = 52.36, longitude = 4.9, to_latitude = latitude, to_longitude = longitude, speed = 0;
    int64_t rest_until = 0;
    for (int day = 0; day < days; day++) {
        int64_t wakes = start + day * DAY + 7 * 3600 * SECOND, sleeps = start + day * DAY + 23 * 3600 * SECOND;
        for (int64_t time = wakes; time < sleeps; time += 10 * SECOND) {
            wake_until(time);
            now = time;
            if (now >= rest_until) {
                double north = (to_latitude - latitude) * 111195, east = (to_longitude - longitude) * 67900, left = hypot(north, east);
                double pace = speed * 10;
                if (left <= pace || speed == 0) {
                    latitude = to_latitude;
                    longitude = to_longitude;
                    rest_until = now + (5 + any(120)) * 60 * SECOND;
                    /* To a place, or anywhere. */
                    int r = any(REGIONS);
                    to_latitude = any(3) ? regions[r].latitude : 52.30 + part() * 0.12;
                    to_longitude = any(3) ? regions[r].longitude : 4.80 + part() * 0.2;
                    speed = any(2) ? 1.4 : 4 + part() * 10;
                } else {
                    latitude += (to_latitude - latitude) * pace / left;
                    longitude += (to_longitude - longitude) * pace / left;
                }
            }
            move_to(latitude, longitude);
            CHECK(plot_engine_update_location(engine, now + offset, latitude, longitude, 5, -1, -1, &error));
            settled();
            fixes++;
            if (!any(20000)) {
                /* Someone sets the clock. */
                offset = (any(14400) - 7200) * SECOND;
                tell_clock();
                clocks++;
            }
            if (!any(15000)) {
                /* The device starts anew, a minute later. */
                compare_visits();
                plot_engine_free(engine);
                boot++;
                boot_at = now;
                open_engine(store);
                settled();
                compare_visits();
            }
        }
        if (day % 30 == 29 || day == days - 1) {
            compare_visits();
            plot_engine_free(engine);
            if (stat(store, &facts)) fail("the store is gone");
            open_engine(store);
            settled();
            malloc_trim(0);
            struct mallinfo2 heap = mallinfo2();
            last_resident = resident();
            last_used = (long)(heap.uordblks / 1024);
            if (!first_used) first_resident = last_resident, first_used = last_used;
            if (facts.st_size > largest) largest = facts.st_size;
            printf("day %d: %ld fixes, %ld events, %ld shown, heap %ld KiB, resident %ld KiB, store %lld KiB\n", day + 1, fixes, events,
                   shows - fails, last_used, last_resident, (long long)facts.st_size / 1024);
            fflush(stdout);
        }
    }
    plot_engine_free(engine);
    plot_feed_free(feed);
    plot_config_free(config);
    unlink(store);
    if (plot_live_objects()) fail("%lld objects are still alive", (long long)plot_live_objects());
    /* The lists fill in the first month; the displays that caps may count are remembered for 400 days. */
    if (last_used > first_used + 1536) fail("the heap has grown from %ld to %ld KiB", first_used, last_used);
    if (last_resident > first_resident + 8192) fail("the process has grown from %ld to %ld KiB", first_resident, last_resident);
    if (largest > 2 << 20) fail("the store has grown to %ld KiB", largest / 1024);
    if (!shows || !geotriggers || (days > 6 && !clocks) || starts < 2) fail("nothing has happened");
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("endurance: %d days, %ld fixes, %ld events, %ld shown, %ld not, %ld geotriggers, %ld starts, %ld times the clock set: as the model "
           "says, each of them; %.0f s\n",
           days, fixes, events, shows - fails, fails, geotriggers, starts, clocks,
           (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
    return 0;
}
