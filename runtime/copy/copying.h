// The state of a copy. copy.c runs its steps: `ready` takes all memory for a part of the copy, and
// the step after it cannot fail.
#ifndef WEFT_COPYING_H
#define WEFT_COPYING_H

#include "../world/world.h"
#include "copy.h"
#include "members.h"

// The members whose originals are in one table.
typedef struct weft_copy_group {
    const weft_table *from;
    weft_table *to;
    uint32_t first; // row of the first copy in `to`; the others follow
    uint32_t start; // its members are members[order[start]] …
    uint32_t count;
} weft_copy_group;

typedef struct weft_copying {
    weft_world *to;
    const weft_world *from;
    const weft_copy_options *options;
    weft_members members;
    weft_copy_group *groups;
    uint32_t group_count;
    uint32_t *order;  // numbers of members, grouped by table, in each table in the order of the set
    uint32_t *spare;  // two numbers for each member, for one step at a time
    uint32_t *counts; // by component: the number of copies that have it
    uint32_t indices; // of the target, with the copies
    uint64_t links_added;
} weft_copying;

// Sorts the members into groups. `starts` has one zeroed number for each table of `from`.
void weft_copy_group_all(weft_copying *c, uint32_t *starts);

// Rows, bits and sparse values (rows.c), with the handles inside values (values.c). The handles of
// the copies are known.
bool weft_copy_rows_ready(weft_copying *c);
void weft_copy_rows(weft_copying *c);
void weft_copy_values(weft_copying *c, const weft_copy_group *group);
void weft_copy_value(weft_copying *c, uint32_t component, void *value);

// Nodes of relations (nodes.c). Bits that follow from nodes count in `counts`.
bool weft_copy_nodes_ready(weft_copying *c);
void weft_copy_nodes(weft_copying *c);

// Makes space for a bit of a hidden tag that a row of a table is about to get.
bool weft_copy_hidden_ready(weft_copying *c, weft_table *table, uint16_t tag);

// Returns the table of the copy of a member.
weft_table *weft_copy_table(const weft_copying *c, const weft_member *member);

// Links (links.c). The bits that follow from them count in `counts`. weft_copy_links_add is the last
// step that takes memory.
bool weft_copy_links_ready(weft_copying *c);
bool weft_copy_links_add(weft_copying *c);
void weft_copy_links(weft_copying *c);
void weft_copy_links_tell(weft_copying *c);
void weft_copy_link_value(weft_copying *c, uint32_t link, void *value);

#endif
