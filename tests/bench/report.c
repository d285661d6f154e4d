// Prints reports as they arrive. Each line of the table is also one object in the JSON file, which
// plot.py and results.py read.
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// The build says with which flags it was made, and what tells its workloads from those of another.
#if !defined(BENCH_FLAGS) || !defined(BENCH_PLAIN)
#error "BENCH_FLAGS is to be the compiler's flags, BENCH_PLAIN whether they are nearly none"
#endif

#define NAME_WIDTH 26

typedef struct row {
    char workload[64];
    uint64_t n;
    const char *unit;
    double value;
    double limit;
    bench_quantiles ratio;
    double spread; // of the value: (p90 - p10) / p50
    double value_max;
    double ratio_max;
    int runs;
} row;

static const char *json_path;
static FILE *json;
static const char *counts_path;
static FILE *counts;
static unsigned rows_written;
static bool failed;
static size_t group_at_hand;
static size_t group_count;

// Shows a line on a terminal, over the one before, and at last "". It is cut at the edge of the
// terminal: a line that goes on below it could not be written over.
static void show_line(const char *text)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO)) return;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
    printf("\r%.*s\x1b[K", known ? size.ws_col - 1 : 79, text);
    fflush(stdout);
}

static bool open_file(const char *path, FILE **file)
{
    *file = path ? fopen(path, "w") : NULL;
    if (path && !*file) perror(path);
    return !path || *file;
}

static void close_file(const char *path, FILE *file)
{
    if (!file || fclose(file) == 0) return;
    perror(path);
    failed = true;
}

bool report_begin(const char *path, const char *count_path)
{
    printf("%-*s %8s %10s %10s %7s %13s %7s  %s\n", NAME_WIDTH, "flags: " BENCH_FLAGS, "n", "weft",
           "limit", "ratio", "p10-p90", "spread", "target");
    json_path = path;
    counts_path = count_path;
    if (!open_file(path, &json) || !open_file(count_path, &counts)) return false;
    if (json) fputs("[", json);
    return true;
}

bool report_end(void)
{
    show_line("");
    if (json) fputs("\n]\n", json);
    close_file(json_path, json);
    close_file(counts_path, counts);
    return !failed;
}

void report_group(const char *name, size_t number, size_t of)
{
    group_at_hand = number;
    group_count = of;
    char text[128];
    snprintf(text, sizeof text, "%zu of %zu: %s", number, of, name);
    show_line(text);
}

void report_progress(const bench_comparison *c, int runs)
{
    char text[160];
    snprintf(text, sizeof text, "%zu of %zu: %-*s %8llu  run %d", group_at_hand, group_count,
             NAME_WIDTH, c->workload, (unsigned long long)c->n, runs);
    show_line(text);
}

// JSON has no NAN, so this writes null.
static void json_number(const char *key, double value)
{
    if (isfinite(value)) {
        fprintf(json, ", \"%s\": %.6g", key, value);
    } else {
        fprintf(json, ", \"%s\": null", key);
    }
}

static double given(double target)
{
    return target > 0 ? target : NAN;
}

// A value that is no time has its figures under other names.
static void write_json(const row *r)
{
    bool time = !strcmp(r->unit, "ns");
    if (!json) return;
    fprintf(json, "%s\n  {\"workload\": \"%s\", \"n\": %llu", rows_written++ == 0 ? "" : ",",
            r->workload, (unsigned long long)r->n);
    json_number("ns_per_item", time ? r->value : NAN);
    json_number("limit_ns_per_item", time ? r->limit : NAN);
    json_number("ratio", r->ratio.median);
    json_number("ratio_p10", r->ratio.tenth);
    json_number("ratio_p90", r->ratio.ninetieth);
    json_number("spread", r->spread);
    json_number("value", r->value);
    json_number("limit_value", r->limit);
    json_number("value_max", given(r->value_max));
    json_number("ratio_max", given(r->ratio_max));
    fprintf(json, ", \"unit\": \"%s\", \"runs\": %d, \"flags\": \"%s\"}", r->unit, r->runs,
            BENCH_FLAGS);
    fflush(json);
}

