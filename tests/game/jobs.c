// Finds work for idle adults.
//
// The order is: carry off the goods of a workshop, bring planks to a building site, gather goods
// that the ledger needs. A worker claims its place so that not all workers run to one tree.
//
// Indexes find places as they were before this turn, including places that were claimed in it. Each
// place is therefore checked for claims of this turn.
#include "colony_keep_claims.h"
#include "colony_seek_work.h"
#include "errand.h"
#include "goods.h"

enum { PLACES_FIRST = 4, PLACES_MORE = 4, PLACES_MAX = 64 }; // first, factor and limit of a search
static const float WALK_TILES = 64.0f;                       // the longest walk to a job
static const float NEARBY_TILES = 16.0f;                     // first radius to search for plants

static const float HOURS_TO_GATHER = 3.0f;    // for the unskilled
static const float SKILL_SAVES_HALF = 200.0f; // at skill 100 half of the work is saved

typedef colony_seek_work_ctx context;

static const colony_goods GATHERED[] = {COLONY_GOODS_GRAIN, COLONY_GOODS_WOOD}; // food comes first
enum { GATHERED_KINDS = sizeof GATHERED / sizeof *GATHERED };

// A possible job: go to `source`, then to `destination`. `claimed` is one of the two.
typedef struct task {
    colony_job job;
    colony_goods goods;
    colony_entity source;
    colony_entity destination;
    colony_entity claimed;
} task;

// ---- places ------------------------------------------------------------------------------------

typedef enum kind { DEPOTS, WORKSHOPS, LOADS, SITES } kind; // of places, each with an index

// Returns whether a place is suitable for these goods.
typedef bool will_do(const context *ctx, colony_entity place, colony_goods goods);

// Returns the squared distance.
static float distance(const colony_position *from, const colony_position *to)
{
    float x = to->x - from->x, y = to->y - from->y;
    return x * x + y * y;
}

// Finds the k nearest places of a kind, nearest first.
static size_t nearest(const context *ctx, kind of, const colony_position *p, size_t k,
                      colony_entity *out)
{
    if (of == DEPOTS)
        return colony_depots_by_place_nearest_in(ctx->depots_by_place, p->x, p->y, k, out);
    if (of == LOADS)
        return colony_loads_by_place_nearest_in(ctx->loads_by_place, p->x, p->y, k, out);
    if (of == SITES)
        return colony_sites_by_place_nearest_in(ctx->sites_by_place, p->x, p->y, k, out);
    return colony_workshops_by_place_nearest_in(ctx->workshops_by_place, p->x, p->y, k, out);
}

// Returns the nearest suitable place within WALK_TILES, or none. Asks the index for a few places
// first, and for more only if none of them is suitable.
static colony_entity find_place(const context *ctx, const colony_position *from, kind of,
                                will_do *good, colony_goods goods)
{
    colony_entity places[PLACES_MAX];
    size_t seen = 0;
    for (size_t k = PLACES_FIRST; k <= PLACES_MAX; k *= PLACES_MORE) {
        size_t found = nearest(ctx, of, from, k, places);
        for (; seen < found; seen++) {
            const colony_position *to = colony_position_get_in(ctx->position, places[seen]);
            if (distance(from, to) > WALK_TILES * WALK_TILES) return COLONY_NONE;
            if (good(ctx, places[seen], goods)) return places[seen];
        }
        if (found < k) break; // the index has no more places
    }
    return COLONY_NONE;
}

static bool is_free(const context *ctx, colony_entity place, colony_goods goods)
{
    (void)goods;
    return !colony_taken_has_in(ctx->taken.reader, place);
}

static bool is_any(const context *ctx, colony_entity place, colony_goods goods)
{
    (void)ctx, (void)place, (void)goods;
    return true;
}

static bool has_some(const context *ctx, colony_entity place, colony_goods goods)
{
    return colony_stock_get_in(ctx->stock, place)->amount[goods] > 0;
}

static bool takes_in(const context *ctx, colony_entity place, colony_goods goods)
{
    return colony_workshop_get_in(ctx->workshop, place)->recipe.input == goods;
}

static bool lacks_planks(const context *ctx, colony_entity place, colony_goods goods)
{
    uint32_t there = colony_stock_get_in(ctx->stock, place)->amount[goods];
    return there < colony_site_get_in(ctx->site, place)->planks && is_free(ctx, place, goods);
}

// The nearest plant of a search so far.
typedef struct nearest_plant {
    colony_entity plant; // none before the first one
    float distance;
} nearest_plant;

static void meet(const context *ctx, nearest_plant *best, float far, colony_entity plant)
{
    if (!colony_is_none(best->plant) && far >= best->distance) return;
    if (is_free(ctx, plant, COLONY_GOODS_WOOD)) *best = (nearest_plant){plant, far};
}

static colony_entity find_crop(const context *ctx, const colony_position *from, float radius)
{
    nearest_plant best = {0};
    colony_ripe_crops_near_iter it =
        colony_ripe_crops_near_begin_in(ctx->ripe_crops, from->x, from->y, radius);
    while (colony_ripe_crops_near_next(&it))
        meet(ctx, &best, distance(from, it.position), it.entity);
    return best.plant;
}

static colony_entity find_tree(const context *ctx, const colony_position *from, float radius)
{
    nearest_plant best = {0};
    colony_ripe_trees_near_iter it =
        colony_ripe_trees_near_begin_in(ctx->ripe_trees, from->x, from->y, radius);
    while (colony_ripe_trees_near_next(&it))
        meet(ctx, &best, distance(from, it.position), it.entity);
    return best.plant;
}

