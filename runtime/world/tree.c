// Counts and walks along nodes.
#include "tree.h"

#include "report.h"

uint32_t weft_child_count(const weft_world *world, uint32_t relation, uint64_t handle)
{
    uint32_t child = weft_node_of(world, world->plan->format, relation, handle).first_child;
    uint32_t count = 0;
    for (; child != 0; count++) child = weft_node_at(&world->relations[relation], child)->next;
    return count;
}

uint32_t weft_depth(const weft_world *world, uint32_t relation, uint64_t handle)
{
    uint32_t above = weft_node_of(world, world->plan->format, relation, handle).parent;
    uint32_t depth = 0;
    for (; above != 0; depth++) above = weft_node_at(&world->relations[relation], above)->parent;
    return depth;
}

weft_walk weft_walk_begin(const weft_world *world, uint32_t relation, uint64_t root)
{
    weft_format f = world->plan->format;
    weft_place at;
    return (weft_walk){
        .world = world,
        .relation = relation,
        .moment = weft_moment(world),
        .root = weft_find(&world->entities, f, root, &at) ? weft_handle_index(f, root) + 1 : 0,
    };
}

uint64_t weft_walk_next(weft_walk *walk)
{
    const weft_world *world = walk->world;
    const weft_relation *relation = &world->relations[walk->relation];
    if (walk->root == 0) return 0;
    if (walk->moment != weft_moment(world)) {
        weft_moment_passed(world, walk->moment, "a walk over a relation");
        walk->root = 0;
        return 0;
    }
    if (walk->at == 0) {
        walk->at = walk->root;
    } else {
        bool linked = walk->root <= relation->capacity; // else the root has no children
        walk->at = linked ? weft_next_below(relation, walk->root, walk->at, &walk->depth) : 0;
    }
    if (walk->at == 0) walk->root = 0;
    return weft_node_handle(world, world->plan->format, walk->at);
}
