/* Part of each program that the thread sanitizer watches; it is not watched itself. Swift counts its references in libswiftCore, which the sanitizer does
 * not watch either: it would not know that what a thread did with an object before it let go of it comes before what the last one does with it, and
 * before a write by its only owner. These stand in the place of the runtime's functions, for the library too, and tell it just that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);
size_t swift_retainCount(void *object);

static void (*release)(void *object), (*release_n)(void *object, uint32_t n);
static void (*bridge_release)(void *object), (*bridge_release_n)(void *object, uint32_t n);
static _Bool (*is_unique)(const void *object);

__attribute__((constructor(101))) static void begin(void) {
    release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_release");
    release_n = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_release_n");
    bridge_release = (void (*)(void *))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease");
    bridge_release_n = (void (*)(void *, uint32_t))dlsym(RTLD_NEXT, "swift_bridgeObjectRelease_n");
    is_unique = (_Bool (*)(const void *))dlsym(RTLD_NEXT, "swift_isUniquelyReferenced_nonNull_native");
}

/* Whether a release is the last must be known before it: those that are not take turns, an object each. */
static unsigned char turns[4096];
static __thread unsigned char *own_turn;

static void give_back(unsigned char *turn) {
    if (!turn) return;
    own_turn = NULL;
    __atomic_store_n(turn, 0, __ATOMIC_RELEASE);
}

/* Tells of `n` releases; gives the turn to be given back after them. Nothing is told of NULL, a value in the place of a pointer, and what is never
 * freed. */
static unsigned char *let_go(uintptr_t word, size_t n) {
    void *object = (void *)(word & UINT64_C(0x0ffffffffffffff8));
    unsigned char *turn = NULL;
    if (!release) begin();
    if ((intptr_t)word <= 0 || ((const uint32_t *)object)[2] == UINT32_MAX) return NULL;
    __tsan_release(object);
    if (swift_retainCount(object) > n && !own_turn) {
        turn = own_turn = &turns[((uintptr_t)object >> 4) * 0x9e3779b97f4a7c15 >> 52];
        while (__atomic_exchange_n(turn, 1, __ATOMIC_ACQUIRE)) sched_yield();
    }
    if (swift_retainCount(object) > n) return turn;
    /* The last, with nobody left to take turns with; and what it leads to may be long. */
    give_back(turn);
    __tsan_acquire(object);
    return NULL;
}

void swift_release(void *object) {
    unsigned char *turn = let_go((uintptr_t)object, 1);
    release(object);
    give_back(turn);
}

void swift_release_n(void *object, uint32_t n) {
    unsigned char *turn = let_go((uintptr_t)object, n);
    release_n(object, n);
    give_back(turn);
}

void swift_bridgeObjectRelease(void *object) {
    unsigned char *turn = let_go((uintptr_t)object, 1);
    bridge_release(object);
    give_back(turn);
}

void swift_bridgeObjectRelease_n(void *object, uint32_t n) {
    unsigned char *turn = let_go((uintptr_t)object, n);
    bridge_release_n(object, n);
    give_back(turn);
}

_Bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
    if (!is_unique(object)) return 0;
    __tsan_acquire((void *)(uintptr_t)object);
    return 1;
}
