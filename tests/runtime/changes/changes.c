// The differential test of changes: random operations on a world whose systems and queries read
// added and changed components, compared with a model at every turn. README.md explains more.
//
// program: narrow:narrow narrow:middle narrow:plain narrow:plain_quick wide:wide
// program: narrow:byte_order wide:byte_order
// flags: played
// links: commands.c systems.c walks.c
#include "../../support/sanitizers.h"
#include "run.h"

#include "weft_reflect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Slower builds find more faults per operation, so they do a smaller share of the operations. Each
// has seeds of its own, because repeating the operations of another build finds little.
#if defined(WEFT_HARD)
#define SHARE 28u
#define SEEDS_BEFORE 3000u
#elif WITH_ADDRESS_SANITIZER
#define SHARE 10u
#define SEEDS_BEFORE 2000u
#elif defined(SLOW_MACHINE)
#define SHARE 30u
#define SEEDS_BEFORE 0u
#elif defined(NDEBUG)
#define SHARE 2u
#define SEEDS_BEFORE 1000u
#else
#define SHARE 2u
#define SEEDS_BEFORE 0u
#endif

chg_entity any_handle(run *r)
{
    const model *m = &r->model;
    if (m->count == 0) return chg_entity_of(0);
    return chg_entity_of(m->entities[any_below(r, m->count)].bits);
}

entity *any_entity(run *r)
{
    return model_find(&r->model, any_handle(r).bits);
}

// ------------------------------------------------------------------------------------------------
// Direct calls

static void spawn_one(run *r, uint32_t prefab)
{
    chg_id id = {++r->model.next_key};
    chg_walker walker = chg_walker_defaults();
    chg_torch torch = chg_torch_defaults();
    chg_carrier carrier = chg_carrier_defaults();
    chg_rock rock = chg_rock_defaults();
    uint32_t value = any_below(r, 1000);
    walker.id = torch.id = carrier.id = rock.id = id;
    walker.place.n = torch.place.n = carrier.freight.weight = value;
    chg_entity e = prefab == 0   ? chg_walker_spawn(r->world, &walker)
                   : prefab == 1 ? chg_torch_spawn(r->world, &torch)
                   : prefab == 2 ? chg_carrier_spawn(r->world, &carrier)
                                 : chg_rock_spawn(r->world, &rock);
    if (chg_is_none(e)) return;
    entity *one = model_add(&r->model, id.key);
    model_name(&r->model, one, e.bits);
    model_prefab(&r->model, one, prefab, value);
}

static void spawn_many(run *r)
{
    chg_entity out[200];
    uint32_t n = any_chance(r, 10) ? 1 + any_below(r, 200) : 1 + any_below(r, 9);
    chg_torch torch = chg_torch_defaults();
    torch.place.n = any_below(r, 1000);
    if (chg_torch_spawn_many(r->world, n, &torch, out) == 0) return;
    for (uint32_t i = 0; i < n; i++) {
        entity *e = model_add(&r->model, ++r->model.next_key);
        model_name(&r->model, e, out[i].bits);
        model_prefab(&r->model, e, 1, torch.place.n);
        chg_id_edit(r->world, out[i])->key = e->key;
    }
}

static void spawn_walkers(run *r, uint32_t n)
{
    chg_walker_rows rows = chg_walker_spawn_rows(r->world, n);
    for (uint32_t i = 0; i < rows.count; i++) {
        uint32_t value = any_below(r, 1000);
        entity *e = model_add(&r->model, ++r->model.next_key);
        rows.id[i].key = e->key;
        rows.place[i] = (chg_place){value, 0};
        rows.speed.x[i] = rows.speed.y[i] = 0;
        model_name(&r->model, e, rows.entities[i].bits);
        model_prefab(&r->model, e, 0, value);
        end_loans(r);
        model_lend(&r->model, e, PLACE, 0);
        model_lend(&r->model, e, SPEED, 0);
    }
}

static void despawn(run *r)
{
    entity *e = any_entity(r);
    if (!e) return;
    if (!chg_despawn(r->world, chg_entity_of(e->bits))) fail("despawn was refused");
    model_despawn(&r->model, e);
}

// Despawns nearly all entities, so that the unread changes outnumber the remaining entities.
static void despawn_most(run *r)
{
    uint32_t left = any_below(r, 1 + r->model.living / 4);
    while (r->model.living > left) despawn(r);
}

