// Calls the hooks of all entities that will be despawned, then despawns them.
//
// Despawning removes a child from all its relations before it visits the child's own children, and
// stores the way back in the links that are free then. If there are hooks, a first walk calls them
// while all links are intact. If several relations despawn children, each then keeps a bit for
// every index, which records the entities that the walk has visited and by which relation. Nothing
// recurses or allocates memory, even if several relations together form a circle.
#include "despawn.h"

#include "linking.h"
#include "nodes.h"

// ------------------------------------------------------------------------------------------------
// Hooks run for all entities before any is despawned, and for children before their parents. An
// entity below two others is visited where the walk meets it first. Bits record by which relation
// that was. If only one relation despawns children, no entity is met twice, and no bits are kept.

static uint64_t *met_word(const weft_relation *relation, uint32_t entity)
{
    return (uint64_t *)(void *)relation->met.base + (entity - 1) / 64;
}

static uint64_t met_bit(uint32_t entity)
{
    return (uint64_t)1 << ((entity - 1) % 64);
}

// Returns the relation that led the walk to an entity, or the number of relations if it was not
// visited.
static uint32_t way_to(const weft_world *world, uint32_t entity)
{
    uint32_t count = world->plan->schema->relation_count;
    for (uint32_t i = 0; i < count; i++) {
        const weft_relation *r = &world->relations[i];
        if (r->meets && entity <= r->capacity && *met_word(r, entity) & met_bit(entity)) return i;
    }
    return count;
}

static void write_met(const weft_relation *relation, uint32_t entity, bool met)
{
    if (!relation->meets || entity > relation->capacity) return;
    uint64_t *word = met_word(relation, entity);
    *word = met ? *word | met_bit(entity) : *word & ~met_bit(entity);
}

// Clears the visited bits of a despawned entity.
static void forget_met(const weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        write_met(&world->relations[i], entity, false);
    }
}

// Returns the next unvisited child of `parent` after `child` (0: the first) in *relation or a later
// relation, which is stored in *relation. Returns 0 if there is none.
static uint32_t next_to_tell(const weft_world *world, uint32_t top, uint32_t parent, uint32_t child,
                             uint32_t *relation)
{
    uint32_t count = world->plan->schema->relation_count;
    for (; *relation < count; ++*relation, child = 0) {
        const weft_relation *r = &world->relations[*relation];
        if (!r->ends || parent > r->capacity) continue;
        uint32_t next =
            child != 0 ? weft_node_at(r, child)->next : weft_node_at(r, parent)->first_child;
        while (next != 0 && r->meets && (next == top || way_to(world, next) != count)) {
            next = weft_node_at(r, next)->next;
        }
        if (next != 0) return next;
    }
    return 0;
}

// Returns the relation that led the walk to an entity below its top.
static uint32_t came_by(const weft_world *world, uint32_t entity)
{
    uint32_t relation = way_to(world, entity);
    if (relation != world->plan->schema->relation_count) return relation;
    for (relation = 0; !world->relations[relation].ends;) relation++;
    return relation;
}

static void tell_below(weft_world *world, uint32_t top)
{
    uint32_t at = top;
    uint32_t told = 0; // the child of `at` from which the walk returned
    uint32_t relation = 0;
    for (;;) {
        uint32_t child = next_to_tell(world, top, at, told, &relation);
        if (child != 0) {
            write_met(&world->relations[relation], child, true);
            at = child;
            told = relation = 0;
            continue;
        }
        weft_hooks_despawning(world, weft_place_of(&world->entities, world->plan->format, at - 1));
        if (at == top) return;
        told = at;
        relation = came_by(world, told);
        at = weft_node_at(&world->relations[relation], told)->parent;
    }
}

// ------------------------------------------------------------------------------------------------
// Despawning
//
// An entity that is about to be despawned is removed from the children of all its parents at once.
// Therefore no entity is visited twice, even if relations together form a circle. Its sibling links
// are then free and store the way back: `next` is the entity from which it was visited, and
// `previous` is the relation that led to that entity.

// Removes an entity from the children of its parents in all relations.
static void unlink_all(weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (entity <= r->capacity && weft_node_at(r, entity)->parent != 0)
            weft_unlink(world, i, entity);
    }
}

