// The walk over the fields of many values at once: a leaf of all of them, then the next leaf. Where
// one value is known to be wrong this walk goes over it alone, and notes the way back as a path.
#include "sound.h"

#include <inttypes.h>
#include <stdio.h>

// A part of each of many values.
typedef struct strided {
    const unsigned char *at;
    size_t stride;
    size_t count;
} strided;

// The walks over fields need these everywhere.
typedef struct sound_walk {
    const weft_schema *schema;
    weft_unsound *found; // NULL: there are many values, and none is told of
} sound_walk;

static bool fields_sound(const sound_walk *l, const weft_field *fields, uint32_t count,
                         strided values);

static strided part_of(strided values, size_t offset)
{
    values.at += offset;
    return values;
}

static strided nth_of(strided values, size_t i)
{
    return (strided){values.at + i * values.stride, values.stride, 1};
}

// ------------------------------------------------------------------------------------------------
// Fields that may hold what is no value

static bool element_limited(const weft_schema *schema, const weft_field *field)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (inner) return weft_fields_limited(schema, inner->fields, inner->field_count);
    return field->type == WEFT_TYPE_BOOL || field->type == WEFT_TYPE_ENUM;
}

static bool member_limited(const weft_schema *schema, const weft_field *field)
{
    if (!field->save) return false;
    if (field->shape == WEFT_SHAPE_LIST || field->shape == WEFT_SHAPE_STRING) return true;
    return element_limited(schema, field);
}

