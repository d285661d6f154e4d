// The check stores one bit for each level: whether it is an object. Look-ups rely on the check.
#include "scan.h"

#include "../base/utf8.h"
#include "../value/text.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// The check

typedef struct checker {
    const char *at;
    const char *end;
    uint32_t objects; // a bit for each level, set for an object
    uint32_t depth;
} checker;

static const char *skip_blanks(const char *at, const char *end)
{
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
    return at;
}

static bool take_sign(checker *c, char sign)
{
    c->at = skip_blanks(c->at, c->end);
    if (c->at == c->end || *c->at != sign) return false;
    c->at++;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Checks a string after its opening quote.
static bool check_string(checker *c)
{
    for (;;) {
        uint32_t code;
        c->at += weft_utf8_plain(c->at, (size_t)(c->end - c->at));
        if (c->at == c->end) return false;
        char sign = *c->at++;
        if (sign != '\\') return sign == '"';
        size_t length = weft_utf8_unescape(c->at, (size_t)(c->end - c->at), &code);
        if (length == 0) return false;
        c->at += length;
    }
}

static bool check_number(checker *c)
{
    size_t length = weft_number_length(c->at, (size_t)(c->end - c->at), false);
    c->at += length;
    return length != 0;
}

static bool check_word(checker *c, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

static bool open_level(checker *c, bool object)
{
    if (c->depth == WEFT_SCAN_DEPTH_MAX) return false;
    uint32_t bit = (uint32_t)1 << c->depth++;
    c->objects = object ? c->objects | bit : c->objects & ~bit;
    return true;
}

static bool in_object(const checker *c)
{
    return c->depth != 0 && (c->objects >> (c->depth - 1) & 1u) != 0;
}

static bool check_name(checker *c)
{
    return take_sign(c, '"') && check_string(c) && take_sign(c, ':');
}

// Checks a single value, or the beginning of nested arrays and objects up to the first single
// value.
static bool check_begin(checker *c)
{
    for (;;) {
        c->at = skip_blanks(c->at, c->end);
        if (c->at == c->end) return false;
        char sign = *c->at;
        if (sign == '"') {
            c->at++;
            return check_string(c);
        }
        if (sign == 't') return check_word(c, "true");
        if (sign == 'f') return check_word(c, "false");
        if (sign == 'n') return check_word(c, "null");
        if (sign != '{' && sign != '[') return check_number(c);
        c->at++;
        if (!open_level(c, sign == '{')) return false;
        if (take_sign(c, sign == '{' ? '}' : ']')) {
            c->depth--;
            return true;
        }
        if (sign == '{' && !check_name(c)) return false;
    }
}

bool weft_scan_check(const char *text, size_t bytes, weft_scanned *value)
{
    checker c = {.at = text, .end = text + bytes};
    value->text = skip_blanks(text, c.end);
    if (!check_begin(&c)) return false;
    while (c.depth != 0) {
        bool object = in_object(&c);
        if (take_sign(&c, object ? '}' : ']')) {
            c.depth--;
            continue;
        }
        if (!take_sign(&c, ',') || (object && !check_name(&c)) || !check_begin(&c)) return false;
    }
    value->bytes = (size_t)(c.at - value->text);
    return skip_blanks(c.at, c.end) == c.end;
}

// ------------------------------------------------------------------------------------------------
// Look-ups in texts that were checked

static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++) at += *at == '\\';
    return at + 1;
}

// Returns the end of the value that begins at `at`.
static const char *value_end(const char *at, const char *end)
{
    uint32_t depth = 0;
    do {
        if (*at == '"') {
            at = string_end(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0) {
            while (at != end && !strchr(",]} \n\t\r", *at)) at++; // the rest of a number or word
        }
    } while (depth != 0);
    return at;
}

static weft_scanned value_at(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return (weft_scanned){at, (size_t)(value_end(at, end) - at)};
}

weft_scanned weft_scan_next(weft_scanned array, const char **at)
{
    if (weft_scan_kind(array) != '[') return (weft_scanned){NULL, 0};
    const char *end = array.text + array.bytes;
    const char *from = skip_blanks(*at == NULL ? array.text + 1 : *at, end);
    if (*from == ',') from = skip_blanks(from + 1, end);
    if (*from == ']') return (weft_scanned){NULL, 0};
    weft_scanned item = value_at(from, end);
    *at = item.text + item.bytes;
    return item;
}

weft_scanned weft_scan_next_member(weft_scanned object, const char **at, weft_scanned *value)
{
    if (weft_scan_kind(object) != '{') return (weft_scanned){NULL, 0};
    const char *end = object.text + object.bytes;
    const char *from = skip_blanks(*at == NULL ? object.text + 1 : *at, end);
    if (*from == ',') from = skip_blanks(from + 1, end);
    if (*from == '}') return (weft_scanned){NULL, 0};
    weft_scanned name = {from, (size_t)(string_end(from) - from)};
    *value = value_at(skip_blanks(from + name.bytes, end) + 1, end); // after the colon
    *at = value->text + value->bytes;
    return name;
}

bool weft_scan_is(weft_scanned string, const char *wanted)
{
    char text[WEFT_SCAN_NAME_MAX];
    return weft_scan_string(string, text, sizeof text) && strcmp(text, wanted) == 0;
}

weft_scanned weft_scan_member(weft_scanned object, const char *name)
{
    const char *at = NULL;
    weft_scanned value;
    for (weft_scanned one = weft_scan_next_member(object, &at, &value); one.bytes != 0;
         one = weft_scan_next_member(object, &at, &value)) {
        if (weft_scan_is(one, name)) return value;
    }
    return (weft_scanned){NULL, 0};
}

char weft_scan_kind(weft_scanned value)
{
    if (value.bytes == 0) return '\0';
    return *value.text == '-' || is_digit(*value.text) ? '0' : *value.text;
}

bool weft_scan_string(weft_scanned value, char *string, size_t capacity)
{
    if (weft_scan_kind(value) != '"') return false;
    const char *at = value.text + 1;
    const char *end = value.text + value.bytes - 1;
    size_t used = 0;
    while (at != end) {
        char bytes[4] = {*at};
        size_t count = 1;
        if (*at++ == '\\') {
            uint32_t code;
            at += weft_utf8_unescape(at, (size_t)(end - at), &code);
            count = code == 0 ? 0 : weft_utf8_encode(code, bytes);
        }
        if (count == 0 || count >= capacity - used) return false;
        memcpy(string + used, bytes, count);
        used += count;
    }
    string[used] = '\0';
    return true;
}

bool weft_scan_number(weft_scanned value, double *number)
{
    char text[WEFT_NUMBER_BYTES * 4];
    weft_number found;
    if (weft_scan_kind(value) != '0' || value.bytes >= sizeof text) return false;
    memcpy(text, value.text, value.bytes);
    text[value.bytes] = '\0';
    if (!weft_number_from_text(WEFT_FLOAT, sizeof(double), text, &found)) return false;
    *number = found.f64;
    return true;
}
