// Adds a component with a value to each of 100k entities that have three others, then removes it. A
// second workload does this with a tag. Both run with direct calls, and with commands that are
// flushed after the adds and after the removes. The limit of the direct calls is groups.h. The
// limit of the commands is the direct calls.
#include "groups.h"
#include "setup.h"

#include "arena_marked.h"
#include "arena_shield.h"

#define ALL 100000u

typedef struct additions {
    arena_world *w;
    arena_entity *handles;
    uint32_t *ids;
    groups groups;
    bool (*add)(const struct additions *a);
    bool (*remove)(const struct additions *a);
    bool (*command_add)(const struct additions *a);
    bool (*command_remove)(const struct additions *a);
    uint64_t (*sum)(const struct additions *a);
    bool (*limit_add)(groups *g, const uint32_t *ids, uint32_t n);
    bool (*limit_remove)(groups *g, const uint32_t *ids, uint32_t n);
    uint64_t (*limit_sum)(const struct additions *a);
} additions;

// -------------------------------------------------------------------------------------------------
// Direct calls. Each loop counts in its own way what succeeded, so that nothing is left out.

static bool add_table(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) {
        done &= arena_health_set(w, handles[i], (arena_health){(int32_t)i, 100});
    }
    return done;
}

static bool remove_table(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) done &= arena_health_remove(w, handles[i]);
    return done;
}

static bool add_sparse(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) {
        done &= arena_shield_set(w, handles[i], (arena_shield){(int32_t)i, 100});
    }
    return done;
}

static bool remove_sparse(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) done &= arena_shield_remove(w, handles[i]);
    return done;
}

static bool add_tag(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) done &= arena_marked_set(w, handles[i]);
    return done;
}

static bool remove_tag(const additions *a)
{
    bool done = true;
    arena_world *w = a->w;
    const arena_entity *handles = a->handles;
    for (uint32_t i = 0; i < ALL; i++) done &= arena_marked_remove(w, handles[i]);
    return done;
}

// -------------------------------------------------------------------------------------------------
// Commands

static bool command_add_table(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) {
        done &= arena_cmd_health_set(cmd, handles[i], (arena_health){(int32_t)i, 100});
    }
    return arena_flush(a->w) == WEFT_OK && done;
}

static bool command_remove_table(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) done &= arena_cmd_health_remove(cmd, handles[i]);
    return arena_flush(a->w) == WEFT_OK && done;
}

static bool command_add_sparse(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) {
        done &= arena_cmd_shield_set(cmd, handles[i], (arena_shield){(int32_t)i, 100});
    }
    return arena_flush(a->w) == WEFT_OK && done;
}

static bool command_remove_sparse(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) done &= arena_cmd_shield_remove(cmd, handles[i]);
    return arena_flush(a->w) == WEFT_OK && done;
}

static bool command_add_tag(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) done &= arena_cmd_marked_set(cmd, handles[i]);
    return arena_flush(a->w) == WEFT_OK && done;
}

static bool command_remove_tag(const additions *a)
{
    bool done = true;
    const arena_entity *handles = a->handles;
    arena_cmd *cmd = arena_commands(a->w);
    for (uint32_t i = 0; i < ALL; i++) done &= arena_cmd_marked_remove(cmd, handles[i]);
    return arena_flush(a->w) == WEFT_OK && done;
}

// -------------------------------------------------------------------------------------------------
// Checksums while everybody has it

static uint64_t sum_table(const additions *a)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        const arena_health *health = arena_health_get(a->w, a->handles[i]);
        const arena_position *position = arena_position_get(a->w, a->handles[i]);
        if (!health || !position) return 0;
        sum += bench_part(i, (uint32_t)health->now) + bench_part(i, bench_bits(position->x));
    }
    return sum;
}

static uint64_t sum_groups(const additions *a)
{
    uint64_t sum = 0;
    const group *g = &a->groups.group[1];
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t row = a->groups.records[i].row;
        sum += bench_part(i, (uint32_t)g->health[row].now);
        sum += bench_part(i, bench_bits(g->position[row].x));
    }
    return sum;
}

static uint64_t sum_sparse(const additions *a)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        const arena_shield *shield = arena_shield_get(a->w, a->handles[i]);
        if (!shield) return 0;
        sum += bench_part(i, (uint32_t)shield->now);
    }
    return sum;
}

