// A crowd with the inspector. It prints the inspector's address and plays until it is interrupted.
// Then it prints the longest time that a poll took, including all requests of pages.
#define _POSIX_C_SOURCE 200809L // clock_gettime, sigaction
#include "crowd.h"
#include "weft_serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLEEPERS_EACH = 7, AGES = 100 };

static const double FRAME_SECONDS = 1.0 / 60;

static volatile sig_atomic_t over;

static void end(int number)
{
    (void)number;
    over = 1;
}

void crowd_get_hungry(const crowd_get_hungry_ctx *ctx, uint32_t count, crowd_needs *restrict needs)
{
    const float more = (float)ctx->dt / 4096;
    for (uint32_t i = 0; i < count; i++) {
        needs[i].hunger += more;
        if (needs[i].hunger > 1) needs[i].hunger = 0;
    }
}

void crowd_dream(const crowd_dream_ctx *ctx, uint32_t count, crowd_place *restrict place)
{
    for (uint32_t i = 0; i < count; i++) place[i].y += (float)ctx->dt;
}

void crowd_call_out(const crowd_call_out_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

void crowd_answer(const crowd_answer_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

void crowd_agree(const crowd_agree_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

static weft_status tick(void *user)
{
    return crowd_tick((crowd_world *)user, FRAME_SECONDS);
}

// Gives each one a place, a name, an age, and needs that differ from those of its neighbours.
static void fill(crowd_world *w)
{
    weft_rng rng = weft_rng_of(1, 0);
    uint32_t number = 0;
    crowd_all_iter it = crowd_all_begin(w);
    while (crowd_all_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++, number++) {
            it.place[i] = (crowd_place){(float)weft_rng_below(&rng, 100000) / 64,
                                        (float)weft_rng_below(&rng, 100000) / 64};
            snprintf(it.person[i].name, sizeof it.person[i].name, "n%06x",
                     (unsigned)weft_rng_below(&rng, 1u << 24));
            it.person[i].age = (uint16_t)weft_rng_below(&rng, AGES);
            it.person[i].mood = (crowd_mood)weft_rng_below(&rng, 3);
            it.needs[i].hunger = (float)weft_rng_below(&rng, 1u << 16) / 65536;
        }
    }
}

static bool gather(crowd_world *w, uint32_t count)
{
    crowd_entity *all = (crowd_entity *)malloc((size_t)count * sizeof *all);
    bool gathered = all && crowd_someone_spawn_many(w, count, NULL, all) == count;
    if (gathered) fill(w);
    for (uint32_t i = 0; gathered && i < count; i += SLEEPERS_EACH) crowd_asleep_set(w, all[i]);
    free(all);
    return gathered;
}

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void wait_until(double time)
{
    double left = time - now(CLOCK_MONOTONIC);
    if (left <= 0) return;
    nanosleep(&(struct timespec){.tv_nsec = (long)(left * 1e9)}, NULL);
}

static void play(crowd_world *w, weft_serve *server)
{
    double longest = 0;
    for (double due = now(CLOCK_MONOTONIC); !over; due += FRAME_SECONDS) {
        double begun = now(CLOCK_THREAD_CPUTIME_ID);
        weft_serve_poll(server, 0);
        double took = now(CLOCK_THREAD_CPUTIME_ID) - begun;
        if (took > longest) longest = took;
        double seconds = weft_serve_seconds(server, FRAME_SECONDS);
        if (seconds > 0) crowd_tick(w, seconds);
        double time = now(CLOCK_MONOTONIC);
        if (due < time - FRAME_SECONDS) due = time;
        wait_until(due + FRAME_SECONDS);
    }
    printf("the longest poll took %.2f ms of processor time\n", longest * 1e3);
}

int main(int count, char **arguments)
{
    unsigned long people = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000000;
    struct sigaction ends = {.sa_handler = end};
    sigaction(SIGINT, &ends, NULL);
    sigaction(SIGTERM, &ends, NULL);
    crowd_world *w = crowd_open(&(weft_options){0});
    if (!w || !gather(w, (uint32_t)people)) {
        fprintf(stderr, "crowd: %s\n", w ? crowd_error(w) : "no memory for a world");
        crowd_close(w);
        return 1;
    }
    if (count > 2) { // for tools that read saves
        weft_status saved = crowd_save(w, arguments[2]);
        crowd_close(w);
        return saved == WEFT_OK ? 0 : 1;
    }
    weft_serve *server = weft_serve_open(
        crowd_world_base(w), &(weft_serve_options){.writable = true, .tick = tick, .user = w});
    if (server) {
        printf("%s\n", weft_serve_url(server));
        fflush(stdout);
        play(w, server);
    }
    weft_serve_close(server);
    crowd_close(w);
    return server ? 0 : 1;
}
