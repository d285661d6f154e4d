// Draws the colony as an ASCII map: the thing on each tile, or else the ground.
#include "map.h"

#include "colony.h"
#include "ground.h"

#include <stdio.h>
#include <string.h>

static const char SYMBOLS[] = {
    [COLONY_LOOK_SLEEPER] = 'z',    [COLONY_LOOK_SPROUT] = ',',  [COLONY_LOOK_GRAIN] = '"',
    [COLONY_LOOK_SAPLING] = 't',    [COLONY_LOOK_TREE] = 'T',    [COLONY_LOOK_CHILD] = 'c',
    [COLONY_LOOK_VILLAGER] = '@',   [COLONY_LOOK_BUNDLE] = '*',  [COLONY_LOOK_SITE] = 'X',
    [COLONY_LOOK_HOUSE] = 'H',      [COLONY_LOOK_SAWMILL] = 'S', [COLONY_LOOK_BAKERY] = 'B',
    [COLONY_LOOK_STOREHOUSE] = 'O',
};

WEFT_STATIC_ASSERT(sizeof SYMBOLS == COLONY_LOOK_COUNT, "every look has a symbol");

static char ground_symbol(const ground *map, int x, int y)
{
    static const char OF_TERRAIN[COLONY_TERRAIN_COUNT] = {
        [COLONY_TERRAIN_WATER] = '~',
        [COLONY_TERRAIN_ROAD] = '.',
        [COLONY_TERRAIN_BRIDGE] = '=',
    };
    colony_terrain terrain = ground_terrain(map, x, y);
    if (terrain != COLONY_TERRAIN_GRASS) return OF_TERRAIN[terrain];
    uint8_t wear = ground_wear(map, x, y);
    if (wear >= GROUND_ROAD_WEAR) return '#';
    return wear >= GROUND_PATH_WEAR ? ':' : ' ';
}

// Returns the look of a tile: the one latest in the enum of all things that stand on it.
static colony_look look_at(colony_world *world, int x, int y)
{
    colony_look seen = COLONY_LOOK_GROUND;
    float left = (float)x - 0.5f, top = (float)y - 0.5f;
    colony_in_view_box_iter it =
        colony_in_view_box_begin(world, left, top, left + 1.0f, top + 1.0f);
    while (colony_in_view_box_next(&it)) {
        if (ground_tile(it.position->x) != x || ground_tile(it.position->y) != y) continue;
        colony_look look = colony_drawn_get(world, it.entity)->look;
        if (look > seen) seen = look;
    }
    return seen;
}

static char symbol(colony_world *world, const ground *map, int x, int y)
{
    colony_look look = look_at(world, x, y);
    return look == COLONY_LOOK_GROUND ? ground_symbol(map, x, y) : SYMBOLS[look];
}

char map_symbol(colony_world *world, int x, int y)
{
    ground map = ground_of(colony_ground_get(world), colony_patches_begin(world));
    return symbol(world, &map, x, y);
}

// The numbers of colours in escape codes.
typedef enum ink { INK_DEFAULT = 0, INK_BRIGHT = 1, INK_RED = 31, INK_GREEN, INK_BLUE = 34 } ink;

static ink ink_of(char symbol)
{
    if (symbol == '~') return INK_BLUE;
    if (strchr("Tt\",", symbol)) return INK_GREEN;
    if (strchr("HOSBX", symbol)) return INK_RED;
    return strchr("@cz", symbol) ? INK_BRIGHT : INK_DEFAULT;
}

static ink change_ink(ink from, ink to)
{
    if (from != to) printf("\033[0;%dm", (int)to); // 0 ends the ink before
    return to;
}

static void print_row(colony_world *world, const ground *map, int y, bool in_colour)
{
    ink last = INK_DEFAULT;
    putchar('|');
    for (int x = 0; x < map->width; x++) {
        char seen = symbol(world, map, x, y);
        if (in_colour) last = change_ink(last, ink_of(seen));
        putchar(seen);
    }
    change_ink(last, INK_DEFAULT);
    puts("|");
}

static void print_edge(int width)
{
    putchar('+');
    for (int x = 0; x < width; x++) putchar('-');
    puts("+");
}

void map_print(colony_world *world, bool in_colour)
{
    ground map = ground_of(colony_ground_get(world), colony_patches_begin(world));
    print_edge(map.width);
    for (int y = 0; y < map.height; y++) print_row(world, &map, y, in_colour);
    print_edge(map.width);
}

void map_print_legend(void)
{
    puts("  @ villager   c child      z asleep outside   O storehouse   H house   X building site");
    puts("  S sawmill    B bakery     T tree, t growing  \" grain, , sprouting   * goods, carried");
    puts("  : path       # road, trodden by the villagers themselves");
    puts("  ~ river      . road       = bridge");
}
