// Copies the nodes of relations, and the bits of rows that follow from them.
#ifndef WEFT_COPY_NODES_H
#define WEFT_COPY_NODES_H

#include "copying.h"

// Finds the parents of the copies, and makes space for their nodes and bits, after
// weft_copy_rows_ready. Counts the bits like components. Returns false if there is no memory.
bool weft_copy_nodes_ready(weft_copying *c);

// Links the copies, whose rows were written.
void weft_copy_nodes(weft_copying *c);

// Makes space for a bit of a hidden tag that a row of a table is about to get, and counts it.
// Returns false if there is no memory.
bool weft_copy_hidden_ready(weft_copying *c, weft_table *table, uint16_t tag);

// Returns the table of the copy of a member, by its number.
weft_table *weft_copy_table(const weft_copying *c, uint32_t member);

#endif
