// Relations.
#ifndef WEFT_JSON_LINKS_H
#define WEFT_JSON_LINKS_H

#include "reader.h"

bool weft_json_parents(weft_json_reader *in);   // of a single entity
bool weft_json_relations(weft_json_reader *in); // of a world, on each stage

#endif
