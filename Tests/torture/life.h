/* A busy life of one engine on a store, and what a model expects of it. */
#ifndef TORTURE_LIFE_H
#define TORTURE_LIFE_H

#include <stddef.h>
#include <stdint.h>

#define MAX_OPEN 64

/* Shared by the parent and the lives, so that nothing of it dies with one. */
struct world {
    int64_t mono, offset; /* the true clock, and what the wall clock differs by; ms */
    int place;
    int64_t revisions[8]; /* newest revision sent of each message key */
    uint64_t number;      /* of what has been made up: bodies, edits, values */
    int64_t list_version;
    struct { uint64_t token; int is_geotrigger; } open[MAX_OPEN];
    int open_count;
    int is_ready;  /* the first dump has been told */
    int may_fail;  /* the disk fails in this life: PLOT_STORE_FAILED is an answer */
    int is_quiet;  /* nobody hears of events and notifications; each geotrigger is handled at once */
    size_t used;
    char text[1 << 26];
};

extern struct world *world;

void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t random_bits(uint64_t *state);

/* Plays a life in this process, and ends it: steps < 0 for ever, else so many; then the engine is closed and the process exits with 0. */
void live(const char *store, uint64_t seed, int steps) __attribute__((noreturn));

/* Starts on a store that was set aside, and enters each region twice; ends as above. */
void live_on(const char *store) __attribute__((noreturn));

/* ---- The model */

struct listed { char match[40]; int mark; uint64_t hash; };
struct list { struct listed items[128]; int count; };
struct show { char match[40]; char name[64]; int64_t revision, mono, earliest; int is_ok, calls, events; uint64_t hash; };
struct doing { long id; char kind[12]; char a[24]; char b[24]; };
struct token { uint64_t token; int is_geotrigger, state, is_offered, count; char matches[40][40]; };

struct model {
    struct list sent, geotriggers, displayed;
    struct { char id[8]; int64_t ordinal; int is_inside; } regions[16];
    int region_count;
    struct show *shows;
    int show_count, show_room;
    int32_t *index;
    uint64_t *hashes; /* of events, by sequence */
    int64_t sequence, sequence_room, told_now; /* the last of all, and of this life */
    int64_t shown, campaign_shown;
    int capped[2]; /* the last two displays of the capped campaign, and one */
    char properties[4][24];
    int64_t cooldown, list_version;
    int64_t taken; /* the app has acknowledged the events up to it */
    int loses_power; /* what did not wait for the disk may be lost */
    int feed;
    struct doing doing[8];
    int doing_count;
    struct doing in_doubt[256]; /* refused with PLOT_STORE_IN_DOUBT: the next life may find it done */
    int in_doubt_count;
    struct doing unsure[300]; /* what was going on when a life ended, or was in doubt */
    int unsure_count;
    struct token *tokens;
    int token_count, token_room;
    int64_t mono; /* of the last input */
    int64_t accepted; /* of the last call that was not refused */
    int64_t lived; /* the same, where it was no part of a start */
    long acknowledged, in_doubts, recovered, dumps, offered_again, delivered_again;
    char fault[1024];
    size_t at; /* how far what was told has been taken */
};

/* Takes what a life has told. False when that contradicts the model; `fault` then says how. */
int model_take(struct model *m, const char *text, size_t length);
/* The life has ended: what was going on may have happened or not. */
void model_end(struct model *m);
void model_free(struct model *m);
/* Whether the tables of a closed store say what the model says. */
int model_check_file(struct model *m, const char *path);

/* The shown notifications in a store's file: a line each, the match or "-", and the identifier. */
void shown_before(const char *path, char *known, size_t room);
/* The first of what a life showed that was known before, by its match, or by its identifier where it comes once; NULL for none. Counts what was shown. */
const char *shown_again(const char *known, const char *text, size_t length, long *count);

/* "ok" for PRAGMA integrity_check, else what is wrong. */
const char *integrity(const char *path);

#define ORDER_OF_REGIONS "r0r1r2r3r4r5x"

#endif
