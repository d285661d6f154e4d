// The first day: rivers, hamlets, roads between them, forest and founders.
//
// The people live in hamlets, each with its own shape, a storehouse in the middle and fields on one
// side. Each building and plant gets a tile of its own, and buildings have free tiles around them.
// Trees grow in groves.
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
    HAMLET_TILES = 12, // from the storehouse to the last house of a street
    DRY_TILES = 8,     // there is no water so near to a storehouse if possible
    PLACES_TRIED = 12, // for a hamlet
    STREET_SIDE_TILES = 2,
    GREEN_TILES = 4,    // from the storehouse to a ring of houses, at least
    FOUNDERS_TILES = 3, // farthest from the storehouse along each axis
    TILES_A_TREE = 16,
    TREES_A_GROVE = 12,
    GROVE_TILES = 4, // from the middle of a grove to its edge
    FOUNDER_SKILL_MAX = 50,
    TURNS = 16,  // of a circle, almost
    UNIT = 1024, // the length of a direction
};
static const float OLDEST_FOUNDER_DAYS = 38.0f;

typedef enum shape { STREET, RING, CLUSTER, SHAPES } shape;

typedef struct hamlet {
    place middle;
    uint32_t villagers;
    shape shape;
    int spread;  // tiles between houses, or added to the radius
    place fields; // the direction to the fields
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
    s->cost = (uint32_t *)calloc((size_t)size->width * size->height, sizeof *s->cost);
    return s->taken != NULL && s->cost != NULL;
}

static bool take_if_free(setup *s, int x, int y)
{
    if (!ground_contains(&s->map, x, y) || *setup_taken(s, x, y)) return false;
    return *setup_taken(s, x, y) = true;
}

// Takes a free place near this one, which it searches for in growing squares. There always is one,
// because the command line limits the number of villagers to what the map has room for.
static colony_position take_tile(setup *s, place near)
{
    int farthest = s->map.width + s->map.height;
    for (int ring = 0; ring < farthest; ring++) {
        for (int dy = -ring; dy <= ring; dy++) {
            bool whole_row = ring == 0 || dy == -ring || dy == ring;
            for (int dx = -ring; dx <= ring; dx += whole_row ? 1 : 2 * ring) {
                if (!take_if_free(s, near.x + dx, near.y + dy)) continue;
                return (colony_position){(float)(near.x + dx), (float)(near.y + dy)};
            }
        }
    }
    return (colony_position){0};
}

// Takes a tile for a building, and the tiles around it so that nothing else touches the building.
static colony_position take_yard(setup *s, place near)
{
    colony_position at = take_tile(s, near);
    for (int i = 0; i < 9; i++) take_if_free(s, (int)at.x + i % 3 - 1, (int)at.y + i / 3 - 1);
    return at;
}

// ---- shapes ------------------------------------------------------------------------------------

static int clamp(int value, int most)
{
    if (value < 1) return 1;
    return value < most ? value : most;
}

// Turns a direction by 22.6 degrees, whose sine and cosine are exact fractions.
static place turn(place direction, int times)
{
    place d = direction;
    while (times-- > 0) d = (place){(12 * d.x - 5 * d.y) / 13, (5 * d.x + 12 * d.y) / 13};
    return d;
}

// Returns the tile of the map that is so far ahead in a direction, and to its side.
static place place_towards(const setup *s, place from, place direction, int ahead, int aside)
{
    int x = from.x + (direction.x * ahead - direction.y * aside) / UNIT;
    int y = from.y + (direction.y * ahead + direction.x * aside) / UNIT;
    return (place){clamp(x, s->map.width - 2), clamp(y, s->map.height - 2)};
}

// Returns where building `i` of a hamlet should stand: along a street, on a ring, or anywhere.
static place building_place(setup *s, const hamlet *here, int i)
{
    int radius = GREEN_TILES + here->spread, along = (i / 4 * 2 + 1) * here->spread / 2;
    switch (here->shape) {
    case STREET:
        return place_towards(s, here->middle, here->fields, i % 2 ? 2 : -2, i & 2 ? along : -along);
    case RING:
        return place_towards(s, here->middle, turn(here->fields, i), radius, 0);
    default:
        return place_towards(s, here->middle, here->fields, weft_rng_range(s->dice, -radius, radius),
                            weft_rng_range(s->dice, -radius, radius));
    }
}

// ---- hamlets -----------------------------------------------------------------------------------

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
// columns are written. The fields lie in a few plots of different sizes.
static bool sow_fields(setup *s, const hamlet *here)
{
    size_t fields = (here->villagers * FIELDS_FOR_TWO + 1) / 2;
    colony_field one = colony_field_defaults();
    colony_field_rows rows = colony_field_spawn_rows(s->world, fields);
    place plot = here->middle;
    int wide = 1, left = 0;
    for (size_t i = 0; i < rows.count; i++) {
        if (left == 0) {
            plot = place_towards(s, here->middle, here->fields, weft_rng_range(s->dice, 8, 13),
                                weft_rng_range(s->dice, -8, 8));
            wide = weft_rng_range(s->dice, 3, 6);
            left = wide * weft_rng_range(s->dice, 3, 6);
        }
        left--;
        rows.position[i] = take_tile(s, (place){plot.x + left % wide, plot.y + left / wide});
        rows.drawn[i] = one.drawn;
        rows.plant[i] = one.plant;
        rows.claim[i] = one.claim;
    }
    return rows.count == fields;
}

