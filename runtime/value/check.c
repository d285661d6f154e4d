// Checks single leaves with a reason, and many leaves at once without one, because nearly all of
// them are sound.
#include "check.h"

#include "numbers.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------------
// One leaf

// Returns the largest value of a leaf that can hold less than its bytes could.
static uint64_t most_of(const weft_schema *schema, const weft_field *field, bool is_count)
{
    if (is_count) return field->count;
    return field->type == WEFT_TYPE_ENUM ? schema->enums[field->of].count - 1u : 1;
}

// Returns a <= b. The bound of an f32 field is rounded to the nearest float, so that a field that
// contains its bound passes. False for NaN.
static bool in_order(weft_number_kind kind, uint32_t bytes, weft_number a, weft_number b)
{
    if (kind == WEFT_UNSIGNED) return a.u64 <= b.u64;
    if (kind == WEFT_SIGNED) return a.i64 <= b.i64;
    if (bytes == sizeof(float)) return (float)a.f64 <= (float)b.f64;
    return a.f64 <= b.f64;
}

static bool check_bounds(const weft_leaf_ref *leaf, weft_number number, char *why)
{
    const weft_field *field = leaf->field;
    weft_number_kind kind = weft_kind_of(leaf->type);
    bool low = field->has_min && !in_order(kind, leaf->bytes, field->min, number);
    bool high = field->has_max && !in_order(kind, leaf->bytes, number, field->max);
    char value[WEFT_NUMBER_BYTES];
    char bound[WEFT_NUMBER_BYTES];
    if (!low && !high) return true;
    return weft_value_refuse(
        why, "is %s, and must be at %s %s", weft_number_text(kind, number, value, sizeof value),
        low ? "least" : "most",
        weft_number_text(kind, low ? field->min : field->max, bound, sizeof bound));
}

bool weft_number_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_number number,
                       weft_strength strength, char why[WEFT_WHY_BYTES])
{
    const weft_field *field = leaf->field;
    weft_number_kind kind = weft_kind_of(leaf->type);
    uint64_t most = most_of(schema, field, leaf->is_count);
    if (leaf->is_count) {
        return number.u64 <= most || weft_value_refuse(why, "is %" PRIu64 ", and " WEFT_NO_ROOM,
                                                       number.u64, field->count);
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        return number.u64 <= most ||
               weft_value_refuse(why,
                                 "is %" PRIu64 ", and enum '%s' has values of 0 to %" PRIu64
                                 ": write one of these",
                                 number.u64, schema->enums[field->of].name, most);
    }
    if (leaf->type == WEFT_TYPE_BOOL) {
        return number.u64 <= most ||
               weft_value_refuse(why, "is %" PRIu64 ", and a bool is 0 or 1: write false or true",
                                 number.u64);
    }
    if (kind != WEFT_FLOAT && !weft_scalar_has(leaf->type, kind, number)) {
        char value[WEFT_NUMBER_BYTES];
        weft_number_text(kind, number, value, sizeof value);
        return weft_value_refuse(why, WEFT_CANNOT_HOLD, weft_type_name(leaf->type),
                                 (int)strlen(value), value);
    }
    return strength == WEFT_ONLY_SOUND || check_bounds(leaf, number, why);
}

bool weft_handle_check(const weft_schema *schema, uint64_t bits, char why[WEFT_WHY_BYTES])
{
    uint32_t width = (uint32_t)schema->index_bits + schema->generation_bits;
    if (width >= 64 || bits >> width == 0) return true;
    return weft_value_refuse(why, "is 0x%" PRIx64 ", and handles have %" PRIu32 " bits", bits,
                             width);
}

bool weft_leaf_check(const weft_schema *schema, const weft_leaf_ref *leaf, weft_strength strength,
                     char why[WEFT_WHY_BYTES])
{
    if (leaf->type == WEFT_TYPE_ENTITY) {
        return strength == WEFT_ONLY_SOUND ||
               weft_handle_check(schema, weft_handle_read(schema, leaf->value), why);
    }
    if (leaf->type == WEFT_TYPE_CHAR) {
        return memchr(leaf->value, '\0', leaf->bytes) ||
               weft_value_refuse(why, "has no NUL in its %" PRIu32 " bytes: end it with one",
                                 leaf->bytes);
    }
    weft_number number = weft_number_load(weft_kind_of(leaf->type), leaf->value, leaf->bytes);
    return weft_number_check(schema, leaf, number, strength, why);
}

// ------------------------------------------------------------------------------------------------
// One value

typedef struct flaw_search {
    weft_strength strength;
    weft_flaw *flaw;
} flaw_search;

