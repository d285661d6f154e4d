#include "walk.h"

#include "../query/query.h"

void serve_walk_begin(const weft_world *world, serve_walk *walk)
{
    *walk = (serve_walk){.version = weft_version(world)};
}

bool serve_walk_table(const weft_world *world, serve_walk *walk, bool *begins)
{
    const weft_query *all = &world->lists.every_table;
    if (walk->version != weft_version(world)) {
        uint32_t i = 0;
        while (i < all->count && all->tables[i] != walk->table) i++;
        if (i < all->count)
            walk->place = i;
        else
            walk->row = 0; // the table was removed, or was not begun
        walk->table = NULL;
    }
    if (walk->place >= all->count) return false;
    *begins = walk->table != all->tables[walk->place];
    walk->table = all->tables[walk->place];
    walk->version = weft_version(world);
    return true;
}

void serve_walk_next(serve_walk *walk)
{
    walk->table = NULL;
    walk->place++;
    walk->row = 0;
}
