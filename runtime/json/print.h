// Parts of JSON that are written: strings, and single values as words.
#ifndef WEFT_JSON_PRINT_H
#define WEFT_JSON_PRINT_H

#include "../value/text.h"
#include "../weft_json.h"

// Writes a string in quotes, piece by piece. Bytes that are not UTF-8 become \udc80 to \udcff.
// Returns the first status of the sink that is not WEFT_OK.
weft_status weft_json_string_write(const char *string, size_t bytes, weft_json_sink sink,
                                   void *user);

// Returns a leaf as JSON text without quotes. The leaf must not be a string. The caller writes
// `quote` before and after the text. The text may be stored in `space`.
const char *weft_json_leaf_word(const weft_plan *plan, const weft_leaf_ref *leaf,
                                char space[WEFT_NUMBER_BYTES], const char **quote);

#endif
