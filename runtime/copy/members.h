// The members of a set of entities that is copied, each once, and their copies.
//
// Members are found by the index of the original in a hash table, because a set may be small in a
// large world. Sixteen adjacent indices stay adjacent in the hash table, so that a set of adjacent
// indices is found like in an array.
#ifndef WEFT_MEMBERS_H
#define WEFT_MEMBERS_H

#include "../world/world.h"

typedef struct weft_member {
    uint64_t from; // the handle of the original
    uint64_t to;   // the handle of its copy; 0: not known yet
    weft_place at; // the location of the original
} weft_member;

typedef struct weft_members {
    weft_member *items; // in the order of the set
    uint32_t *slots;    // open addressing by index: number of a member + 1; 0: free
    uint32_t count;
    uint32_t capacity;
    uint32_t bits; // there are 1 << bits slots
    uint32_t mask; // the bits of the index in a handle
    weft_format format;
} weft_members;

// Makes space for one more member in the members of a world. Returns false if there is no memory.
bool weft_members_grow(weft_world *world, weft_members *members);

// Appends a living entity. The members of a copy lie in the target `world`. Returns false if there
// is no memory.
static inline bool weft_members_add(weft_world *world, weft_members *members, uint64_t handle,
                                    weft_place at)
{
    if (members->count == members->capacity && !weft_members_grow(world, members)) return false;
    members->items[members->count++] = (weft_member){.from = handle, .at = at};
    return true;
}

// Returns the number of slots for the members, of which more than half stay free.
size_t weft_members_slots(weft_members *members);

// Builds the hash table in slots that are zero, and removes members that occur twice.
void weft_members_index(weft_members *members, uint32_t *slots);

// Returns the index of a handle.
static inline uint32_t weft_member_index(const weft_members *members, uint64_t handle)
{
    return (uint32_t)handle & members->mask;
}

// Returns the slot of an index: that of its member, or a free one.
WEFT_ALWAYS_INLINE uint32_t *weft_member_slot(const weft_members *members, uint32_t index)
{
    const uint32_t end = (uint32_t)(((uint64_t)1 << members->bits) - 1);
    const uint32_t line = (index >> 4) * UINT32_C(0x9E3779B1) >> (36 - members->bits);
    uint32_t at = line << 4 | (index & 15);
    for (uint32_t slot; (slot = members->slots[at]) != 0; at = (at + 1) & end) {
        if (weft_member_index(members, members->items[slot - 1].from) == index) break;
    }
    return &members->slots[at];
}

// Writes the numbers of all members to `numbers`, sorted by the handles of the originals. `spare`
// has the same size. Returns the one of both that contains the result. O(n) if the set is sorted.
uint32_t *weft_members_sorted(const weft_members *members, uint32_t *numbers, uint32_t *spare);

#endif
