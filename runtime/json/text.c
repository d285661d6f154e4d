// The pieces of JSON, by RFC 8259 and nothing beside it: no comments, no comma at the end.
#include "text.h"

#include "../world/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

weft_json_text weft_json_begin(weft_world *world, const char *text, size_t bytes)
{
    weft_json_text t;
    memset(&t, 0, sizeof t);
    t.world = world;
    t.text = text;
    t.bytes = bytes;
    t.line = 1;
    t.value_line = 1;
    t.value_column = 1;
    return t;
}

// ------------------------------------------------------------------------------------------------
// Places

// Digits of a number at the end of a text that has room for them; returns the new end.
static char *append_number(char *end, size_t number)
{
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (count != 0) *end++ = digits[--count];
    return end;
}

const char *weft_json_where(weft_json_text *t)
{
    char *end = append_number(t->where, t->value_line);
    *end++ = ':';
    end = append_number(end, t->value_column);
    if (t->path_bytes != 0) {
        *end++ = ':';
        *end++ = ' ';
        memcpy(end, t->path, t->path_bytes);
        end += t->path_bytes;
    }
    *end = '\0';
    return t->where;
}

bool weft_json_refuse(weft_json_text *t, weft_status status, const char *format, ...)
{
    char words[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    t->status = weft_report(t->world, status, "%s: %s", weft_json_where(t), words);
    return false;
}

static void append_path(weft_json_text *t, const char *text, size_t bytes)
{
    size_t room = WEFT_JSON_PATH_BYTES - t->path_bytes;
    if (bytes > room) bytes = room;
    memcpy(t->path + t->path_bytes, text, bytes);
    t->path_bytes += bytes;
}

size_t weft_json_enter(weft_json_text *t, const char *name)
{
    size_t before = t->path_bytes;
    if (before != 0) append_path(t, ".", 1);
    append_path(t, name, strlen(name));
    return before;
}

size_t weft_json_enter_item(weft_json_text *t, uint32_t index)
{
    char step[32] = "[";
    size_t before = t->path_bytes;
    char *end = append_number(step + 1, index);
    *end++ = ']';
    append_path(t, step, (size_t)(end - step));
    return before;
}

void weft_json_leave(weft_json_text *t, size_t path_bytes)
{
    t->path_bytes = path_bytes;
}

// ------------------------------------------------------------------------------------------------
// Structure

static char here(const weft_json_text *t)
{
    return t->at < t->bytes ? t->text[t->at] : '\0';
}

char weft_json_peek(weft_json_text *t)
{
    for (;; t->at++) {
        char c = here(t);
        if (c == '\n') {
            t->line++;
            t->line_start = t->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            t->value = t->at;
            t->value_line = t->line;
            t->value_column = t->at - t->line_start + 1;
            return c;
        }
    }
}

// Refuses what comes for not being something else.
static bool not_this(weft_json_text *t, const char *what)
{
    char c = here(t);
    if (t->at >= t->bytes) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "the text ends where there should be %s", what);
    }
    if (c < ' ' || c > '~') return weft_json_refuse(t, WEFT_BAD_VALUE, "there should be %s", what);
    return weft_json_refuse(t, WEFT_BAD_VALUE, "'%c' where there should be %s", c, what);
}

bool weft_json_take(weft_json_text *t, char c, const char *what)
{
    if (t->status != WEFT_OK) return false;
    if (weft_json_peek(t) != c) return not_this(t, what);
    t->at++;
    return true;
}

bool weft_json_end(weft_json_text *t)
{
    if (t->status != WEFT_OK) return false;
    weft_json_peek(t);
    return t->at == t->bytes || weft_json_refuse(t, WEFT_BAD_VALUE, "there is more after the end");
}

bool weft_json_more(weft_json_text *t, char close, bool first)
{
    if (t->status != WEFT_OK) return false;
    if (weft_json_peek(t) == close) {
        t->at++;
        return false;
    }
    if (first) return true;
    return weft_json_take(t, ',', close == '}' ? "',' or '}'" : "',' or ']'");
}

// ------------------------------------------------------------------------------------------------
// Strings

// The table of well-formed sequences in the Unicode standard: what is too long, a surrogate or
// beyond the last character is none.
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

// A string while it is taken.
typedef struct sink {
    char *string;
    size_t room;
    size_t length;
} sink;

static void store(sink *s, unsigned byte)
{
    if (s->length + 1 < s->room) s->string[s->length] = (char)(unsigned char)byte;
    s->length++;
}

static void store_character(sink *s, uint32_t code)
{
    if (code < 0x80) {
        store(s, code);
    } else if (code < 0x800) {
        store(s, 0xC0u | code >> 6);
        store(s, 0x80u | (code & 0x3Fu));
    } else if (code < 0x10000) {
        store(s, 0xE0u | code >> 12);
        store(s, 0x80u | (code >> 6 & 0x3Fu));
        store(s, 0x80u | (code & 0x3Fu));
    } else {
        store(s, 0xF0u | code >> 18);
        store(s, 0x80u | (code >> 12 & 0x3Fu));
        store(s, 0x80u | (code >> 6 & 0x3Fu));
        store(s, 0x80u | (code & 0x3Fu));
    }
}

// Four hexadecimal digits.
static bool take_code(weft_json_text *t, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, t->at++) {
        char c = here(t);
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 16;
        if (digit == 16) {
            return weft_json_refuse(t, WEFT_BAD_VALUE, "\\u without four digits behind it");
        }
        *code = *code * 16 + digit;
    }
    return true;
}

