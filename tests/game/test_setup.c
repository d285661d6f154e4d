// Checks the land of the first day for many seeds and sizes, and again after the colony has built
// houses: buildings stand on free tiles, and roads with bridges connect all hamlets.
//
// program: still
#include "land_setup.h"
#include "small_world.h"
#include "world_setup.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 256, HAMLETS_MAX = 64, TICKS = 200 };

static const options SIZES[] = {
    {.width = 72, .height = 22, .villagers = 40},
    {.width = 48, .height = 48, .villagers = 40},
    {.width = 72, .height = 22, .villagers = 132},
    {.width = 24, .height = 12, .villagers = 24},
    {.width = 128, .height = 96, .villagers = 300},
    {.width = 160, .height = 160, .villagers = 400},
    {.width = 256, .height = 256, .villagers = 600},
};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES, SEEDS = 3 };

static colony_world *open_first_day(const options *wanted, uint64_t seed)
{
    colony_world *world = colony_open(&(weft_options){.seed = seed});
    assert_non_null(world);
    assert_true(world_setup(world, wanted));
    return world;
}

static ground ground_in(colony_world *world)
{
    return ground_of(colony_ground_get(world), colony_patches_begin(world));
}

// ---- things ------------------------------------------------------------------------------------

static uint8_t plants[SIDE_MAX][SIDE_MAX], buildings[SIDE_MAX][SIDE_MAX];

// Counts plants and buildings on each tile. Returns the number of buildings.
static int count_things(colony_world *world, const ground *map)
{
    int found = 0;
    memset(plants, 0, sizeof plants);
    memset(buildings, 0, sizeof buildings);
    colony_obstacles_box_iter it =
        colony_obstacles_box_begin(world, 0, 0, (float)map->width, (float)map->height);
    while (colony_obstacles_box_next(&it)) {
        int x = ground_tile(it.position->x), y = ground_tile(it.position->y);
        assert_true(ground_contains(map, x, y));
        assert_int_equal(ground_terrain(map, x, y), COLONY_TERRAIN_GRASS);
        bool building = colony_building_has(world, it.entity);
        found += building;
        if (building) buildings[y][x]++;
        if (!building) plants[y][x]++;
    }
    return found;
}

static int buildings_around(const ground *map, int x, int y)
{
    int found = 0;
    for (int i = 0; i < 9; i++) {
        int near_x = x + i % 3 - 1, near_y = y + i / 3 - 1;
        if (ground_contains(map, near_x, near_y)) found += buildings[near_y][near_x];
    }
    return found;
}

static void check_things(colony_world *world)
{
    ground map = ground_in(world);
    assert_true(count_things(world, &map) > 5);
    for (int y = 0; y < map.height; y++) {
        for (int x = 0; x < map.width; x++) {
            assert_true(plants[y][x] + buildings[y][x] <= 1);
            if (buildings[y][x] > 0) assert_int_equal(buildings_around(&map, x, y), 1);
        }
    }
}

// ---- roads -------------------------------------------------------------------------------------

static uint8_t reached[SIDE_MAX][SIDE_MAX];
static point queue[SIDE_MAX * SIDE_MAX];

static bool is_land(const ground *map, int x, int y)
{
    return !ground_is_water(map, x, y);
}

static bool is_road(const ground *map, int x, int y)
{
    colony_terrain terrain = ground_terrain(map, x, y);
    return terrain == COLONY_TERRAIN_ROAD || terrain == COLONY_TERRAIN_BRIDGE;
}

// Marks all tiles that steps to the four sides reach from this one on suitable tiles.
static void reach(const ground *map, point from, bool (*suits)(const ground *, int, int))
{
    int first = 0, end = 1;
    queue[0] = from;
    reached[from.y][from.x] = true;
    for (; first < end; first++) {
        for (int side = 0; side < 4; side++) {
            static const point STEPS[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            point to = {queue[first].x + STEPS[side].x, queue[first].y + STEPS[side].y};
            if (!ground_contains(map, to.x, to.y) || reached[to.y][to.x]) continue;
            if (!suits(map, to.x, to.y)) continue;
            reached[to.y][to.x] = true;
            queue[end++] = to;
        }
    }
}

static int depots_of(colony_world *world, point depots[HAMLETS_MAX])
{
    int count = 0;
    colony_depots_iter it = colony_depots_begin(world);
    while (colony_depots_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_true(count < HAMLETS_MAX);
            depots[count++] = (point){(int)it.position[i].x, (int)it.position[i].y};
        }
    }
    return count;
}

// All depots are on one piece of land, because bridges connect both sides of a river.
static void check_ways(colony_world *world)
{
    ground map = ground_in(world);
    point depots[HAMLETS_MAX];
    int count = depots_of(world, depots);
    memset(reached, 0, sizeof reached);
    reach(&map, depots[0], is_land);
    for (int i = 0; i < count; i++) assert_true(reached[depots[i].y][depots[i].x]);
}

static bool has_road_near(const ground *map, point depot)
{
    for (int y = depot.y - 3; y <= depot.y + 3; y++) {
        for (int x = depot.x - 3; x <= depot.x + 3; x++) {
            if (is_road(map, x, y)) return true;
        }
    }
    return false;
}