// Returns a random coordinate on the map, at most `tiles` away from `middle` along one axis.
static int around(setup *s, int middle, int tiles, int size)
{
    int at = middle + weft_rng_range(s->dice, -tiles, tiles);
    if (at < 0) return 0;
    return at < size ? at : size - 1;
}

static colony_villager founder(setup *s, const hamlet *here)
{
    int x = around(s, here->middle.x, FOUNDERS_TILES, s->map.width);
    int y = around(s, here->middle.y, FOUNDERS_TILES, s->map.height);
    colony_villager founder = newcomer_at((colony_position){(float)x, (float)y}, s->dice);
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

static bool found_hamlet(setup *s, const hamlet *here)
{
    return build_workshops(s, here) && build_houses(s, here) && sow_fields(s, here) &&
           welcome_founders(s, here);
}

// Returns the columns of a grid over the map with `cells` cells that are about square.
static uint32_t grid_columns(const ground *map, uint32_t cells)
{
    uint32_t columns = 1;
    while (columns * columns * (uint32_t)map->height < cells * (uint32_t)map->width) columns++;
    return columns < cells ? columns : cells;
}

static bool is_dry(setup *s, place at)
{
    for (int y = at.y - DRY_TILES; y <= at.y + DRY_TILES; y++) {
        for (int x = at.x - DRY_TILES; x <= at.x + DRY_TILES; x++) {
            if (ground_contains(&s->map, x, y) && *setup_taken(s, x, y)) return false;
        }
    }
    return true;
}

// Returns a dry tile in part `i` of `parts` along an axis, or any if none is found
static int within(setup *s, uint32_t i, uint32_t parts, int size)
{
    int part = size / (int)parts, free = part / 4 - HAMLET_TILES / 2;
    int middle = (int)((uint32_t)size * (2 * i + 1) / (2 * parts));
    return free > 0 ? around(s, middle, free, size) : middle;
}

// Plans the hamlets, each in a cell of a grid over the map, and divides the people evenly.
static void plan_hamlets(setup *s, uint32_t villagers, hamlet *all, uint32_t hamlets)
{
    uint32_t columns = grid_columns(&s->map, hamlets);
    uint32_t rows = (hamlets + columns - 1) / columns;
    for (uint32_t i = 0; i < hamlets; i++) {
        all[i].villagers = villagers * (i + 1) / hamlets - villagers * i / hamlets;
        for (int tries = 0; tries < PLACES_TRIED; tries++) {
            all[i].middle.x = within(s, i % columns, columns, s->map.width);
            all[i].middle.y = within(s, i / columns, rows, s->map.height);
            if (is_dry(s, all[i].middle)) break;
        }
        all[i].shape = (shape)weft_rng_below(s->dice, SHAPES);
        all[i].spread = weft_rng_range(s->dice, 2, 3);
        all[i].fields = turn((place){UNIT, 0}, (int)weft_rng_below(s->dice, TURNS));
    }
}

// Lays a road from hamlet `i` to the nearest one before it, and its street.
static void lay_roads(setup *s, const hamlet *all, uint32_t i)
{
    place here = all[i].middle;
    int nearest = INT_MAX;
    const hamlet *neighbour = NULL;
    for (uint32_t j = 0; j < i; j++) {
        int x = all[j].middle.x - here.x, y = all[j].middle.y - here.y;
        if (x * x + y * y >= nearest) continue;
        nearest = x * x + y * y;
        neighbour = &all[j];
    }
    if (neighbour != NULL) land_lay_road(s, here, neighbour->middle);
    if (all[i].shape != STREET) return;
    for (int side = -1; side <= 1; side += 2) {
        int length = HAMLET_TILES;
        place end = here;
        do end = place_towards(s, here, all[i].fields, 0, side * length);
        while (*setup_taken(s, end.x, end.y) && --length > 0);
        land_lay_road(s, here, end);
    }
}

static bool found_hamlets(setup *s, uint32_t villagers)
{
    uint32_t hamlets = (villagers + VILLAGERS_A_HAMLET - 1) / VILLAGERS_A_HAMLET;
    hamlet *all = (hamlet *)calloc(hamlets, sizeof *all);
    if (all == NULL) return false;
    plan_hamlets(s, villagers, all, hamlets);
    for (uint32_t i = 0; i < hamlets; i++) lay_roads(s, all, i);
    bool founded = true;
    for (uint32_t i = 0; founded && i < hamlets; i++) founded = found_hamlet(s, &all[i]);
    free(all);
    return founded;
}

// ---- plants ------------------------------------------------------------------------------------

static bool plant_trees(setup *s)
{
    int width = s->map.width, height = s->map.height;
    int trees = width * height / TILES_A_TREE;
    int grove_x = 0, grove_y = 0;
    for (int i = 0; i < trees; i++) {
        if (i % TREES_A_GROVE == 0) {
            grove_x = (int)weft_rng_below(s->dice, (uint32_t)width);
            grove_y = (int)weft_rng_below(s->dice, (uint32_t)height);
        }
        int x = around(s, grove_x, GROVE_TILES, width), y = around(s, grove_y, GROVE_TILES, height);
        colony_tree tree = colony_tree_defaults();
        tree.position = take_tile(s, (place){x, y});
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
    free(s.cost);
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
