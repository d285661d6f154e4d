// The colony seen from above, in ASCII.
//
// Every tile shows one thing: a building before goods on somebody's shoulders before people who are
// awake before plants before sleepers before ground. Whoever is in a house is not seen.
#include "map.h"

#include "colony.h"
#include "ground.h"

#include <stdio.h>

typedef enum rank {
    RANK_GROUND,
    RANK_SLEEPER,
    RANK_PLANT,
    RANK_WALKER,
    RANK_BUNDLE,
    RANK_BUILDING
} rank;

typedef struct glyph {
    char symbol;
    rank rank; // of all things on a tile the highest is seen
} glyph;

typedef struct picture {
    const colony_ground *ground;
    glyph tiles[GROUND_TILES_MAX]; // as in the ground
} picture;

static const char BUILDING_SYMBOLS[] = {
    [COLONY_BUILDING_KIND_STOREHOUSE] = 'O', [COLONY_BUILDING_KIND_HOUSE] = 'H',
    [COLONY_BUILDING_KIND_SAWMILL] = 'S',    [COLONY_BUILDING_KIND_BAKERY] = 'B',
    [COLONY_BUILDING_KIND_SITE] = 'X',
};

static char ground_symbol(const colony_ground *ground, size_t tile)
{
    if (ground->terrain[tile] == COLONY_TERRAIN_WATER) return '~';
    if (ground->wear[tile] >= GROUND_ROAD_WEAR) return '#';
    return ground->wear[tile] >= GROUND_PATH_WEAR ? ':' : ' ';
}

static void draw_ground(picture *drawn)
{
    size_t tiles = (size_t)drawn->ground->width * drawn->ground->height;
    for (size_t i = 0; i < tiles; i++) {
        drawn->tiles[i] = (glyph){ground_symbol(drawn->ground, i), RANK_GROUND};
    }
}

static glyph villager_glyph(bool child, bool asleep)
{
    if (asleep) return (glyph){'z', RANK_SLEEPER};
    return (glyph){child ? 'c' : '@', RANK_WALKER};
}

static glyph plant_glyph(const colony_plant *plant, bool ripe)
{
    if (plant->goods == COLONY_GOODS_WOOD) return (glyph){ripe ? 'T' : 't', RANK_PLANT};
    return (glyph){ripe ? '"' : ',', RANK_PLANT};
}

// What row `i` of the range looks like. An optional column is NULL where the rows of the range do
// not have it.
static glyph glyph_of(const colony_visible_iter *it, uint32_t i)
{
    if (it->worker != NULL) {
        return villager_glyph(colony_visible_child_has(it, i), colony_visible_asleep_has(it, i));
    }
    if (it->plant != NULL) return plant_glyph(&it->plant[i], colony_visible_ripe_has(it, i));
    if (it->cargo != NULL) return (glyph){'*', RANK_BUNDLE};
    if (it->building != NULL) return (glyph){BUILDING_SYMBOLS[it->building[i].kind], RANK_BUILDING};
    return (glyph){'?', RANK_PLANT};
}

static void draw(picture *drawn, const colony_position *position, glyph thing)
{
    int x = ground_tile(position->x), y = ground_tile(position->y);
    if (!ground_contains(drawn->ground, x, y)) return;
    glyph *tile = &drawn->tiles[ground_index(drawn->ground, x, y)];
    if (thing.rank >= tile->rank) *tile = thing;
}

static void draw_things(picture *drawn, colony_world *world)
{
    colony_visible_iter it = colony_visible_begin(world);
    while (colony_visible_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) draw(drawn, &it.position[i], glyph_of(&it, i));
    }
}

static void print_edge(int width)
{
    putchar('+');
    for (int x = 0; x < width; x++) putchar('-');
    puts("+");
}

void map_print(colony_world *world)
{
    picture drawn = {.ground = colony_ground_get(world)};
    draw_ground(&drawn);
    draw_things(&drawn, world);

    int width = drawn.ground->width;
    print_edge(width);
    for (int y = 0; y < drawn.ground->height; y++) {
        putchar('|');
        for (int x = 0; x < width; x++) {
            putchar(drawn.tiles[ground_index(drawn.ground, x, y)].symbol);
        }
        puts("|");
    }
    print_edge(width);
}

void map_print_legend(void)
{
    puts("  @ villager   c child      z asleep outside   O storehouse   H house   X building site");
    puts("  S sawmill    B bakery     T tree, t growing  \" grain, , sprouting   * goods, carried");
    puts("  : path       # road, trodden by the villagers themselves    ~ river");
}
