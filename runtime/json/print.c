// Writes strings in runs of bytes that need no escape.
#include "print.h"

#include "../base/utf8.h"

#include <string.h>

// Writes the escape of the first character of a string. Returns how many bytes the character has.
static size_t write_special(const char *string, size_t bytes, weft_json_sink sink, void *user,
                            weft_status *status)
{
    char escape[WEFT_ESCAPE_BYTES] = {'\\', *string, '\0'};
    size_t length = weft_utf8_length(string, bytes);
    if (*string != '"' && *string != '\\') weft_utf8_escape(string, length, escape);
    *status = sink(user, escape, strlen(escape));
    return length == 0 ? 1 : length;
}

weft_status weft_json_string_write(const char *string, size_t bytes, weft_json_sink sink,
                                   void *user)
{
    weft_status status = sink(user, "\"", 1);
    while (bytes != 0 && status == WEFT_OK) {
        size_t taken = weft_utf8_plain(string, bytes);
        if (taken != 0)
            status = sink(user, string, taken);
        else
            taken = write_special(string, bytes, sink, user, &status);
        string += taken;
        bytes -= taken;
    }
    return status == WEFT_OK ? sink(user, "\"", 1) : status;
}

const char *weft_json_leaf_word(const weft_plan *plan, const weft_leaf_ref *leaf,
                                char space[WEFT_NUMBER_BYTES], const char **quote)
{
    weft_word kind;
    const char *word = weft_leaf_word(plan, leaf, space, &kind);
    *quote = kind == WEFT_WORD_NAME || kind == WEFT_WORD_HANDLE ? "\"" : "";
    if (kind == WEFT_WORD_NONE) return "null";
    // In C, a bool that is neither 0 nor 1 is true.
    return leaf->type == WEFT_TYPE_BOOL && kind == WEFT_WORD_NUMBER ? "true" : word;
}
