// The members of a set of entities that is copied, each once, and their copies.
//
// Members are found by the index of the original in a hash table, because a set may be small in a
// large world. Sixteen adjacent indices stay adjacent in the hash table, so that a set of adjacent
// indices is found like in an array.
#ifndef WEFT_MEMBERS_H
#define WEFT_MEMBERS_H

#include "../store/entity.h"

typedef struct weft_member {
    uint64_t from; // the handle of the original
    uint64_t to;   // the handle of its copy; 0: not known yet
    weft_place at; // the location of the original
} weft_member;

typedef struct weft_members {
    weft_member *items; // in the order of the set
    uint32_t *slots;    // open addressing by index: number of a member + 1; 0: free
    uint32_t count;
    uint32_t bits; // there are 1 << bits slots
    weft_format format;
} weft_members;

// Returns the number of bits of a hash table for n members, which stays at least half empty.
static inline uint32_t weft_members_bits(uint32_t n)
{
    uint32_t bits = 5;
    while (((uint64_t)1 << bits) < (uint64_t)n * 2) bits++;
    return bits;
}

// Returns the first slot of an index.
static inline uint32_t weft_member_home(const weft_members *members, uint32_t index)
{
    uint32_t line = (index >> 4) * UINT32_C(0x9E3779B1) >> (36 - members->bits);
    return line << 4 | (index & 15);
}

// Returns the slot of an index: that of its member, or a free one.
WEFT_ALWAYS_INLINE uint32_t *weft_member_slot(const weft_members *members, weft_format f,
                                              uint32_t index)
{
    uint32_t mask = (uint32_t)(((uint64_t)1 << members->bits) - 1);
    uint32_t at = weft_member_home(members, index);
    for (uint32_t slot; (slot = members->slots[at]) != 0; at = (at + 1) & mask) {
        if (weft_handle_index(f, members->items[slot - 1].from) == index) break;
    }
    return &members->slots[at];
}

// Returns the member with an index, or NULL if there is none.
WEFT_ALWAYS_INLINE weft_member *weft_member_find(const weft_members *members, weft_format f,
                                                 uint32_t index)
{
    uint32_t slot = *weft_member_slot(members, f, index);
    return slot == 0 ? NULL : &members->items[slot - 1];
}

// Adds the living entities of a set, n handles of f.handle_bytes each, to an empty table. Returns
// false if one is not alive.
bool weft_members_add(weft_members *members, const weft_entities *entities, const void *set,
                      size_t n);

// Writes the numbers of all members to `numbers`, sorted by the handles of the originals. `spare`
// has the same size. Returns the one of both that contains the result. O(n) if the set is sorted.
uint32_t *weft_members_sorted(const weft_members *members, uint32_t *numbers, uint32_t *spare);

#endif
