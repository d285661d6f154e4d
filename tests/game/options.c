// What the command line asks for: one table of numbers says names, limits, defaults and help.
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES_A_VILLAGER = 12 }; // room for fields, trees, houses, and a walk

typedef struct number {
    const char *name;
    size_t offset; // in options
    uint64_t min, max;
    uint64_t initial;
    const char *help;
} number;

static const number NUMBERS[] = {
    {"--ticks", offsetof(options, ticks), 0, 100000000, 2400, "quarters of an hour to run"},
    {"--seed", offsetof(options, seed), 0, UINT64_MAX, 1, "the same seed gives the same colony"},
    {"--width", offsetof(options, width), 24, 128, 72, "of the map, in tiles"},
    {"--height", offsetof(options, height), 12, 96, 22, "of the map, in tiles"},
    {"--villagers", offsetof(options, villagers), 1, 1000, 40, "people on the first day"},
    {"--workers", offsetof(options, workers), 0, 64, 1,
     "threads; any number gives the same colony"},
};
enum { NUMBER_COUNT = sizeof NUMBERS / sizeof *NUMBERS };

static uint64_t *value_of(options *read, const number *one)
{
    return (uint64_t *)((char *)read + one->offset);
}

void options_print_help(void)
{
    puts("usage: colony [options]");
    puts("Runs a small colony of villagers, draws it, and prints how it fared.\n");
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const number *one = &NUMBERS[i];
        printf("  %-11s N  %s (%llu", one->name, one->help, (unsigned long long)one->min);
        printf(" to %llu; %llu)\n", (unsigned long long)one->max, (unsigned long long)one->initial);
    }
    puts("  --quiet        only the summary: no map, no progress");
    puts("  --help         this text");
}

// The number that the argument names, before an `=` if there is one; NULL: none.
static const number *find_number(const char *argument)
{
    size_t length = strcspn(argument, "=");
    for (int i = 0; i < NUMBER_COUNT; i++) {
        bool same =
            strlen(NUMBERS[i].name) == length && memcmp(NUMBERS[i].name, argument, length) == 0;
        if (same) return &NUMBERS[i];
    }
    return NULL;
}

static bool set_number(options *read, const number *one, const char *text)
{
    if (text == NULL) {
        fprintf(stderr, "colony: %s needs a number\n", one->name);
        return false;
    }
    errno = 0;
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    bool digits =
        text[0] >= '0' && text[0] <= '9' && *end == '\0'; // strtoull takes blanks and signs
    if (!digits || errno != 0 || value < one->min || value > one->max) {
        fprintf(stderr, "colony: %s takes a whole number from %llu to %llu, not '%s'\n", one->name,
                (unsigned long long)one->min, (unsigned long long)one->max, text);
        return false;
    }
    *value_of(read, one) = value;
    return true;
}

static bool has_room(const options *read)
{
    uint64_t most = read->width * read->height / TILES_A_VILLAGER;
    if (read->villagers <= most) return true;
    fprintf(stderr,
            "colony: %llu villagers need a larger map: %llu x %llu tiles feed at most %llu\n",
            (unsigned long long)read->villagers, (unsigned long long)read->width,
            (unsigned long long)read->height, (unsigned long long)most);
    return false;
}

options_result options_read(options *read, int count, char **arguments)
{
    *read = (options){0};
    for (int i = 0; i < NUMBER_COUNT; i++) *value_of(read, &NUMBERS[i]) = NUMBERS[i].initial;

    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        const number *one = find_number(argument);
        if (one != NULL) {
            const char *equals = strchr(argument, '=');
            const char *text = equals != NULL ? equals + 1 : i + 1 < count ? arguments[++i] : NULL;
            if (!set_number(read, one, text)) return OPTIONS_WRONG;
        } else if (strcmp(argument, "--quiet") == 0) {
            read->quiet = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            return OPTIONS_HELP;
        } else {
            fprintf(stderr, "colony: there is no option '%s'; --help lists them\n", argument);
            return OPTIONS_WRONG;
        }
    }
    return has_room(read) ? OPTIONS_RUN : OPTIONS_WRONG;
}
