// Goes by the table of well-formed sequences in the Unicode standard, which has none that is too
// long, a surrogate or beyond the last character.
#include "utf8.h"

#include <stdbool.h>
#include <stdio.h>
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
    for (uint32_t i = more; i != 0; i--, code >>= 6) {
        character[i] = (char)(unsigned char)(0x80 | (code & 0x3F));
    }
    character[0] = (char)(unsigned char)(leads[more] | code);
    return more + 1;
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