static bool call_set(run *r, chg_entity h, thing t, uint32_t value)
{
    chg_world *w = r->world;
    switch (t) {
    case PLACE:
        return chg_place_set(w, h, (chg_place){value, 0});
    case SPEED:
        return chg_speed_set(w, h, (chg_speed){value, 0});
    case BURN:
        return chg_burn_set(w, h, (chg_burn){value});
    case FREIGHT:
        return chg_freight_set(w, h, (chg_freight){value});
    case LONE:
        return chg_lone_set(w, h, (chg_lone){value});
    case PEBBLE:
        return chg_pebble_set(w, h, (chg_pebble){value});
    case PLAIN:
        return chg_plain_set(w, h, (chg_plain){value});
    case LIT:
        return chg_lit_set(w, h);
    case SPARK:
        return chg_spark_set(w, h);
    case GLINT:
        return chg_glint_set(w, h);
    case GHOST:
    case THINGS:
        break;
    }
    return chg_ghost_set(w, h);
}

// Without memory the call may fail, and must then change nothing.
static void set(run *r)
{
    entity *e = any_entity(r);
    thing t = (thing)any_below(r, THINGS);
    uint32_t value = any_below(r, 1000);
    if (!e) return;
    bool fails = any_chance(r, 20);
    if (fails) memory_arm(&r->memory, any_below(r, 3), true);
    bool done = call_set(r, chg_entity_of(e->bits), t, value);
    bool failed = fails && memory_disarm(&r->memory);
    if (!done && failed) return;
    if (done != model_set(&r->model, e, t, value)) fail("setting thing %d gave %d", t, done);
}

static bool call_replace(run *r, chg_entity h, thing t, uint32_t value)
{
    chg_world *w = r->world;
    switch (t) {
    case PLACE:
        return chg_place_replace(w, h, (chg_place){value, 0});
    case SPEED:
        return chg_speed_replace(w, h, (chg_speed){value, 0});
    case BURN:
        return chg_burn_replace(w, h, (chg_burn){value});
    case FREIGHT:
        return chg_freight_replace(w, h, (chg_freight){value});
    case LONE:
        return chg_lone_replace(w, h, (chg_lone){value});
    case PEBBLE:
        return chg_pebble_replace(w, h, (chg_pebble){value});
    default:
        return chg_plain_replace(w, h, (chg_plain){value});
    }
}

// Half of the time it writes the current value, of which readers are not notified.
static void replace(run *r)
{
    entity *e = any_entity(r);
    thing t = (thing)any_below(r, LIT);
    if (!e) return;
    uint32_t value = any_chance(r, 2) ? e->of[t].value : any_below(r, 1000);
    bool done = call_replace(r, chg_entity_of(e->bits), t, value);
    if (done != model_replace(&r->model, e, t, value)) fail("replacing thing %d gave %d", t, done);
}

// As tools do it.
static bool edit_by_name(run *r, const entity *e, thing t, uint32_t value)
{
    static const char *const paths[LIT] = {"place.n", "speed.x",  "burn.left", "freight.weight",
                                           "lone.n",  "pebble.n", "plain.n"};
    weft_world *base = chg_world_base(r->world);
    return weft_field_set_number(base, e->bits, paths[t], value) == WEFT_OK;
}

static bool edit_in_place(run *r, const entity *e, thing t, uint32_t value)
{
    chg_entity h = chg_entity_of(e->bits);
    chg_place *place = t == PLACE ? chg_place_edit(r->world, h) : NULL;
    chg_burn *burn = t == BURN ? chg_burn_edit(r->world, h) : NULL;
    chg_freight *freight = t == FREIGHT ? chg_freight_edit(r->world, h) : NULL;
    chg_lone *lone = t == LONE ? chg_lone_edit(r->world, h) : NULL;
    chg_pebble *pebble = t == PEBBLE ? chg_pebble_edit(r->world, h) : NULL;
    chg_plain *plain = t == PLAIN ? chg_plain_edit(r->world, h) : NULL;
    uint32_t *at = place     ? &place->n
                   : burn    ? &burn->left
                   : freight ? &freight->weight
                   : lone    ? &lone->n
                   : pebble  ? &pebble->n
                   : plain   ? &plain->n
                             : NULL;
    if (t == SPEED) at = chg_speed_edit(r->world, h).x;
    if (!at) return false;
    *at = value;
    end_loans(r);
    model_lend(&r->model, e, t, 0);
    return true;
}

static void edit(run *r)
{
    entity *e = any_entity(r);
    thing t = (thing)any_below(r, LIT);
    uint32_t value = any_below(r, 1000);
    if (!e) return;
    bool by_name = any_chance(r, 4);
    bool done = by_name ? edit_by_name(r, e, t, value) : edit_in_place(r, e, t, value);
    if (done != e->of[t].has) fail("thing %d cannot be edited, or can", t);
    if (!done) return;
    e->of[t].value = value;
    model_write(&r->model, e, t, GAME);
}

