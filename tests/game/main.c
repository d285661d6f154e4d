// The colony: reads the options, makes the world, runs it, and prints a summary.
//
// Start reading here; tests/game/README.md names the next files.
#define _POSIX_C_SOURCE 200809L // isatty
#include "colony.h"
#include "hours.h"
#include "map.h"
#include "options.h"
#include "orders.h"
#include "report.h"
#include "sounds.h"
#include "trace/weft_trace.h"
#include "world_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRESS_LINES = 10 };

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_WRONG_USAGE = 2 };

static bool is_progress_due(const options *wanted, uint64_t ticks_done)
{
    uint64_t ticks_a_line = wanted->ticks / PROGRESS_LINES;
    if (wanted->quiet || ticks_a_line == 0) return false;
    return ticks_done % ticks_a_line == 0;
}

// Continues a loaded game. A save may be from a menu or a pause that its own orders would have
// ended, so both are ended here, and orders up to the tick of the save are skipped.
static void go_on(colony_world *world, orders *given)
{
    colony_game_go(world, COLONY_GAME_PLAY);
    colony_pause_go(world, COLONY_PAUSE_OFF);
    orders_skip(given, world);
}

static bool run(colony_world *world, orders *given, sounds *heard, const options *wanted)
{
    if (wanted->load && wanted->ticks > 0) go_on(world, given);
    bread_count bread = report_count_bread(world);
    for (uint64_t done = 1; done <= wanted->ticks; done++) {
        orders_give_due(given, world);
        if (colony_advance(world, HOURS_A_TICK) != WEFT_OK) return false;
        sounds_listen(heard, world);
        if (!wanted->quiet) report_bread(world, &bread);
        if (is_progress_due(wanted, done)) report_progress(world);
    }
    // Orders for the time after the last tick are also carried out, as in a window.
    return !orders_give_due(given, world) || colony_run_orders(world, 0) == WEFT_OK;
}

static bool is_in_colour(const options *wanted)
{
    if (wanted->colour != COLOUR_AUTO) return wanted->colour == COLOUR_ALWAYS;
    const char *refused = getenv("NO_COLOR"); // see no-color.org
    return isatty(STDOUT_FILENO) && (refused == NULL || refused[0] == '\0');
}

static void show(colony_world *world, const options *wanted)
{
    report_date(world);
    map_print(world, is_in_colour(wanted));
}

static bool begin(colony_world *world, const options *wanted)
{
    if (wanted->load) return world_load(world, wanted->load);
    return world_setup(world, wanted);
}

static bool play(colony_world *world, orders *given, const options *wanted)
{
    if (!begin(world, wanted)) return false;
    if (!wanted->quiet) {
        show(world, wanted);
        map_print_legend();
        putchar('\n');
        report_progress_head();
    }
    sounds heard = {0};
    if (!run(world, given, &heard, wanted)) return false;
    if (!wanted->quiet) {
        putchar('\n');
        show(world, wanted);
        putchar('\n');
    }
    if (wanted->save && colony_save(world, wanted->save) != WEFT_OK) return false;
    report_summary(world, wanted->ticks);
    sounds_report(&heard);
    return true;
}

// Returns the exit code. It is a failure if the output could not be written.
static int finish(bool fine)
{
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written) fputs("colony: the output cannot be written\n", stderr);
    return fine && written ? EXIT_FINE : EXIT_FAILED;
}

static bool complain_of_trace(const options *wanted)
{
    fprintf(stderr, "colony: the trace '%s' cannot be written: %s\n", wanted->trace,
            strerror(errno));
    return false;
}

int main(int count, char **arguments)
{
    options wanted;
    switch (options_read(&wanted, count, arguments)) {
    case OPTIONS_HELP:
        options_print_help();
        return finish(true);
    case OPTIONS_WRONG:
        return EXIT_WRONG_USAGE;
    case OPTIONS_RUN:
        break;
    }

    orders given;
    if (!orders_open(&given, &wanted)) return EXIT_WRONG_USAGE;
    weft_trace *trace = wanted.trace ? weft_trace_open(wanted.trace, colony_schema()) : NULL;
    if (wanted.trace && !trace) return finish(complain_of_trace(&wanted));
    weft_options opened = {
        .workers = (uint32_t)wanted.workers,
        .seed = wanted.seed,
        .profile = weft_trace_profile(trace),
    };
    colony_world *world = colony_open(&opened);
    if (world == NULL) {
        fputs("colony: no memory for a world\n", stderr);
        return EXIT_FAILED;
    }
    bool played = play(world, &given, &wanted);
    if (!played) fprintf(stderr, "colony: %s\n", colony_error(world));
    colony_close(world);
    if (!orders_close(&given)) {
        fputs("colony: the record cannot be written\n", stderr);
        played = false;
    }
    if (!weft_trace_close(trace)) played = complain_of_trace(&wanted);
    return finish(played);
}
