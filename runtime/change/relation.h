// Relations: trees of entities. Links lie beside the records, by the index of an entity, so no row
// moves when they change:
//
//   links[index] = | parent | first child | next sibling | previous sibling |    index + 1; 0: none
//
// From the first append of a relation on, the previous sibling of a first child is the last one, so
// that both ends of a list are at hand. Before that it is 0: keeping it right takes an attach
// another cache line, a fifth of its time where links lie anywhere in a million.
//
// A relation has memory for links from its first attach on, up to the highest index that was ever
// attached or attached to. A world in which no entity is attached tests one number when one is
// despawned. These always hold: an entity is in the list of its parent's children exactly if it
// names that parent; no entity is below itself; only living entities have links.
//
// Attaching walks up from the parent and through all below the child in turns, to see that they do
// not meet, and stops where either walk ends; so chains grow in constant time at both ends.
// Where the plan says so, rows have a bit while their entity has a parent, and one while it has
// children (weft_relation_plan), with change bits and removals as tags have them. Memory for these
// is taken before a link is changed, so unlinking cannot fail.
//
// Despawning takes a child out of all its relations before it goes below it, and keeps the way back
// in the links that are free then. Where there are hooks a walk before that tells them of all that
// will end, while all links are whole; of several relations that end children, each has a bit for
// every index then, by which that walk knows whom it has met, and on which way. Nothing here
// recurses, and only attaching takes memory, also where several relations form a circle together.
#ifndef WEFT_RELATION_H
#define WEFT_RELATION_H

#include "component.h"

typedef struct weft_link {
    uint32_t parent; // index + 1, as are the others; 0: none
    uint32_t first_child;
    uint32_t next;
    uint32_t previous; // of a first child: the last one, or 0
} weft_link;

typedef struct weft_relation {
    weft_region links; // weft_link by index
    weft_region met;   // bits by index, see weft_despawn_whole
    uint32_t capacity; // indices that have one
    uint32_t attached; // entities with a parent
    uint32_t version;  // attaches and detaches so far, wrapping
    bool rings;        // first children lead to the last ones
    bool ends;         // children end with their parent
    bool meets;        // it is one of several such, in a world with hooks: it keeps `met`
} weft_relation;

// Relations are opened and closed with their world. False: no memory.
bool weft_relations_open(weft_world *world);
void weft_relations_close(weft_world *world);

// Gives back the memory of links above the highest index that has one. False: no memory to copy
// what stays.
bool weft_relations_trim(weft_world *world);

#ifdef WEFT_HARD
void weft_relations_relocate(weft_world *world); // see weft_world_changed
#endif

// These change links as the calls of change/calls.h do, also while a phase runs, and leave it to
// the caller to report why not.
weft_status weft_link_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_link_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
weft_status weft_link_insert_before(weft_world *world, uint32_t relation, uint64_t child,
                                    uint64_t sibling);