static void remove_one(run *r)
{
    static bool (*const removals[])(chg_world *, chg_entity) = {
        chg_place_remove, chg_speed_remove,  chg_burn_remove,  chg_freight_remove,
        chg_lone_remove,  chg_pebble_remove, chg_plain_remove, chg_lit_remove,
        chg_ghost_remove, chg_spark_remove,  chg_glint_remove,
    };
    entity *e = any_entity(r);
    thing t = (thing)any_below(r, THINGS);
    if (!e) return;
    bool fails = any_chance(r, 20);
    if (fails) memory_arm(&r->memory, any_below(r, 3), true);
    bool done = removals[t](r->world, chg_entity_of(e->bits));
    bool failed = fails && memory_disarm(&r->memory);
    if (!done && failed) return;
    if (done != model_remove(&r->model, e, t, GAME)) fail("removing thing %d gave %d", t, done);
}

static void set_prefab(run *r)
{
    entity *e = any_entity(r);
    if (!e) return;
    chg_walker walker = {.id = {e->key}, .place = {any_below(r, 1000), 0}, .speed = {1, 0}};
    if (!chg_walker_set(r->world, chg_entity_of(e->bits), &walker)) fail("a prefab was refused");
    model_set(&r->model, e, PLACE, walker.place.n);
    model_set(&r->model, e, SPEED, 1);
}

static void clear_tag(run *r)
{
    static void (*const clears[])(chg_world *) = {chg_lit_clear, chg_ghost_clear, chg_spark_clear,
                                                  chg_glint_clear};
    uint32_t tag = any_below(r, 4);
    clears[tag](r->world);
    model_clear(&r->model, (thing)(LIT + tag));
}

static void clear(run *r)
{
    static bool (*const clears[LIT])(chg_world *) = {
        chg_place_clear, chg_speed_clear,  chg_burn_clear,  chg_freight_clear,
        chg_lone_clear,  chg_pebble_clear, chg_plain_clear,
    };
    uint32_t t = any_below(r, LIT);
    bool fails = any_chance(r, 4);
    if (any_chance(r, 2)) {
        clear_tag(r);
        return;
    }
    if (fails) memory_arm(&r->memory, any_below(r, 3), true);
    bool done = clears[t](r->world);
    bool failed = fails && memory_disarm(&r->memory);
    if (!done && !failed) fail("clearing thing %d was refused", (int)t);
    if (done) model_clear(&r->model, (thing)t);
}

#define CALL_ALL(query, t)                                                                         \
    t == PLACE     ? chg_##query##_place_set_all(w, (chg_place){value, 0})                         \
    : t == SPEED   ? chg_##query##_speed_set_all(w, (chg_speed){value, 0})                         \
    : t == FREIGHT ? chg_##query##_freight_set_all(w, (chg_freight){value})                        \
    : t == LONE    ? chg_##query##_lone_set_all(w, (chg_lone){value})                              \
    : t == PLAIN   ? chg_##query##_plain_set_all(w, (chg_plain){value})                            \
    : t == LIT     ? chg_##query##_lit_set_all(w)                                                  \
    : t == GHOST   ? chg_##query##_ghost_set_all(w)                                                \
    : t == SPARK   ? chg_##query##_spark_set_all(w)                                                \
                   : chg_##query##_glint_set_all(w)

static weft_status set_all(chg_world *w, bool everyone, thing t, uint32_t value)
{
    return everyone ? CALL_ALL(everyone, t) : CALL_ALL(movers, t);
}

static weft_status remove_all(chg_world *w, bool everyone, thing t)
{
    static weft_status (*const calls[THINGS][2])(chg_world *) = {
        [PLACE] = {chg_movers_place_remove_all, chg_everyone_place_remove_all},
        [SPEED] = {chg_movers_speed_remove_all, chg_everyone_speed_remove_all},
        [FREIGHT] = {chg_movers_freight_remove_all, chg_everyone_freight_remove_all},
        [LONE] = {chg_movers_lone_remove_all, chg_everyone_lone_remove_all},
        [PLAIN] = {chg_movers_plain_remove_all, chg_everyone_plain_remove_all},
        [LIT] = {chg_movers_lit_remove_all, chg_everyone_lit_remove_all},
        [GHOST] = {chg_movers_ghost_remove_all, chg_everyone_ghost_remove_all},
        [SPARK] = {chg_movers_spark_remove_all, chg_everyone_spark_remove_all},
        [GLINT] = {chg_movers_glint_remove_all, chg_everyone_glint_remove_all},
    };
    return calls[t][everyone](w);
}

