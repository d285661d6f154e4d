// The options of the command line.
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct options {
    uint64_t ticks; // a tick is a quarter of an hour
    uint64_t seed;
    uint64_t width; // of the map, in tiles
    uint64_t height;
    uint64_t side;      // of a square map; 0: not given
    uint64_t villagers; // on the first day
    uint64_t workers;   // threads that run systems; 0 and 1: that of the program alone
    bool quiet;         // no map and no progress, only the summary
    const char *load;   // a save to go on from; NULL: a new colony
    const char *save;   // where to save it in the end; NULL: nowhere
    const char *orders; // a file of orders to follow; NULL: none
    const char *record; // where to write those that are given; NULL: nowhere
    const char *trace;  // a file to write what takes time to; NULL: none
} options;

typedef enum options_result {
    OPTIONS_RUN,
    OPTIONS_HELP,  // the help has been asked for
    OPTIONS_WRONG, // what is wrong has been written to stderr
} options_result;

// Fills in the defaults, then what the arguments say; each may be written `--ticks 100` or
// `--ticks=100`.
options_result options_read(options *read, int count, char **arguments);

void options_print_help(void);

#endif
