// Filters of changes: by the path of a value, and by a text.
#ifndef WEFT_SERVE_FILTER_H
#define WEFT_SERVE_FILTER_H

#include "rpc.h"

#define SERVE_FILTER_TEXT_MAX 256u // bytes of a text to look for, with its NUL

// Everything passes an empty filter.
typedef struct serve_filter {
    char path[SERVE_PATH_MAX];        // "" for all values
    char text[SERVE_FILTER_TEXT_MAX]; // "" for all entities
} serve_filter;

// Reads `path` and `text` from the params. Returns false if the call is refused.
bool serve_filter_take(serve_call *call, serve_filter *filter);

// Returns the value of the filter's path in the JSON of a singleton (`name` is its name) or an
// entity (`name` is NULL). Returns the whole JSON if the path is empty, and no value if the JSON
// lacks it.
weft_scanned serve_filter_value(const serve_filter *filter, const char *name, weft_scanned json);

// Returns whether a text of the JSON, which is not the name of a member, contains the text of the
// filter. Upper and lower case of ASCII letters are equal. True if the text is empty.
bool serve_filter_finds(const serve_filter *filter, weft_scanned json);

#endif
