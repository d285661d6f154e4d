// Entities.
#ifndef WEFT_JSON_ENTITY_H
#define WEFT_JSON_ENTITY_H

#include "reader.h"

bool weft_json_entity(weft_json_reader *in); // in a world or alone

#endif