static void print_number(int width, double value)
{
    if (isnan(value)) {
        printf(" %*s", width, "-");
    } else {
        printf(" %*.*f", width, fabs(value) < 10 ? 3 : 1, value);
    }
}

static void print_target(const row *r)
{
    if (r->ratio_max > 0) {
        printf("  %s x %.2f", r->ratio.median <= r->ratio_max ? "met" : "MISSED", r->ratio_max);
    }
    if (r->value_max > 0) {
        printf("  %s %g %s", r->value <= r->value_max ? "met" : "MISSED", r->value_max, r->unit);
    }
}

static void print_row(const row *r)
{
    show_line("");
    printf("%-*s %8llu", NAME_WIDTH, r->workload, (unsigned long long)r->n);
    print_number(10, r->value);
    print_number(10, r->limit);
    print_number(7, r->ratio.median);
    if (isnan(r->ratio.tenth)) {
        printf(" %13s", "-");
    } else {
        printf(" %6.2f-%-6.2f", r->ratio.tenth, r->ratio.ninetieth);
    }
    if (isnan(r->spread)) {
        printf(" %7s", "-");
    } else {
        printf(" %6.0f%%", r->spread * 100);
    }
    if (strcmp(r->unit, "ns") != 0) printf("  %s", r->unit);
    print_target(r);
    putchar('\n');
    fflush(stdout);
}

static void name_row(row *r, const char *workload)
{
    snprintf(r->workload, sizeof r->workload, "%s%s", workload, BENCH_PLAIN ? "_O2" : "");
}

void report_comparison(const bench_comparison *c, bench_quantiles weft, bench_quantiles limit,
                       bench_quantiles ratio, int runs)
{
    double scale = 1e9 / (double)c->items;
    row r = {
        .n = c->n,
        .unit = "ns",
        .value = weft.median * scale,
        .limit = limit.median * scale,
        .ratio = ratio,
        .spread = (weft.ninetieth - weft.tenth) / weft.median,
        .value_max = c->plain == BENCH_PLAIN ? c->ns_max : 0,
        .ratio_max = c->plain == BENCH_PLAIN ? c->ratio_max : 0,
        .runs = runs,
    };
    name_row(&r, c->workload);
    print_row(&r);
    write_json(&r);
}

void report_counts(const bench_comparison *c, uint64_t first, uint64_t middle, uint64_t end)
{
    fprintf(counts, "%s%s %llu %llu %llu %llu %llu\n", c->workload, BENCH_PLAIN ? "_O2" : "",
            (unsigned long long)c->n, (unsigned long long)c->items, (unsigned long long)first,
            (unsigned long long)middle, (unsigned long long)end);
}

void bench_report(bench_figure f)
{
    double limit = given(f.limit);
    row r = {
        .n = f.n,
        .unit = f.unit,
        .value = f.value,
        .limit = limit,
        .ratio = {NAN, f.value / limit, NAN},
        .spread = NAN,
        .value_max = BENCH_PLAIN ? 0 : f.value_max,
        .ratio_max = BENCH_PLAIN ? 0 : f.ratio_max,
        .runs = 1,
    };
    name_row(&r, f.workload);
    print_row(&r);
    write_json(&r);
    if (!isnan(f.value)) return;
    fprintf(stderr, "bench: %s could not be measured\n", r.workload);
    failed = true;
}

void report_disagreement(const bench_comparison *c, uint64_t sum, uint64_t limit_sum)
{
    show_line("");
    fprintf(stderr, "bench: %s, n = %llu: the checksum is %016llx, of the limit %016llx\n",
            c->workload, (unsigned long long)c->n, (unsigned long long)sum,
            (unsigned long long)limit_sum);
    failed = true;
}