// Returns what attaching would, and takes its memory: after WEFT_OK it does not fail.
weft_status weft_link_ready(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Attaches as the schema says, as first or last child, where weft_link_ready has returned WEFT_OK.
void weft_link_place(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent);
// Makes space also in another table than that of its row now, where the child will be; NULL: there
// was no memory for it.
weft_status weft_link_ready_in(weft_world *world, uint32_t relation, uint64_t child,
                               uint64_t parent, weft_table *table);
// Makes space for the links of an index and of those below it. False: no memory.
bool weft_links_ready(weft_world *world, weft_relation *relation, uint32_t index);
weft_status weft_link_detach(weft_world *world, uint32_t relation, uint64_t child);

// Records as weft_command_record does that an entity is attached or appended, for a relation that
// ends children with their parent, and notes whether that could be done now: where the parent has
// ended until it is, the child ends too. The value is the parent, a uint64_t.
bool weft_command_attach(struct weft_commands *commands, weft_command_kind kind, uint16_t relation,
                         uint64_t child, const void *value, size_t bytes);
// Calls the hooks of all links of an entity to its parents: it got them, or is about to lose them.
void weft_hooks_links(weft_world *world, uint32_t index, bool attached);
// Calls those of all entities, by index.
void weft_hooks_all_links(weft_world *world, bool attached);

// Despawns a living entity, in any world, and, children first, those below it in relations that say
// so; in the others its children become roots. O(entities despawned + children that became roots).
void weft_despawn_whole(weft_world *world, uint64_t handle);

// ------------------------------------------------------------------------------------------------
// Reads. A dead handle has no links, and 0 for a parent, child or sibling.

static inline weft_link *weft_links(const weft_relation *relation)
{
    return (weft_link *)(void *)relation->links.base;
}

// Returns the last child of an index below the capacity, as index + 1. Attaching every child of a
// list, the last one first, makes an equal list. O(children).
static inline uint32_t weft_last_child(const weft_relation *relation, uint32_t index)
{
    const weft_link *links = weft_links(relation);
    uint32_t child = links[index].first_child;
    while (child != 0 && links[child - 1].next != 0) child = links[child - 1].next;
    return child;
}

// Returns the child before one that has a parent, both as index + 1; 0: it is the first.
static inline uint32_t weft_child_before(const weft_relation *relation, uint32_t child)
{
    const weft_link *links = weft_links(relation);
    uint32_t previous = links[child - 1].previous;
    return previous == 0 || links[previous - 1].next == 0 ? 0 : previous;
}

// Returns the links of a living entity, which are all 0 for any other handle.
WEFT_ALWAYS_INLINE weft_link weft_link_of(const weft_world *world, weft_format f, uint32_t relation,
                                          uint64_t handle)
{
    weft_place at;
    weft_link none = {0, 0, 0, 0};
    const weft_relation *r = &world->relations[relation];
    uint32_t index = weft_handle_index(f, handle);
    if (index >= r->capacity || !weft_find(&world->entities, f, handle, &at)) return none;
    return weft_links(r)[index];
}

// Returns the handle that a link leads to; 0: none.
WEFT_ALWAYS_INLINE uint64_t weft_linked(const weft_world *world, weft_format f, uint32_t link)
{
    return link == 0 ? 0 : weft_handle_of(&world->entities, f, link - 1);
}

WEFT_ALWAYS_INLINE uint64_t weft_parent(const weft_world *world, weft_format f, uint32_t relation,
                                        uint64_t handle)
{
    return weft_linked(world, f, weft_link_of(world, f, relation, handle).parent);
}

WEFT_ALWAYS_INLINE uint64_t weft_first_child(const weft_world *world, weft_format f,
                                             uint32_t relation, uint64_t handle)
{
    return weft_linked(world, f, weft_link_of(world, f, relation, handle).first_child);
}

// A root has no siblings. While it ends with those below it, its links lead elsewhere.
WEFT_ALWAYS_INLINE uint64_t weft_next_sibling(const weft_world *world, weft_format f,
                                              uint32_t relation, uint64_t handle)
{
    weft_link link = weft_link_of(world, f, relation, handle);
    return weft_linked(world, f, link.parent == 0 ? 0 : link.next);
}

WEFT_ALWAYS_INLINE uint64_t weft_previous_sibling(const weft_world *world, weft_format f,
                                                  uint32_t relation, uint64_t handle)
{
    if (weft_link_of(world, f, relation, handle).parent == 0) return 0;
    uint32_t child = weft_handle_index(f, handle) + 1;
    return weft_linked(world, f, weft_child_before(&world->relations[relation], child));
}

// Counts the children of an entity. O(children): a count in each link would cost every entity four
// bytes.
uint32_t weft_child_count(const weft_world *world, uint32_t relation, uint64_t handle);

// Counts the entities above one. O(depth).
uint32_t weft_depth(const weft_world *world, uint32_t relation, uint64_t handle);

// A walk over an entity and all below it: parents before children, first children first, without
// memory or recursion.
typedef struct weft_walk {
    const weft_world *world;
    uint32_t relation;
    uint32_t version; // of the world when it began
    uint32_t root;    // index + 1; 0: the walk is at its end
    uint32_t at;      // the entity at hand; 0: not begun
    uint32_t depth;   // below the root
} weft_walk;

// Begins a walk. Where the root is dead there is nothing to walk.
weft_walk weft_walk_begin(const weft_world *world, uint32_t relation, uint64_t root);

// Returns the next entity; 0: the end. After a structural change it asserts; release builds end the
// walk and report it. O(1) each on average.
uint64_t weft_walk_next(weft_walk *walk);

// ------------------------------------------------------------------------------------------------
// Rows

// The row of an entity's parent. Without a parent it is a row of the table without components.
typedef struct weft_parent_row {
    const weft_table *table;
    uint32_t row;
    uint32_t index; // UINT32_MAX: no parent
} weft_parent_row;

WEFT_ALWAYS_INLINE weft_parent_row weft_parent_of_row(const weft_world *world, weft_format f,
                                                      uint32_t relation, const weft_table *table,
                                                      uint32_t row)
{
    const weft_relation *r = &world->relations[relation];
    weft_parent_row parent = {world->tables.items[0], 0, UINT32_MAX};
    uint32_t index = weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
    uint32_t link = index < r->capacity ? weft_links(r)[index].parent : 0;
    if (link == 0) return parent;
    weft_place at = weft_place_of(&world->entities, f, link - 1);
    parent.table = world->tables.items[at.table];
    parent.row = at.row;
    parent.index = link - 1;
    return parent;
}

#endif
