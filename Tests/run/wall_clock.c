/* A wall clock that can be set: for LD_PRELOAD. The file in WALL_CLOCK has how many seconds it is ahead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result || clock != CLOCK_REALTIME) return result;
  FILE *file = fopen(getenv("WALL_CLOCK"), "r");
  long ahead = 0;
  if (file) {
    if (fscanf(file, "%ld", &ahead) != 1) ahead = 0;
    fclose(file);
  }
  time->tv_sec += ahead;
  return 0;
}
