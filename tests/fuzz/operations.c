// Chooses the next random operation on the world from outside of systems. Each operation first
// computes what the model expects, then calls the world, sometimes without memory, and changes the
// model only if the world changed.
//
// flags: played
#include "operations.h"

#include "fail.h"

// An iterator ends if it is used after a structural change (debug builds assert), and continues
// after any other call. A call that finds no space may still have moved columns.
static void use_iterators(run *r)
{
    static void (*const calls[])(run *) = {spawn_one,   spawn_many, spawn_rows, despawn_any,
                                           set_one,     set_prefab, remove_one, edit_one,
                                           spawn_empty, attach_one, detach_one, replace_one};
    fuzz_places_iter runs = fuzz_places_begin(r->world);
    fuzz_specks_iter masked = fuzz_specks_begin(r->world);
    uint64_t changes = r->model.changes;
    r->moved = false;
    calls[any_below(r, sizeof calls / sizeof calls[0])](r);
    if (r->moved) return;
    if (r->model.changes == changes) {
        if (fuzz_places_next(&runs) != (count_passing(&r->model, PLACES) != 0) ||
            fuzz_specks_next(&masked) != (count_passing(&r->model, SPECKS) != 0)) {
            fail("an iterator ends, though nothing was added or removed");
        }
        return;
    }
#ifdef NDEBUG
    if (fuzz_places_next(&runs) || fuzz_specks_next(&masked)) {
        fail("an iterator goes on after a structural change");
    }
    for (int i = 0; i < 2; i++) run_event(r, WEFT_REFUSED, 0);
    run_no_events(r, "iterators that ended");
#endif
}

// ---- choosing

typedef struct operation {
    const char *name;
    uint32_t weight;
    void (*run)(run *r);
} operation;

static const operation operations[] = {
    {"spawn", 2, spawn_empty},
    {"spawn_at", 2, spawn_at},
    {"spawn of a prefab", 8, spawn_one},
    {"spawn_many", 2, spawn_many},
    {"spawn_rows", 1, spawn_rows},
    {"despawn", 8, despawn_any},
    {"reserve", 1, reserve_space},
    {"recycle", 1, recycle_indices},
    {"reset", 1, reset_world},
    {"trim", 1, trim_world},
    {"merge", 1, merge_fragment},
    {"set", 24, set_one},
    {"replace", 8, replace_one},
    {"edit", 8, edit_one},
    {"remove", 16, remove_one},
    {"strip", 2, strip_one},
    {"clear", 1, clear_one},
    {"set of a prefab", 5, set_prefab},
    {"singleton", 1, edit_singleton},
    {"a list by path", 4, edit_list},
    {"JSON", 1, read_json},
    {"alive", 4, ask_alive},
    {"attach", 6, attach_one},
    {"attach of several", 2, attach_chain},
    {"detach", 3, detach_one},
    {"sort", 1, sort_rows},
    {"sort of a query", 1, sort_query},
    {"despawn of a query", 1, despawn_rows},
    {"a change of a query", 1, change_rows},
    {"a walk", 1, check_walk},
    {"commands", 10, record_outside},
    {"commands while iterating", 1, record_iterating},
    {"flush", 4, flush_commands},
    {"a phase", 2, phase_one},
    {"tick", 2, tick_world},
    {"queries", 1, check_queries},
    {"a change while iterating", 2, use_iterators},
};

#define OPERATIONS (sizeof operations / sizeof operations[0])

static const operation *any_operation(run *r)
{
    uint32_t total = 0;
    for (size_t i = 0; i < OPERATIONS; i++) total += operations[i].weight;
    uint32_t left = any_below(r, total);
    const operation *chosen = operations;
    while (left >= chosen->weight) left -= chosen++->weight;
    return chosen;
}

// Keeps the population near its target, which varies.
static void keep_population(run *r)
{
    uint32_t swing = r->options.population >> (r->operation / 5000 % 4);
    while (r->model.living_count > swing + swing / 2 + 8 &&
           !any_chance(r, 64 + r->model.living_count)) {
        fail_operation(r->operation, "despawn of many");
        despawn_one(r, any_living(r));
    }
}

void operate(run *r)
{
    const operation *chosen = any_operation(r);
    fail_operation(r->operation, chosen->name);
    chosen->run(r);
    if (any_chance(r, 32)) keep_population(r);
    run_live(r);
}
