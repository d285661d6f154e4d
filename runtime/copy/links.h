// Copies links. A link between two members connects the copies. A link with one end outside of the
// set is copied with its outer end if the options say so.
#ifndef WEFT_COPY_LINKS_H
#define WEFT_COPY_LINKS_H

#include "copying.h"

// Makes space for the bits of rows that get links, after weft_copy_rows_ready. Counts the bits like
// components. Returns false if there is no memory.
bool weft_copy_links_ready(weft_copying *c);

// Adds the links, although their new ends have no rows yet. It is the last step that can fail:
// returns false without changes if there is no memory.
bool weft_copy_links_add(weft_copying *c);

// Writes the bits of the rows of both ends, and marks them, after all rows were written.
void weft_copy_links_show(weft_copying *c);

// Calls the hooks of the links.
void weft_copy_links_tell(weft_copying *c);

#endif