// What follows `\u`: a character, two halves of one, or a byte that is no UTF-8.
static bool take_unicode(weft_json_text *t, sink *s)
{
    uint32_t code;
    uint32_t low;
    if (!take_code(t, &code)) return false;
    if (code == 0) return weft_json_refuse(t, WEFT_BAD_VALUE, "no string can hold \\u0000");
    if (code >= 0xDC80 && code <= 0xDCFF) {
        store(s, code - 0xDC00);
        return true;
    }
    if (code < 0xD800 || code > 0xDFFF) {
        store_character(s, code);
        return true;
    }
    bool pair =
        code < 0xDC00 && here(t) == '\\' && t->at + 1 < t->bytes && t->text[t->at + 1] == 'u';
    if (pair) {
        t->at += 2;
        if (!take_code(t, &low)) return false;
        pair = low >= 0xDC00 && low <= 0xDFFF;
    }
    if (!pair) return weft_json_refuse(t, WEFT_BAD_VALUE, "\\u%04x is half a character", code);
    store_character(s, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
    return true;
}

static bool take_escape(weft_json_text *t, sink *s)
{
    static const char plain[] = "\"\\/bfnrt";
    static const char means[] = "\"\\/\b\f\n\r\t";
    char c = here(t);
    const char *found = c == '\0' ? NULL : strchr(plain, c);
    if (c == 'u') {
        t->at++;
        return take_unicode(t, s);
    }
    if (!found) return weft_json_refuse(t, WEFT_BAD_VALUE, "there is no such escape in a string");
    t->at++;
    store(s, (unsigned char)means[found - plain]);
    return true;
}

// One character of a string. False: wrong.
static bool take_character(weft_json_text *t, sink *s)
{
    if (t->at >= t->bytes) return weft_json_refuse(t, WEFT_BAD_VALUE, "a string that never ends");
    unsigned char c = (unsigned char)t->text[t->at];
    if (c < 0x20) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "byte 0x%02x in a string: write \\u%04x", c, c);
    }
    if (c == '\\') {
        t->at++;
        return take_escape(t, s);
    }
    size_t length = weft_json_utf8(t->text + t->at, t->bytes - t->at);
    if (length == 0) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "byte 0x%02x in a string is not UTF-8", c);
    }
    for (; length != 0; length--) store(s, (unsigned char)t->text[t->at++]);
    return true;
}

bool weft_json_string(weft_json_text *t, char *string, size_t room, size_t *length)
{
    sink s = {string, room, 0};
    if (!weft_json_take(t, '"', "a string")) return false;
    while (here(t) != '"') {
        if (!take_character(t, &s)) return false;
    }
    t->at++;
    string[s.length < room ? s.length : room - 1] = '\0';
    *length = s.length;
    return true;
}

bool weft_json_key(weft_json_text *t, char *name, size_t room)
{
    size_t length;
    if (weft_json_peek(t) != '"') return not_this(t, "a name in quotes");
    if (!weft_json_string(t, name, room, &length)) return false;
    size_t value = t->value, line = t->value_line, column = t->value_column;
    if (!weft_json_take(t, ':', "':'")) return false;
    t->value = value; // of what is wrong with the name
    t->value_line = line;
    t->value_column = column;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Numbers and words

static size_t take_digits(weft_json_text *t)
{
    size_t from = t->at;
    while (here(t) >= '0' && here(t) <= '9') t->at++;
    return t->at - from;
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
static bool take_number(weft_json_text *t)
{
    if (here(t) == '-') t->at++;
    bool zero = here(t) == '0';
    size_t digits = take_digits(t);
    if (digits == 0 || (zero && digits > 1)) return false;
    if (here(t) == '.') {
        t->at++;
        if (take_digits(t) == 0) return false;
    }
    if (here(t) != 'e' && here(t) != 'E') return true;
    t->at++;
    if (here(t) == '+' || here(t) == '-') t->at++;
    return take_digits(t) != 0;
}

bool weft_json_number(weft_json_text *t, char number[WEFT_JSON_NUMBER_MAX + 1])
{
    if (t->status != WEFT_OK) return false;
    char c = weft_json_peek(t);
    if (c != '-' && (c < '0' || c > '9')) return not_this(t, "a number");
    if (!take_number(t)) return weft_json_refuse(t, WEFT_BAD_VALUE, "this is no number of JSON");
    size_t length = t->at - t->value;
    if (length > WEFT_JSON_NUMBER_MAX) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "a number of more than %d characters",
                                WEFT_JSON_NUMBER_MAX);
    }
    memcpy(number, t->text + t->value, length);
    number[length] = '\0';
    return true;
}

// Takes a word that is there.
static bool take_word(weft_json_text *t, const char *word)
{
    size_t length = strlen(word);
    weft_json_peek(t);
    if (t->bytes - t->at < length || memcmp(t->text + t->at, word, length) != 0) return false;
    t->at += length;
    return true;
}

bool weft_json_bool(weft_json_text *t, bool *value)
{
    if (t->status != WEFT_OK) return false;
    *value = take_word(t, "true");
    return *value || take_word(t, "false") || not_this(t, "true or false");
}

bool weft_json_null(weft_json_text *t)
{
    return t->status == WEFT_OK && take_word(t, "null");
}
