// The differential test: random operations on a generated world and on a naive model, which are
// compared throughout. README.md lists what is compared, and how to repeat a failure.
//
// program: middle:middle narrow:narrow narrow:plain narrow:plain_quick wide:wide
// program: narrow:byte_order wide:byte_order
// flags: hot
// links: attempts.c chance.c changing.c compare.c compare_trees.c fragments.c lists.c
// links: model_commands.c operations.c phases.c record.c relating.c saves.c sorting.c
// links: spawning.c systems.c turns.c upkeep.c walks.c worlds.c
#define _POSIX_C_SOURCE 200809L // support/progress.h
#include "../support/progress.h"
#include "../support/sanitizers.h"
#include "fail.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Slower builds find more faults per operation, so they do a smaller share of the operations. Each
// build begins with seeds of its own, because repeating the operations of another build finds
// little. If every table moves at every change, the number of tables costs most, so there are many
// worlds that end early.
#if defined(WEFT_HARD)
#define SHARE 60
#define LIFE_MAX 500u
#define SEEDS_BEFORE 3000000u
#elif WITH_ADDRESS_SANITIZER
#define SHARE 18
#define LIFE_MAX 50000u
#define SEEDS_BEFORE 2000000u
#elif defined(SLOW_MACHINE)
#define SHARE 30
#define LIFE_MAX 50000u
#define SEEDS_BEFORE 0u
#elif defined(NDEBUG)
#define SHARE 4
#define LIFE_MAX 200000u
#define SEEDS_BEFORE 1000000u
#else
#define SHARE 4
#define LIFE_MAX 200000u
#define SEEDS_BEFORE 0u
#endif

#if WITH_ADDRESS_SANITIZER
// Freed memory is watched for as long as several changes of a world take, and then used again:
// always new memory costs more than everything else.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=8";
}
#endif

#define EACH_USUAL 128u // operations between two times of comparing everything
#define HASH_EACH 32u   // of every such comparison, one also compares hashes
#define SEEDS_APART 10u // from world to world

static const char *own_name = "fuzz";

// Prints the arguments that make this run again.
static void name_run(const run_options *o)
{
    static char text[200];
    snprintf(text, sizeof text,
             "%s --seed %" PRIu64 " --each %" PRIu64 " --population %" PRIu32 "%s%s%s", own_name,
             o->seed, o->each, o->population, o->faults ? "" : " --no-faults",
             o->no_reserve ? " --no-reserve" : "", o->plain ? " --plain" : "");
    fail_run(text);
}

static void run_one(const run_options *o)
{
    static run r;
    memset(&r, 0, sizeof r);
    r.options = *o;
    name_run(o);
    fail_operation(0, "open");
    run_open(&r);
    for (r.operation = 0; r.operation < o->count; r.operation++) {
        operate(&r);
        progress_step("operations", r.operation + 1, o->count);
        if (r.operation % o->each != o->each - 1) continue;
        compare_all(&r);
        if (r.operation / o->each % HASH_EACH != HASH_EACH - 1) continue;
        apply_waiting(&r);
        compare_hash(&r);
    }
    fail_operation(r.operation, "the end");
    compare_all(&r);
    apply_waiting(&r);
    compare_hash(&r);
    printf("seed %" PRIu64 ": %" PRIu64 " operations, %" PRIu32 " alive, %" PRIu64
           " ticks, hash %016" PRIx64 ", exact %016" PRIx64 "\n",
           o->seed, o->count, r.model.living_count, r.model.ticks, fuzz_hash(r.world),
           fuzz_hash_exact(r.world));
    fail_operation(r.operation, "close");
    run_close(&r);
}

// The operations of one line of run_usual, in as many worlds as it takes.
static void run_share(run_options o)
{
    uint64_t left = o.count / SHARE;
    o.seed += SEEDS_BEFORE;
    for (o.each = EACH_USUAL; left != 0; left -= o.count, o.seed += SEEDS_APART) {
        o.count = left < LIFE_MAX ? left : LIFE_MAX;
        run_one(&o);
    }
}

// `ninja test` runs this: small worlds for long, large ones for short.
static int run_usual(void)
{
    static const run_options usual[] = {
        {.seed = 1, .count = 600000, .population = 60, .faults = true},
        {.seed = 2, .count = 150000, .population = 300, .faults = true, .no_reserve = true},
        {.seed = 3, .count = 30000, .population = 850, .faults = true},
        {.seed = 4, .count = 3000, .population = 9000},
        {.seed = 5, .count = 300000, .population = 60, .faults = true, .plain = true},
        {.seed = 6, .count = 60000, .population = 850, .faults = true, .plain = true},
    };
    const size_t runs = sizeof usual / sizeof usual[0];
    for (size_t i = 0; i < runs; i++) run_share(usual[i]);
    printf("%zu passed, 0 failed\n", runs);
    return 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: %s [--seed N] [--count OPERATIONS] [--each N] [--population N] "
            "[--no-faults] [--no-reserve] [--plain]\nwithout arguments: what `ninja test` runs\n",
            own_name);
    return 2;
}

int main(int argc, char **argv)
{
    run_options o = {
        .seed = 1, .count = 100000, .each = EACH_USUAL, .population = 60, .faults = true};
    if (argc > 0) own_name = argv[0];
    if (argc <= 1) return run_usual();
    for (int i = 1; i < argc; i++) {
        bool valued = i + 1 < argc;
        if (valued && strcmp(argv[i], "--seed") == 0) {
            o.seed = strtoull(argv[++i], NULL, 10);
        } else if (valued && strcmp(argv[i], "--count") == 0) {
            o.count = strtoull(argv[++i], NULL, 10);
        } else if (valued && strcmp(argv[i], "--each") == 0) {
            o.each = strtoull(argv[++i], NULL, 10);
        } else if (valued && strcmp(argv[i], "--population") == 0) {
            o.population = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--no-faults") == 0) {
            o.faults = false;
        } else if (strcmp(argv[i], "--no-reserve") == 0) {
            o.no_reserve = true;
        } else if (strcmp(argv[i], "--plain") == 0) {
            o.plain = true;
        } else {
            return usage();
        }
    }
    run_one(&o);
    printf("1 passed, 0 failed\n");
    return 0;
}
