// The schema inside a save: what its bytes mean, so that a later schema can find its own in them.
//
// It is written from the reflection tables and read back into such tables, whose names lie in the
// save itself. What is read has been looked at: every field lies inside its struct and is as long
// as its type says, every index is of something that is there.
#ifndef WEFT_SAVE_SCHEMA_H
#define WEFT_SAVE_SCHEMA_H

#include "bytes.h"
#include "scratch.h"

WEFT_EXTERN_C_BEGIN

// The bytes of a section with the schema. context: a weft_schema.
void weft_put_schema(weft_sink *sink, const void *context);

// NULL: the bytes are no schema, or (scratch->out_of_memory) there is no memory. Only names, types,
// shapes, places, sizes, storage, layout and save of what the file has values of; no defaults,
// no plans.
const weft_schema *weft_take_schema(weft_bytes *bytes, weft_scratch *scratch);

WEFT_EXTERN_C_END

#endif
