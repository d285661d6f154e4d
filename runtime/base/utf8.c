// Follows the table of well-formed sequences in the Unicode standard. It excludes overlong forms,
// surrogates, and codes above U+10FFFF.
#include "utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t weft_utf8_length(const char *text, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned char c = at[0];
    size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (length == 0 || length > bytes) return 0;
    unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    unsigned char high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++) {
        if (at[i] < low || at[i] > high) return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

size_t weft_utf8_encode(uint32_t code, char character[4])
{
    static const uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    uint32_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if (code >= 0xD800 && code <= 0xDFFF) {
        character[0] = (char)(unsigned char)(code & 0xFF);
        return code >= 0xDC80 && code <= 0xDCFF;
    }
    for (uint32_t i = more; i != 0; i--, code >>= 6) {
        character[i] = (char)(unsigned char)(0x80 | (code & 0x3F));
    }
    character[0] = (char)(unsigned char)(leads[more] | code);
    return more + 1;
}

// Most bytes are plain ASCII, and a JSON reader spends most of its time in the inner loop.
size_t weft_utf8_plain(const char *text, size_t bytes)
{
    for (size_t at = 0, length;; at += length) {
        while (at != bytes && text[at] >= ' ' && text[at] <= '~' && text[at] != '"' &&
               text[at] != '\\')
            at++;
        if (at == bytes || (unsigned char)text[at] <= '~') return at;
        length = weft_utf8_length(text + at, bytes - at);
        if (length == 0) return at;
    }
}

// Reads "u" and four hex digits. Returns 5, or 0 if the text is something else.
static size_t read_digits(const char *text, size_t bytes, uint32_t *code)
{
    char digits[5] = "";
    if (bytes < 5 || text[0] != 'u') return 0;
    memcpy(digits, text + 1, 4);
    *code = (uint32_t)strtoul(digits, NULL, 16);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? 5 : 0;
}

size_t weft_utf8_unescape(const char *text, size_t bytes, uint32_t *code)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    const char *found = bytes == 0 || text[0] == '\0' ? NULL : strchr(escapes, text[0]);
    uint32_t low;
    *code = found ? (unsigned char)meanings[found - escapes] : 0;
    if (found) return 1;
    size_t length = read_digits(text, bytes, code);
    if (*code < 0xD800 || *code > 0xDBFF || bytes < 7 || memcmp(text + 5, "\\u", 2) != 0)
        return length;
    if (read_digits(text + 6, bytes - 6, &low) == 0) return 0;
    if (low >= 0xDC00 && low <= 0xDFFF) *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return 11;
}

void weft_utf8_escape(const char *text, size_t length, char escape[WEFT_ESCAPE_BYTES])
{
    const unsigned char *at = (const unsigned char *)text;
    unsigned code = length == 0   ? 0xDC00u + at[0]
                    : length == 1 ? at[0]
                                  : (at[0] & 0x1Fu) << 6 | (at[1] & 0x3Fu);
    snprintf(escape, WEFT_ESCAPE_BYTES, "\\u%04x", code & 0xFFFF);
}

// Control characters are those below the space, DEL, and U+0080 to U+009F.
static bool is_shown(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;
    if (length == 1) return at[0] >= ' ' && at[0] != 0x7F;
    return length > 2 || (length == 2 && (at[0] != 0xC2 || at[1] >= 0xA0));
}

void weft_utf8_show(const char *text, char *shown, size_t bytes)
{
    char escape[WEFT_ESCAPE_BYTES];
    const char *end = text + strlen(text);
    while (text != end) {
        size_t length = weft_utf8_length(text, (size_t)(end - text));
        size_t taken = length == 0 ? 1 : length;
        const char *from = text;
        if (!is_shown(text, length)) {
            weft_utf8_escape(text, length, escape);
            from = escape;
            length = strlen(escape);
        }
        if (length >= bytes) break;
        memcpy(shown, from, length);
        shown += length;
        bytes -= length;
        text += taken;
    }
    *shown = '\0';
}
