// The differential test of loans: the game writes through each lent pointer at any moment, while
// indexes are queried and readers have their turns. No reader may miss a write. A reader may be
// shown lent rows again and again, and no others.
//
// program: moving optimised
// flags: played
// links: loans_ask.c loans_lend.c loans_model.c
#include "loans.h"
#include "../../support/sanitizers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(WEFT_HARD)
#define SHARE 12u
#define SEEDS_BEFORE 3000u
#elif WITH_ADDRESS_SANITIZER
#define SHARE 4u
#define SEEDS_BEFORE 2000u
#elif defined(NDEBUG)
#define SHARE 1u
#define SEEDS_BEFORE 1000u
#else
#define SHARE 1u
#define SEEDS_BEFORE 0u
#endif

static lend_world *open_world(run *r)
{
    weft_options options = memory_options(&r->memory);
    options.user = r;
    lend_world *w = lend_open(&options);
    if (!w) fail("no world");
    return w;
}

// ------------------------------------------------------------------------------------------------
// What ends loans

static entity *free_place(run *r)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (r->entities[i].bits == 0) return &r->entities[i];
    }
    return NULL;
}

static void spawned(run *r, lend_entity h, const uint32_t *values)
{
    entity *e = free_place(r);
    if (!e) fail("there is no place for an entity");
    *e = (entity){.bits = h.bits};
    r->by_index[index_of(h)] = (uint32_t)(e - r->entities);
    r->living++;
    for (thing t = 0; t < THINGS; t++) {
        if (t != RANK) wrote(r, e, t, values[t]);
    }
}

static void spawn_one(run *r)
{
    uint32_t values[THINGS];
    if (r->living == ENTITIES) return;
    for (thing t = 0; t < THINGS; t++) values[t] = any_below(r, VALUES);
    lend_thing given = {.place = place_of(values[PLACE]),
                        .number = {.n = values[NUMBER]},
                        .solo = {values[SOLO]},
                        .sole = {values[SOLE]}};
    spawned(r, lend_thing_spawn(r->w, &given), values);
}

void spawn_rows(run *r)
{
    uint32_t n = 1 + any_below(r, 20);
    if (r->living + n > ENTITIES) return;
    static const uint32_t values[THINGS] = {7, 8, 0, 9, 10};
    lend_thing_rows rows = lend_thing_spawn_rows(r->w, n);
    structural_change(r);
    for (uint32_t i = 0; i < n; i++) {
        rows.place[i] = place_of(values[PLACE]);
        rows.number.n[i] = values[NUMBER];
        rows.solo[i].n = values[SOLO];
        rows.sole[i].n = values[SOLE];
        spawned(r, rows.entities[i], values);
        const entity *e = entity_of(r, rows.entities[i]);
        lend_it(r, &rows.place[i], e, PLACE, 0);
        lend_it(r, &rows.number.n[i], e, NUMBER, 0);
        lend_it(r, &rows.solo[i], e, SOLO, 0);
        lend_it(r, &rows.sole[i], e, SOLE, 0);
    }
}

static void change_structure(run *r)
{
    entity *e = any_entity(r);
    lend_entity h = lend_entity_of(e ? e->bits : 0);
    uint32_t value = any_below(r, VALUES);
    if (!e || any_chance(r, 3)) {
        spawn_one(r);
    } else if (any_chance(r, 4)) {
        lend_despawn(r->w, h);
        *e = (entity){0};
        r->living--;
    } else if (any_chance(r, 2)) {
        e->hidden = !e->hidden;
        (e->hidden ? lend_hidden_set : lend_hidden_remove)(r->w, h);
    } else if (e->ranked) {
        lend_rank_remove(r->w, h);
        e->ranked = e->must[RATED] = e->may[RATED] = false;
    } else {
        lend_rank_set(r->w, h, (lend_rank){(int32_t)value});
        e->ranked = true;
        wrote(r, e, RANK, value);
    }
}

void lend_look(const lend_look_ctx *ctx, uint32_t count, const lend_id *id)
{
    (void)id;
    for (uint32_t i = 0; i < count; i++) show((run *)ctx->user, ctx->entities[i]);
}

void lend_push(const lend_push_ctx *ctx, uint32_t count, lend_place *place)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        entity *e = entity_of(r, ctx->entities[i]);
        uint32_t value = any_below(r, VALUES);
        place[i] = place_of(value);
        *lend_number_edit_in(ctx->number, ctx->entities[i]).n = value;
        wrote(r, e, PLACE, value);
        wrote(r, e, NUMBER, value);
    }
}

static void run_phase(run *r)
{
    phase_began(r);
    if (any_chance(r, 2)) {
        if (lend_run_early(r->w, 1) != WEFT_OK) fail("%s", lend_error(r->w));
        has_turn(r, LOOK);
    } else if (lend_run_late(r->w, 1) != WEFT_OK) {
        fail("%s", lend_error(r->w));
    }
}

