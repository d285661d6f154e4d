// The pieces of JSON: structure, strings, numbers, words.
#include "text.h"

#include "../plan/names.h"
#include "../world/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Messages

static void path_text(const weft_json_text *t, char path[WEFT_JSON_PATH_BYTES + 1])
{
    size_t used = 0;
    path[0] = '\0';
    for (uint32_t i = 0; i < t->depth && i < WEFT_JSON_PATH_STEPS; i++) {
        const weft_json_step *step = &t->path[i];
        size_t space = WEFT_JSON_PATH_BYTES + 1 - used;
        int bytes = step->name
                        ? snprintf(path + used, space, "%s%s", used == 0 ? "" : ".", step->name)
                        : snprintf(path + used, space, "[%" PRIu32 "]", step->item);
        used += (size_t)bytes;
        if (used > WEFT_JSON_PATH_BYTES) return;
    }
}

// Lines are counted only here: a text is refused once, and read much more often.
bool weft_json_refuse(weft_json_text *t, weft_status status, const char *format, ...)
{
    char path[WEFT_JSON_PATH_BYTES + 1];
    char words[192];
    size_t line = 1;
    size_t line_start = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < t->value; i++) {
        if (t->text[i] != '\n') continue;
        line++;
        line_start = i + 1;
    }
    path_text(t, path);
    t->status = weft_report(t->world, status, "%zu:%zu: %s%s%s", line, t->value - line_start + 1,
                            path, path[0] == '\0' ? "" : ": ", words);
    return false;
}

// ------------------------------------------------------------------------------------------------
// Structure

static char here(const weft_json_text *t)
{
    return t->at < t->bytes ? t->text[t->at] : '\0';
}

char weft_json_peek(weft_json_text *t)
{
    char c = here(t);
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        t->at++;
        c = here(t);
    }
    t->value = t->at;
    return c;
}

// Refuses what is here.
static bool wants(weft_json_text *t, const char *wanted)
{
    char c = here(t);
    if (t->at == t->bytes) {
        return WEFT_JSON_WRONG(t, "the text ends where there should be %s", wanted);
    }
    if (c < ' ' || c > '~') return WEFT_JSON_WRONG(t, "there should be %s", wanted);
    return WEFT_JSON_WRONG(t, "'%c' where there should be %s", c, wanted);
}

bool weft_json_take(weft_json_text *t, char c)
{
    const char wanted[] = {'\'', c, '\'', '\0'};
    if (weft_json_peek(t) != c) return wants(t, wanted);
    t->at++;
    return true;
}

bool weft_json_end(weft_json_text *t)
{
    weft_json_peek(t);
    return t->at == t->bytes || WEFT_JSON_WRONG(t, "there is more after the end");
}

void weft_json_enter(weft_json_text *t, const char *name, uint32_t item)
{
    if (t->depth < WEFT_JSON_PATH_STEPS) t->path[t->depth] = (weft_json_step){name, item};
    t->depth++;
}

static bool next_in(weft_json_text *t, weft_json_walk *walk, char open, char close)
{
    bool first = walk->count == 0;
    if (first && !weft_json_take(t, open)) return false;
    if (first) walk->depth = t->depth;
    t->depth = walk->depth;
    char c = weft_json_peek(t);
    if (!first && c != close && c != ',') {
        return wants(t, close == '}' ? "',' or '}'" : "',' or ']'");
    }
    if (!first || c == close) t->at++;
    if (c == close) return false;
    walk->count++;
    weft_json_peek(t);
    return true;
}

bool weft_json_next_item(weft_json_text *t, weft_json_walk *walk)
{
    if (!next_in(t, walk, '[', ']')) return false;
    weft_json_enter(t, NULL, walk->count - 1);
    return true;
}

// The name stays the value at hand behind its colon, as messages may be about it.
bool weft_json_next_name(weft_json_text *t, weft_json_walk *walk, char name[WEFT_JSON_NAME_BYTES])
{
    size_t length;
    if (!next_in(t, walk, '{', '}')) return false;
    if (here(t) != '"') return wants(t, "a name in quotes");
    if (!weft_json_string(t, name, WEFT_JSON_NAME_BYTES, &length)) return false;
    size_t value = t->value;
    if (!weft_json_take(t, ':')) return false;
    t->value = value;
    return true;
}

