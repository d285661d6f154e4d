// Reads the command line by one table of names, limits, defaults and help texts.
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES_A_VILLAGER = 12 }; // room for fields, trees, houses and ways

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
    {"--width", offsetof(options, width), 24, 1024, 72, "of the map, in tiles"},
    {"--height", offsetof(options, height), 12, 1024, 22, "of the map, in tiles"},
    {"--map", offsetof(options, side), 24, 1024, 0, "both of them"},
    {"--villagers", offsetof(options, villagers), 1, 20000, 40, "people on the first day"},
    {"--workers", offsetof(options, workers), 0, 64, 1,
     "threads; any number gives the same colony"},
};
enum { NUMBER_COUNT = sizeof NUMBERS / sizeof *NUMBERS };

typedef struct file {
    const char *name;
    size_t offset; // in options
    const char *help;
} file;

static const file FILES[] = {
    {"--load", offsetof(options, load), "go on from a save instead of a new colony"},
    {"--save", offsetof(options, save), "save the colony in the end"},
    {"--orders", offsetof(options, orders), "what the player wants, and when (see orders.h)"},
    {"--record", offsetof(options, record), "write all orders into a file, for --orders"},
    {"--trace", offsetof(options, trace), "write what takes how long, for ui.perfetto.dev"},
};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

static const char *const COLOURS[] = {
    [COLOUR_AUTO] = "auto",
    [COLOUR_ALWAYS] = "always",
    [COLOUR_NEVER] = "never",
};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS };

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
        printf(" to %llu", (unsigned long long)one->max);
        if (one->initial >= one->min) printf("; %llu", (unsigned long long)one->initial);
        puts(")");
    }
    for (int i = 0; i < FILE_COUNT; i++) {
        printf("  %-11s F  %s\n", FILES[i].name, FILES[i].help);
    }
    puts("  --colour    W  of the map: auto (a terminal without NO_COLOR), always or never");
    puts("  --quiet        only the summary: no map, no progress");
    puts("  --help         this text");
}

// Returns whether the argument is this name, optionally followed by `=` and a value.
static bool names(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");
    return strlen(name) == length && memcmp(name, argument, length) == 0;
}

static const number *find_number(const char *argument)
{
    for (int i = 0; i < NUMBER_COUNT; i++) {
        if (names(argument, NUMBERS[i].name)) return &NUMBERS[i];
    }
    return NULL;
}

static const file *find_file(const char *argument)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        if (names(argument, FILES[i].name)) return &FILES[i];
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

static bool set_file(options *read, const file *one, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        fprintf(stderr, "colony: %s needs the name of a file\n", one->name);
        return false;
    }
    *(const char **)((char *)read + one->offset) = text;
    return true;
}

static bool set_colour(options *read, const char *text)
{
    for (int i = 0; text != NULL && i < COLOUR_COUNT; i++) {
        if (strcmp(text, COLOURS[i]) != 0) continue;
        read->colour = (colour)i;
        return true;
    }
    fprintf(stderr, "colony: --colour takes auto, always or never, not '%s'\n", text ? text : "");
    return false;
}

// Returns the value of an option: the text after `=`, or else the next argument, which it consumes.
// Returns NULL if there is none.
static const char *take_text(int count, char **arguments, int *i)
{
    const char *equals = strchr(arguments[*i], '=');
    if (equals != NULL) return equals + 1;
    return *i + 1 < count ? arguments[++*i] : NULL;
}

// Applies the side of a square map to width and height.
static void make_square(options *read)
{
    if (read->side == 0) return;
    read->width = read->side;
    read->height = read->side;
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
        const file *named = find_file(argument);
        if (one != NULL) {
            if (!set_number(read, one, take_text(count, arguments, &i))) return OPTIONS_WRONG;
        } else if (named != NULL) {
            if (!set_file(read, named, take_text(count, arguments, &i))) return OPTIONS_WRONG;
        } else if (names(argument, "--colour")) {
            if (!set_colour(read, take_text(count, arguments, &i))) return OPTIONS_WRONG;
        } else if (strcmp(argument, "--quiet") == 0) {
            read->quiet = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            return OPTIONS_HELP;
        } else {
            fprintf(stderr, "colony: there is no option '%s'; --help lists them\n", argument);
            return OPTIONS_WRONG;
        }
    }
    make_square(read);
    return has_room(read) ? OPTIONS_RUN : OPTIONS_WRONG;
}
