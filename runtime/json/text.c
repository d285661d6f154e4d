// Parts of JSON that are read: words, numbers, strings, arrays and objects.
#include "text.h"

#include "../base/utf8.h"
#include "../value/fields.h"
#include "../value/text.h"
#include "../world/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Messages

// Prints the items of a walk and of those around it. Returns the length of the whole path, which
// may be more than the buffer has.
static size_t print_path(const weft_json_walk *walk, char path[WEFT_JSON_PATH_BYTES + 1])
{
    size_t used = walk ? print_path(walk->outer, path) : 0;
    if (!walk || walk->item == WEFT_NO_NAME || used > WEFT_JSON_PATH_BYTES) return used;
    size_t space = WEFT_JSON_PATH_BYTES + 1 - used;
    if (!walk->names.kind)
        return used + (size_t)snprintf(path + used, space, "[%" PRIu32 "]", walk->item);
    const char *name = weft_names_nth(&walk->names, walk->item);
    if (walk->by_name) return used + (size_t)snprintf(path + used, space, "[%s]", name);
    return used + (size_t)snprintf(path + used, space, "%s%s", used == 0 ? "" : ".", name);
}

// Counts lines only here, because texts are read much more often than they are refused.
bool weft_json_refuse(weft_json_reader *in, weft_status status, const char *format, ...)
{
    char path[WEFT_JSON_PATH_BYTES + 1] = "";
    char words[192];
    const char *value = in->text + in->value;
    const char *start = in->text; // of its line
    size_t line = 1;
    va_list arguments;
    if (in->status != WEFT_OK) return false;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    for (const char *at = start; at != value; at++) {
        if (*at == '\n') start = at + 1, line++;
    }
    print_path(in->walk, path);
    in->status = weft_report(in->world, status, "%zu:%zu: %s%s%s", line,
                             (size_t)(value - start) + 1, path, path[0] == '\0' ? "" : ": ", words);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Words and numbers

static char here(const weft_json_reader *in)
{
    return in->at < in->bytes ? in->text[in->at] : '\0';
}

bool weft_json_wants(weft_json_reader *in, const char *wanted)
{
    char c = here(in);
    if (in->at == in->bytes) {
        return WEFT_JSON_WRONG(in, "expected %s, but the text ends", wanted);
    }
    if (c < ' ' || c > '~') return WEFT_JSON_WRONG(in, "expected %s", wanted);
    return WEFT_JSON_WRONG(in, "expected %s, not '%c'", wanted, c);
}

char weft_json_peek(weft_json_reader *in)
{
    char c;
    while ((c = here(in)) == ' ' || c == '\n' || c == '\t' || c == '\r') in->at++;
    in->value = in->at;
    return c;
}

static bool skip(weft_json_reader *in, const char *word)
{
    size_t length = strlen(word);
    bool found = length <= in->bytes - in->at && memcmp(in->text + in->at, word, length) == 0;
    if (found) in->at += length;
    return found;
}

bool weft_json_word(weft_json_reader *in, const char *word)
{
    weft_json_peek(in);
    return skip(in, word);
}

bool weft_json_take(weft_json_reader *in, char c)
{
    bool found = weft_json_peek(in) == c;
    in->at += found;
    return found || weft_json_wants(in, (const char[]){'\'', c, '\'', '\0'});
}

bool weft_json_number(weft_json_reader *in, char number[WEFT_JSON_NUMBER_MAX + 1])
{
    char c = weft_json_peek(in);
    size_t length = weft_number_length(in->text + in->at, in->bytes - in->at, false);
    if (c != '-' && (c < '0' || c > '9')) return weft_json_wants(in, "a number");
    if (length == 0) return WEFT_JSON_WRONG(in, "this is not a JSON number");
    if (length > WEFT_JSON_NUMBER_MAX) {
        return WEFT_JSON_WRONG(in, "a number of more than %d characters", WEFT_JSON_NUMBER_MAX);
    }
    memcpy(number, in->text + in->at, length);
    number[length] = '\0';
    in->at += length;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Strings

// Reads an escape. Returns the number of bytes that it stands for, or 0 if it is invalid.
static size_t parse_escape(weft_json_reader *in, char bytes[4])
{
    unsigned c = (unsigned char)here(in);
    uint32_t code;
    if (in->at == in->bytes) return WEFT_JSON_WRONG(in, "the string has no end");
    if (c < 0x20) return WEFT_JSON_WRONG(in, "byte 0x%02x in a string: write \\u%04x", c, c);
    if (!skip(in, "\\")) return WEFT_JSON_WRONG(in, "byte 0x%02x in a string is not UTF-8", c);
    bool digits = here(in) == 'u';
    size_t length = weft_utf8_unescape(in->text + in->at, in->bytes - in->at, &code);
    in->at += length;
    if (length == 0 && digits) return WEFT_JSON_WRONG(in, "\\u needs four hex digits");
    if (length == 0) return WEFT_JSON_WRONG(in, "unknown escape in a string");
    if (code == 0) return WEFT_JSON_WRONG(in, "a string cannot contain \\u0000");
    length = weft_utf8_encode(code, bytes);
    if (length == 0) WEFT_JSON_WRONG(in, "\\u%04x is half a character", code);
    return length;
}

bool weft_json_string(weft_json_reader *in, char *string, size_t capacity)
{
    char escaped[4];
    if (!weft_json_word(in, "\"")) return weft_json_wants(in, "a string");
    if (capacity != 0) memset(string, 0, capacity);
    for (in->string_bytes = 0; !skip(in, "\"");) {
        const char *piece = in->text + in->at;
        size_t length = weft_utf8_plain(piece, in->bytes - in->at);
        in->at += length;
        if (length == 0) {
            length = parse_escape(in, escaped);
            piece = escaped;
        }
        if (length == 0) return false;
        size_t used = in->string_bytes;
        size_t space = used < capacity ? capacity - 1 - used : 0;
        if (space != 0) memcpy(string + used, piece, length < space ? length : space);
        in->string_bytes += length;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Arrays and objects

void weft_json_skip(weft_json_reader *in)
{
    uint32_t depth = 0;
    do {
        WEFT_ASSERT(in->at, <, in->bytes, "a text that was not judged is skipped");
        char c = weft_json_peek(in);
        if (c == '"') {
            weft_json_string(in, NULL, 0);
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        in->at++;
    } while (depth != 0);
}

// After the colon, the name is still the current value, because a message may be about it.
static bool next_member(weft_json_reader *in, weft_json_walk *walk)
{
    char name[WEFT_JSON_NAME_BYTES];
    if (here(in) != '"') return weft_json_wants(in, "a name in quotes");
    if (!weft_json_string(in, name, sizeof name)) return false;
    size_t value = in->value;
    if (!weft_json_take(in, ':')) return false;
    in->value = value;
    size_t length = in->string_bytes < sizeof name ? in->string_bytes : sizeof name - 1;
    walk->item = weft_names_find(&walk->names, name, length);
    if (walk->item == WEFT_NO_NAME) {
        char why[WEFT_WHY_BYTES];
        weft_name_refuse(why, &walk->names, 1, name, length);
        return WEFT_JSON_WRONG(in, "%s", why);
    }
    bool *seen = &in->seen[walk->seen + walk->item];
    if (*seen) return WEFT_JSON_WRONG(in, "it occurs twice");
    return *seen = true;
}

bool weft_json_next(weft_json_reader *in, weft_json_walk *walk)
{
    bool first = in->walk != walk;
    if (in->status != WEFT_OK) return false;
    if (first) {
        if (!weft_json_take(in, walk->names.kind ? '{' : '[')) return false;
        walk->outer = in->walk;
        walk->seen = in->walk ? in->walk->seen + in->walk->names.count : 0;
        if (!weft_array_grow(&in->world->heap, &in->seen, &in->seen_capacity,
                             walk->seen + walk->names.count, 1))
            return weft_json_refuse(in, WEFT_NO_MEMORY, "no memory to read it");
        memset(in->seen + walk->seen, 0, walk->names.count);
        in->walk = walk;
    }
    walk->item = WEFT_NO_NAME;
    if (weft_json_word(in, walk->names.kind ? "}" : "]")) {
        size_t value = in->value;
        in->walk = walk->outer;
        weft_json_peek(in);
        if (!in->walk && in->at != in->bytes)
            WEFT_JSON_WRONG(in, "there is more text after the end");
        in->value = value;
        return false;
    }
    if (!first && !skip(in, ",")) {
        return weft_json_wants(in, walk->names.kind ? "',' or '}'" : "',' or ']'");
    }
    weft_json_peek(in);
    if (walk->names.kind) return next_member(in, walk);
    walk->item = walk->count++;
    return true;
}
