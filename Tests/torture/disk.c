#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

const char *const disk_names[4] = {"", "-wal", "-log", "-journal"};
struct disk *disk;
uint64_t (*disk_told)(void);
int disk_is_on;

/* Of a descriptor: 1 more than the file; 8: one of those that are there while a store is set aside; 9: the folder. */
static signed char files[1024];

static int file_of(const char *path) {
    if (!disk_is_on || !*disk->path) return -1;
    size_t length = strlen(disk->path);
    if (strncmp(path, disk->path, length)) return -1;
    for (int i = 0; i < 4; i++)
        if (!strcmp(path + length, disk_names[i])) return i;
    return -1;
}

/* The files that are there while a store is set aside. Requests for it are counted, and no more. */
static int is_beside(const char *path) {
    if (!disk_is_on || !*disk->path) return 0;
    size_t length = strlen(disk->path);
    return !strncmp(path, disk->path, length)
        && (!strncmp(path + length, "-salvage", 8) || !strncmp(path + length, "-replacement", 12) || !strncmp(path + length, "-damaged", 8));
}

static void record(int kind, int file, uint64_t offset, uint64_t length, const void *bytes) {
    if (!disk->room) return;
    struct disk_op op = {(uint32_t)kind, (uint32_t)file, offset, length, disk_told ? disk_told() : 0};
    if (disk->used + sizeof op + length > disk->room) {
        static const char text[] = "torture: no room to record what is written\n";
        syscall(SYS_write, 2, text, sizeof text - 1);
        _exit(70);
    }
    memcpy(disk->record + disk->used, &op, sizeof op);
    if (length) memcpy(disk->record + disk->used + sizeof op, bytes, length);
    disk->used += sizeof op + length;
}

/* Counts a request. Returns an errno when it is to fail. */
static int request(int kind, int file, int fd, const void *bytes, size_t length, off_t offset) {
    uint64_t number = ++disk->count;
    if (number == disk->kill_at) {
        if (disk->kill_torn && kind == DISK_WRITE) syscall(SYS_pwrite64, fd, bytes, length / 2, offset);
        kill(getpid(), SIGKILL);
    }
    if (disk->fail_from && number >= disk->fail_from && disk->failed < disk->fail_count && disk->fail_kinds >> kind & 1
        && (disk->fail_file < 0 || disk->fail_file == file)) {
        disk->failed++;
        record(DISK_FAILED | kind, file < 0 ? 0 : file, 0, 0, NULL);
        return disk->fail_errno;
    }
    return 0;
}

/* The folder of the store. */
static int is_folder(const char *path) {
    const char *end = strrchr(disk->path, '/');
    size_t length = end ? (size_t)(end - disk->path) : 0;
    return length && !strncmp(path, disk->path, length) && (!path[length] || !strcmp(path + length, "/"));
}

static int opened(int fd, const char *path) {
    if (fd < 0 || fd >= 1024 || !disk_is_on) return fd;
    int file = file_of(path);
    files[fd] = (signed char)(file + 1);
    if (file < 0 && is_beside(path)) files[fd] = 8;
    else if (file < 0 && is_folder(path)) files[fd] = 9;
    return fd;
}

static int open_any(const char *path, int flags, mode_t mode) {
    int file = file_of(path);
    if (file >= 0 && flags & O_CREAT && syscall(SYS_access, path, 0) != 0) {
        int error = request(DISK_CREATE, file, -1, NULL, 0, 0);
        if (error) return errno = error, -1;
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
        if (fd >= 0) record(DISK_CREATE, file, 0, 0, NULL);
        return opened(fd, path);
    }
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), path);
}

#define WITH_MODE                   \
    mode_t mode = 0;                \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list list;               \
        va_start(list, flags);      \
        mode = va_arg(list, mode_t); \
        va_end(list);               \
    }

int open(const char *path, int flags, ...) {
    WITH_MODE
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    WITH_MODE
    return open_any(path, flags, mode);
}

int close(int fd) {
    if (fd >= 0 && fd < 1024) files[fd] = 0;
    return (int)syscall(SYS_close, fd);
}

static int watched(int fd) { return disk_is_on && fd >= 0 && fd < 1024 && files[fd] > 0 && files[fd] < 8 ? files[fd] - 1 : -1; }

static int is_watched_beside(int fd) { return disk_is_on && fd >= 0 && fd < 1024 && files[fd] == 8; }

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    int file = watched(fd);
    if (is_watched_beside(fd)) request(DISK_WRITE, -1, fd, bytes, length, offset);
    if (file < 0) return syscall(SYS_pwrite64, fd, bytes, length, offset);
    int error = request(DISK_WRITE, file, fd, bytes, length, offset);
    if (error == ENOSPC && disk->failed == 1 && length > 1) {
        /* The last bytes of room. */
        ssize_t done = syscall(SYS_pwrite64, fd, bytes, length / 2, offset);
        if (done > 0) record(DISK_WRITE, file, (uint64_t)offset, (uint64_t)done, bytes);
        return done;
    }
    if (error) return errno = error, -1;
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, length, offset);
    if (done > 0) record(DISK_WRITE, file, (uint64_t)offset, (uint64_t)done, bytes);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }

static int sync_any(int fd, long number) {
    int file = watched(fd);
    if (file < 0) {
        if (disk_is_on && fd >= 0 && fd < 1024 && files[fd] == 9) {
            int error = request(DISK_SYNC_FOLDER, 0, fd, NULL, 0, 0);
            if (error) return errno = error, -1;
            record(DISK_SYNC_FOLDER, 0, 0, 0, NULL);
        }
        return (int)syscall(number, fd);
    }
    int error = request(DISK_SYNC, file, fd, NULL, 0, 0);
    if (error) return errno = error, -1;
    int result = (int)syscall(number, fd);
    if (!result) record(DISK_SYNC, file, 0, 0, NULL);
    return result;
}

int fdatasync(int fd) { return sync_any(fd, SYS_fdatasync); }
int fsync(int fd) { return sync_any(fd, SYS_fsync); }

int ftruncate64(int fd, off64_t length) {
    int file = watched(fd);
    if (file < 0) return (int)syscall(SYS_ftruncate, fd, length);
    int error = request(DISK_TRUNCATE, file, fd, NULL, 0, 0);
    if (error) return errno = error, -1;
    int result = (int)syscall(SYS_ftruncate, fd, length);
    if (!result) record(DISK_TRUNCATE, file, (uint64_t)length, 0, NULL);
    return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int unlink(const char *path) {
    int file = file_of(path);
    if (is_beside(path)) request(DISK_UNLINK, -1, -1, NULL, 0, 0);
    if (file < 0) return (int)syscall(SYS_unlink, path);
    int error = request(DISK_UNLINK, file, -1, NULL, 0, 0);
    if (error) return errno = error, -1;
    int result = (int)syscall(SYS_unlink, path);
    if (!result) record(DISK_UNLINK, file, 0, 0, NULL);
    return result;
}

int link(const char *path, const char *other) {
    if (is_beside(other)) request(DISK_NAME, -1, -1, NULL, 0, 0);
    return (int)syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0);
}

int rename(const char *path, const char *other) {
    int is_ours = is_beside(path) || is_beside(other);
    if (is_ours) request(DISK_NAME, -1, -1, NULL, 0, 0);
    int result = (int)syscall(SYS_renameat, AT_FDCWD, path, AT_FDCWD, other);
    if (is_ours && !result && disk->kill_replaced && file_of(other) == 0) kill(getpid(), SIGKILL);
    return result;
}
