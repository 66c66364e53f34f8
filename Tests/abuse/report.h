/* Faults go into a file, and nothing to standard output or error: that is looked at, too. */
#ifndef REPORT_H
#define REPORT_H

#include <stdarg.h>
#include <stdio.h>

static FILE *report;
static int faults;
static char where[512]; /* before each fault; empty for nothing */

__attribute__((format(printf, 1, 2))) static void fault(const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (*where) fprintf(report, "%s: ", where);
    vfprintf(report, format, values);
    fputc('\n', report);
    va_end(values);
    faults++;
}

#endif
