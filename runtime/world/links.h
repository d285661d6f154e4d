// Links: from entities to others, many to many, with a value each. A kind of links is a [link.x] of
// the schema. Links are stored by the indices of entities, outside the tables, so no row moves when
// they change:
//
//   from[a] = b, …  with the values     to[b] = a, …  without them
//
// Both lists are sorted (store/adjacency.h), so the order of a walk depends on the state alone.
// A symmetric link is stored once, from the lower index to the higher one. The links of an entity
// are then its list in `to`, which has all lower indices, followed by its list in `from`. A link of
// an entity to itself is in both lists of that entity, and a walk over a symmetric kind shows it
// once.
//
// Invariants: an entry is in `from` if and only if its twin is in `to`. Only entities that are alive
// or away have links. An entity that leaves keeps its links, and so has them when it returns. Then
// the bits of its new row are written. A walk shows links to entities that are away, with their
// handles.
//
// Only edit/links.c changes links; the functions here read them.
#ifndef WEFT_LINKS_H
#define WEFT_LINKS_H

#include "../store/adjacency.h"
#include "world.h"

// The links of one kind.
typedef struct weft_links {
    weft_adjacency from; // with values
    weft_adjacency to;
    uint64_t count;
    bool symmetric;
    bool ends; // links of any kind can despawn an entity
} weft_links;

// Prepare the links of a world that opens, and free them when it closes.
void weft_links_open(weft_world *world);
void weft_links_close(weft_world *world);

// Gives back memory that links do not need. Returns false if there is no memory to copy the rest.
bool weft_links_trim(weft_world *world);

// Returns whether the despawn of an entity can despawn others by links.
static inline bool weft_links_end(const weft_plan *plan)
{
    bool ends = false;
    for (uint32_t i = 0; i < plan->link_count; i++) {
        ends |= plan->links[i].from_despawns || plan->links[i].to_despawns;
    }
    return ends;
}

// Makes the list of entities to despawn (world->ending) long enough for an index, if links despawn
// entities. Every index with links or children must be in it, so that despawning needs no memory.
// Returns false if there is no memory.
bool weft_ending_ready(weft_world *world, uint32_t index);

// ------------------------------------------------------------------------------------------------
// One link. `link` is the number of the kind, and `size` is the size of its values, 0 for a bare
// link. A dead handle has no links.

// The indices between which a link is stored.
typedef struct weft_link_ends {
    uint32_t from;
    uint32_t to;
    bool alive; // both entities are alive or away
} weft_link_ends;

// Returns the handle of an entity that has a link.
WEFT_ALWAYS_INLINE uint64_t weft_link_handle(const weft_world *world, weft_format f, uint32_t index)
{
    weft_wide_record record = weft_record_at(&world->entities, f, index);
    // The record of an entity that is away has its generation in place of the table.
    return weft_handle(f, index, record.generation != 0 ? record.generation : record.table);
}

// Returns whether the handle is that of an entity that is alive or away.
WEFT_ALWAYS_INLINE bool weft_link_end_exists(const weft_world *world, weft_format f,
                                             uint64_t handle)
{
    weft_place at;
    return weft_find(&world->entities, f, handle, &at) ||
           (WEFT_UNLIKELY(world->entities.away_count != 0) &&
            weft_is_away(&world->entities, f, handle));
}

// Returns the ends as a kind stores them: a symmetric link goes from the lower index to the higher.
static inline weft_link_ends weft_link_ends_stored(const weft_links *links, weft_link_ends ends)
{
    if (links->symmetric && ends.from > ends.to) {
        uint32_t lower = ends.to;
        ends.to = ends.from;
        ends.from = lower;
    }
    return ends;
}

WEFT_ALWAYS_INLINE weft_link_ends weft_link_ends_of(const weft_world *world, weft_format f,
                                                    uint32_t link, uint64_t from, uint64_t to)
{
    weft_link_ends ends = {weft_handle_index(f, from), weft_handle_index(f, to), false};
    ends.alive = weft_link_end_exists(world, f, from) && weft_link_end_exists(world, f, to);
    return weft_link_ends_stored(&world->links[link], ends);
}

// Returns the value of a link, or NULL if there is no such link. Only for kinds with values. The
// pointer is valid until the next structural change. O(log(links of `from`)).
WEFT_ALWAYS_INLINE const void *weft_link_get(const weft_world *world, weft_format f, uint32_t link,
                                             uint32_t size, uint64_t from, uint64_t to)
{
    weft_link_ends ends = weft_link_ends_of(world, f, link, from, to);
    if (!ends.alive) return NULL;
    return weft_adjacent_find(&world->links[link].from, ends.from, ends.to, size);
}

