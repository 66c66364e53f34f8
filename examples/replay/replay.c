/*
 * Plays a recording and prints it as it would be made now: replay RECORDING
 *
 * If nothing has changed, the output is the recording, byte for byte (docs/recording.md).
 *
 * Copyright 2026 the PlotEngine authors. Licensed under the Apache License, Version 2.0.
 */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <plotengine.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    /* Apps with a user interface do this. A locale with a decimal comma changes nothing. */
    setlocale(LC_ALL, "");
    if (count != 2) {
        fprintf(stderr, "usage: replay RECORDING\n");
        return 2;
    }
    FILE *file = fopen(arguments[1], "rb");
    if (file == NULL) {
        perror(arguments[1]);
        return 1;
    }
    plot_replay *replay;
    plot_error *error = NULL;
    if (plot_replay_new(&replay, NULL) != PLOT_OK) return 1;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int status = 0;
    while (status == 0 && (length = getline(&line, &capacity, file)) > 0) {
        plot_string *lines;
        if (line[length - 1] == '\n') length--;
        if (plot_replay_take_line(replay, line, (size_t)length, &lines, &error) == PLOT_OK) {
            status = fwrite(plot_string_get(lines), 1, plot_string_get_length(lines), stdout)
                     < plot_string_get_length(lines);
        } else {
            fprintf(stderr, "%s: %s\n", arguments[1], plot_error_get_message(error));
            plot_error_free(error);
            status = 1;
        }
        plot_string_free(lines);
    }
    free(line);
    plot_replay_free(replay);
    fclose(file);
    return fflush(stdout) != 0 || status;
}
