// Runs a script over a world of random systems (test_turns.py), and prints each turn with its dt.
#include "clockwork.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The value that each system asks its state for in each turn; -1: it asks for none.
static int asks[64];

static void tell(int system, double dt)
{
    printf("%d:%a ", system, dt);
}

#define TURN(number)                                                                               \
    void clockwork_s##number(const clockwork_s##number##_ctx *ctx, uint32_t count)                 \
    {                                                                                              \
        (void)count;                                                                               \
        tell(number, ctx->dt);                                                                     \
    }
#define ASKING(number, state)                                                                      \
    void clockwork_s##number(const clockwork_s##number##_ctx *ctx, uint32_t count)                 \
    {                                                                                              \
        (void)count;                                                                               \
        tell(number, ctx->dt);                                                                     \
        if (asks[number] < 0) return;                                                              \
        clockwork_##state##_go_in(ctx->go_##state, (clockwork_##state)asks[number]);               \
    }
#define SWITCHED(number)
#include "systems.h"
#undef TURN
#undef ASKING
#undef SWITCHED

static void throw_switch(clockwork_world *w, int number, bool on)
{
#define TURN(n)
#define ASKING(n, state)
#define SWITCHED(n)                                                                                \
    if (number == n) clockwork_s##n##_switch(w, on);
#include "systems.h"
}

static clockwork_world *reloaded(clockwork_world *w, bool anew)
{
    void *bytes;
    size_t count;
    if (clockwork_save_memory(w, &bytes, &count) != WEFT_OK) exit(3);
    clockwork_world *other = anew ? clockwork_open(NULL) : w;
    if (clockwork_load_memory(other, bytes, count) != WEFT_OK) exit(4);
    free(bytes);
    if (anew) clockwork_close(w);
    return other;
}

static void go(clockwork_world *w, const char *state, int value)
{
    if (strcmp(state, "mode") == 0) clockwork_mode_go(w, (clockwork_mode)value);
    if (strcmp(state, "gate") == 0) clockwork_gate_go(w, (clockwork_gate)value);
}

int main(void)
{
    char verb[16];
    char name[16];
    double number;
    clockwork_world *w = clockwork_open(NULL);
    for (int i = 0; i < 64; i++) asks[i] = -1;
    while (w && scanf("%15s %15s %lf", verb, name, &number) == 3) {
        if (strcmp(verb, "go") == 0) go(w, name, (int)number);
        if (strcmp(verb, "ask") == 0) asks[atoi(name)] = (int)number;
        if (strcmp(verb, "edit") == 0 && name[0] == 'x') clockwork_x_edit(w);
        if (strcmp(verb, "edit") == 0 && name[0] == 'y') clockwork_y_edit(w);
        if (strcmp(verb, "switch") == 0) throw_switch(w, atoi(name), number > 0);
        if (strcmp(verb, "reset") == 0) clockwork_reset(w);
        if (strcmp(verb, "load") == 0) w = reloaded(w, number > 0);
        if (strcmp(verb, "run") != 0) continue;
        if (strcmp(name, "tick") == 0) clockwork_tick(w, number);
        if (strcmp(name, "one") == 0) clockwork_run_one(w, number);
        if (strcmp(name, "two") == 0) clockwork_run_two(w, number);
        printf("- %d %d\n", (int)clockwork_mode_now(w), (int)clockwork_gate_now(w));
    }
    clockwork_close(w);
    return 0;
}
