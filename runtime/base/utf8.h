// UTF-8 text from any source, such as a file that another program wrote.
#ifndef WEFT_UTF8_H
#define WEFT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define WEFT_ESCAPE_BYTES ((size_t)7) // \u, four digits and NUL

// Returns the bytes of the first character of a text, or 0 if it is invalid. `bytes` is not 0.
size_t weft_utf8_length(const char *text, size_t bytes);

// Writes a character and returns its bytes. The surrogates U+DC80 to U+DCFF stand for the bytes
// 0x80 to 0xFF of invalid text, so each is written as that byte. Returns 0 for other surrogates.
size_t weft_utf8_encode(uint32_t code, char character[4]);

// Returns how many bytes of a JSON string need no escape: the bytes before the first quote,
// backslash, control character or invalid byte.
size_t weft_utf8_plain(const char *text, size_t bytes);

// Reads the part of an escape after the backslash in a JSON string. Joins a pair of surrogates to
// one character; a single surrogate is returned as it is. Returns the bytes read, or 0 if it is not
// an escape.
size_t weft_utf8_unescape(const char *text, size_t bytes, uint32_t *code);

// Writes the escape of the first character of a text, which has `length` bytes, at most two. A
// length of 0 means an invalid byte, which is written as a surrogate (see weft_utf8_encode).
void weft_utf8_escape(const char *text, size_t length, char escape[WEFT_ESCAPE_BYTES]);

// Copies a text to a buffer for display to a person. Control characters and invalid bytes become
// escapes. Copies as many whole characters and escapes as fit, and a NUL.
void weft_utf8_show(const char *text, char *shown, size_t bytes);

#endif
