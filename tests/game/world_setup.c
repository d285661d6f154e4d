// The first day: rivers, hamlets, the roads between them, forest and founders.
//
// Each hamlet has its own shape, with a storehouse in the middle and fields on one side. Each
// building and plant gets a tile of its own, and nothing touches a building. Trees grow in groves.
#include "world_setup.h"

#include "colony_goods.h"
#include "land_setup.h"
#include "newcomer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    VILLAGERS_A_HAMLET = 40, // at most, on the first day
    VILLAGERS_A_HOUSE = 4,   // of five beds: room for the first children
    FIELDS_FOR_TWO = 3,      // more than two villagers eat, so that the colony can grow
    BREAD_A_VILLAGER = 8,
    BAKERIES = sizeof((colony_hamlet *)0)->bakery / sizeof(colony_bakery),
    PLACES_COMPARED = 24, // for a hamlet
    OPEN_TILES = 8,       // around a storehouse if possible, and to the ends of its street
    FOUNDERS_TILES = 3,   // farthest from the storehouse along each axis
    TILES_A_TREE = 16,
    TREES_A_GROVE = 12,
    GROVE_TILES = 4, // from the middle of a grove to its edge
    FOUNDER_SKILL_MAX = 50,
    TURNS = 16,  // of a direction in a circle
    UNIT = 1024, // the length of a direction
};
static const float OLDEST_FOUNDER_DAYS = 38.0f;

typedef enum shape { STREET, GREEN, CLUSTER, SHAPES } shape;

typedef struct hamlet {
    point middle;
    uint32_t villagers;
    shape shape;
    int spread;   // of the houses, in tiles
    point fields; // the direction to them
} hamlet;

// ---- ground ------------------------------------------------------------------------------------

// Spawns patches of grass that cover the map.
static bool lay_patches(colony_world *world)
{
    size_t patches = ground_patches(colony_ground_get(world));
    return colony_patch_spawn_many(world, patches, NULL, NULL) == patches;
}

static bool lay_out(setup *s, const options *wanted)
{
    colony_ground *size = colony_ground_edit(s->world);
    size->width = (uint16_t)wanted->width;
    size->height = (uint16_t)wanted->height;
    if (!lay_patches(s->world)) return false;
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(s->world);
    if (!colony_patches_underfoot_next(&it)) return false;
    s->soil = it.soil;
    s->map = (ground){size->width, size->height, it.soil};
    s->taken = (bool *)calloc((size_t)size->width * size->height, sizeof *s->taken);
    return s->taken != NULL;
}

// Takes a free tile near a place, which it searches for in growing squares. There always is one,
// because the command line limits the number of villagers to what the map has room for.
static colony_position take_tile(setup *s, point near)
{
    int farthest = s->map.width + s->map.height;
    for (int ring = 0; ring < farthest; ring++) {
        for (int dy = -ring; dy <= ring; dy++) {
            bool whole_row = ring == 0 || dy == -ring || dy == ring;
            for (int dx = -ring; dx <= ring; dx += whole_row ? 1 : 2 * ring) {
                point at = {near.x + dx, near.y + dy};
                if (land_take(s, at)) return (colony_position){(float)at.x, (float)at.y};
            }
        }
    }
    return (colony_position){0};
}

// Takes a tile for a building, and the tiles around it so that nothing touches the building.
static colony_position take_yard(setup *s, point near)
{
    colony_position taken = take_tile(s, near);
    for (int i = 0; i < 9; i++) {
        land_take(s, (point){(int)taken.x + i % 3 - 1, (int)taken.y + i / 3 - 1});
    }
    return taken;
}

// Returns a random place on the map.
static point anywhere(setup *s)
{
    int x = weft_rng_range(s->dice, 0, s->map.width - 1);
    return (point){x, weft_rng_range(s->dice, 0, s->map.height - 1)};
}

// ---- hamlets -----------------------------------------------------------------------------------

// Turns a direction by 22.6 degrees some times. Sine and cosine of this angle are fractions.
static point turn(point way, int times)
{
    while (times-- > 0) way = (point){(12 * way.x - 5 * way.y) / 13, (5 * way.x + 12 * way.y) / 13};
    return way;
}

// Returns the place so many tiles from the middle of a hamlet in a direction, and to its side.
static point away(const hamlet *here, point way, int ahead, int aside)
{
    return (point){here->middle.x + (way.x * ahead - way.y * aside) / UNIT,
                   here->middle.y + (way.y * ahead + way.x * aside) / UNIT};
}

// Returns where building `i` should stand: along a street, around a green, or anywhere near.
static point building_place(setup *s, const hamlet *here, int i)
{
    int radius = 4 + here->spread, along = (i / 4 * 2 + 1) * here->spread / 2;
    if (here->shape == CLUSTER) return land_around(s, here->middle, radius);
    if (here->shape == GREEN) return away(here, turn(here->fields, i), radius, 0);
    return away(here, here->fields, i % 2 ? 2 : -2, i % 4 < 2 ? along : -along);
}

