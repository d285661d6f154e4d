// Copies links, and the bits of rows that follow from them.
#ifndef WEFT_COPY_LINKS_H
#define WEFT_COPY_LINKS_H

#include "copying.h"

// Makes space for the bits of rows, and counts them like components. Returns false if there is no
// memory.
bool weft_copy_links_ready(weft_copying *c);

// Adds the links to the lists of the target. This is the last step that takes memory. Returns false
// without changes if there is none.
bool weft_copy_links_add(weft_copying *c);

// Changes the handles inside of values, and writes the bits of both ends, whose rows were written.
void weft_copy_links(weft_copying *c);

// Calls the hooks of the new links.
void weft_copy_links_tell(weft_copying *c);

#endif
