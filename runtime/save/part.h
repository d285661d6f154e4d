// Part files: saves of a set of entities. SAVES.md describes their sections.
//
// A part is written by the writers of saves, without the sections of the world itself: singletons,
// clocks, switches, events, readers. The section PART makes the save a part. Handles that refer to
// entities outside of the set stay as they are in the file.
//
// The members of a part are bits by index, so that any set in any order, with repetitions, is
// written in the same way. For each table with members, the rows are listed as runs: a set that is
// a whole table is one run, whose columns are written from their place without a copy.
#ifndef WEFT_SAVE_PART_H
#define WEFT_SAVE_PART_H

#include "../world/relation.h"
#include "part_rows.h"
#include "scratch.h"

// A child or a parent of a member that is not a member itself. Handles are those of the world.
typedef struct weft_part_node {
    uint32_t relation;
    uint64_t child;
    uint64_t parent;
    uint64_t next; // the sibling after the child; 0: the child is the last one
} weft_part_node;

typedef struct weft_saved_part {
    uint64_t *members; // one bit for each index of the world
    uint32_t indices;  // the highest index of a member + 1
    uint32_t count;    // of members
    bool away;
    weft_part_rows *tables; // by number in weft_saver.tables
    weft_part_rows *stores;
    uint32_t *pairs;       // by relation: nodes with both ends among the members
    uint32_t gap_numbers;  // of the runs of indices between members (part_section.c)
    weft_part_node *nodes; // only if `away`: in the order in which a load attaches them
    uint32_t node_count;
    uint32_t node_capacity;
} weft_saved_part;

// What is saved, besides the set itself.
typedef struct weft_part_choice {
    const void *set;       // handles of plan->format.handle_bytes each
    size_t count;          // of them
    const uint64_t *below; // bit i: descendants in relation i belong to the part; NULL: none
    bool away; // the file will bring the entities back, so it contains their outer nodes
} weft_part_choice;

static inline bool weft_saved_part_has(const weft_saved_part *part, uint32_t index)
{
    return (part->members[index / 64] >> index % 64 & 1) != 0;
}

// Walks through the runs of indices below the highest member that are no members, at most `most` +
// 1 indices each. Initialise it with part and most.
typedef struct weft_part_gap {
    const weft_saved_part *part;
    uint32_t most;
    uint32_t first; // of the run
    uint32_t more;  // indices after it
    uint32_t next;  // index to continue at
} weft_part_gap;

bool weft_part_next_gap(weft_part_gap *gap);

// Walks through the children whose parents are members too: parents by index, the last child
// first. Initialise it with part and relation.
typedef struct weft_part_pair {
    const weft_saved_part *part;
    const weft_relation *relation;
    uint32_t child;  // index + 1
    uint32_t parent; // index
    uint32_t next;   // index of the parent to continue at
    uint32_t before; // child to continue at; 0: the next parent
} weft_part_pair;

bool weft_part_next_pair(weft_part_pair *pair);

// Finds the members of a part. Returns WEFT_DEAD, and reports, if an entity of the set is not
// alive; WEFT_NO_MEMORY without a report. weft_saved_part_close must be called in any case.
weft_status weft_saved_part_open(weft_saved_part *part, weft_world *world, weft_scratch *scratch,
                                 const weft_part_choice *choice);
void weft_saved_part_close(weft_saved_part *part, weft_heap *heap);

// Lists the rows and slots of the members for the saver, whose tables become those with members.
// Returns false if there is no memory.
struct weft_saver;
bool weft_saved_part_list(weft_saved_part *part, struct weft_saver *saver, weft_scratch *scratch);

#endif
