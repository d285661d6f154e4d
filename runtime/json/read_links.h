// The parents of entities in a text that is read.
#ifndef WEFT_READ_LINKS_H
#define WEFT_READ_LINKS_H

#include "text.h"

// Reads the parents of a single entity, or the links of a world.
void weft_json_relations_read(weft_json_reader *in);

#endif