static bool check_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    const flaw_search *s = (const flaw_search *)v->context;
    for (size_t i = 0; i < leaves->count; i++) {
        weft_leaf_ref leaf = weft_leaves_nth(leaves, i);
        if (weft_leaf_check(v->schema, &leaf, s->strength, s->flaw->why)) continue;
        weft_visit_path(v, leaves, i, s->flaw->path);
        return false;
    }
    return true;
}

static weft_visitor searcher(const weft_schema *schema, const flaw_search *search)
{
    return (weft_visitor){.schema = schema,
                          .leaves = check_leaves,
                          .context = (void *)(uintptr_t)search,
                          .types = WEFT_VISIT_ALL,
                          .only_saved = search->strength == WEFT_ONLY_SOUND,
                          .in_order = true};
}

bool weft_value_check(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      const void *value, weft_strength strength, weft_flaw *flaw)
{
    flaw_search search = {strength, flaw};
    weft_visitor v = searcher(schema, &search);
    return weft_visit_values(&v, fields, count, (void *)(uintptr_t)value, 0, 1);
}

bool weft_member_check(const weft_schema *schema, const weft_field *field, const void *member,
                       weft_strength strength, weft_flaw *flaw)
{
    flaw_search search = {strength, flaw};
    weft_visitor v = searcher(schema, &search);
    return weft_visit_members(&v, field, (void *)(uintptr_t)member, 0, 1);
}

// ------------------------------------------------------------------------------------------------
// Many values

#define LIMITED                                                                                    \
    (WEFT_VISIT(WEFT_TYPE_BOOL) | WEFT_VISIT(WEFT_TYPE_ENUM) | WEFT_VISIT(WEFT_TYPE_CHAR) |        \
     WEFT_VISIT_COUNTS)

bool weft_fields_limited(const weft_schema *schema, const weft_field *fields, uint32_t count)
{
    return weft_fields_have(schema, fields, count, LIMITED, true);
}

// Adjacent bytes, as in a column of bools, are compared many at once.
WEFT_HOT static uint8_t greatest_byte(const uint8_t *bytes, size_t count)
{
    uint8_t greatest = 0;
    for (size_t i = 0; i < count; i++) greatest = bytes[i] > greatest ? bytes[i] : greatest;
    return greatest;
}

// Four numbers at a time, because the loop itself costs as much as a comparison.
WEFT_ALWAYS_INLINE bool each_within(const unsigned char *at, size_t stride, size_t count,
                                    uint32_t bytes, uint64_t most)
{
    uint32_t beyond = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4, at += 4 * stride) {
        beyond |= weft_bits_read(at, bytes) > most;
        beyond |= weft_bits_read(at + stride, bytes) > most;
        beyond |= weft_bits_read(at + 2 * stride, bytes) > most;
        beyond |= weft_bits_read(at + 3 * stride, bytes) > most;
    }
    for (; i < count; i++, at += stride) beyond |= weft_bits_read(at, bytes) > most;
    return beyond == 0;
}

bool weft_numbers_within(const void *numbers, size_t stride, size_t count, uint32_t bytes,
                         uint64_t most)
{
    const unsigned char *at = (const unsigned char *)numbers;
    if (bytes == 1 && stride == 1) return greatest_byte(at, count) <= most;
    if (bytes == 1) return each_within(at, stride, count, 1, most);
    if (bytes == 2) return each_within(at, stride, count, 2, most);
    return each_within(at, stride, count, 4, most);
}

// Most strings have NULs up to their end, so the last byte decides nearly all of them.
static bool strings_end(const weft_leaves *strings)
{
    const uint32_t bytes = strings->bytes;
    const unsigned char *at = strings->at;
    for (size_t i = 0; i < strings->count; i++, at += strings->stride) {
        if (at[bytes - 1] != '\0' && !memchr(at, '\0', bytes)) return false;
    }
    return true;
}

static bool are_sound(weft_visitor *v, const weft_leaves *leaves)
{
    if (leaves->type == WEFT_TYPE_CHAR) return strings_end(leaves);
    return weft_numbers_within(leaves->at, leaves->stride, leaves->count, leaves->bytes,
                               most_of(v->schema, leaves->field, leaves->is_count));
}

bool weft_values_sound(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                       const void *values, uint32_t size, uint32_t count)
{
    weft_visitor v = {.schema = schema, .leaves = are_sound, .types = LIMITED, .only_saved = true};
    void *first = (void *)(uintptr_t)values;
    if (field_count == 1) return weft_visit_members(&v, fields, first, size, count);
    return weft_visit_values(&v, fields, field_count, first, size, count);
}