// Returns a child that must be despawned before its parent, and the relation that requires it.
// Returns 0 if there is none.
static uint32_t child_to_end(const weft_world *world, uint32_t parent, uint32_t *relation)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (!r->ends || parent > r->capacity) continue;
        *relation = i;
        if (weft_node_at(r, parent)->first_child != 0) return weft_node_at(r, parent)->first_child;
    }
    return 0;
}

// Makes the children that outlive an entity roots.
static void release_children(weft_world *world, uint32_t parent)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (parent > r->capacity) continue;
        while (weft_node_at(r, parent)->first_child != 0) {
            weft_unlink(world, i, weft_node_at(r, parent)->first_child);
        }
    }
}

// Despawns an entity that has no children to despawn.
static void end_one(weft_world *world, uint32_t entity)
{
    weft_format f = world->plan->format;
    weft_place at = weft_place_of(&world->entities, f, entity - 1);
    if (world->attached != 0) release_children(world, entity);
    if (world->linked != 0) weft_links_remove_of(world, entity - 1);
    weft_despawn_at(world, weft_handle_of(&world->entities, f, entity - 1), at);
}

// Despawns all descendants of an entity that must be despawned before it.
static void end_below(weft_world *world, uint32_t top)
{
    uint32_t at = top;
    uint32_t met_by = 0; // the relation that led to `at`
    unlink_all(world, at);
    for (;;) {
        uint32_t relation = 0;
        uint32_t child = child_to_end(world, at, &relation);
        if (child == 0 && at == top) return;
        weft_node *back;
        if (child != 0) {
            unlink_all(world, child);
            back = weft_node_at(&world->relations[relation], child);
            back->next = at;
            back->previous = met_by;
            at = child;
            met_by = relation;
        } else {
            uint32_t ended = at;
            back = weft_node_at(&world->relations[met_by], at);
            at = back->next;
            met_by = back->previous;
            back->next = back->previous = 0;
            if (world->hooks) forget_met(world, ended);
            end_one(world, ended);
        }
    }
}

static bool tells(const weft_world *world)
{
    return WEFT_UNLIKELY(world->hooks != NULL) && world->hooks->ends;
}

// ------------------------------------------------------------------------------------------------
// Links that despawn
//
// Links can form circles of any kind. Therefore the entities are listed before anything changes:
// the first one, and for each listed entity its children, then the other ends of its links. The
// list is `world->ending`, which has an entry for every entity with children or with such links:
//
//   ending[index] = 0: not listed    the next listed entity (index + 1)    LAST: the last one
//
// Hooks then run tree by tree, and the trees are despawned, both in the order of the list.

#define LAST UINT32_MAX

typedef struct ending {
    weft_world *world;
    uint32_t *next; // world->ending
    uint32_t last;  // the last listed entity
} ending;

static bool is_alive(const weft_world *world, uint32_t entity)
{
    return weft_record_at(&world->entities, world->plan->format, entity - 1).generation != 0;
}

static bool is_listed(const ending *e, uint32_t entity)
{
    return e->next[entity - 1] != 0;
}

static void list_entity(ending *e, uint32_t entity)
{
    if (is_listed(e, entity)) return;
    e->next[e->last - 1] = entity;
    e->next[entity - 1] = LAST;
    e->last = entity;
}

static void list_children(ending *e, uint32_t entity)
{
    for (uint32_t i = 0; i < e->world->plan->schema->relation_count; i++) {
        const weft_relation *r = &e->world->relations[i];
        if (!r->ends || entity > r->capacity) continue;
        uint32_t child = weft_node_at(r, entity)->first_child;
        for (; child != 0; child = weft_node_at(r, child)->next) list_entity(e, child);
    }
}

static void list_ends(ending *e, const weft_adjacency *adjacency, uint32_t entity)
{
    weft_adjacent list = weft_adjacent_of(adjacency, entity - 1);
    for (uint32_t chunk = 0;; chunk++) {
        weft_adjacent_run run = weft_adjacent_part(adjacency, list, chunk);
        if (run.count == 0) return;
        for (uint32_t i = 0; i < run.count; i++) {
            if (is_alive(e->world, run.others[i] + 1)) list_entity(e, run.others[i] + 1);
        }
    }
}

