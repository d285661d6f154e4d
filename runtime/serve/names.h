// Names of entities: their first text that is not empty. Fields called `name` come first, and texts
// inside of arrays and lists do not count. Names that were sent are remembered for a while, so that
// despawned entities keep theirs.
#ifndef WEFT_SERVE_NAMES_H
#define WEFT_SERVE_NAMES_H

#include "rpc.h"

#define SERVE_NAME_BYTES 64u      // of a name, with its NUL; longer ones are cut
#define SERVE_NAMES_MAX 1000u     // in an answer
#define SERVE_NAME_FIELDS_MAX 64u // texts of the schema that can be names
#define SERVE_NAMES_KNOWN 2048u   // names that are remembered, at most one for each place

// Adds `,"names":{"87:1":"Lulana"}` to an answer: the names of all handles in the text behind
// `from`. If they do not fit, adds nothing. O(text).
void serve_names_add(serve_state *state, serve_text *out, size_t from);

// Remembers the name of a living entity. Can be called while no system runs.
void serve_names_note(serve_state *state, uint64_t handle);

// Remembers the name of an entity that is in its JSON, with `bytes` bytes.
void serve_names_note_json(serve_state *state, uint64_t handle, const char *json, size_t bytes);

void serve_names_close(serve_state *state);

#endif
