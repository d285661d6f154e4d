// Questions about the map.
#include "ground.h"

size_t ground_patches(const colony_ground *size)
{
    return ground_patches_along(size->width) * ground_patches_along(size->height);
}

// The first step of the iterator returns all patches because they are in one table, row by row.
ground ground_of(const colony_ground *size, colony_patches_iter patches)
{
    bool covered = colony_patches_next(&patches) && patches.count == ground_patches(size);
    return (ground){
        .width = covered ? size->width : 0,
        .height = covered ? size->height : 0,
        .patches = covered ? patches.soil : NULL,
    };
}

uint32_t ground_trodden_tiles(const ground *map)
{
    uint32_t trodden = 0;
    for (int y = 0; y < map->height; y++) {
        for (int x = 0; x < map->width; x++) trodden += ground_wear(map, x, y) >= GROUND_PATH_WEAR;
    }
    return trodden;
}
