// The section of the schema: what the bytes of a save mean, so that a later schema finds its own in
// them.
#ifndef WEFT_SAVE_SCHEMA_H
#define WEFT_SAVE_SCHEMA_H

#include "loader.h"
#include "saver.h"

// Writes the body of the section; `context` is a weft_schema.
void weft_write_schema(weft_sink *sink, const void *context);

#endif
