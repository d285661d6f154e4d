// A world with several kinds of links, and a matrix of values that it is compared with.
#ifndef LINKED_H
#define LINKED_H

#include "fixture.h"

#include "edit/links.h"

// Kinds: one with values, hooks and tags; a bare symmetric one; one whose links despawn `to`; a
// symmetric one with values whose links despawn the other end.
enum { OWES, KNOWS, HOLDS, BOUND, KINDS };
enum { RELATIONS = 2, SLOTS = 24, TOLD_MAX = 4096 };
enum { OWES_FROM = SPARE, OWES_TO, KNOWS_FROM, KNOWS_TO };

typedef struct bond_value {
    uint64_t since;
    uint64_t with; // an entity
} bond_value;

typedef struct linked_told {
    bool added;
    uint64_t from;
    uint64_t to;
    uint32_t value;
} linked_told;

typedef struct linked {
    fixture fixture;
    fixture_memory memory;
    weft_field gold;     // of OWES and HOLDS
    weft_field bonds[2]; // of BOUND
    weft_link_info infos[KINDS];
    weft_link_plan kinds[KINDS];
    weft_relation_info relations[RELATIONS];
    weft_world *world;
    fixture_random random;
    bool two;              // uses both relations
    uint64_t slots[SLOTS]; // handles; 0: no entity
    bool has[KINDS][SLOTS][SLOTS];
    uint32_t value[KINDS][SLOTS][SLOTS];
    uint32_t parent[RELATIONS][SLOTS]; // slot + 1
} linked;

// What the hooks of the kind OWES, and of despawns, have heard. A new world begins with nothing.
extern linked_told linked_heard[TOLD_MAX];
extern uint32_t linked_heard_count;
extern weft_reason linked_heard_reason;
extern uint64_t linked_ended[SLOTS + 1]; // in the order of their hooks
extern uint32_t linked_ended_count;

// Opens a world. With hooks, OWES has on_add and on_remove, and `hears_ends` adds on_despawn.
linked *linked_open_with(uint64_t seed, bool hooks, bool hears_ends);
linked *linked_open(uint64_t seed, bool hooks); // with both or none
linked *linked_with_all(bool hooks);            // and one entity in each slot
void linked_close(linked *r);                   // everything must have been given back

weft_format linked_format(const linked *r);

// Calls of both the world and the model. Slots that a call needs must have entities.
void linked_spawn(linked *r, uint32_t slot);
void linked_despawn(linked *r, uint32_t slot); // with all that must end with it
bool linked_set(linked *r, uint32_t kind, uint32_t a, uint32_t b, uint32_t gold);
void linked_drop(linked *r, uint32_t kind, uint32_t a, uint32_t b); // also a missing link
void linked_attach(linked *r, uint32_t relation, uint32_t child, uint32_t parent);
void linked_step(linked *r); // any of them at random

// Change only the model: an entity that was despawned, a link that was added or removed.
void linked_forget(linked *r, uint32_t slot);
void linked_note(linked *r, uint32_t kind, uint32_t a, uint32_t b, bool on, uint32_t gold);

// The world equals the model: every link, value, walk, count and tag.
void linked_check(const linked *r);

#endif
