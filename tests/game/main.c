// The colony: reads the options, makes the world, runs it, and tells how it fared.
//
// Start reading here; tests/game/README.md says where to go on.
#include "colony.h"
#include "hours.h"
#include "map.h"
#include "options.h"
#include "report.h"
#include "trace/weft_trace.h"
#include "world_setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PROGRESS_LINES = 10 };

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_WRONG_USAGE = 2 };

static bool is_progress_due(const options *wanted, uint64_t ticks_done)
{
    uint64_t ticks_a_line = wanted->ticks / PROGRESS_LINES;
    if (wanted->quiet || ticks_a_line == 0) return false;
    return ticks_done % ticks_a_line == 0;
}

static bool run(colony_world *world, const options *wanted)
{
    for (uint64_t done = 1; done <= wanted->ticks; done++) {
        if (colony_tick(world, HOURS_A_TICK) != WEFT_OK) return false;
        if (is_progress_due(wanted, done)) report_progress(world);
    }
    return true;
}

static void show(colony_world *world)
{
    report_date(world);
    map_print(world);
}

static bool begin(colony_world *world, const names *borne, const options *wanted)
{
    if (wanted->load) return colony_load(world, wanted->load) == WEFT_OK;
    return world_setup(world, borne, wanted);
}

static bool play(colony_world *world, const names *borne, const options *wanted)
{
    if (!begin(world, borne, wanted)) return false;
    if (!wanted->quiet) {
        show(world);
        map_print_legend();
        putchar('\n');
        report_progress_head();
    }
    if (!run(world, wanted)) return false;
    if (!wanted->quiet) {
        putchar('\n');
        show(world);
        putchar('\n');
    }
    if (wanted->save && colony_save(world, wanted->save) != WEFT_OK) return false;
    report_summary(world, wanted->ticks);
    return true;
}

// The exit code of a program that has printed all that it had to say.
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

    static names borne; // large for a stack
    weft_trace *trace = wanted.trace ? weft_trace_open(wanted.trace, colony_schema()) : NULL;
    if (wanted.trace && !trace) return finish(complain_of_trace(&wanted));
    weft_options opened = {
        .workers = (uint32_t)wanted.workers,
        .user = &borne,
        .profile = weft_trace_profile(trace),
    };
    colony_world *world = colony_open(&opened);
    if (world == NULL) {
        fputs("colony: no memory for a world\n", stderr);
        return EXIT_FAILED;
    }
    bool played = play(world, &borne, &wanted);
    if (!played) fprintf(stderr, "colony: %s\n", colony_error(world));
    colony_close(world);
    if (!weft_trace_close(trace)) played = complain_of_trace(&wanted);
    return finish(played);
}
