// Reading entities and worlds: what the parts of the reader share.
//
// A text is judged before anything is done: every value and rule in one walk over it, its ids when
// all of them are known, then who is whose child. Only then are handles made for the ids and
// children attached, each entity gets its components as one batch, and singletons are written last,
// when nothing can fail any more. The code that judges is the code that does, on another stage: the
// text is read again from where the first walk found its parts.
//
// There is no tree of the text: a tree does not know at which line and column a value stood that
// does not suit its field. The libraries that were looked at (cJSON, Jansson, json-c, yyjson) make
// one, and the first two do not keep all digits of an integer; jsmn leaves numbers and strings to
// its caller, which is most of the work. Text of any shape is what makes JSON hard, and here the
// schema says at each place what has to come.
//
// Memory is taken through the hooks: 32 bytes an id, space for one of each component, and a bit for
// each name that an object may have. The schema alone says how much that is, whatever the text.
//
// Functions of the reader return false where they have reported why; nothing more is read then.
#ifndef WEFT_JSON_READER_H
#define WEFT_JSON_READER_H

#include "text.h"

typedef enum weft_json_stage {
    WEFT_JSON_JUDGE, // values and rules, before the ids are known
    WEFT_JSON_LINK,  // only relations of a world, once they are
    WEFT_JSON_DO
} weft_json_stage;

// An id of a world's text. While the text is judged `handle` is where in it the id stands.
typedef struct weft_json_known_id {
    uint64_t key; // index, then generation: 32 bits each, so that ids are in the order of keys
    uint64_t handle;
} weft_json_known_id;

typedef struct weft_json_reader {
    weft_json_text text;
    weft_json_stage stage;
    bool whole;      // a world; else the entity `handle` is given components
    uint64_t handle; // the entity at hand; 0: it is judged as one that has nothing
    weft_region ids; // weft_json_known_id, and as much space again
    uint32_t id_count;
    unsigned char *values; // space for plain structs: one of each component, or a singleton
    size_t values_used;
    size_t values_bytes;
} weft_json_reader;

// A member of a world or an entity; it begins with its name, as records of the schema do.
typedef struct weft_json_part {
    const char *name;
    bool (*parse)(weft_json_reader *in);
} weft_json_part;

static inline weft_json_known_id *weft_json_ids(const weft_json_reader *in)
{
    return (weft_json_known_id *)(void *)in->ids.base;
}

#endif
