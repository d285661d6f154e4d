// The colony with an inspector in place of a picture. It prints the inspector's address and plays
// until it is interrupted.
#define _POSIX_C_SOURCE 200809L // clock_gettime, sigaction
#include "colony.h"
#include "colony_insight.h"
#include "hours.h"
#include "options.h"
#include "phases.h"
#include "report.h"
#include "weft_serve.h"
#include "world_setup.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WRITES_KEPT = 1 << 16 }; // of 88 bytes each

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_WRONG_USAGE = 2 };

static const double FRAME_SECONDS = 1.0 / 60, FRAME_MAX = 0.1, HOURS_A_SECOND = 1.0;

static volatile sig_atomic_t over;
static weft_serve *server;

static void end(int number)
{
    (void)number;
    over = 1;
}

static void log_line(void *user, const char *line)
{
    (void)user;
    if (server) weft_serve_log(server, line);
}

static weft_status tick(void *user)
{
    return colony_tick((colony_world *)user, HOURS_A_TICK);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Advances tick by tick, so that the page can stop the time after any tick.
static bool advance(colony_world *w, double hours)
{
    for (; hours > 0 && !weft_serve_time(server)->paused; hours -= HOURS_A_TICK) {
        if (colony_advance(w, hours < HOURS_A_TICK ? hours : HOURS_A_TICK) != WEFT_OK) return false;
    }
    return true;
}

static bool run(colony_world *w)
{
    double before = now();
    while (!over) {
        weft_serve_poll(server, FRAME_SECONDS);
        double time = now();
        double seconds = time - before < FRAME_MAX ? time - before : FRAME_MAX;
        before = time;
        if (!advance(w, weft_serve_seconds(server, seconds * HOURS_A_SECOND))) return false;
    }
    return true;
}

// What only this program is asked for.
typedef struct inspected {
    bool read_only;
    bool paused;
    bool watched;
    const char *port;
    const char *token_file;
    const char *source;
    const char *editor;
} inspected;

static bool play(colony_world *w, const inspected *asked)
{
    weft_serve_options serving = {.port = asked->port ? (uint16_t)atoi(asked->port) : 0,
                                  .token_file = asked->token_file,
                                  .writable = !asked->read_only,
                                  .tick = tick,
                                  .phase = phases_run,
                                  .user = w,
                                  .insight = colony_insight(),
                                  .source = asked->source,
                                  .editor = asked->editor};
    server = weft_serve_open(colony_world_base(w), &serving);
    if (!server) return false;
    weft_serve_time(server)->paused = asked->paused;
    printf("%s\n", weft_serve_url(server));
    fflush(stdout);
    bool played = run(w);
    weft_serve_close(server);
    server = NULL;
    report_summary(w, colony_stats(w).ticks);
    return played;
}

// Removes an option from the arguments. Returns whether it was present.
static bool take(int *count, char **arguments, const char *option)
{
    for (int i = 1; i < *count; i++) {
        if (strcmp(arguments[i], option) != 0) continue;
        memmove(&arguments[i], &arguments[i + 1], (size_t)(*count - i) * sizeof *arguments);
        --*count;
        return true;
    }
    return false;
}

// Removes an option with its value from the arguments. Returns the value, or NULL.
static const char *take_value(int *count, char **arguments, const char *option)
{
    for (int i = 1; i + 1 < *count; i++) {
        if (strcmp(arguments[i], option) != 0) continue;
        const char *value = arguments[i + 1];
        memmove(&arguments[i], &arguments[i + 2], (size_t)(*count - i - 1) * sizeof *arguments);
        *count -= 2;
        return value;
    }
    return NULL;
}

static inspected take_all(int *count, char **arguments)
{
    return (inspected){.read_only = take(count, arguments, "--read-only"),
                       .paused = take(count, arguments, "--paused"),
                       .watched = take(count, arguments, "--watch"),
                       .port = take_value(count, arguments, "--port"),
                       .token_file = take_value(count, arguments, "--token-file"),
                       .source = take_value(count, arguments, "--source"),
                       .editor = take_value(count, arguments, "--editor")};
}

static bool is_port(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 6 && text[digits] == '\0' && atoi(text) <= UINT16_MAX;
}

static void print_help(void)
{
    options_print_help();
    puts("  --read-only       the page looks, and cannot touch\n"
         "  --paused          no time passes until the page says so\n"
         "  --watch           who writes what is kept from the start, not only once the page "
         "asks\n"
         "  --port N          listen on this port of this machine; otherwise on any free one\n"
         "  --token-file F    keep the token of the address in this file, so that an open page\n"
         "                    connects to the next start with the same port\n"
         "  --source F:G      folders of the game's sources and schemas, whose lines the page "
         "names\n"
         "  --editor URL      opens a line in your editor: vscode://file{path}:{line}");
}

int main(int count, char **arguments)
{
    options wanted;
    const inspected asked = take_all(&count, arguments);
    switch (options_read(&wanted, count, arguments)) {
    case OPTIONS_HELP:
        print_help();
        return EXIT_FINE;
    case OPTIONS_WRONG:
        return EXIT_WRONG_USAGE;
    case OPTIONS_RUN:
        break;
    }
    if (asked.port && !is_port(asked.port)) {
        fprintf(stderr, "inspect: '%s' is not a port: write a number up to %d\n", asked.port,
                UINT16_MAX);
        return EXIT_WRONG_USAGE;
    }
    signal(SIGINT, end);
    signal(SIGTERM, end);
    colony_world *w = colony_open(&(weft_options){
        .workers = (uint32_t)wanted.workers,
        .seed = wanted.seed,
        .log = log_line,
        .insight = asked.watched ? colony_insight() : NULL,
        .watch = asked.watched ? WRITES_KEPT : 0,
    });
    bool begun = w != NULL && (wanted.load ? world_load(w, wanted.load) : world_setup(w, &wanted));
    bool played = begun && play(w, &asked);
    if (!played) fprintf(stderr, "inspect: %s\n", w ? colony_error(w) : "no memory for a world");
    colony_close(w);
    return played ? EXIT_FINE : EXIT_FAILED;
}
