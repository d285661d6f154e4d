// A text grows by doubling its memory.
#include "text.h"

#include "../json/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

weft_status serve_add_piece(void *text, const char *piece, size_t bytes)
{
    serve_text *out = (serve_text *)text;
    serve_add_bytes(out, piece, bytes);
    return out->failed ? WEFT_NO_MEMORY : WEFT_OK;
}

// Writes up to three bytes as four digits.
static void write_base64(const unsigned char *bytes, size_t count, char digits[4])
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t second = count > 1 ? bytes[1] : 0;
    const uint32_t third = count > 2 ? bytes[2] : 0;
    const uint32_t bits = (uint32_t)bytes[0] << 16 | second << 8 | third;
    for (uint32_t i = 0; i < 4; i++)
        digits[i] = i > count ? '=' : DIGITS[bits >> (18 - 6 * i) & 63];
}

void serve_add_base64(serve_text *text, const unsigned char *bytes, size_t count)
{
    char digits[256];
    size_t used = 0;
    for (size_t i = 0; i < count; i += 3) {
        write_base64(bytes + i, count - i < 3 ? count - i : 3, digits + used);
        used += 4;
        if (used < sizeof digits) continue;
        serve_add_bytes(text, digits, used);
        used = 0;
    }
    serve_add_bytes(text, digits, used);
}

void serve_add_string(serve_text *text, const char *string)
{
    weft_json_string_write(string, strlen(string), serve_add_piece, text);
}

void serve_add_leaf(serve_text *text, const weft_plan *plan, const weft_leaf_ref *leaf)
{
    char space[WEFT_NUMBER_BYTES];
    const char *quote;
    if (leaf->type == WEFT_TYPE_CHAR) {
        weft_json_string_write((const char *)leaf->value,
                               weft_string_bytes(leaf->field, leaf->value), serve_add_piece, text);
        return;
    }
    const char *word = weft_json_leaf_word(plan, leaf, space, &quote);
    serve_print(text, "%s%s%s", quote, word, quote);
}

void serve_add_number(serve_text *text, double number)
{
    char digits[WEFT_NUMBER_BYTES] = "null";
    if (isfinite(number)) weft_float_text(number, false, digits);
    serve_add(text, digits);
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
