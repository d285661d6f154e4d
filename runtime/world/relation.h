// Relations: trees of entities. Nodes are stored by the index of an entity, outside the tables, so
// no row moves when they change:
//
//   nodes[index] = | parent | first child | next sibling | previous sibling |    index + 1; 0: none
//
// From the first append of a relation, the previous sibling of a first child is the last child, so
// that both ends of a list are reached in O(1). Before that it is 0, because keeping it up to date
// would cost each attach another cache line.
//
// A relation has memory for nodes from its first attach, up to the highest index that was ever
// attached or attached to. If no entity of a world is attached, a despawn tests only one number.
// Invariants: an entity is in the child list of exactly its parent; no entity is below itself; only
// living entities have nodes.
//
// Only edit/nodes.c changes nodes; the functions here read them. tree.h counts and walks along them.
// No function recurses.
#ifndef WEFT_RELATION_H
#define WEFT_RELATION_H

#include "world.h"

typedef struct weft_node {
    uint32_t parent; // index + 1, like the others; 0: none
    uint32_t first_child;
    uint32_t next;
    uint32_t previous; // of a first child: the last child, or 0
} weft_node;

typedef struct weft_relation {
    weft_region nodes; // weft_node by index
    weft_region met;   // one bit for each index, see edit/despawn.c
    uint32_t capacity; // indices with nodes
    uint32_t attached; // entities with a parent
    uint32_t version;  // number of attaches and detaches, wrapping
    bool rings;        // a first child's `previous` is the last child
    bool ends;         // children are despawned with their parent
    bool meets;        // one of several relations with `ends`, in a world with hooks: it uses `met`
} weft_relation;

// Returns whether the game has hooks for despawned entities or removed components.
bool weft_tells_of_ends(const weft_plan *plan);

// Sets `ends` and `meets` of each relation in a world that opens.
void weft_relations_open(weft_world *world);

// Gives back the memory of nodes above the highest index with a node. Returns false if there is no
// memory to copy the rest.
bool weft_relations_trim(weft_world *world);

// Makes space for the nodes of all indices up to `index`, which is not below the capacity. Returns
// false if there is no memory.
bool weft_nodes_grow(weft_world *world, weft_relation *relation, uint32_t index);

// Like weft_nodes_grow, for any index; does nothing if there is space.
static inline bool weft_nodes_ready(weft_world *world, weft_relation *relation, uint32_t index)
{
    return index < relation->capacity || weft_nodes_grow(world, relation, index);
}

// ------------------------------------------------------------------------------------------------
// Reads. A dead handle has no nodes: its parent, children and siblings are 0.

static inline weft_node *weft_nodes(const weft_relation *relation)
{
    return (weft_node *)(void *)relation->nodes.base;
}

// Returns the node of an index + 1.
static inline weft_node *weft_node_at(const weft_relation *relation, uint32_t node)
{
    return &weft_nodes(relation)[node - 1];
}

// Returns the last child of an index below the capacity, as index + 1. Attaching the children of a
// list from the last to the first rebuilds the same list. O(children).
static inline uint32_t weft_last_child(const weft_relation *relation, uint32_t index)
{
    const weft_node *nodes = weft_nodes(relation);
    uint32_t child = nodes[index].first_child;
    while (child != 0 && nodes[child - 1].next != 0) child = nodes[child - 1].next;
    return child;
}

// Returns the child before a child, both as index + 1. Returns 0 if it is the first.
static inline uint32_t weft_child_before(const weft_relation *relation, uint32_t child)
{
    const weft_node *nodes = weft_nodes(relation);
    uint32_t previous = nodes[child - 1].previous;
    return previous == 0 || nodes[previous - 1].next == 0 ? 0 : previous;
}

// Returns the node of a living entity. All of it is 0 for any other handle.
WEFT_ALWAYS_INLINE weft_node weft_node_of(const weft_world *world, weft_format f, uint32_t relation,
                                          uint64_t handle)
{
    weft_place at;
    weft_node none = {0, 0, 0, 0};
    const weft_relation *r = &world->relations[relation];
    uint32_t index = weft_handle_index(f, handle);
    if (index >= r->capacity || !weft_find(&world->entities, f, handle, &at)) return none;
    return weft_nodes(r)[index];
}

// Returns the handle of an index + 1, or 0 for 0.
WEFT_ALWAYS_INLINE uint64_t weft_node_handle(const weft_world *world, weft_format f, uint32_t node)
{
    return node == 0 ? 0 : weft_handle_of(&world->entities, f, node - 1);
}

WEFT_ALWAYS_INLINE uint64_t weft_parent(const weft_world *world, weft_format f, uint32_t relation,
                                        uint64_t handle)
{
    return weft_node_handle(world, f, weft_node_of(world, f, relation, handle).parent);
}

WEFT_ALWAYS_INLINE uint64_t weft_first_child(const weft_world *world, weft_format f,
                                             uint32_t relation, uint64_t handle)
{
    return weft_node_handle(world, f, weft_node_of(world, f, relation, handle).first_child);
}

// A root has no siblings. While a tree is being despawned, the `next` of its root is used for
// another list.
WEFT_ALWAYS_INLINE uint64_t weft_next_sibling(const weft_world *world, weft_format f,
                                              uint32_t relation, uint64_t handle)
{
    weft_node node = weft_node_of(world, f, relation, handle);
    return weft_node_handle(world, f, node.parent == 0 ? 0 : node.next);
}

WEFT_ALWAYS_INLINE uint64_t weft_previous_sibling(const weft_world *world, weft_format f,
                                                  uint32_t relation, uint64_t handle)
{
    if (weft_node_of(world, f, relation, handle).parent == 0) return 0;
    uint32_t child = weft_handle_index(f, handle) + 1;
    return weft_node_handle(world, f, weft_child_before(&world->relations[relation], child));
}

// ------------------------------------------------------------------------------------------------
// Rows

// The row of an entity's parent. For a root it is row 0 of the table without components.
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
    uint32_t node = index < r->capacity ? weft_nodes(r)[index].parent : 0;
    if (node == 0) return parent;
    weft_place at = weft_place_of(&world->entities, f, node - 1);
    parent.table = world->tables.items[at.table];
    parent.row = at.row;
    parent.index = node - 1;
    return parent;
}

#endif
