// The command line: bench [--quick] [--filter TEXT] [--json FILE] [--count FILE]. Exit 0: measured;
// 1: checksums differ or something could not be measured; 2: wrong usage. Slow times are not a
// failure.
#include "report.h"

#include <stdio.h>
#include <string.h>

typedef struct options {
    bool help;
    bool quick;
    const char *filter;
    const char *json;
    const char *count;
    const char *measure; // of a child: what it was started for
} options;

static options asked;

// Workloads that are of one kind, in the order of the table that comes out.
typedef struct group {
    const char *name;
    void (*run)(void);
    bool only_timed; // its instructions are not counted
} group;

static const group GROUPS[] = {
    {"iterate", bench_iterate, false},
    {"fields", bench_fields, false},
    {"fragments", bench_fragments, false},
    {"few", bench_few, false},
    {"tags", bench_tags, false},
    {"changed", bench_changed, false},
    {"create", bench_create, false},
    {"destroy", bench_destroy, false},
    {"get", bench_get, false},
    {"add and remove", bench_add_remove, false},
    {"spawn commands", bench_spawn_commands, false},
    {"seven", bench_seven, false},
    {"passes", bench_passes, false},
    {"troupe", bench_troupe, false},
    {"watch", bench_watch, false},
    {"trees", bench_trees, false},
    {"convoy", bench_convoy, false},
    {"links", bench_links, false},
    {"select", bench_select, false},
    {"indexes", bench_indexes, false},
    {"math", bench_math, false},
    {"saves", bench_saves, false},
    {"merge", bench_merge, false},
    {"workers", bench_workers, true},
    {"footprint", bench_footprint, true},
    {"growth", bench_growth, true},
};

bool bench_wanted(const char *workloads)
{
    return !asked.filter || strstr(workloads, asked.filter);
}

bool bench_quick(void)
{
    return asked.quick;
}

bool bench_counting(void)
{
    return asked.count != NULL;
}

static int usage(FILE *to, int code)
{
    fputs("usage: bench [--quick] [--filter TEXT] [--json FILE] [--count FILE]\n"
          "  --quick        fewer runs, under a minute in all\n"
          "  --filter TEXT  only workloads whose name has TEXT in it\n"
          "  --json FILE    write the figures there as well\n"
          "  --count FILE   take no times, and write there where instructions.py counts what\n",
          to);
    return code;
}

static bool read_options(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (!strcmp(word, "--help")) {
            asked.help = true;
        } else if (!strcmp(word, "--quick")) {
            asked.quick = true;
        } else if (!strcmp(word, "--filter") && value) {
            asked.filter = words[++i];
        } else if (!strcmp(word, "--json") && value) {
            asked.json = words[++i];
        } else if (!strcmp(word, "--count") && value) {
            asked.count = words[++i];
        } else if (!strcmp(word, "--measure") && value) {
            asked.measure = words[++i];
        } else {
            fprintf(stderr, "bench: what is '%s'?\n", word);
            return false;
        }
    }
    return true;
}

int main(int count, char **words)
{
    if (!read_options(count, words)) return usage(stderr, 2);
    if (asked.help) return usage(stdout, 0);
    if (asked.measure) {
        printf("%.17g\n", bench_footprint_value(asked.measure));
        return 0;
    }
    if (!report_begin(asked.json, asked.count)) return 2;
    for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++) {
        report_group(GROUPS[i].name, i + 1, sizeof GROUPS / sizeof *GROUPS);
        if (!bench_counting() || !GROUPS[i].only_timed) GROUPS[i].run();
    }
    return report_end() ? 0 : 1;
}