static uint64_t sum_packed(const additions *a)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += bench_part(i, (uint32_t)a->groups.packed[a->groups.slots[i]].now);
    }
    return sum;
}

static uint64_t sum_tags(const additions *a)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ALL; i++) sum += arena_marked_has(a->w, a->handles[i]);
    return sum;
}

static uint64_t sum_bits(const additions *a)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < (ALL + 63) / 64; i++) {
        sum += (uint64_t)__builtin_popcountll(a->groups.bits[i]);
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------
// Sides

static double timed(const additions *a, bool (*step)(const additions *a))
{
    double begun = bench_seconds();
    bool done = step(a);
    double seconds = bench_seconds() - begun;
    setup_require(done, "a change");
    return seconds;
}

static double run_direct(void *state, uint64_t *checksum)
{
    const additions *a = (const additions *)state;
    double seconds = timed(a, a->add);
    *checksum = a->sum(a);
    return seconds + timed(a, a->remove);
}

static double run_commands(void *state, uint64_t *checksum)
{
    const additions *a = (const additions *)state;
    double seconds = timed(a, a->command_add);
    *checksum = a->sum(a);
    return seconds + timed(a, a->command_remove);
}

static double run_limit(void *state, uint64_t *checksum)
{
    additions *a = (additions *)state;
    double begun = bench_seconds();
    bool done = a->limit_add(&a->groups, a->ids, ALL);
    double seconds = bench_seconds() - begun;
    *checksum = a->limit_sum(a);
    begun = bench_seconds();
    done &= a->limit_remove(&a->groups, a->ids, ALL);
    seconds += bench_seconds() - begun;
    setup_require(done, "a change of the limit");
    return seconds;
}

static void compare(additions *a, const char *direct, const char *commands, double ns_max)
{
    bench_comparison c = {
        .workload = direct,
        .n = ALL,
        .items = ALL,
        .weft = run_direct,
        .limit = run_limit,
        .state = a,
        .ns_max = ns_max,
    };
    bench_compare(c);
    c.workload = commands;
    c.weft = run_commands;
    c.limit = run_direct;
    c.ratio_max = 2;
    c.ns_max = 2 * ns_max;
    bench_compare(c);
}

static void compare_all(additions *a)
{
    a->add = add_table;
    a->remove = remove_table;
    a->command_add = command_add_table;
    a->command_remove = command_remove_table;
    a->sum = sum_table;
    a->limit_add = groups_add_health;
    a->limit_remove = groups_remove_health;
    a->limit_sum = sum_groups;
    compare(a, "add_remove_table", "commands_table", 8);

    a->add = add_sparse;
    a->remove = remove_sparse;
    a->command_add = command_add_sparse;
    a->command_remove = command_remove_sparse;
    a->sum = sum_sparse;
    a->limit_add = groups_add_packed;
    a->limit_remove = groups_remove_packed;
    a->limit_sum = sum_packed;
    compare(a, "add_remove_sparse", "commands_sparse", 6);

    a->add = add_tag;
    a->remove = remove_tag;
    a->command_add = command_add_tag;
    a->command_remove = command_remove_tag;
    a->sum = sum_tags;
    a->limit_add = groups_add_bit;
    a->limit_remove = groups_remove_bit;
    a->limit_sum = sum_bits;
    compare(a, "add_remove_tag", "commands_tag", 3);
}

void bench_add_remove(void)
{
    if (!bench_wanted("add_remove_table add_remove_sparse add_remove_tag "
                      "commands_table commands_sparse commands_tag"))
        return;
    additions a = {
        .w = setup_world(),
        .handles = bench_array(ALL * sizeof *a.handles),
        .ids = bench_array(ALL * sizeof *a.ids),
        .groups = groups_open(ALL),
    };
    for (uint32_t i = 0; i < ALL; i++) {
        arena_spinner value = {.position = {(float)(i % 8), 0, 0}};
        a.handles[i] = arena_spinner_spawn(a.w, &value);
        setup_require(!arena_is_none(a.handles[i]), "a spinner");
        a.ids[i] = a.handles[i].bits;
    }
    compare_all(&a);
    groups_close(&a.groups, ALL);
    bench_array_free(a.ids, ALL * sizeof *a.ids);
    bench_array_free(a.handles, ALL * sizeof *a.handles);
    arena_close(a.w);
}