// ------------------------------------------------------------------------------------------------
// What lends nothing

static void set_value(run *r)
{
    entity *e = any_entity(r);
    uint32_t value = any_below(r, VALUES);
    if (!e) return;
    lend_entity h = lend_entity_of(e->bits);
    thing t = (thing)any_below(r, THINGS);
    if (t == RANK && !e->ranked) return;
    bool done = t == PLACE    ? lend_place_set(r->w, h, place_of(value))
                : t == NUMBER ? lend_number_set(r->w, h, (lend_number){.n = value})
                : t == RANK   ? lend_rank_set(r->w, h, (lend_rank){(int32_t)value})
                : t == SOLO   ? lend_solo_set(r->w, h, (lend_solo){value})
                              : lend_sole_set(r->w, h, (lend_sole){value});
    if (!done) fail("%s", lend_error(r->w));
    wrote(r, e, t, value);
}

// Loans are shown again in a world that loads the save. This world continues with its loans, or
// from the save.
static void save(run *r)
{
    void *bytes;
    size_t count;
    weft_memory hooks = memory_hooks(&r->memory);
    if (lend_save_memory(r->w, &bytes, &count) != WEFT_OK) fail("%s", lend_error(r->w));
    uint64_t exact = lend_hash_exact(r->w);
    lend_world *other = any_chance(r, 2) ? open_world(r) : r->w;
    if (lend_load_memory(other, bytes, count) != WEFT_OK) fail("%s", lend_error(other));
    if (lend_hash_exact(other) != exact) fail("the world that was loaded is another one");
    if (other != r->w && any_chance(r, 2)) {
        lend_close(r->w);
        r->w = other;
    }
    if (other != r->w) {
        lend_close(other);
    } else {
        r->lent_in = weft_version(lend_world_base(r->w)) - 1;
        structural_change(r);
        phase_began(r);
    }
    hooks.free_(hooks.user, bytes, count);
}

// Lends more pointers than the world tracks one by one.
static void edit_many(run *r)
{
    entity *e = any_entity(r);
    if (!e) return;
    for (uint32_t i = 0; i < 70000; i++) (void)lend_place_edit(r->w, lend_entity_of(e->bits));
    lend_it(r, lend_place_edit(r->w, lend_entity_of(e->bits)), e, PLACE, 0);
    wrote(r, e, PLACE, e->of[PLACE]);
}

// ------------------------------------------------------------------------------------------------
// A run

static void operate(run *r)
{
    uint32_t chance = any_below(r, 1000);
    structural_change(r);
    if (chance < 150) {
        edit_some(r);
    } else if (chance < 170) {
        edit_sky(r);
    } else if (chance < 330) {
        step_walks(r);
    } else if (chance < 340) {
        run_each(r);
    } else if (chance < 350) {
        run_parts(r);
    } else if (chance < 370) {
        spawn_rows(r);
    } else if (chance < 400) {
        change_structure(r);
    } else if (chance < 420) {
        run_phase(r);
    } else if (chance < 460) {
        set_value(r);
    } else if (chance < 463) {
        save(r);
    } else if (chance < 464) {
        if (any_chance(r, 200)) edit_many(r);
    } else if (chance < 468) {
        if (lend_trim(r->w) != WEFT_OK) fail("%s", lend_error(r->w));
    } else if (chance < 600) {
        ask_index(r);
    } else if (chance < 620) {
        ask_inside(r);
    } else if (chance < 740) {
        ask_reader(r);
    } else {
        write_some(r);
    }
}

static void run_one(uint64_t seed, uint64_t count)
{
    static run r;
    static uint32_t by_index[1u << 20];
    static char text[100];
    memset(&r, 0, sizeof r);
    r.dice.state = seed;
    r.by_index = by_index;
    snprintf(text, sizeof text, "loans --seed %" PRIu64, seed);
    fail_run(text);
    r.w = open_world(&r);
    (void)lend_moved_begin(r.w);
    (void)lend_counted_begin(r.w);
    (void)lend_rated_begin(r.w);
    (void)lend_soled_begin(r.w);
    (void)lend_lit_begin(r.w);
    for (uint64_t i = 0; i < count; i++) {
        fail_operation(i, "any");
        operate(&r);
    }
    structural_change(&r);
    ask_all(&r);
    printf("%s: %" PRIu64 " operations, %" PRIu32 " alive, %" PRIu64 " asked, hash %016" PRIx64
           "\n",
           text, count, r.living, r.asks, lend_hash(r.w));
    lend_close(r.w);
    memory_check_empty(&r.memory);
    free(r.lenders);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0;
    uint64_t count = 60000 / SHARE;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = value;
        if (strcmp(argv[i], "--count") == 0) count = value;
    }
    if (seed != 0) {
        run_one(seed, count);
        return 0;
    }
    for (uint64_t i = 1; i <= 6; i++) run_one(SEEDS_BEFORE + i, count);
    printf("6 passed, 0 failed\n");
    return 0;
}
