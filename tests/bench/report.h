// Writes the table on standard output, with a progress line below it, and the JSON file.
#ifndef REPORT_H
#define REPORT_H

#include "bench.h"

typedef struct bench_quantiles {
    double tenth;
    double median;
    double ninetieth;
} bench_quantiles;

// False: a file cannot be written (said on stderr). NULL: no file.
bool report_begin(const char *json_path, const char *count_path);
bool report_end(void); // likewise; also false if something failed on the way

// Shows on a terminal what is at hand: a group of workloads by its number, and a run of one.
void report_group(const char *name, size_t number, size_t of);
void report_progress(const bench_comparison *c, int runs);

// Writes the seconds of both sides, and ratios of neighbouring runs; NAN if there is no limit.
void report_comparison(const bench_comparison *c, bench_quantiles weft, bench_quantiles limit,
                       bench_quantiles ratio, int runs);

// Writes between which calls of bench_count_here the two sides ran, without the second.
void report_counts(const bench_comparison *c, uint64_t first, uint64_t middle, uint64_t end);

void report_disagreement(const bench_comparison *c, uint64_t sum, uint64_t limit_sum);

#endif
