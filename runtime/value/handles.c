// Handles as text, and changes of handles in values.
#include "handles.h"

#include "visit.h"

// Writes the digits of a number so that they end at `end`. Returns where they begin.
static char *digits_before(char *end, uint64_t number)
{
    do *--end = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    return end;
}

// Does not use snprintf, which is slower: most numbers in the JSON of a world are in handles.
weft_handle_text weft_handle_as_text(weft_format f, uint64_t handle)
{
    weft_handle_text words = {""};
    char *end = words.text + sizeof words.text - 1;
    char *at = digits_before(end, handle >> f.index_bits);
    *--at = ':';
    at = digits_before(at, weft_handle_index(f, handle));
    memmove(words.text, at, (size_t)(end + 1 - at));
    return words;
}

// Text with other characters, or with numbers that are too large, gives a handle whose own text
// differs.
bool weft_handle_from_text(weft_format f, const char *text, size_t bytes, uint64_t *handle)
{
    uint64_t numbers[2] = {0, 0}; // index, generation
    uint32_t at = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == ':')
            at = 1;
        else
            numbers[at] = numbers[at] * 10 + (unsigned char)text[i] - '0';
    }
    *handle = weft_handle(f, (uint32_t)numbers[0], (uint32_t)numbers[1]);
    const weft_handle_text same = weft_handle_as_text(f, *handle);
    return weft_handle_is_some(f, *handle) && numbers[1] <= weft_generation_max(f) &&
           strlen(same.text) == bytes && memcmp(same.text, text, bytes) == 0;
}

// ------------------------------------------------------------------------------------------------
// Handles in values

typedef struct handle_changing {
    weft_handle_change change;
    void *context;
} handle_changing;

static bool change_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    const handle_changing *c = (const handle_changing *)v->context;
    unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        uint64_t handle = weft_handle_read(v->schema, at);
        uint64_t changed = c->change(c->context, handle);
        if (changed != handle) weft_handle_write(v->schema, at, changed);
    }
    return true;
}

void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                        void *value, weft_handle_change change, void *context)
{
    for (uint32_t i = 0; i < field_count; i++) {
        void *member = (unsigned char *)value + fields[i].offset;
        weft_members_change(schema, &fields[i], member, 0, 1, change, context);
    }
}

void weft_members_change(const weft_schema *schema, const weft_field *field, void *members,
                         size_t stride, size_t count, weft_handle_change change, void *context)
{
    handle_changing c = {change, context};
    weft_visitor v = {.schema = schema,
                      .leaves = change_leaves,
                      .context = &c,
                      .types = WEFT_VISIT(WEFT_TYPE_ENTITY)};
    weft_visit_members(&v, field, members, stride, count);
}
