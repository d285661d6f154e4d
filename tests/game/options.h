// The options of the command line.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum colour {
    COLOUR_AUTO, // if stdout is a terminal and NO_COLOR is unset or empty
    COLOUR_ALWAYS,
    COLOUR_NEVER,
} colour;

typedef struct options {
    uint64_t ticks; // a tick is a quarter of an hour
    uint64_t seed;
    uint64_t width; // of the map, in tiles
    uint64_t height;
    uint64_t side;      // of a square map; 0 if not given
    uint64_t villagers; // on the first day
    uint64_t workers;   // threads that run systems; 0 and 1: only the main thread
    bool quiet;         // no map and no progress, only the summary
    colour colour;      // whether the map is printed in colour
    const char *load;   // a save to continue; NULL for a new colony
    const char *save;   // the file to save to at the end, or NULL
    const char *orders; // a file of orders to carry out, or NULL
    const char *record; // the file to record given orders to, or NULL
    const char *trace;  // the file to write the times of systems to, or NULL
} options;

typedef enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP,  // the user asked for the help
    OPTIONS_WRONG, // the reason was written to stderr
} options_result;

// Fills in the defaults, then the values of the arguments. `--ticks 100` and `--ticks=100` are the
// same.
options_result options_read(options *read, int count, char **arguments);

void options_print_help(void);

#endif
