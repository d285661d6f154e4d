// Systems with `every` that note when they are due, and a game that obeys a script:
//
//     ticks N DT ...   N ticks, of these lengths in turn
//     advance N S      N times S seconds of fixed steps
//     run SYSTEM DT    one system alone
//     save, load       to a file, from it into another world
//     due              prints "SYSTEM TICK SINCE ..." for each system, and forgets
//     hash             prints the exact hash
//
// systems.h, written by the test, has one EACH(number) for each system.
#include "late.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEMS_MAX 16
#define LENGTHS_MAX 64

typedef struct note {
    uint64_t tick;
    double since;
} note;

static struct {
    note *notes;
    size_t count;
} due[SYSTEMS_MAX];

static void note_turn(size_t system, uint64_t tick, double since)
{
    size_t count = due[system].count++;
    if ((count & (count - 1)) == 0) {
        size_t bytes = (count ? 2 * count : 1) * sizeof(note);
        note *moved = realloc(due[system].notes, bytes);
        if (!moved) exit(1);
        due[system].notes = moved;
    }
    due[system].notes[count] = (note){tick, since};
}

#define EACH(number)                                                                               \
    void late_s##number(const late_s##number##_ctx *ctx, uint32_t rows)                            \
    {                                                                                              \
        (void)rows;                                                                                \
        note_turn(number, ctx->tick, ctx->dt);                                                     \
    }
#include "systems.h"
#undef EACH

static void print_due(void)
{
    for (size_t i = 0; i < SYSTEMS_MAX; i++) {
        printf("%zu", i);
        for (size_t k = 0; k < due[i].count; k++) {
            printf(" %" PRIu64 " %.17g", due[i].notes[k].tick + 1, due[i].notes[k].since);
        }
        puts("");
        free(due[i].notes);
        due[i].notes = NULL;
        due[i].count = 0;
    }
}

static void run_ticks(late_world *w, char *lengths, uint64_t count)
{
    double dt[LENGTHS_MAX];
    uint32_t known = 0;
    for (char *one = strtok(lengths, " \n"); one && known < LENGTHS_MAX;
         one = strtok(NULL, " \n")) {
        dt[known++] = strtod(one, NULL);
    }
    for (uint64_t i = 0; i < count; i++) {
        if (late_tick(w, dt[i % known]) != WEFT_OK) exit(1);
    }
}

static void advance(late_world *w, uint64_t count, const char *seconds)
{
#ifdef STEPS
    for (uint64_t i = 0; i < count; i++) {
        if (late_advance(w, strtod(seconds, NULL)) != WEFT_OK) exit(1);
    }
#else
    (void)w, (void)count, (void)seconds;
    exit(1);
#endif
}

static void run_alone(late_world *w, size_t system, double dt)
{
#define EACH(number)                                                                               \
    if (system == number && late_s##number##_run(w, dt) != WEFT_OK) exit(1);
#include "systems.h"
#undef EACH
}

static late_world *loaded(late_world *w)
{
    late_close(w);
    w = late_open(NULL);
    if (!w || late_load(w, "late.save") != WEFT_OK) exit(1);
    return w;
}

int main(void)
{
    static char line[4096];
    late_world *w = late_open(NULL);
    while (w && fgets(line, sizeof line, stdin)) {
        char *at = line;
        char *verb = strtok(at, " \n");
        char *first = strtok(NULL, " \n");
        char *rest = strtok(NULL, "\n");
        if (strcmp(verb, "ticks") == 0) run_ticks(w, rest, strtoull(first, NULL, 10));
        if (strcmp(verb, "advance") == 0) advance(w, strtoull(first, NULL, 10), rest);
        if (strcmp(verb, "run") == 0) run_alone(w, strtoull(first, NULL, 10), strtod(rest, NULL));
        if (strcmp(verb, "save") == 0 && late_save(w, "late.save") != WEFT_OK) return 1;
        if (strcmp(verb, "load") == 0) w = loaded(w);
        if (strcmp(verb, "due") == 0) print_due();
        if (strcmp(verb, "hash") == 0) printf("%016" PRIx64 "\n", late_hash_exact(w));
    }
    late_close(w);
    return 0;
}
