// JSON of requests and answers: a check without recursion, look-ups in a checked text, and a text
// that grows.
#include "json.h"

#include "../base/utf8.h"
#include "../value/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// The check

typedef struct checker {
    const char *at;
    const char *end;
    uint32_t objects; // a bit a level: it is an object
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

// Checks a string behind its first quote.
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
    if (c->depth == SERVE_JSON_DEPTH_MAX) return false;
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

// Checks a single value, or the beginning of an array or object, up to its first item that is none.
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

bool serve_json_check(const char *text, size_t bytes, serve_value *value)
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
// Look-ups, in texts that were checked

static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++) at += *at == '\\';
    return at + 1;
}

// Returns the end of the value that begins at a place.
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
            while (at != end && !strchr(",]} \n\t\r", *at)) at++; // of a number or a word
        }
    } while (depth != 0);
    return at;
}

static serve_value value_at(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return (serve_value){at, (size_t)(value_end(at, end) - at)};
}

serve_value serve_json_next(serve_value array, const char **at)
{
    if (serve_json_kind(array) != '[') return (serve_value){NULL, 0};
    const char *end = array.text + array.bytes;
    const char *from = skip_blanks(*at == NULL ? array.text + 1 : *at, end);
    if (*from == ',') from = skip_blanks(from + 1, end);
    if (*from == ']') return (serve_value){NULL, 0};
    serve_value item = value_at(from, end);
    *at = item.text + item.bytes;
    return item;
}

serve_value serve_json_next_member(serve_value object, const char **at, serve_value *value)
{
    if (serve_json_kind(object) != '{') return (serve_value){NULL, 0};
    const char *end = object.text + object.bytes;
    const char *from = skip_blanks(*at == NULL ? object.text + 1 : *at, end);
    if (*from == ',') from = skip_blanks(from + 1, end);
    if (*from == '}') return (serve_value){NULL, 0};
    serve_value name = {from, (size_t)(string_end(from) - from)};
    *value = value_at(skip_blanks(from + name.bytes, end) + 1, end); // behind the colon
    *at = value->text + value->bytes;
    return name;
}

bool serve_json_is(serve_value string, const char *wanted)
{
    char text[SERVE_NAME_MAX];
    return serve_json_string(string, text, sizeof text) && strcmp(text, wanted) == 0;
}

serve_value serve_json_member(serve_value object, const char *name)
{
    const char *at = NULL;
    serve_value value;
    for (serve_value one = serve_json_next_member(object, &at, &value); one.bytes != 0;
         one = serve_json_next_member(object, &at, &value)) {
        if (serve_json_is(one, name)) return value;
    }
    return (serve_value){NULL, 0};
}

char serve_json_kind(serve_value value)
{
    if (value.bytes == 0) return '\0';
    return *value.text == '-' || is_digit(*value.text) ? '0' : *value.text;
}

bool serve_json_string(serve_value value, char *string, size_t capacity)
{
    if (serve_json_kind(value) != '"') return false;
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

bool serve_json_number(serve_value value, double *number)
{
    char text[WEFT_NUMBER_BYTES * 4];
    weft_number found;
    if (serve_json_kind(value) != '0' || value.bytes >= sizeof text) return false;
    memcpy(text, value.text, value.bytes);
    text[value.bytes] = '\0';
    if (!weft_number_from_text(WEFT_FLOAT, sizeof(double), text, &found)) return false;
    *number = found.f64;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Answers

static bool make_space(serve_text *text, size_t count)
{
    if (text->used == 0) text->used = text->head;
    if (text->used > text->limit || count > text->limit - text->used) text->failed = true;
    if (text->failed) return false;
    if (text->capacity != 0 && count <= text->capacity - text->used) return true;
    size_t capacity = text->capacity < 1024 ? 1024 : text->capacity;
    while (capacity < text->used + count) capacity *= 2;
    char *bytes = (char *)realloc(text->bytes, capacity);
    text->failed = text->starved = bytes == NULL;
    if (text->failed) return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void serve_add_bytes(serve_text *text, const char *bytes, size_t count)
{
    if (count == 0 || !make_space(text, count)) return;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
}

void serve_add(serve_text *text, const char *string)
{
    serve_add_bytes(text, string, strlen(string));
}

void serve_print(serve_text *text, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    serve_add_bytes(text, words, (size_t)count < sizeof words ? (size_t)count : sizeof words - 1);
}

void serve_add_string(serve_text *text, const char *string)
{
    size_t left = strlen(string);
    serve_add(text, "\"");
    while (left != 0) {
        size_t length = weft_utf8_length(string, left);
        unsigned char c = (unsigned char)*string;
        if (length == 0)
            serve_add(text, "\\ufffd");
        else if (c < 0x20)
            serve_print(text, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            serve_print(text, "\\%c", c);
        else
            serve_add_bytes(text, string, length);
        if (length == 0) length = 1;
        string += length;
        left -= length;
    }
    serve_add(text, "\"");
}

void serve_add_float(serve_text *text, double number, bool single)
{
    char digits[WEFT_NUMBER_BYTES];
    weft_float_text(number, single, digits);
    const char *quote = isfinite(number) ? "" : "\"";
    serve_print(text, "%s%s%s", quote, digits, quote);
}

void serve_add_comma(serve_text *text)
{
    if (text->used <= text->head || text->failed) return;
    char last = text->bytes[text->used - 1];
    if (last != '{' && last != '[' && last != ':') serve_add(text, ",");
}

void serve_add_name(serve_text *text, const char *name)
{
    serve_add_comma(text);
    serve_add(text, "\"");
    serve_add(text, name);
    serve_add(text, "\":");
}

void serve_cut(serve_text *text, size_t used)
{
    text->used = used;
    text->failed = text->starved = false;
}

void serve_free(serve_text *text)
{
    free(text->bytes);
    *text = (serve_text){.head = text->head, .limit = text->limit};
}
