// Ids and values in texts that are read. Functions that read return false, or set the reader's status,
// if they refuse the text (text.h).
#ifndef WEFT_JSON_VALUES_H
#define WEFT_JSON_VALUES_H

#include "../base/keyed.h"
#include "text.h"

// Reports that memory ran out if `memory` is false.
void weft_json_needs(weft_json_reader *in, bool memory);

// Reads an id, "index:generation", exactly as a handle of the world is written.
bool weft_json_id(weft_json_reader *in, uint64_t *id);

// Refuses the id that was just read. Returns false.
bool weft_json_refuse_id(weft_json_reader *in, const char *words);

// Rotates the bits of an id. The key of an id is its bits rotated until the index is on top, so
// sorting by key sorts by index.
static inline uint64_t weft_json_turned(uint64_t bits, uint32_t by)
{
    return bits << by | bits >> (64 - by);
}

// Sorts the ids. Refuses an id that occurs twice, at its second place.
void weft_json_sort_ids(weft_json_reader *in);

// Returns the position of an id among the sorted ones, or `id_count` if it is missing.
uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t id);

// Reads null, as 0, or an id. When a world is being filled, returns the entity's new handle, or 0
// if the text does not contain the entity. Otherwise returns the id itself.
bool weft_json_handle(weft_json_reader *in, uint64_t *handle);

// Reads an object with some of these fields into a plain struct. Missing fields keep their values.
void weft_json_fields(weft_json_reader *in, const char *owner, const weft_field *fields,
                      uint32_t count, void *value);

#endif
