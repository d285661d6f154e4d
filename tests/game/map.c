// The colony seen from above, in ASCII: the picture that `redraw` keeps, and under it the ground.
#include "map.h"

#include "colony.h"
#include "ground.h"

#include <stdio.h>

static const char SYMBOLS[] = {
    [COLONY_LOOK_SLEEPER] = 'z',    [COLONY_LOOK_SPROUT] = ',',  [COLONY_LOOK_GRAIN] = '"',
    [COLONY_LOOK_SAPLING] = 't',    [COLONY_LOOK_TREE] = 'T',    [COLONY_LOOK_CHILD] = 'c',
    [COLONY_LOOK_VILLAGER] = '@',   [COLONY_LOOK_BUNDLE] = '*',  [COLONY_LOOK_SITE] = 'X',
    [COLONY_LOOK_HOUSE] = 'H',      [COLONY_LOOK_SAWMILL] = 'S', [COLONY_LOOK_BAKERY] = 'B',
    [COLONY_LOOK_STOREHOUSE] = 'O',
};
enum { LOOKS = sizeof SYMBOLS };

WEFT_STATIC_ASSERT(sizeof((colony_tile *)0)->things == LOOKS * sizeof(uint16_t),
                   "a tile has one number for each look");

static char ground_symbol(const colony_ground *ground, size_t tile)
{
    if (ground->terrain[tile] == COLONY_TERRAIN_WATER) return '~';
    if (ground->wear[tile] >= GROUND_ROAD_WEAR) return '#';
    return ground->wear[tile] >= GROUND_PATH_WEAR ? ':' : ' ';
}

char map_symbol(const colony_world *world, int x, int y)
{
    const colony_ground *ground = colony_ground_get(world);
    size_t tile = ground_index(ground, x, y);
    const uint16_t *things = colony_picture_get(world)->tiles[tile].things;
    int look = LOOKS - 1;
    while (look > COLONY_LOOK_GROUND && things[look] == 0) look--;
    return look == COLONY_LOOK_GROUND ? ground_symbol(ground, tile) : SYMBOLS[look];
}

static void print_edge(int width)
{
    putchar('+');
    for (int x = 0; x < width; x++) putchar('-');
    puts("+");
}

void map_print(const colony_world *world)
{
    const colony_ground *ground = colony_ground_get(world);
    print_edge(ground->width);
    for (int y = 0; y < ground->height; y++) {
        putchar('|');
        for (int x = 0; x < ground->width; x++) putchar(map_symbol(world, x, y));
        puts("|");
    }
    print_edge(ground->width);
}

void map_print_legend(void)
{
    puts("  @ villager   c child      z asleep outside   O storehouse   H house   X building site");
    puts("  S sawmill    B bakery     T tree, t growing  \" grain, , sprouting   * goods, carried");
    puts("  : path       # road, trodden by the villagers themselves    ~ river");
}
