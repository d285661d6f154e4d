// Each value owns a resource: a number in memory of its own. on_add makes it, on_replace remakes it
// and on_remove releases it. on_add writes one of them, the deed, into the value. Under random
// operations of all kinds each value owns exactly its resource, whole trees are despawned at a
// time, and nothing is left in the end, for any number of workers.
//
// program: moving plain
// flags: hot
#include "../../fuzz/dice.h"
#include "estate.h"
#include "fail.h"
#include "memory.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OWNERS 5u // components with hooks: house, meadow, jewel, crown and the tag
#define INDICES 4096u
#define INDEX(e) ((e).bits % INDICES)
#define LIVE_MAX 250u
#define KEPT 64u
#ifdef WEFT_HARD // where each change moves the whole world
#define SEEDS 1u
#define OPERATIONS 800u
#else
#define SEEDS 5u
#define OPERATIONS 3000u
#endif

typedef struct resource {
    uint32_t number; // of the value, as it came
    uint32_t deed;   // which the hook wrote, or a value that replaced that one has
} resource;

typedef struct estate {
    estate_world *w;
    memory memory;
    dice dice;
    resource *owned[OWNERS][INDICES]; // by index of the entity
    uint32_t deeds;                   // that were made
    size_t count[OWNERS];
    estate_entity ending[INDICES]; // told of by on_despawn since `ended` was set to 0
    uint32_t ended;
    bool despawning; // a direct despawn: nothing else ends
    bool quiet;      // hooks record nothing
    uint64_t replaced;
    uint64_t calls; // of hooks, as a sum of what they were told
    estate_entity kept[KEPT];
    uint32_t spawned;
    void *save;
    size_t save_bytes;
} estate;

// ------------------------------------------------------------------------------------------------
// Hooks

static resource *copy_of(resource r)
{
    resource *copy = (resource *)malloc(sizeof *copy);
    if (!copy) fail("no memory to test with");
    *copy = r;
    return copy;
}

// Now and then a hook sets off others.
static void react(estate *x, const estate_hook_ctx *ctx, estate_entity e, uint32_t number)
{
    x->calls = x->calls * 31 + e.bits * 7 + number;
    if (x->quiet || number % 8 != 1) return;
    if (number % 3 == 0) estate_cmd_jewel_set(ctx->cmd, e, (estate_jewel){.number = number + 1});
    if (number % 3 == 1) estate_cmd_house_set(ctx->cmd, e, (estate_house){.number = number + 2});
    if (number % 3 == 2) estate_cmd_meadow_remove(ctx->cmd, e);
}

// Returns the number that the world has, as a hook sees it.
static uint32_t number_of(const estate_world *w, estate_entity e, uint32_t owner)
{
    switch (owner) {
    case 0:
        return estate_house_get(w, e)->number;
    case 1:
        return *estate_meadow_get(w, e).number;
    case 2:
        return estate_jewel_get(w, e)->number;
    case 3:
        return estate_crown_get(w, e)->number;
    default:
        return 0;
    }
}

// Returns the deed of what it makes.
static uint32_t make(const estate_hook_ctx *ctx, estate_entity e, uint32_t owner, uint32_t number)
{
    estate *x = (estate *)ctx->user;
    resource **owned = &x->owned[owner][INDEX(e)];
    if (*owned) fail("%u of %u is made twice", owner, e.bits);
    if (number_of(ctx->world, e, owner) != number) fail("the world has another number");
    *owned = copy_of((resource){number, ++x->deeds});
    x->count[owner]++;
    react(x, ctx, e, number);
    return (*owned)->deed;
}

static bool is_of(const resource *owned, resource r)
{
    return owned && owned->number == r.number && owned->deed == r.deed;
}

static void give_back(const estate_hook_ctx *ctx, estate_entity e, uint32_t owner, resource r)
{
    estate *x = (estate *)ctx->user;
    resource **owned = &x->owned[owner][INDEX(e)];
    uint32_t number = r.number;
    if (!is_of(*owned, r)) fail("%u of %u is not its resource", owner, e.bits);
    if (number_of(ctx->world, e, owner) != number) fail("the world has another number");
    free(*owned);
    *owned = NULL;
    x->count[owner]--;
    react(x, ctx, e, number);
}