static bool build_workshops(setup *s, const hamlet *here)
{
    colony_hamlet centre = colony_hamlet_defaults();
    centre.position = take_yard(s, here->middle);
    centre.stock.amount[COLONY_GOODS_BREAD] = BREAD_A_VILLAGER * here->villagers;
    for (int i = 0; i < BAKERIES; i++) {
        centre.bakery[i].position = take_yard(s, building_place(s, here, i));
    }
    centre.sawmill.position = take_yard(s, building_place(s, here, BAKERIES));
    return !colony_is_none(colony_hamlet_spawn(s->world, &centre));
}

static bool build_houses(setup *s, const hamlet *here)
{
    int houses = (int)(here->villagers + VILLAGERS_A_HOUSE - 1) / VILLAGERS_A_HOUSE;
    for (int i = 0; i < houses; i++) {
        colony_house house = colony_house_defaults();
        house.position = take_yard(s, building_place(s, here, BAKERIES + 1 + i));
        if (colony_is_none(colony_house_spawn(s->world, &house))) return false;
    }
    return true;
}

// Spawns many fields at once and fills their rows in place. The rows are not initialised, so all
// columns are written. The fields lie in plots of different sizes.
static bool sow_fields(setup *s, const hamlet *here)
{
    size_t fields = (here->villagers * FIELDS_FOR_TWO + 1) / 2;
    colony_field one = colony_field_defaults();
    colony_field_rows rows = colony_field_spawn_rows(s->world, fields);
    point plot = here->middle;
    for (int i = 0, width = 1, left = 0; i < (int)rows.count; i++, left--) {
        if (left == 0) {
            int ahead = weft_rng_range(s->dice, 8, 13), aside = weft_rng_range(s->dice, -8, 8);
            plot = away(here, here->fields, ahead, aside);
            width = weft_rng_range(s->dice, 3, 6);
            left = width * weft_rng_range(s->dice, 3, 6);
        }
        rows.position[i] = take_tile(s, (point){plot.x + left % width, plot.y + left / width});
        rows.drawn[i] = one.drawn;
        rows.plant[i] = one.plant;
        rows.claim[i] = one.claim;
    }
    return rows.count == fields;
}

static colony_villager founder(setup *s, const hamlet *here)
{
    point at = land_around(s, here->middle, FOUNDERS_TILES);
    colony_villager founder = newcomer_at((colony_position){(float)at.x, (float)at.y}, s->dice);
    for (int tries = 1; tries < NAMES_TRIED; tries++) {
        if (colony_is_none(colony_by_name_find(s->world, founder.person.name))) break;
        newcomer_rename(&founder, s->dice);
    }
    founder.person.age = dice_between(s->dice, GROWN_UP_DAYS, OLDEST_FOUNDER_DAYS);
    for (colony_goods g = 0; g < COLONY_GOODS_COUNT; g++) {
        founder.worker.skill[g] = (uint8_t)weft_rng_below(s->dice, FOUNDER_SKILL_MAX);
    }
    return founder;
}

static bool welcome_founders(setup *s, const hamlet *here)
{
    for (uint32_t i = 0; i < here->villagers; i++) {
        colony_villager one = founder(s, here);
        if (colony_is_none(colony_villager_spawn(s->world, &one))) return false;
    }
    return true;
}

// ---- where hamlets are -------------------------------------------------------------------------

// Returns whether there is neither water nor the edge of the map near a place.
static bool is_open(setup *s, point at)
{
    for (int y = at.y - OPEN_TILES; y <= at.y + OPEN_TILES; y++) {
        for (int x = at.x - OPEN_TILES; x <= at.x + OPEN_TILES; x++) {
            if (!land_is_free(s, (point){x, y})) return false;
        }
    }
    return true;
}

// Returns the hamlet before `end` that is nearest to a place, and the square of its distance.
static const hamlet *nearest(const hamlet *all, const hamlet *end, point to, int *square)
{
    const hamlet *best = NULL;
    *square = INT_MAX;
    for (const hamlet *one = all; one < end; one++) {
        int x = one->middle.x - to.x, y = one->middle.y - to.y;
        if (x * x + y * y >= *square) continue;
        *square = x * x + y * y;
        best = one;
    }
    return best;
}

// Chooses the random place with most room to the hamlets before and to the edges of the map.
static point choose_place(setup *s, const hamlet *all, const hamlet *here)
{
    point best = {0};
    for (int i = 0, most = -1; i < PLACES_COMPARED; i++) {
        point at = anywhere(s);
        int x = at.x < s->map.width / 2 ? at.x : s->map.width - at.x;
        int y = at.y < s->map.height / 2 ? at.y : s->map.height - at.y, room;
        nearest(all, here, at, &room);
        if (4 * x * y < room) room = 4 * x * y;
        if (!is_open(s, at)) room /= 16;
        if (room <= most) continue;
        most = room;
        best = at;
    }
    return best;
}

