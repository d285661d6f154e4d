// UTF-8: characters of text that may come from anywhere, such as a file by another hand.
#ifndef WEFT_UTF8_H
#define WEFT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define WEFT_ESCAPE_BYTES ((size_t)7) // of \u and four digits, with the NUL

// Bytes of the character that a text begins with; 0: it begins with none. `bytes` are not 0.
size_t weft_utf8_length(const char *text, size_t bytes);

// Writes a character, or for U+DC80 to U+DCFF, which are none, a byte that is no UTF-8. Returns its
// bytes; 0: it is half a character.
size_t weft_utf8_encode(uint32_t code, char character[4]);

// Counts the bytes that stand for themselves in a string of JSON: they end before a quote, an
// escape, a control character, or a byte that is no UTF-8.
size_t weft_utf8_plain(const char *text, size_t bytes);

// Reads what follows a backslash in a string of JSON: a character, which may have two halves there,
// or one half. Returns the bytes that it has in the text; 0: it is no escape.
size_t weft_utf8_unescape(const char *text, size_t bytes, uint32_t *code);

// Writes an escape for the character of so many bytes, at most two, that a text begins with; 0: for
// a byte that is no UTF-8, as above.
void weft_utf8_escape(const char *text, size_t length, char escape[WEFT_ESCAPE_BYTES]);

// Copies a text to a buffer as it may be shown to a person: with escapes for control characters and
// for bytes that are no UTF-8. It copies whole characters and escapes, as many as fit before a NUL.
void weft_utf8_show(const char *text, char *shown, size_t bytes);

#endif