bool weft_fields_limited(const weft_schema *schema, const weft_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (member_limited(schema, &fields[i])) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// The path to what is wrong, from its end to its beginning

static void add_before(weft_unsound *found, const char *text)
{
    size_t length = strlen(text);
    size_t space = (size_t)(found->path - found->path_space);
    if (length > space) {
        text += length - space;
        length = space;
    }
    found->path -= length;
    memcpy(found->path, text, length);
}

static void add_field_before(const sound_walk *l, const weft_field *field)
{
    if (!l->found) return;
    if (l->found->path[0] != '\0' && l->found->path[0] != '[') add_before(l->found, ".");
    add_before(l->found, field->name);
}

// The path is empty or begins with the name of a field: an item is never an item of another item.
static void add_item_before(const sound_walk *l, const weft_field *field, uint32_t item)
{
    char text[WEFT_ITEM_TEXT_BYTES];
    weft_item_text(l->schema, field, item, text, sizeof text);
    if (l->found->path[0] != '\0') add_before(l->found, ".");
    add_before(l->found, text);
}

// ------------------------------------------------------------------------------------------------
// Leaves

// Bytes side by side, as in a column of bools, are compared many at once.
WEFT_HOT static uint8_t greatest_byte(const uint8_t *bytes, size_t count)
{
    uint8_t greatest = 0;
    for (size_t i = 0; i < count; i++) greatest = bytes[i] > greatest ? bytes[i] : greatest;
    return greatest;
}

// Four at a time, since a loop over one costs as much as the comparison.
WEFT_ALWAYS_INLINE bool each_within(strided numbers, uint32_t bytes, uint64_t most)
{
    const unsigned char *at = numbers.at;
    const size_t stride = numbers.stride;
    uint32_t beyond = 0;
    size_t i = 0;
    for (; i + 4 <= numbers.count; i += 4, at += 4 * stride) {
        beyond |= weft_bits_read(at, bytes) > most;
        beyond |= weft_bits_read(at + stride, bytes) > most;
        beyond |= weft_bits_read(at + 2 * stride, bytes) > most;
        beyond |= weft_bits_read(at + 3 * stride, bytes) > most;
    }
    for (; i < numbers.count; i++, at += stride) beyond |= weft_bits_read(at, bytes) > most;
    return beyond == 0;
}

bool weft_numbers_within(const void *at, size_t stride, size_t count, uint32_t bytes, uint64_t most)
{
    strided numbers = {(const unsigned char *)at, stride, count};
    if (bytes == 1 && numbers.stride == 1) return greatest_byte(numbers.at, numbers.count) <= most;
    if (bytes == 1) return each_within(numbers, 1, most);
    if (bytes == 2) return each_within(numbers, 2, most);
    return each_within(numbers, 4, most);
}

static void tell_number(const sound_walk *l, const weft_field *field, uint64_t number)
{
    const weft_enum_info *info = &l->schema->enums[field->of];
    if (field->type == WEFT_TYPE_BOOL) {
        snprintf(l->found->why, sizeof l->found->why,
                 "is %" PRIu64 ", and a bool is 0 or 1: write false or true", number);
        return;
    }
    snprintf(l->found->why, sizeof l->found->why,
             "is %" PRIu64 ", and enum '%s' has values of 0 to %" PRIu32 ": write one of these",
             number, info->name, info->count - 1);
}

static bool numbers_sound(const sound_walk *l, const weft_field *field, strided numbers)
{
    uint64_t most = 1;
    if (field->type == WEFT_TYPE_ENUM) most = l->schema->enums[field->of].count - 1u;
    if (weft_numbers_within(numbers.at, numbers.stride, numbers.count, field->element_size, most))
        return true;
    if (l->found) tell_number(l, field, weft_bits_read(numbers.at, field->element_size));
    return false;
}

static bool elements_sound(const sound_walk *l, const weft_field *field, strided elements)
{
    const weft_struct_info *inner = weft_field_struct(l->schema, field);
    if (inner) return fields_sound(l, inner->fields, inner->field_count, elements);
    return numbers_sound(l, field, elements);
}

// ------------------------------------------------------------------------------------------------
// Members

// Looks at so many elements of one value.
static bool items_sound(const sound_walk *l, const weft_field *field, const unsigned char *items,
                        uint32_t count)
{
    strided all = {items, field->element_size, count};
    if (!l->found) return elements_sound(l, field, all);
    for (uint32_t i = 0; i < count; i++) {
        if (elements_sound(l, field, nth_of(all, i))) continue;
        add_item_before(l, field, i);
        return false;
    }
    return true;
}

// Goes over the elements or over the values, whichever are more, in the inner loop.
static bool arrays_sound(const sound_walk *l, const weft_field *field, strided arrays)
{
    if (l->found || field->count > arrays.count) {
        for (size_t i = 0; i < arrays.count; i++) {
            if (!items_sound(l, field, nth_of(arrays, i).at, field->count)) return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < field->count; i++) {
        if (!elements_sound(l, field, part_of(arrays, (size_t)i * field->element_size)))
            return false;
    }
    return true;
}

static void tell_count(const sound_walk *l, const weft_field *field, const void *list)
{
    uint32_t count = (uint32_t)weft_bits_read(list, (uint32_t)sizeof count);
    add_before(l->found, "count");
    snprintf(l->found->why, sizeof l->found->why,
             "is %" PRIu32 ", and there is space for %" PRIu32
             " items: set it to how many there are, or let the schema have more",
             count, field->count);
}

static bool lists_sound(const sound_walk *l, const weft_field *field, strided lists)
{
    if (!weft_numbers_within(lists.at, lists.stride, lists.count, (uint32_t)sizeof(uint32_t),
                             field->count)) {
        if (l->found) tell_count(l, field, lists.at);
        return false;
    }
    if (!element_limited(l->schema, field)) return true;
    for (size_t i = 0; i < lists.count; i++) {
        const unsigned char *list = nth_of(lists, i).at;
        uint32_t count = weft_member_count(field, list);
        if (!items_sound(l, field, list + field->items_offset, count)) return false;
    }
    return true;
}

// Most strings are followed by NULs, so the last byte tells of nearly all.
static bool strings_sound(const sound_walk *l, const weft_field *field, strided strings)
{
    const uint32_t bytes = field->count;
    const unsigned char *at = strings.at;
    for (size_t i = 0; i < strings.count; i++, at += strings.stride) {
        if (at[bytes - 1] == '\0' || memchr(at, '\0', bytes)) continue;
        if (!l->found) return false;
        snprintf(l->found->why, sizeof l->found->why,
                 "has no NUL in its %" PRIu32
                 " bytes: end it with one, as snprintf does, or let the schema have more",
                 bytes);
        return false;
    }
    return true;
}

static bool member_sound(const sound_walk *l, const weft_field *field, strided members)
{
    if (field->shape == WEFT_SHAPE_ONE) return elements_sound(l, field, members);
    if (field->shape == WEFT_SHAPE_ARRAY) return arrays_sound(l, field, members);
    if (field->shape == WEFT_SHAPE_LIST) return lists_sound(l, field, members);
    return strings_sound(l, field, members);
}

static bool fields_sound(const sound_walk *l, const weft_field *fields, uint32_t count,
                         strided values)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!member_limited(l->schema, &fields[i])) continue;
        if (member_sound(l, &fields[i], part_of(values, fields[i].offset))) continue;
        add_field_before(l, &fields[i]);
        return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Values

// A single field may be a column by itself, so it lies at offset 0. Callers pass limited fields
// only.
static bool values_sound(const sound_walk *l, const weft_field *fields, uint32_t field_count,
                         strided values)
{
    if (field_count != 1) return fields_sound(l, fields, field_count, values);
    if (member_sound(l, fields, values)) return true;
    add_field_before(l, fields);
    return false;
}

bool weft_values_sound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                       const void *values, uint32_t size, uint32_t count)
{
    sound_walk l = {schema, NULL};
    return values_sound(&l, fields, field_count, (strided){values, size, count});
}

void weft_value_unsound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                        const void *value, weft_unsound *found)
{
    sound_walk l = {schema, found};
    found->path_space[sizeof found->path_space - 1] = '\0';
    found->path = &found->path_space[sizeof found->path_space - 1];
    found->why[0] = '\0';
    (void)values_sound(&l, fields, field_count, (strided){value, 0, 1});
}