static void plan_hamlets(setup *s, uint32_t villagers, hamlet *all, uint32_t hamlets)
{
    for (uint32_t i = 0; i < hamlets; i++) {
        all[i].middle = choose_place(s, all, &all[i]);
        all[i].villagers = villagers * (i + 1) / hamlets - villagers * i / hamlets;
        all[i].shape = (shape)weft_rng_below(s->dice, SHAPES);
        all[i].spread = weft_rng_range(s->dice, 2, 3);
        all[i].fields = turn((point){UNIT, 0}, weft_rng_range(s->dice, 0, TURNS - 1));
    }
}

// Lays the street of a hamlet, and a road to the nearest hamlet before it.
static void lay_roads(setup *s, const hamlet *all, const hamlet *here)
{
    int square;
    const hamlet *other = nearest(all, here, here->middle, &square);
    if (other != NULL) land_lay_road(s, here->middle, other->middle);
    for (int end = -OPEN_TILES; here->shape == STREET && end <= OPEN_TILES; end += 2 * OPEN_TILES) {
        land_lay_road(s, here->middle, away(here, here->fields, 0, end));
    }
}

// Divides the people evenly among hamlets.
static bool found_hamlets(setup *s, uint32_t villagers)
{
    uint32_t hamlets = (villagers + VILLAGERS_A_HAMLET - 1) / VILLAGERS_A_HAMLET;
    hamlet *all = (hamlet *)calloc(hamlets, sizeof *all);
    if (all == NULL) return false;
    plan_hamlets(s, villagers, all, hamlets);
    for (uint32_t i = 0; i < hamlets; i++) lay_roads(s, all, &all[i]);
    bool done = true;
    for (const hamlet *here = all; done && here < all + hamlets; here++) {
        done = build_workshops(s, here) && build_houses(s, here) && sow_fields(s, here) &&
               welcome_founders(s, here);
    }
    free(all);
    return done;
}

// ---- plants ------------------------------------------------------------------------------------

static bool plant_trees(setup *s)
{
    int trees = s->map.width * s->map.height / TILES_A_TREE;
    point grove = {0};
    for (int i = 0; i < trees; i++) {
        if (i % TREES_A_GROVE == 0) grove = anywhere(s);
        colony_tree tree = colony_tree_defaults();
        tree.position = take_tile(s, land_around(s, grove, GROVE_TILES));
        if (colony_is_none(colony_tree_spawn(s->world, &tree))) return false;
    }
    return true;
}

// Some plants are ripe on the first day, some have just sprouted.
static void scatter_ages(setup *s)
{
    colony_plants_iter it = colony_plants_begin(s->world);
    while (colony_plants_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            it.plant[i].hours_grown = dice_between(s->dice, 0, 1.5f * it.plant[i].hours_to_ripen);
        }
    }
}

static bool make_first_day(setup *s, const options *wanted)
{
    if (!lay_out(s, wanted)) return false;
    land_dig_rivers(s);
    if (!found_hamlets(s, (uint32_t)wanted->villagers) || !plant_trees(s)) return false;
    scatter_ages(s);
    // With a step of 0 no time passes, but ripe plants get their tag and the ledger is written.
    return colony_run_sense(s->world, 0) == WEFT_OK && colony_run_record(s->world, 0) == WEFT_OK;
}

bool world_setup(colony_world *world, const options *wanted)
{
    setup s = {.world = world, .dice = &colony_chance_edit(world)->luck};
    bool made = make_first_day(&s, wanted);
    free(s.taken);
    return made;
}

// ---- saves of release 1 ------------------------------------------------------------------------

// Copies the ground of a save of release 1, which is in two arrays row by row, into patches.
static void fill_patches(colony_world *world)
{
    colony_ground *first = colony_ground_edit(world);
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(world);
    int width = first->width, tiles = width * first->height;
    if (tiles > (int)sizeof first->first_wear || !colony_patches_underfoot_next(&it)) return;
    for (int tile = 0; tile < tiles; tile++) {
        int x = tile % width, y = tile / width;
        colony_soil *soil = &it.soil[ground_patch(width, x, y)];
        soil->terrain[ground_element(x, y)] = first->first_terrain[tile];
        soil->wear[ground_element(x, y)] = first->first_wear[tile];
    }
    memset(first->first_terrain, 0, sizeof first->first_terrain);
    memset(first->first_wear, 0, sizeof first->first_wear);
}

bool world_mend(colony_world *world)
{
    if (colony_patches_count(world) != 0) return true;
    if (!lay_patches(world)) return false;
    fill_patches(world);
    return true;
}

bool world_load(colony_world *world, const char *path)
{
    return colony_load(world, path) == WEFT_OK && world_mend(world);
}
