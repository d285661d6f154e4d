// Reads JSON into the worlds of the differential test.
#ifndef JSON_WORLD_H
#define JSON_WORLD_H

#include "fuzz.h"
#include "weft_json.h"

static inline weft_world *base(fuzz_world *w)
{
    return fuzz_world_base(w);
}

static inline weft_status read_world(fuzz_world *w, const char *text)
{
    return weft_json_world_read(base(w), text, strlen(text));
}

#endif
