// Copies the nodes of relations, and the bits of rows that follow from them.
#ifndef WEFT_COPY_NODES_H
#define WEFT_COPY_NODES_H

#include "copying.h"

// Finds the parents of the copies, and makes space for their nodes and bits, after
// weft_copy_rows_ready. Counts the bits like components. Returns false if there is no memory.
bool weft_copy_nodes_ready(weft_copying *c);

// Links the copies, whose rows were written.
void weft_copy_nodes(weft_copying *c);

#endif