// All roads are one net, which leads to every hamlet.
static void check_roads(colony_world *world)
{
    ground map = ground_in(world);
    point depots[HAMLETS_MAX];
    int count = depots_of(world, depots), pieces = 0;
    memset(reached, 0, sizeof reached);
    for (int y = 0; y < map.height; y++) {
        for (int x = 0; x < map.width; x++) {
            if (!is_road(&map, x, y) || reached[y][x]) continue;
            reach(&map, (point){x, y}, is_road);
            pieces++;
        }
    }
    assert_true(pieces <= 1);
    for (int i = 0; count > 1 && i < count; i++) assert_true(has_road_near(&map, depots[i]));
}

static void check_land(colony_world *world)
{
    check_things(world);
    check_ways(world);
    check_roads(world);
}

static void buildings_stand_free_and_roads_connect_all_hamlets(void **state)
{
    (void)state;
    uint32_t founded = 0;
    for (int i = 0; i < SIZE_COUNT * SEEDS; i++) {
        colony_world *world = open_first_day(&SIZES[i % SIZE_COUNT], (uint64_t)i);
        check_land(world);
        tick(world, TICKS);
        check_land(world);
        founded += colony_chronicle_get(world)->houses_built + colony_ledger_get(world)->sites;
        assert_string_equal(colony_error(world), ""); // nothing was refused
        colony_close(world);
    }
    assert_true(founded > 0); // so that `found_house` was checked too
}

// ---- rivers ------------------------------------------------------------------------------------

static colony_soil rivers[SIDE_MAX / GROUND_PATCH_SIDE * SIDE_MAX / GROUND_PATCH_SIDE];
static bool taken[SIDE_MAX * SIDE_MAX];

// Digs the rivers of a colony again, on land without roads. They are the first use of its dice.
static ground dig_again(const ground *map, uint64_t seed)
{
    colony_world *world = colony_open(&(weft_options){.seed = seed});
    assert_non_null(world);
    memset(rivers, 0, sizeof rivers);
    memset(taken, 0, sizeof taken);
    setup s = {.dice = &colony_chance_edit(world)->luck, .soil = rivers, .taken = taken};
    s.map = (ground){map->width, map->height, rivers};
    land_dig_rivers(&s);
    colony_close(world);
    return s.map;
}

static void bridges_are_the_tiles_of_roads_over_water(void **state)
{
    (void)state;
    int bridges = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        colony_world *world = open_first_day(&SIZES[SIZE_COUNT - 1], seed);
        ground map = ground_in(world), before = dig_again(&map, seed);
        for (int y = 0; y < map.height; y++) {
            for (int x = 0; x < map.width; x++) {
                colony_terrain terrain = ground_terrain(&map, x, y);
                bool bridge = terrain == COLONY_TERRAIN_BRIDGE;
                bool wet = bridge || terrain == COLONY_TERRAIN_WATER;
                assert_int_equal(wet, ground_is_water(&before, x, y));
                bridges += bridge;
            }
        }
        colony_close(world);
    }
    assert_true(bridges > 10);
}

// Returns the number of bends of the first river: how often its east bank changes direction.
static int bends_of(const ground *map, int *leftmost, int *rightmost)
{
    int bends = 0, direction = 0, before = -1;
    *leftmost = map->width;
    *rightmost = 0;
    for (int y = 0; y < map->height; y += 8) {
        int x = 0;
        while (x < map->width && !ground_is_water(map, x, y)) x++;
        if (x < *leftmost) *leftmost = x;
        if (x > *rightmost) *rightmost = x;
        int step = before < 0 || x == before ? 0 : x > before ? 1 : -1;
        if (step != 0 && direction != 0 && step != direction) bends++;
        if (step != 0) direction = step;
        before = x;
    }
    return bends;
}

static void rivers_bend(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        const ground size = {.width = SIDE_MAX, .height = SIDE_MAX};
        ground map = dig_again(&size, seed);
        int left, right;
        assert_true(bends_of(&map, &left, &right) >= 3);
        assert_true(right - left >= 6);
    }
}

// ---- shapes ------------------------------------------------------------------------------------

enum { HOUSES = 10 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int square(int number)
{
    return number * number;
}

// Finds the squares of the distances from a depot to its nearest houses, which turning or
// mirroring a hamlet would not change.
static void measure(colony_world *world, point depot, int shape[HOUSES])
{
    int distances[1024], count = 0;
    colony_houses_iter it = colony_houses_begin(world);
    while (colony_houses_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const colony_position *at = colony_position_get(world, it.entities[i]);
            assert_true(count < 1024);
            distances[count++] = square((int)at->x - depot.x) + square((int)at->y - depot.y);
        }
    }
    assert_true(count >= HOUSES);
    qsort(distances, (size_t)count, sizeof *distances, compare);
    memcpy(shape, distances, HOUSES * sizeof *shape);
}

static void every_hamlet_has_its_own_shape(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        colony_world *world = open_first_day(&SIZES[SIZE_COUNT - 1], seed);
        point depots[HAMLETS_MAX];
        int shapes[HAMLETS_MAX][HOUSES], count = depots_of(world, depots), different = 0;
        for (int i = 0; i < count; i++) {
            measure(world, depots[i], shapes[i]);
            bool same = false;
            for (int j = 0; j < i; j++) same |= memcmp(shapes[i], shapes[j], sizeof *shapes) == 0;
            different += !same;
        }
        assert_true(count >= 15 && different >= count - 1);
        colony_close(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buildings_stand_free_and_roads_connect_all_hamlets),
        cmocka_unit_test(bridges_are_the_tiles_of_roads_over_water),
        cmocka_unit_test(rivers_bend),
        cmocka_unit_test(every_hamlet_has_its_own_shape),
    };
    return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
