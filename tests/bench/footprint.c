// Measures resident memory, each figure in a process of its own that does nothing else, and the
// time to open and close a world.
#include "choice.h"
#include "setup.h"

#include "arena64_mover.h"
#include "crowd_world.h"

#include <math.h>
#include <string.h>

#define ENTITIES 1000000u
#define RAW_BYTES 24.0 // of an entity: position and velocity
#define TABLES 1000u
#define TABLE_ROWS 10u
#define PARTS 18u
#define OPENED 1000u

// -------------------------------------------------------------------------------------------------
// In the child. A world is left open: what it takes is what is measured.

static double movers32(void)
{
    arena_world *w = setup_world();
    arena_mover value = {{1, 2, 3}, {4, 5, 6}};
    for (uint32_t i = 0; i < ENTITIES; i++) arena_mover_spawn(w, &value);
    setup_require(arena_stats(w).entities == ENTITIES, "a mover");
    return (double)bench_resident_bytes();
}

// A million came and went, and the world was trimmed.
static double trimmed32(void)
{
    arena_world *w = setup_world();
    arena_entity *spawned = (arena_entity *)bench_array(ENTITIES * sizeof *spawned);
    for (uint32_t i = 0; i < ENTITIES; i++) spawned[i] = arena_mover_spawn(w, NULL);
    for (uint32_t i = 0; i < ENTITIES; i++) arena_despawn(w, spawned[i]);
    setup_require(arena_trim(w) == WEFT_OK && arena_stats(w).entities == 0, "a trim");
    bench_array_free(spawned, ENTITIES * sizeof *spawned);
    return (double)bench_resident_bytes();
}

static double movers64(void)
{
    arena64_world *w = arena64_open(NULL);
    setup_require(w, "a world");
    arena64_mover value = {{1, 2, 3}, {4, 5, 6}};
    for (uint32_t i = 0; i < ENTITIES; i++) arena64_mover_spawn(w, &value);
    setup_require(arena64_stats(w).entities == ENTITIES, "a mover");
    return (double)bench_resident_bytes();
}

static double empty32(void)
{
    setup_world();
    return (double)bench_resident_bytes();
}

// Returns what opening a world adds to a process that has none yet.
static double opened(void)
{
    double before = (double)bench_resident_bytes();
    setup_world();
    return (double)bench_resident_bytes() - before;
}

static double empty64(void)
{
    setup_require(arena64_open(NULL), "a world");
    return (double)bench_resident_bytes();
}

static double tables(void)
{
    crowd_world *w = crowd_open(NULL);
    setup_require(w, "a world");
    double before = (double)bench_resident_bytes();
    choice c = choice_first();
    for (uint32_t i = 0; i < TABLES; i++) {
        setup_require(choice_record(&c, crowd_commands(w), CROWD_COMPONENT_PART_00, 1, TABLE_ROWS),
                      "a command");
        setup_require(crowd_flush(w) == WEFT_OK, "a table");
        choice_next(&c, PARTS);
    }
    return (double)bench_resident_bytes() - before;
}

double bench_footprint_value(const char *measure)
{
    static const struct {
        const char *name;
        double (*bytes)(void);
    } measures[] = {
        {"movers32", movers32},   {"movers64", movers64}, {"empty32", empty32},
        {"empty64", empty64},     {"opened", opened},     {"tables", tables},
        {"trimmed32", trimmed32},
    };
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        if (!strcmp(measures[i].name, measure)) return measures[i].bytes();
    }
    return NAN;
}

// -------------------------------------------------------------------------------------------------
// In the parent

static void report_memory(const char *workload, const char *full, const char *empty,
                          double bytes_max)
{
    if (!bench_wanted(workload)) return;
    double bytes = bench_in_child(full) - bench_in_child(empty);
    bench_report((bench_figure){
        .workload = workload,
        .n = ENTITIES,
        .unit = "B",
        .value = bytes / ENTITIES - RAW_BYTES,
        .value_max = bytes_max,
    });
}

// A million came and went; their records stay.
static void report_trimmed(void)
{
    if (!bench_wanted("trimmed_32")) return;
    bench_report((bench_figure){
        .workload = "trimmed_32",
        .n = ENTITIES,
        .unit = "B",
        .value = (bench_in_child("trimmed32") - bench_in_child("empty32")) / ENTITIES,
        .value_max = 8.5,
    });
}

static void report_empty(void)
{
    if (!bench_wanted("empty_world")) return;
    bench_report((bench_figure){
        .workload = "empty_world",
        .n = 1,
        .unit = "KiB",
        .value = bench_in_child("opened") / 1024,
        .value_max = 256,
    });
}

static void report_tables(void)
{
    if (!bench_wanted("small_tables")) return;
    bench_report((bench_figure){
        .workload = "small_tables",
        .n = TABLES,
        .unit = "KiB",
        .value = bench_in_child("tables") / TABLES / 1024,
        .value_max = 8,
    });
}

static double open_and_close(void *state, uint64_t *checksum)
{
    (void)state;
    (void)checksum;
    double begun = bench_seconds();
    for (uint32_t i = 0; i < OPENED; i++) arena_close(arena_open(NULL));
    return bench_seconds() - begun;
}

// The time that trimming takes after a million came and went, an entity.
static double trim(void *state, uint64_t *checksum)
{
    (void)state;
    (void)checksum;
    arena_world *w = setup_world();
    arena_entity *spawned = (arena_entity *)bench_array(ENTITIES * sizeof *spawned);
    setup_require(arena_mover_spawn_many(w, ENTITIES, NULL, spawned) == ENTITIES, "movers");
    for (uint32_t i = 0; i < ENTITIES; i++) arena_despawn(w, spawned[i]);
    double begun = bench_seconds();
    setup_require(arena_trim(w) == WEFT_OK, "a trim");
    double seconds = bench_seconds() - begun;
    bench_array_free(spawned, ENTITIES * sizeof *spawned);
    arena_close(w);
    return seconds;
}

void bench_footprint(void)
{
    report_memory("memory_32", "movers32", "empty32", 12.5);
    report_memory("memory_64", "movers64", "empty64", 20.5);
    report_trimmed();
    report_empty();
    report_tables();
    bench_compare((bench_comparison){
        .workload = "trim",
        .n = ENTITIES,
        .items = ENTITIES,
        .weft = trim,
        .ns_max = 2,
    });
    bench_compare((bench_comparison){
        .workload = "open_close",
        .n = 1,
        .items = OPENED,
        .weft = open_and_close,
        .ns_max = 50000,
    });
}