bool weft_json_next_record(weft_json_text *t, weft_json_walk *walk, const weft_json_names *names,
                           uint32_t *record)
{
    char name[WEFT_JSON_NAME_BYTES];
    if (walk->count == 0) {
        size_t words = weft_json_words(names->count);
        walk->seen = (uint64_t *)memset(t->seen, 0, words * sizeof *t->seen);
        t->seen += words;
    }
    if (!weft_json_next_name(t, walk, name)) {
        t->seen = walk->seen;
        return false;
    }
    *record = weft_name_find(names->records, names->record_bytes, names->count, name);
    if (*record == WEFT_NO_NAME) {
        return WEFT_JSON_WRONG(t, "there is no %s '%.64s'", names->kind, name);
    }
    const char *found = (const char *)names->records + *record * names->record_bytes;
    weft_json_enter(t, *(const char *const *)(const void *)found, 0);
    if (weft_set_has(walk->seen, *record)) return WEFT_JSON_WRONG(t, "it is there twice");
    weft_set_add(walk->seen, *record);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Strings

// Goes by the table of well-formed sequences in the Unicode standard, which has none that is too
// long, a surrogate or beyond the last character.
size_t weft_json_utf8(const char *string, size_t bytes)
{
    const unsigned char *text = (const unsigned char *)string;
    unsigned char c = text[0];
    size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (length == 0 || length > bytes) return 0;
    unsigned char low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    unsigned char high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < low || text[i] > high) return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

// A string while it is read.
typedef struct decoded {
    char *string;
    size_t capacity;
    size_t length; // of the whole string
} decoded;

static void add_byte(decoded *s, uint32_t byte)
{
    if (s->length + 1 < s->capacity) s->string[s->length] = (char)(unsigned char)byte;
    s->length++;
}

static void add_character(decoded *s, uint32_t code)
{
    static const uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    uint32_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    add_byte(s, leads[more] | code >> (6 * more));
    while (more-- != 0) add_byte(s, 0x80 | (code >> (6 * more) & 0x3F));
}

static bool parse_hex(weft_json_text *t, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *code = 0;
    for (int i = 0; i < 4; i++, t->at++) {
        const char *found = (const char *)memchr(digits, here(t), 32);
        if (!found) return WEFT_JSON_WRONG(t, "\\u without four digits behind it");
        *code = *code * 16 + (uint32_t)(found - digits) % 16;
    }
    return true;
}

// Reads what follows `\u`: a character, two halves of one, or a byte that is no UTF-8.
static bool parse_unicode(weft_json_text *t, decoded *s)
{
    uint32_t code;
    uint32_t low = 0;
    if (!parse_hex(t, &code)) return false;
    if (code == 0) return WEFT_JSON_WRONG(t, "no string can hold \\u0000");
    if (code >= 0xDC80 && code <= 0xDCFF) {
        add_byte(s, code - 0xDC00);
    } else if (code < 0xD800 || code > 0xDFFF) {
        add_character(s, code);
    } else {
        bool more = t->bytes - t->at >= 2 && memcmp(t->text + t->at, "\\u", 2) == 0;
        if (more) t->at += 2;
        if (more && !parse_hex(t, &low)) return false;
        if (code >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) {
            return WEFT_JSON_WRONG(t, "\\u%04x is half a character", code);
        }
        add_character(s, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
    }
    return true;
}

static bool parse_escape(weft_json_text *t, decoded *s)
{
    static const char escapes[] = "\"\\/bfnrtu";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char c = here(t);
    const char *found = (const char *)memchr(escapes, c, sizeof escapes - 1);
    if (!found) return WEFT_JSON_WRONG(t, "there is no such escape in a string");
    t->at++;
    if (c == 'u') return parse_unicode(t, s);
    add_byte(s, (unsigned char)meanings[found - escapes]);
    return true;
}

static bool parse_character(weft_json_text *t, decoded *s)
{
    if (t->at == t->bytes) return WEFT_JSON_WRONG(t, "a string that never ends");
    unsigned char c = (unsigned char)t->text[t->at];
    if (c < 0x20) return WEFT_JSON_WRONG(t, "byte 0x%02x in a string: write \\u%04x", c, c);
    if (c == '\\') {
        t->at++;
        return parse_escape(t, s);
    }
    size_t length = weft_json_utf8(t->text + t->at, t->bytes - t->at);
    if (length == 0) return WEFT_JSON_WRONG(t, "byte 0x%02x in a string is not UTF-8", c);
    for (; length != 0; length--) add_byte(s, (unsigned char)t->text[t->at++]);
    return true;
}

bool weft_json_string(weft_json_text *t, char *string, size_t capacity, size_t *length)
{
    decoded s = {string, capacity, 0};
    if (weft_json_peek(t) != '"') return wants(t, "a string");
    t->at++;
    while (here(t) != '"') {
        if (!parse_character(t, &s)) return false;
    }
    t->at++;
    string[s.length < capacity ? s.length : capacity - 1] = '\0';
    *length = s.length;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Numbers and words

static size_t skip_digits(weft_json_text *t)
{
    size_t from = t->at;
    while (here(t) >= '0' && here(t) <= '9') t->at++;
    return t->at - from;
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
static bool skip_number(weft_json_text *t)
{
    if (here(t) == '-') t->at++;
    bool zero = here(t) == '0';
    size_t digits = skip_digits(t);
    if (digits == 0 || (zero && digits > 1)) return false;
    if (here(t) == '.') {
        t->at++;
        if (skip_digits(t) == 0) return false;
    }
    if (here(t) != 'e' && here(t) != 'E') return true;
    t->at++;
    if (here(t) == '+' || here(t) == '-') t->at++;
    return skip_digits(t) != 0;
}

bool weft_json_number(weft_json_text *t, char number[WEFT_JSON_NUMBER_MAX + 1])
{
    char c = weft_json_peek(t);
    if (c != '-' && (c < '0' || c > '9')) return wants(t, "a number");
    if (!skip_number(t)) return WEFT_JSON_WRONG(t, "this is no number of JSON");
    size_t length = t->at - t->value;
    if (length > WEFT_JSON_NUMBER_MAX) {
        return WEFT_JSON_WRONG(t, "a number of more than %d characters", WEFT_JSON_NUMBER_MAX);
    }
    memcpy(number, t->text + t->value, length);
    number[length] = '\0';
    return true;
}

static bool skip_word(weft_json_text *t, const char *word)
{
    size_t length = strlen(word);
    weft_json_peek(t);
    if (t->bytes - t->at < length || memcmp(t->text + t->at, word, length) != 0) return false;
    t->at += length;
    return true;
}

bool weft_json_bool(weft_json_text *t, bool *value)
{
    *value = skip_word(t, "true");
    return *value || skip_word(t, "false") || wants(t, "true or false");
}

bool weft_json_null(weft_json_text *t)
{
    return skip_word(t, "null");
}
