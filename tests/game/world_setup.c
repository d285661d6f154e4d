// The first day: river, hamlets, forest and founders.
//
// Each building and plant gets a tile of its own. The river is in the west of the map. The people
// live in hamlets, each with a storehouse in its centre and fields to the east. Trees grow in
// groves.
#include "world_setup.h"

#include "colony.h"
#include "colony_goods.h"
#include "ground.h"
#include "newcomer.h"

#include <stdlib.h>
#include <string.h>

enum {
    VILLAGERS_A_HAMLET = 40, // at most, on the first day
    VILLAGERS_A_HOUSE = 4,   // of five beds: room for the first children
    FIELDS_FOR_TWO = 3,      // more than two villagers eat, so that the colony can grow
    BREAD_A_VILLAGER = 8,
    BAKERIES = sizeof((colony_hamlet *)0)->bakery / sizeof(colony_bakery),
    HOUSE_SPACING_TILES = 3,
    WORKSHOP_TILES = 4, // from the storehouse
    FIELDS_TILES = 11,  // from the storehouse to the middle of the fields
    FOUNDERS_TILES = 3, // farthest from the storehouse along each axis
    TILES_A_TREE = 16,
    TREES_A_GROVE = 12,
    GROVE_TILES = 4, // from the middle of a grove to its edge
    FOUNDER_SKILL_MAX = 50,
};
static const float OLDEST_FOUNDER_DAYS = 38.0f;

typedef struct setup {
    colony_world *world;
    weft_rng *dice;
    ground map;  // only its size stays valid, because spawns may move the patches
    bool *taken; // whether each tile has water or a thing on it, row by row
} setup;

// The centre and the population of a hamlet.
typedef struct hamlet {
    int x, y;
    uint32_t villagers;
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
    s->map = ground_of(size, colony_patches_begin(s->world));
    s->taken = (bool *)calloc((size_t)size->width * size->height, sizeof *s->taken);
    return s->taken != NULL;
}

static bool *is_taken(setup *s, int x, int y)
{
    return &s->taken[(size_t)y * (size_t)s->map.width + (size_t)x];
}

// Digs a winding river from the north edge to the south edge.
static void dig_river(setup *s)
{
    colony_patches_underfoot_iter it = colony_patches_underfoot_begin(s->world);
    if (!colony_patches_underfoot_next(&it)) return;
    int x = s->map.width / 5;
    for (int y = 0; y < s->map.height; y++) {
        x += (int)weft_rng_below(s->dice, 3) - 1;
        for (int wide = x; wide < x + 2; wide++) {
            if (!ground_contains(&s->map, wide, y)) continue;
            colony_soil *soil = &it.soil[ground_patch(s->map.width, wide, y)];
            soil->terrain[ground_element(wide, y)] = COLONY_TERRAIN_WATER;
            *is_taken(s, wide, y) = true;
        }
    }
}

static bool take_if_free(setup *s, int x, int y)
{
    if (!ground_contains(&s->map, x, y) || *is_taken(s, x, y)) return false;
    return *is_taken(s, x, y) = true;
}

// Takes a free tile near (x, y), which it searches for in growing squares. There always is one,
// because the command line limits the number of villagers to what the map has room for.
static colony_position take_tile(setup *s, int x, int y)
{
    int farthest = s->map.width + s->map.height;
    for (int ring = 0; ring < farthest; ring++) {
        for (int dy = -ring; dy <= ring; dy++) {
            bool whole_row = ring == 0 || dy == -ring || dy == ring;
            for (int dx = -ring; dx <= ring; dx += whole_row ? 1 : 2 * ring) {
                if (!take_if_free(s, x + dx, y + dy)) continue;
                return (colony_position){(float)(x + dx), (float)(y + dy)};
            }
        }
    }
    return (colony_position){0};
}

// ---- hamlets -----------------------------------------------------------------------------------

// Builds the storehouse with the bakeries on the side of the fields, and the sawmill on the other.
static bool build_workshops(setup *s, const hamlet *here)
{
    colony_hamlet centre = colony_hamlet_defaults();
    centre.position = take_tile(s, here->x, here->y);
    centre.stock.amount[COLONY_GOODS_BREAD] = BREAD_A_VILLAGER * here->villagers;
    for (int i = 0; i < BAKERIES; i++) {
        centre.bakery[i].position = take_tile(s, here->x + WORKSHOP_TILES, here->y - 1 + 2 * i);
    }
    centre.sawmill.position = take_tile(s, here->x - WORKSHOP_TILES, here->y);
    return !colony_is_none(colony_hamlet_spawn(s->world, &centre));
}

// Builds houses row by row on a square around the storehouse, with room to walk between them.
static bool build_houses(setup *s, const hamlet *here)
{
    int houses = (int)(here->villagers + VILLAGERS_A_HOUSE - 1) / VILLAGERS_A_HOUSE;
    int side = 1;
    while (side * side < houses) side++;
    for (int i = 0; i < houses; i++) {
        int column = i % side - side / 2, row = i / side - side / 2;
        colony_house house = colony_house_defaults();
        house.position = take_tile(s, here->x + column * HOUSE_SPACING_TILES + 1,
                                   here->y + row * HOUSE_SPACING_TILES + 1);
        if (colony_is_none(colony_house_spawn(s->world, &house))) return false;
    }
    return true;
}

// Spawns many fields at once and fills their rows in place. The rows are not initialised, so all
// columns are written.
static bool sow_fields(setup *s, const hamlet *here)
{
    size_t fields = (here->villagers * FIELDS_FOR_TWO + 1) / 2;
    colony_field one = colony_field_defaults();
    colony_field_rows rows = colony_field_spawn_rows(s->world, fields);
    for (size_t i = 0; i < rows.count; i++) {
        rows.position[i] = take_tile(s, here->x + FIELDS_TILES, here->y);
        rows.drawn[i] = one.drawn;
        rows.plant[i] = one.plant;
        rows.claim[i] = one.claim;
    }
    return rows.count == fields;
}

// Returns a random coordinate on the map, at most `tiles` away from `middle` along one axis.
static int around(setup *s, int middle, int tiles, int size)
{
    int place = middle - tiles + (int)weft_rng_below(s->dice, (uint32_t)(2 * tiles + 1));
    if (place < 0) return 0;
    return place < size ? place : size - 1;
}

static colony_villager founder(setup *s, const hamlet *here)
{
    int x = around(s, here->x, FOUNDERS_TILES, s->map.width);
    int y = around(s, here->y, FOUNDERS_TILES, s->map.height);
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

// Divides the people evenly among hamlets, each in the centre of a cell of a grid over the map.
static bool found_hamlets(setup *s, uint32_t villagers)
{
    uint32_t hamlets = (villagers + VILLAGERS_A_HAMLET - 1) / VILLAGERS_A_HAMLET;
    uint32_t columns = grid_columns(&s->map, hamlets);
    uint32_t rows = (hamlets + columns - 1) / columns;
    for (uint32_t i = 0; i < hamlets; i++) {
        hamlet here = {
            .x = (int)((uint32_t)s->map.width * (2 * (i % columns) + 1) / (2 * columns)),
            .y = (int)((uint32_t)s->map.height * (2 * (i / columns) + 1) / (2 * rows)),
            .villagers = villagers * (i + 1) / hamlets - villagers * i / hamlets,
        };
        if (!found_hamlet(s, &here)) return false;
    }
    return true;
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
        tree.position = take_tile(s, x, y);
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
    dig_river(s);
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
