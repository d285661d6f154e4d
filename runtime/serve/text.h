// The text of an answer.
#ifndef WEFT_SERVE_TEXT_H
#define WEFT_SERVE_TEXT_H

#include "../value/leaf.h"
#include "../weft_json.h"

// A text that grows. It is empty if everything but `head` and `limit` is zero. If it would exceed
// its limit, or memory runs out, it stops growing and must be cut or freed.
typedef struct serve_text {
    char *bytes; // the first `head` bytes belong to the caller
    size_t used; // including the head
    size_t capacity;
    size_t head;
    size_t limit; // of `used`
    bool failed;
    bool starved; // it failed because memory ran out
} serve_text;

void serve_add_bytes(serve_text *text, const char *bytes, size_t count);
void serve_add(serve_text *text, const char *string);
void serve_print(serve_text *text, const char *format, ...) WEFT_PRINTS(2, 3);

// Add a string with its quotes, or a single value, as weft_json.h writes them.
void serve_add_string(serve_text *text, const char *string);
void serve_add_leaf(serve_text *text, const weft_plan *plan, const weft_leaf_ref *leaf);

// Adds bytes as base64. Only the end of a text may be padded, so the count must be a multiple of 3
// unless no further bytes follow.
void serve_add_base64(serve_text *text, const unsigned char *bytes, size_t count);

// Adds a number with the fewest digits that read back as the same number; null if it is not finite.
void serve_add_number(serve_text *text, double number);

// Adds a piece of JSON to a serve_text. It is a sink of weft_json.h.
weft_status serve_add_piece(void *text, const char *piece, size_t bytes);

// Adds `"name":`, after a comma unless it is the first member. The name must not need escapes.
void serve_add_name(serve_text *text, const char *name);

// Adds a comma, unless an array or object has just begun.
void serve_add_comma(serve_text *text);

// Cuts a text back to `used` bytes, and clears its failure.
void serve_cut(serve_text *text, size_t used);
void serve_free(serve_text *text);

#endif