static void make_anew(const estate_hook_ctx *ctx, estate_entity e, uint32_t owner, resource before,
                      resource now)
{
    estate *x = (estate *)ctx->user;
    bool quiet = x->quiet;
    x->quiet = true; // reacts once
    give_back(ctx, e, owner, before);
    x->quiet = quiet;
    x->owned[owner][INDEX(e)] = copy_of(now);
    x->count[owner]++;
    x->replaced++;
    react(x, ctx, e, now.number);
}

#define OWNER(name, owner)                                                                         \
    void estate_##name##_on_add(const estate_hook_ctx *ctx, estate_entity e, estate_##name *value) \
    {                                                                                              \
        value->deed = make(ctx, e, owner, value->number);                                          \
    }                                                                                              \
    void estate_##name##_on_replace(const estate_hook_ctx *ctx, estate_entity e,                   \
                                    const estate_##name *old_value,                                \
                                    const estate_##name *new_value)                                \
    {                                                                                              \
        resource before = {old_value->number, old_value->deed};                                    \
        make_anew(ctx, e, owner, before, (resource){new_value->number, new_value->deed});          \
    }                                                                                              \
    void estate_##name##_on_remove(const estate_hook_ctx *ctx, estate_entity e,                    \
                                   const estate_##name *value)                                     \
    {                                                                                              \
        give_back(ctx, e, owner, (resource){value->number, value->deed});                          \
    }

OWNER(house, 0)
OWNER(meadow, 1)
OWNER(jewel, 2)
OWNER(crown, 3)

void estate_leased_on_add(const estate_hook_ctx *ctx, estate_entity e)
{
    estate *x = (estate *)ctx->user;
    (void)make(ctx, e, 4, 0);
    x->owned[4][INDEX(e)]->deed = 0; // a tag has no value to keep it
}

void estate_leased_on_remove(const estate_hook_ctx *ctx, estate_entity e)
{
    give_back(ctx, e, 4, (resource){0, 0});
}

// All that a direct despawn ends is there until the last of it is told of, and nothing twice.
void estate_on_despawn(const estate_hook_ctx *ctx, estate_entity e)
{
    estate *x = (estate *)ctx->user;
    const estate_world *w = ctx->world;
    estate_entity parent = estate_belongs_to_parent(w, e);
    if (!estate_alive(w, e)) fail("%u has ended already", e.bits);
    if (!estate_is_none(parent)) {
        bool among = false;
        estate_entity child = estate_belongs_to_first_child(w, parent);
        for (; !estate_is_none(child); child = estate_belongs_to_next_sibling(w, child)) {
            among |= estate_same(child, e);
        }
        if (!among) fail("%u is no child of its parent any more", e.bits);
    }
    x->calls = x->calls * 31 + e.bits;
    if (!x->despawning) return;
    for (uint32_t i = 0; i < x->ended; i++) {
        if (estate_same(x->ending[i], e)) fail("%u ends twice", e.bits);
        if (!estate_alive(w, x->ending[i])) fail("%u is gone too early", x->ending[i].bits);
    }
    x->ending[x->ended++] = e;
}

// ------------------------------------------------------------------------------------------------
// Systems, whose commands depend on what they see alone

static void record_chore(estate_cmd *cmd, estate_entity e, uint32_t n)
{
    estate_manor manor = estate_manor_defaults();
    manor.jewel.number = n;
    switch (n % 9) {
    case 0:
        estate_cmd_house_set(cmd, e, (estate_house){.number = n});
        estate_cmd_house_set(cmd, e, (estate_house){.number = n + 5});
        break;
    case 1:
        estate_cmd_manor_set(cmd, e, &manor);
        break;
    case 2:
        estate_cmd_jewel_set(cmd, e, (estate_jewel){.number = n});
        break;
    case 3:
        estate_cmd_meadow_remove(cmd, e);
        estate_cmd_meadow_set(cmd, e, (estate_meadow){.number = n});
        break;
    case 4:
        estate_cmd_crown_set(cmd, e, (estate_crown){.number = n});
        break;
    case 5:
        estate_cmd_despawn(cmd, e);
        break;
    default:
        break;
    }
    estate_cmd_chores_set(cmd, e, (estate_chores){n * 5 + 1});
}