// Returns the nearest plant with these goods within WALK_TILES, or none. If all plants are taken,
// many villagers search in vain in every tick. Iterating over a circle is then faster than asking
// for the nearest, which would search the whole map.
static colony_entity find_plant(const context *ctx, const colony_position *from, colony_goods goods)
{
    colony_entity (*find)(const context *, const colony_position *, float) =
        goods == COLONY_GOODS_WOOD ? find_tree : find_crop;
    colony_entity plant = find(ctx, from, NEARBY_TILES);
    return colony_is_none(plant) ? find(ctx, from, WALK_TILES) : plant;
}

// ---- tasks -------------------------------------------------------------------------------------

// Returns the storehouse of the hamlet that a workshop belongs to, else the nearest one.
static colony_entity storehouse_of(const context *ctx, colony_entity workshop)
{
    colony_entity own = colony_supplies_parent_in(ctx->supplies, workshop);
    if (!colony_is_none(own)) return own;
    return find_place(ctx, colony_position_get_in(ctx->position, workshop), DEPOTS, is_any,
                      COLONY_GOODS_WOOD);
}

// Finds the nearest workshop with goods to haul, and the depot to carry them to.
static bool find_haul(const context *ctx, const colony_position *from, task *found)
{
    colony_entity workshop = find_place(ctx, from, LOADS, is_free, COLONY_GOODS_WOOD);
    if (colony_is_none(workshop)) return false;
    found->job = COLONY_JOB_FETCH;
    found->goods = colony_workshop_get_in(ctx->workshop, workshop)->recipe.output;
    found->source = found->claimed = workshop;
    found->destination = storehouse_of(ctx, workshop);
    return !colony_is_none(found->destination);
}

// Finds the nearest building site that lacks planks, and a depot that has some.
static bool find_supply(const context *ctx, const colony_position *from, task *found)
{
    colony_entity site = find_place(ctx, from, SITES, lacks_planks, COLONY_GOODS_PLANKS);
    if (colony_is_none(site)) return false;
    found->job = COLONY_JOB_FETCH;
    found->goods = COLONY_GOODS_PLANKS;
    found->source = find_place(ctx, colony_position_get_in(ctx->position, site), DEPOTS, has_some,
                               found->goods);
    found->destination = found->claimed = site;
    return !colony_is_none(found->source);
}

// Finds the nearest ripe plant with `goods`, and a workshop that uses them.
static bool find_gathering(const context *ctx, const colony_position *from, colony_goods goods,
                           task *found)
{
    colony_entity plant = find_plant(ctx, from, goods);
    if (colony_is_none(plant)) return false;
    found->job = COLONY_JOB_GATHER;
    found->goods = goods;
    found->source = found->claimed = plant;
    found->destination =
        find_place(ctx, colony_position_get_in(ctx->position, plant), WORKSHOPS, takes_in, goods);
    return !colony_is_none(found->destination);
}

static bool find_task(const context *ctx, const colony_position *from, task *found)
{
    if (find_haul(ctx, from, found)) return true;
    if (find_supply(ctx, from, found)) return true;
    for (int i = 0; i < GATHERED_KINDS; i++) {
        colony_goods goods = GATHERED[i];
        if (ctx->ledger->wanted[goods] > 0 && find_gathering(ctx, from, goods, found)) return true;
    }
    return false;
}

// Reduces the wanted amount, so that other villagers do not gather the same load.
static void will_bring(colony_ledger *ledger, colony_goods goods)
{
    uint32_t *wanted = &ledger->wanted[goods];
    *wanted -= *wanted < LOAD_EXPECTED ? *wanted : LOAD_EXPECTED;
}

static void start(const context *ctx, const task *chosen, colony_entity who, colony_worker *worker,
                  colony_walker *walker)
{
    worker->goods = chosen->goods;
    worker->source = chosen->source;
    worker->destination = chosen->destination;
    worker->claimed = chosen->claimed;
    worker->hours_left =
        HOURS_TO_GATHER * (1.0f - (float)worker->skill[chosen->goods] / SKILL_SAVES_HALF);
    if (chosen->job == COLONY_JOB_GATHER) will_bring(ctx->ledger, chosen->goods);
    colony_claim *claim = colony_claim_edit_in(ctx->claim, chosen->claimed);
    if (claim != NULL) {
        claim->by = who;
        colony_taken_set_in(ctx->taken, chosen->claimed);
    }
    errand_go(worker, walker, chosen->job, colony_position_get_in(ctx->position, chosen->source));
}

// A claim ends if its holder died or no longer names the place in `claimed`.
void colony_keep_claims(const colony_keep_claims_ctx *ctx, uint32_t count,
                        const colony_claim *restrict claim)
{
    for (uint32_t i = 0; i < count; i++) {
        const colony_worker *holder = colony_worker_get_in(ctx->worker, claim[i].by);
        bool holds = holder != NULL && colony_same(holder->claimed, ctx->entities[i]);
        colony_keep_claims_taken_put(ctx, i, holds);
    }
}

void colony_seek_work(const colony_seek_work_ctx *ctx, uint32_t count,
                      const colony_position *position, colony_worker *worker,
                      colony_walker *restrict walker)
{
    for (uint32_t i = 0; i < count; i++) {
        task chosen = {0};
        if (worker[i].job != COLONY_JOB_IDLE || !find_task(ctx, &position[i], &chosen)) continue;
        start(ctx, &chosen, ctx->entities[i], &worker[i], &walker[i]);
    }
}
