/* The store's requests to the disk, counted, recorded, and spoilt on demand. The program's own pwrite, fdatasync and so on stand before the
 * C library's, for SQLite and the engine alike; only files of one folder are looked at. */
#ifndef TORTURE_DISK_H
#define TORTURE_DISK_H

#include <stddef.h>
#include <stdint.h>

enum disk_kind { DISK_WRITE = 1, DISK_SYNC, DISK_TRUNCATE, DISK_UNLINK, DISK_CREATE, DISK_SYNC_FOLDER, DISK_NAME, DISK_FAILED = 256 /* added to one that failed */ };

/* One request. The bytes of a write follow. */
struct disk_op {
    uint32_t kind;
    uint32_t file;   /* which: a position in disk_names */
    uint64_t offset; /* of a write; the length of a truncation */
    uint64_t length; /* of a write */
    uint64_t told;   /* how much the life had told by then */
};

extern const char *const disk_names[4]; /* what stands behind the store's path */

struct disk {
    char path[3200]; /* of the store */
    /* Requests that change something, from 1; counted in a life. */
    uint64_t count;
    uint64_t kill_at; /* 0: never. Killed before that request */
    int kill_torn;    /* half of that write is done first */
    int kill_replaced; /* killed when another file has been given the store's name */
    /* From request `fail_from` on, `fail_count` requests of the kinds in the mask `fail_kinds` fail with this errno; a write of which there is half
     * still room does half of it. */
    uint64_t fail_from, fail_count, failed;
    uint32_t fail_kinds; /* bit n: kind n */
    int fail_file;       /* only this file; -1: any */
    int fail_errno;
    /* Where requests are recorded; 0 bytes of room: they are not. */
    uint64_t room, used;
    unsigned char *record;
};

extern struct disk *disk;            /* shared with the parent */
extern int disk_is_on;               /* in a process that lives; the parent's own requests do not count */
extern uint64_t (*disk_told)(void);  /* how much the life has told */

#endif