void estate_keep_house(const estate_keep_house_ctx *ctx, uint32_t count,
                       const estate_chores *WEFT_RESTRICT chores)
{
    for (uint32_t i = 0; i < count; i++) record_chore(ctx->cmd, ctx->entities[i], chores[i].n);
}

void estate_lease(const estate_lease_ctx *ctx, uint32_t count,
                  const estate_chores *WEFT_RESTRICT chores)
{
    for (uint32_t i = 0; i < count; i++) {
        estate_lease_leased_put(ctx, i, chores[i].n % 3 != 0);
        if (chores[i].n % 11 == 0) estate_cmd_hut_spawn(ctx->cmd, NULL);
    }
}

// ------------------------------------------------------------------------------------------------
// Comparing what is owned with what there is

static void check_one(const estate *x, estate_entity e, uint32_t owner, uint32_t number,
                      uint32_t deed)
{
    if (!is_of(x->owned[owner][INDEX(e)], (resource){number, deed})) {
        fail("%u of %u has not its resource", owner, e.bits);
    }
}

static void check(const estate *x)
{
    size_t rows[OWNERS] = {0};
    estate_houses_iter houses = estate_houses_begin(x->w);
    while (estate_houses_next(&houses)) {
        for (uint32_t i = 0; i < houses.count; i++, rows[0]++) {
            check_one(x, houses.entities[i], 0, houses.house[i].number, houses.house[i].deed);
        }
    }
    estate_meadows_iter meadows = estate_meadows_begin(x->w);
    while (estate_meadows_next(&meadows)) {
        for (uint32_t i = 0; i < meadows.count; i++, rows[1]++) {
            check_one(x, meadows.entities[i], 1, meadows.meadow.number[i], meadows.meadow.deed[i]);
        }
    }
    estate_jewels_iter jewels = estate_jewels_begin(x->w);
    while (estate_jewels_next(&jewels)) {
        for (uint32_t i = 0; i < jewels.count; i++, rows[2]++) {
            check_one(x, jewels.entities[i], 2, jewels.jewel[i]->number, jewels.jewel[i]->deed);
        }
    }
    estate_crowns_iter crowns = estate_crowns_begin(x->w);
    while (estate_crowns_next(&crowns)) {
        for (uint32_t i = 0; i < crowns.count; i++, rows[3]++) {
            check_one(x, crowns.entities[i], 3, crowns.crown[i].number, crowns.crown[i].deed);
        }
    }
    rows[4] = estate_tenants_count(x->w);
    for (uint32_t i = 0; i < OWNERS; i++) {
        if (rows[i] != x->count[i]) {
            fail("%zu own a resource of %u, and there are %zu", x->count[i], i, rows[i]);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Operations

static uint32_t number(estate *x)
{
    return dice_below(&x->dice, 10000);
}

static estate_entity anybody(estate *x)
{
    estate_entity e = {0};
    for (int i = 0; i < 8 && !estate_alive(x->w, e); i++) e = x->kept[dice_below(&x->dice, KEPT)];
    return e;
}

static void remember(estate *x, estate_entity e)
{
    if (!estate_is_none(e)) x->kept[x->spawned++ % KEPT] = e;
}

static estate_manor any_manor(estate *x)
{
    estate_manor manor = estate_manor_defaults();
    manor.house.number = number(x);
    manor.meadow.number = number(x);
    manor.jewel.number = number(x);
    return manor;
}

static void spawn(estate *x)
{
    estate_manor manor = any_manor(x);
    estate_entity out[3];
    if (estate_stats(x->w).entities > LIVE_MAX) return;
    switch (dice_below(&x->dice, 5)) {
    case 0:
        remember(x, estate_manor_spawn(x->w, NULL));
        break;
    case 1:
        if (estate_manor_spawn_many(x->w, 3, &manor, out) != 0) remember(x, out[1]);
        break;
    case 2:
        remember(x, estate_hut_spawn(x->w, &(estate_hut){.chores = {number(x)}}));
        break;
    case 3: // the caller fills in what hooks are not told of, but not the numbers
        estate_manor_spawn_rows(x->w, 2);
        break;
    default:
        remember(x, estate_manor_spawn(x->w, &manor));
        break;
    }
}

static void set(estate *x, estate_entity e)
{
    estate_manor manor = any_manor(x);
    estate_crown crown = {.number = number(x)};
    weft_world *base = estate_world_base(x->w);
    char text[160];
    switch (dice_below(&x->dice, 9)) {
    case 0:
        estate_house_set(x->w, e, manor.house);
        break;
    case 1:
        estate_meadow_set(x->w, e, manor.meadow);
        break;
    case 2:
        estate_jewel_set(x->w, e, manor.jewel);
        break;
    case 3:
        estate_crown_set(x->w, e, crown);
        break;
    case 4:
        estate_leased_set(x->w, e);
        break;
    case 5:
        estate_manor_set(x->w, e, &manor);
        break;
    case 6:
        weft_component_set_by_name(base, e.bits, "meadow", &manor.meadow, sizeof manor.meadow);
        break;
    case 7:
        weft_component_add_by_name(base, e.bits, "crown");
        break;
    default:
        snprintf(text, sizeof text,
                 "{\"components\": {\"house\": {\"number\": %u}, \"meadow\": {\"area\": 2}, "
                 "\"jewel\": {\"number\": %u}, \"leased\": true}}",
                 (unsigned)number(x), (unsigned)number(x));
        weft_json_entity_read(base, e.bits, text, strlen(text));
        break;
    }
}

static void take(estate *x, estate_entity e)
{
    switch (dice_below(&x->dice, 7)) {
    case 0:
        estate_house_remove(x->w, e);
        break;
    case 1:
        estate_meadow_remove(x->w, e);
        break;
    case 2:
        estate_jewel_remove(x->w, e);
        break;
    case 3:
        estate_crown_remove(x->w, e);
        break;
    case 4:
        estate_leased_remove(x->w, e);
        break;
    case 5:
        if (dice_once_in(&x->dice, 8)) estate_leased_clear(x->w);
        break;
    default:
        weft_component_remove_by_name(estate_world_base(x->w), e.bits, "jewel");
        break;
    }
}

static void record(estate *x, estate_entity e)
{
    estate_cmd *cmd = estate_commands(x->w);
    estate_manor manor = any_manor(x);
    estate_entity other = anybody(x);
    bool full = estate_stats(x->w).entities > LIVE_MAX;
    switch (dice_below(&x->dice, full ? 9 : 11)) {
    case 0:
        estate_cmd_despawn(cmd, e);
        break;
    case 1:
        estate_cmd_belongs_to_attach(cmd, e, other);
        break;
    case 2:
        estate_cmd_stands_on_append(cmd, e, other);
        break;
    case 3:
        estate_cmd_jewel_remove(cmd, e);
        break;
    case 4:
        estate_cmd_manor_set(cmd, e, &manor);
        break;
    case 5:
        if (dice_once_in(&x->dice, 8)) estate_cmd_leased_clear(cmd);
        break;
    case 9:
        e = estate_cmd_manor_spawn(cmd, &manor);
        if (dice_once_in(&x->dice, 3)) estate_cmd_despawn(cmd, e);
        estate_cmd_stands_on_attach(cmd, e, other);
        break;
    case 10:
        estate_cmd_manor_spawn_many(cmd, 2, &manor);
        break;
    default:
        record_chore(cmd, e, number(x));
        break;
    }
}

static void link_up(estate *x, estate_entity e)
{
    estate_entity other = anybody(x);
    switch (dice_below(&x->dice, 5)) {
    case 0:
        estate_belongs_to_append(x->w, e, other);
        break;
    case 1:
        estate_stands_on_attach(x->w, e, other);
        break;
    case 2:
        estate_near_attach(x->w, e, other);
        break;
    case 3:
        estate_stands_on_detach(x->w, e);
        break;
    default:
        estate_belongs_to_attach(x->w, e, other);
        break;
    }
}

// All that is told of ends, and nothing else.
static void despawn(estate *x, estate_entity e)
{
    uint32_t before = estate_stats(x->w).entities;
    x->ended = 0;
    x->despawning = true;
    estate_despawn(x->w, e);
    x->despawning = false;
    if (estate_stats(x->w).entities + x->ended != before) fail("not all that ended was told of");
    for (uint32_t i = 0; i < x->ended; i++) {
        if (estate_alive(x->w, x->ending[i])) fail("%u was told of in vain", x->ending[i].bits);
    }
}

static void forget_save(estate *x)
{
    weft_memory hooks = memory_hooks(&x->memory);
    if (x->save) hooks.free_(hooks.user, x->save, x->save_bytes);
    x->save = NULL;
}

static void save_or_load(estate *x)
{
    if (dice_once_in(&x->dice, 2) && x->save) {
        estate_load_memory(x->w, x->save, x->save_bytes);
        return;
    }
    forget_save(x);
    if (estate_save_memory(x->w, &x->save, &x->save_bytes) != WEFT_OK) x->save = NULL;
}

static void operate(estate *x)
{
    estate_entity e = anybody(x);
    uint32_t chance = dice_below(&x->dice, 100);
    if (chance < 12) {
        spawn(x);
    } else if (chance < 35) {
        set(x, e);
    } else if (chance < 42) {
        take(x, e);
    } else if (chance < 56) {
        link_up(x, e);
    } else if (chance < 59) {
        despawn(x, e);
    } else if (chance < 90) {
        record(x, e);
    } else if (chance < 94) {
        estate_flush(x->w);
    } else if (chance < 98) {
        estate_tick(x->w, 1);
    } else {
        save_or_load(x);
    }
}

// ------------------------------------------------------------------------------------------------
// Runs

static estate *begin(uint64_t seed, uint32_t workers)
{
    estate *x = (estate *)calloc(1, sizeof *x);
    if (!x) fail("no memory to test with");
    x->dice.state = seed;
    weft_options options = memory_options(&x->memory);
    options.user = x;
    options.workers = workers;
    x->w = estate_open(&options);
    if (!x->w) fail("the estate does not open");
    return x;
}

static void end(estate *x)
{
    x->quiet = true;
    forget_save(x);
    estate_close(x->w);
    for (uint32_t i = 0; i < OWNERS; i++) {
        if (x->count[i] != 0) fail("%zu resources of %u are left", x->count[i], i);
    }
    memory_check_empty(&x->memory);
    free(x);
}

static uint64_t run_one(uint64_t seed, uint32_t workers, uint32_t operations, uint64_t *replaced)
{
    estate *x = begin(seed, workers);
    for (uint32_t i = 0; i < operations; i++) {
        fail_operation(i, "any operation");
        operate(x);
        if (i % 16 == 0) check(x);
    }
    check(x);
    uint64_t sum = x->calls ^ estate_hash_exact(x->w);
    *replaced += x->replaced;
    end(x);
    return sum;
}

static void seed_B5_each_value_has_its_resource_until_it_goes(void)
{
    uint64_t replaced = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) run_one(seed, 0, OPERATIONS, &replaced);
    if (replaced < SEEDS * OPERATIONS / 10) fail("hardly a value is replaced");
}

static void any_number_of_workers_tells_hooks_alike(void)
{
    uint64_t replaced = 0;
    for (uint64_t seed = 100; seed < 100 + (SEEDS + 3) / 4; seed++) {
        uint64_t alone = run_one(seed, 0, OPERATIONS / 2, &replaced);
        for (uint32_t workers = 1; workers <= 4; workers++) {
            if (run_one(seed, workers, OPERATIONS / 2, &replaced) != alone)
                fail("%u workers differ", workers);
        }
    }
}

static void without_memory_resources_are_as_the_world_is(void)
{
    uint64_t failures = 0;
    for (uint64_t seed = 200; seed < 200 + SEEDS; seed++) {
        estate *x = begin(seed, 0);
        for (uint32_t i = 0; i < OPERATIONS / 4; i++) {
            fail_operation(i, "something without memory");
            memory_arm(&x->memory, dice_below(&x->dice, 4), dice_once_in(&x->dice, 2));
            operate(x);
            failures += memory_disarm(&x->memory);
            check(x);
        }
        end(x);
    }
    if (failures < SEEDS * 40) fail("memory hardly ever fails");
}

int main(void)
{
    fail_run("test_owners");
    seed_B5_each_value_has_its_resource_until_it_goes();
    any_number_of_workers_tells_hooks_alike();
    without_memory_resources_are_as_the_world_is();
    printf("3 passed, 0 failed\n");
    return 0;
}