static void list_linked(ending *e, uint32_t entity)
{
    for (uint32_t i = 0; i < e->world->plan->link_count; i++) {
        const weft_link_plan *plan = &e->world->plan->links[i];
        bool both = plan->symmetric && (plan->from_despawns || plan->to_despawns);
        if (plan->from_despawns || both) list_ends(e, &e->world->links[i].from, entity);
        if (plan->to_despawns || both) list_ends(e, &e->world->links[i].to, entity);
    }
}

// Returns whether an entity is below another listed one.
static bool has_listed_parent(const ending *e, uint32_t entity)
{
    for (uint32_t i = 0; i < e->world->plan->schema->relation_count; i++) {
        const weft_relation *r = &e->world->relations[i];
        if (!r->ends || entity > r->capacity) continue;
        uint32_t parent = weft_node_at(r, entity)->parent;
        if (parent != 0 && is_listed(e, parent)) return true;
    }
    return false;
}

// Calls the hooks of all listed entities, children before their parents. If relations together form
// a circle, none of its entities is a root; the first listed one is visited first.
static void tell_listed(const ending *e, uint32_t first)
{
    weft_world *world = e->world;
    uint32_t count = world->plan->schema->relation_count;
    for (uint32_t at = first; at != LAST; at = e->next[at - 1]) {
        if (!has_listed_parent(e, at)) tell_below(world, at);
    }
    for (uint32_t at = first; at != LAST; at = e->next[at - 1]) {
        if (!has_listed_parent(e, at) || way_to(world, at) != count) continue;
        for (uint32_t i = 0; i < count; i++) {
            if (!world->relations[i].meets) continue;
            tell_below(world, at);
            write_met(&world->relations[i], at, true);
            break;
        }
    }
}

// Despawns an entity and all that must be despawned with it.
static void end_linked(weft_world *world, uint32_t first)
{
    ending e = {world, (uint32_t *)(void *)world->ending.base, first};
    e.next[first - 1] = LAST;
    for (uint32_t at = first; at != LAST; at = e.next[at - 1]) {
        list_children(&e, at);
        list_linked(&e, at);
    }
    if (tells(world)) tell_listed(&e, first);
    for (uint32_t next, at = first; at != LAST; at = next) {
        next = e.next[at - 1];
        e.next[at - 1] = 0;
        if (!is_alive(world, at)) continue;
        if (world->attached != 0) end_below(world, at);
        if (world->hooks) forget_met(world, at);
        end_one(world, at);
    }
}

void weft_despawn_whole(weft_world *world, uint64_t handle)
{
    uint32_t entity = weft_handle_index(world->plan->format, handle) + 1;
    if (world->linked != 0 && entity <= world->ending.bytes / sizeof(uint32_t)) {
        end_linked(world, entity);
        return;
    }
    if (tells(world)) tell_below(world, entity);
    if (world->attached != 0) end_below(world, entity);
    end_one(world, entity);
}

// Indices are freed in the same order as by recycling, so that the lowest are reused first.
void weft_despawn_every(weft_world *world)
{
    const weft_entities *entities = &world->entities;
    const uint32_t count = entities->index_count;
    weft_hooks_call_closing(world);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = entities->wait == 0 ? count - 1 - i : i;
        if (weft_record_at(entities, world->plan->format, index).generation == 0) continue;
        if (world->attached != 0) end_below(world, index + 1);
        end_one(world, index + 1);
    }
    for (uint32_t i = 0; world->linked != 0 && i < world->plan->link_count; i++) {
        weft_links_end_kind(world, i); // between entities that are away
    }
    weft_away_forget_all(&world->entities, world->plan->format);
}

bool weft_forget(weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    if (!weft_is_away(&world->entities, f, handle)) return false;
    if (world->linked != 0) weft_links_remove_of(world, weft_handle_index(f, handle));
    weft_away_forget(&world->entities, f, handle);
    weft_world_changed_in_place(world);
    return true;
}