// All rows of a query get something or lose it, in the order in which the query gives them.
static void change_all(run *r)
{
    static uint64_t rows[1u << 16];
    uint32_t count = 0;
    bool everyone = any_chance(r, 2);
    bool on = any_chance(r, 2);
    bool fails = any_chance(r, 4);
    thing t = (thing)any_below(r, THINGS);
    uint32_t value = any_below(r, 1000);
    if (t == BURN || t == PEBBLE) return; // they are sparse
    chg_everyone_iter it = chg_everyone_begin(r->world);
    while (chg_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (everyone || chg_movers_passes(r->world, it.entities[i])) {
                rows[count++] = it.entities[i].bits;
            }
        }
    }
    if (fails) memory_arm(&r->memory, any_below(r, 6), true);
    weft_status status =
        on ? set_all(r->world, everyone, t, value) : remove_all(r->world, everyone, t);
    bool failed = fails && memory_disarm(&r->memory);
    if (status != WEFT_OK && !failed) fail("changing thing %d of all was refused", (int)t);
    for (uint32_t i = 0; status == WEFT_OK && i < count; i++) {
        entity *e = model_find(&r->model, rows[i]);
        if (on) {
            model_set(&r->model, e, t, value);
        } else {
            model_remove(&r->model, e, t, GAME);
        }
    }
}

static void make_space(run *r)
{
    if (chg_torch_reserve(r->world, any_below(r, 100)) != WEFT_OK) return;
    chg_reserve(r->world, any_below(r, 100));
}

// Trims: readers must see the same changes as without it, and removals must have space.
static void trim(run *r)
{
    uint64_t exact = chg_hash_exact(r->world);
    if (chg_trim(r->world) != WEFT_OK) fail("%s", chg_error(r->world));
    if (chg_hash_exact(r->world) != exact) fail("a trim changes the world");
    if (chg_stats(r->world).bytes_allocated != r->memory.bytes) fail("the account is wrong");
}

// ------------------------------------------------------------------------------------------------

static void walk(run *r)
{
    switch (any_below(r, 7)) {
    case 0:
        walk_moved(r, NULL, NULL);
        break;
    case 1:
        walk_fresh(r, NULL);
        break;
    case 2:
        walk_movers(r, NULL);
        break;
    case 3:
        walk_shining(r, NULL);
        break;
    case 4:
        walk_dropped(r);
        break;
    case 5:
        if (r->options.never && r->operation > r->options.count / 2) walk_never(r);
        break;
    default:
        if (any_chance(r, 10)) walk_everyone(r);
        break;
    }
}

static void apply_waiting(run *r)
{
    if (chg_flush(r->world) != WEFT_OK) fail("flush failed");
    apply_recorded(r, &r->outside);
    name_spawned(r);
}

static void flush(run *r)
{
    record_some(r, chg_commands(r->world), &r->outside);
    if (!any_chance(r, 3)) apply_waiting(r); // else a phase does, as it begins
}

static chg_world *open_world(run *r)
{
    weft_options options = memory_options(&r->memory);
    options.user = r;
    chg_world *w = chg_open(&options);
    if (!w) fail("no world");
    return w;
}

// Continues from a save, in this world or in a new one: readers must see the same changes as
// without it.
static void reload(run *r)
{
    void *bytes;
    size_t count;
    weft_memory hooks = memory_hooks(&r->memory);
    if (chg_save_memory(r->world, &bytes, &count) != WEFT_OK) fail("saving failed");
    apply_recorded(r, &r->outside);
    name_spawned(r);
    uint64_t exact = chg_hash_exact(r->world);
    if (any_chance(r, 2)) {
        chg_close(r->world);
        r->world = open_world(r);
    }
    if (chg_load_memory(r->world, bytes, count) != WEFT_OK) fail("%s", chg_error(r->world));
    if (chg_hash_exact(r->world) != exact) fail("the world that was loaded is another one");
    r->model.loan_count = 0;
    hooks.free_(hooks.user, bytes, count);
}

static void spawn_any(run *r)
{
    if (r->model.living >= r->options.population) {
        for (uint32_t i = 0; i < 8; i++) despawn(r);
    } else if (any_chance(r, 8)) {
        spawn_many(r);
    } else if (any_chance(r, 8)) {
        spawn_walkers(r, 1 + any_below(r, 9));
    } else {
        spawn_one(r, any_below(r, 4));
    }
}

