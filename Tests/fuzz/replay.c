/*
 * Plays corpora without libFuzzer: replay FOLDER... The target says by abort() that something does not hold; the file is named before it is played.
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <signal.h>

#include "fuzz.h"

static char current[512];

static void say(int signal_number) {
    static const char words[] = "\nthe file: ";
    (void)!write(2, words, sizeof words - 1);
    (void)!write(2, current, strlen(current));
    (void)!write(2, "\n", 1);
    fprintf(stderr, "signal %d\n", signal_number);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

int main(int count, char **folders) {
    int signals[] = {SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGALRM};
    for (size_t index = 0; index < COUNT_OF(signals); index++) signal(signals[index], say);
    size_t played = 0;
    for (int index = 1; index < count; index++) {
        DIR *folder = opendir(folders[index]);
        CHECK(folder != NULL, "no folder %s", folders[index]);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            if (entry->d_name[0] == '.') continue;
            snprintf(current, sizeof current, "%s/%s", folders[index], entry->d_name);
            FILE *file = fopen(current, "rb");
            CHECK(file != NULL, "%s cannot be read", current);
            static uint8_t data[1 << 22];
            size_t size = fread(data, 1, sizeof data, file);
            fclose(file);
            /* Of its own size, so that a reader beyond the end is seen. */
            uint8_t *own = malloc(size ? size : 1);
            memcpy(own, data, size);
            alarm(60);
            LLVMFuzzerTestOneInput(own, size);
            alarm(0);
            free(own);
            played++;
        }
        closedir(folder);
    }
    CHECK(played > 0, "nothing was played");
    printf("%zu\n", played);
    return 0;
}