// Returns whether there is a link.
WEFT_ALWAYS_INLINE bool weft_link_has(const weft_world *world, weft_format f, uint32_t link,
                                      uint64_t from, uint64_t to)
{
    weft_link_ends ends = weft_link_ends_of(world, f, link, from, to);
    return ends.alive && weft_adjacent_has(&world->links[link].from, ends.from, ends.to);
}

// Returns the number of links of a kind.
static inline uint64_t weft_link_count(const weft_world *world, uint32_t link)
{
    return world->links[link].count;
}

// Returns the number of links of an entity, if it is alive: from it, and to it. For a symmetric
// kind, both return the number of all its links. O(1); O(log) for a symmetric kind.
uint32_t weft_link_count_from(const weft_world *world, uint32_t link, uint64_t handle);
uint32_t weft_link_count_to(const weft_world *world, uint32_t link, uint64_t handle);

// ------------------------------------------------------------------------------------------------
// A walk over the links of an entity, by the index of the other end.

typedef enum weft_link_side {
    WEFT_LINK_FROM,  // from the entity: the others are `to`
    WEFT_LINK_TO,    // to the entity: the others are `from`
    WEFT_LINK_LOWER, // symmetric: the list in `to`, before that in `from`
} weft_link_side;

// The links that a walk shows next.
typedef struct weft_link_ahead {
    const weft_world *world;
    uint64_t moment;        // the moment of the world in which the walk began
    const uint32_t *others; // of the current run
    unsigned char *values;  // of the current run; NULL: another list has the values
    uint32_t at;            // entries of the run that were shown
    uint32_t count;         // entries of the run
    uint32_t next_chunk;
    uint32_t index; // of the entity
    uint32_t link;
    weft_link_side side;
    bool last; // there is no further run
} weft_link_ahead;

typedef struct weft_link_walk {
    weft_link_ahead ahead;
    uint64_t other; // handle of the other end of the current link
} weft_link_walk;

// Begins a walk over the links from an entity, or to it. For a symmetric kind, both show all its
// links. Empty if the entity is dead.
weft_link_walk weft_link_walk_from(const weft_world *world, uint32_t link, uint64_t handle);
weft_link_walk weft_link_walk_to(const weft_world *world, uint32_t link, uint64_t handle);

// Returns the next run, for a walk that has shown all of its current one. It is empty at the end, and
// after a structural change: debug builds assert then; release builds report it. The state is passed
// by value, so that compilers keep it in registers, and compute `other` only if it is used.
weft_link_ahead weft_link_walk_more(weft_link_ahead ahead);

// Goes to the next link. Returns false at the end.
WEFT_ALWAYS_INLINE bool weft_link_walk_next(weft_link_walk *walk, weft_format f)
{
    weft_link_ahead *ahead = &walk->ahead;
    bool passed = ahead->moment != weft_moment(ahead->world);
    if (WEFT_UNLIKELY(passed || ahead->at == ahead->count)) {
        if (ahead->last && !passed) return false;
        *ahead = weft_link_walk_more(*ahead);
        if (ahead->at == ahead->count) return false;
    }
    walk->other = weft_link_handle(ahead->world, f, ahead->others[ahead->at++]);
    return true;
}

// Returns the value of a link in the list of another entity: `from` and `to` are stored ends.
WEFT_PURE void *weft_link_value(const weft_world *world, uint32_t link, uint32_t from, uint32_t to);

// Returns the value of the current link. The calls have no effects, so that compilers remove them
// if a value is not used. O(1) for a walk over links from an entity; otherwise O(log).
WEFT_ALWAYS_INLINE const void *weft_link_walk_value(const weft_link_walk *walk, uint32_t size)
{
    const weft_link_ahead *ahead = &walk->ahead;
    uint32_t at = ahead->at - 1;
    if (ahead->values != NULL) return ahead->values + (size_t)at * size;
    return weft_link_value(ahead->world, ahead->link, ahead->others[at], ahead->index);
}

// ------------------------------------------------------------------------------------------------
// A walk over all links of a kind, by `from` and then by `to`, in runs of one `from` each. A
// symmetric link is shown once. Entities are given by index.

typedef struct weft_link_runs {
    const weft_world *world;
    uint32_t link;
    uint32_t next;  // the index after `from`
    uint32_t end;   // the walk ends before this index
    uint32_t chunk; // of a hub
    uint32_t from;
    weft_adjacent_run run;
} weft_link_runs;

// Begins a walk over the links from the indices `first` to `end` - 1. UINT32_MAX means all to the
// end.
weft_link_runs weft_link_runs_begin(const weft_world *world, uint32_t link, uint32_t first,
                                    uint32_t end);

// Goes to the next run. Returns false at the end.
bool weft_link_runs_next(weft_link_runs *runs);

#endif