// Dead handles may not be used any longer: the world forgets its own, and the test must forget
// those that it stores.
static void recycle(run *r)
{
    apply_waiting(r); // as recycling does
    model_recycle(&r->model);
    chg_recycle(r->world);
}

// Readers see a reset like despawns in the order of indices.
static void reset(run *r)
{
    apply_waiting(r); // else it is dropped
    if (chg_reset(r->world) != WEFT_OK) fail("%s", chg_error(r->world));
    r->model.shuffling = true;
    for (uint32_t i = 0; i < r->model.count; i++) {
        entity *e = &r->model.entities[i];
        if (e->alive) model_despawn(&r->model, e);
    }
    r->model.shuffling = false;
}

static void operate(run *r)
{
    uint32_t chance = any_below(r, 1000);
    fail_operation(r->operation, "any");
    // Loans that are not known one by one end here, since the model knows each.
    if (chg_world_base(r->world)->loans.all) spawn_one(r, 0);
    if (chg_stats(r->world).indices_retired > 100) recycle(r);
    if (chance < 200) {
        spawn_any(r);
    } else if (chance < 270) {
        despawn(r);
    } else if (chance < 410) {
        set(r);
    } else if (chance < 450) {
        replace(r);
    } else if (chance < 560) {
        edit(r);
    } else if (chance < 700) {
        remove_one(r);
    } else if (chance < 730) {
        set_prefab(r);
    } else if (chance < 736) {
        clear(r);
    } else if (chance < 737) {
        change_all(r);
    } else if (chance < 739) {
        make_space(r);
    } else if (chance < 740) {
        if (any_chance(r, 3)) {
            reset(r);
        } else {
            despawn_most(r);
        }
    } else if (chance < 742) {
        trim(r);
    } else if (chance < 744) {
        reload(r);
    } else if (chance < 820) {
        flush(r);
    } else if (chance < 900) {
        walk(r);
    } else {
        run_phase(r, any_chance(r, 2) ? DRIVE : MEDDLE, 0.25 * any_below(r, 4));
    }
}

static void run_one(const run_options *o)
{
    static run r;
    static char text[120];
    memset(&r, 0, sizeof r);
    r.options = *o;
    r.dice.state = o->seed;
    snprintf(text, sizeof text, "changes --seed %" PRIu64 " --population %" PRIu32 "%s", o->seed,
             o->population, o->never ? " --never" : "");
    fail_run(text);
    r.world = open_world(&r);
    model_open(&r.model, 1u << 16);
    while (r.model.living + 200 < o->population) spawn_walkers(&r, 200);
    for (; r.operation < o->count; r.operation++) operate(&r);
    walk_everyone(&r);
    printf("%s: %" PRIu64 " operations, %" PRIu32 " alive, hash %016" PRIx64 "\n", text, o->count,
           r.model.living, chg_hash_exact(r.world));
    chg_close(r.world);
    memory_check_empty(&r.memory);
    model_close(&r.model);
}

static int run_usual(void)
{
    static const run_options usual[] = {
        {.seed = 1, .count = 400000, .population = 40, .never = true},
        {.seed = 2, .count = 400000, .population = 60},
        {.seed = 3, .count = 100000, .population = 300, .never = true},
        {.seed = 4, .count = 30000, .population = 600},
        {.seed = 5, .count = 1500, .population = 9500, .never = true},
    };
    const size_t runs = sizeof usual / sizeof usual[0];
    for (size_t i = 0; i < runs; i++) {
        run_options o = usual[i];
        o.count /= SHARE;
        o.seed += SEEDS_BEFORE;
        if (chg_entity_format.index_bits <= 10 && o.population > 600) o.population = 600;
        run_one(&o);
    }
    printf("%zu passed, 0 failed\n", runs);
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: changes [--seed N] [--count OPERATIONS] [--population N] [--never]\n"
                    "without arguments: what `ninja test` runs\n");
    return 2;
}

int main(int argc, char **argv)
{
    run_options o = {.seed = 1, .count = 100000, .population = 60};
    if (argc <= 1) return run_usual();
    for (int i = 1; i < argc; i++) {
        bool valued = i + 1 < argc;
        if (valued && strcmp(argv[i], "--seed") == 0) {
            o.seed = strtoull(argv[++i], NULL, 10);
        } else if (valued && strcmp(argv[i], "--count") == 0) {
            o.count = strtoull(argv[++i], NULL, 10);
        } else if (valued && strcmp(argv[i], "--population") == 0) {
            o.population = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--never") == 0) {
            o.never = true;
        } else {
            return usage();
        }
    }
    run_one(&o);
    printf("1 passed, 0 failed\n");
    return 0;
}
