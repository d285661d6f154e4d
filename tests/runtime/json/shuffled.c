#include "shuffled.h"

#include <stdlib.h>
#include <string.h>

#define MEMBERS_MAX 256

typedef struct member {
    const char *name; // its quote
    const char *value;
    const char *end; // behind the value
} member;

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \n\r\t");
}

static const char *string_end(const char *at)
{
    for (at++; *at != '"'; at++) at += *at == '\\';
    return at + 1;
}

static const char *value_end(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = string_end(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        if (depth < 0) return at; // of what the value lies in
        at++;
    } while (depth != 0 || !strchr(",]} \n\r\t", *at));
    return at;
}

static void add(json *out, const char *from, const char *end)
{
    memcpy(out->text + out->bytes, from, (size_t)(end - from));
    out->bytes += (size_t)(end - from);
}

static void add_value(json *out, const char *at, dice *d);

static int by_name(const void *one, const void *other)
{
    const member *a = (const member *)one, *b = (const member *)other;
    return strncmp(a->name, b->name, (size_t)(string_end(a->name) - a->name));
}

static void put_in_order(member *members, uint32_t count, dice *d)
{
    if (!d) qsort(members, count, sizeof *members, by_name);
    for (uint32_t i = count; d && i > 1; i--) {
        const uint32_t other = dice_below(d, i);
        const member last = members[i - 1];
        members[i - 1] = members[other];
        members[other] = last;
    }
}

static void add_object(json *out, const char *at, dice *d)
{
    member members[MEMBERS_MAX];
    uint32_t count = 0;
    for (at = skip_blanks(at + 1); *at == '"'; count++) {
        if (count == MEMBERS_MAX) abort();
        const char *value = skip_blanks(skip_blanks(string_end(at)) + 1);
        members[count] = (member){at, value, value_end(value)};
        at = skip_blanks(members[count].end);
        if (*at == ',') at = skip_blanks(at + 1);
    }
    put_in_order(members, count, d);
    add(out, "{", &"{"[1]);
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0) add(out, ",", &","[1]);
        add(out, members[i].name, string_end(members[i].name));
        add(out, ":", &":"[1]);
        add_value(out, members[i].value, d);
    }
    add(out, "}", &"}"[1]);
}

static void add_array(json *out, const char *at, dice *d)
{
    add(out, at, at + 1);
    for (at = skip_blanks(at + 1); *at != ']'; at = skip_blanks(at)) {
        if (*at == ',') {
            add(out, at, at + 1);
            at = skip_blanks(at + 1);
        }
        add_value(out, at, d);
        at = value_end(at);
    }
    add(out, at, at + 1);
}

static void add_value(json *out, const char *at, dice *d)
{
    at = skip_blanks(at);
    if (*at == '{')
        add_object(out, at, d);
    else if (*at == '[')
        add_array(out, at, d);
    else
        add(out, at, *at == '"' ? string_end(at) : value_end(at));
}

json json_shuffled(const json *text, dice *d)
{
    json out = {(char *)malloc(text->bytes + 1), 0, text->bytes + 1};
    if (!out.text) abort();
    add_value(&out, text->text, d);
    out.text[out.bytes] = '\0';
    return out;
}
