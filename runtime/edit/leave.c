// Entities leave like despawned entities. weft_entities_give then frees the index of each, and
// weft_away_begin takes it back, so that a despawn costs nothing more.
#include "leave.h"

#include "nodes.h"

typedef void leave_step(weft_world *world, uint32_t index);

static void each_member(weft_world *world, const uint64_t *members, uint32_t indices,
                        leave_step *step)
{
    for (uint32_t word = 0; word < weft_bits_words(indices); word++) {
        for (uint64_t bits = members[word]; bits != 0;) {
            step(world, word * 64 + weft_bits_pop(&bits));
        }
    }
}

static void tell_leaving(weft_world *world, uint32_t index)
{
    weft_hooks_despawning(world, weft_place_of(&world->entities, world->plan->format, index));
}

// Removes the nodes of an entity in all relations.
static void unlink_member(weft_world *world, uint32_t index)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (index >= r->capacity) continue;
        if (weft_nodes(r)[index].parent != 0) weft_unlink(world, i, index + 1);
        while (weft_nodes(r)[index].first_child != 0) {
            weft_unlink(world, i, weft_nodes(r)[index].first_child);
        }
    }
}

static void leave(weft_world *world, uint32_t index)
{
    weft_entities *entities = &world->entities;
    weft_format f = world->plan->format;
    uint64_t handle = weft_handle_of(entities, f, index);
    uint32_t tail = entities->free_tail;
    weft_despawn_at(world, handle, weft_place_of(entities, f, index));
    weft_away_begin(entities, f, handle, tail);
}

void weft_entities_leave(weft_world *world, const uint64_t *members, uint32_t indices)
{
    if (world->hooks) each_member(world, members, indices, tell_leaving);
    if (world->attached != 0) each_member(world, members, indices, unlink_member);
    each_member(world, members, indices, leave);
}
