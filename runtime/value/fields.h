// The shape of a value: the fields of the schema, and a walk over a value down to its numbers, handles
// and strings.
//
// The state hash is built on this walk. What else needs to know the inside of a component without
// knowing the schema (reflection, JSON, saves, handles in values) takes the steps below by itself.
//
// A value is a plain struct. A member is the part of it that one field takes up, which may also lie
// in a column of a soa component. Nothing here asks for alignment.
#ifndef WEFT_FIELDS_H
#define WEFT_FIELDS_H

#include "names.h"

// ------------------------------------------------------------------------------------------------
// Fields

// The first fields of what a world keeps of a state; the others are flags of turns that are due.
enum { WEFT_STATE_NOW, WEFT_STATE_NEXT };

// The walk calls this for every leaf, in field order. A leaf is an element that is a number, an
// enum or a handle, of so many bytes, or a string (as WEFT_TYPE_CHAR, with the bytes up to its
// NUL). Of a list only the items it has are visited, and before them its count (as a WEFT_TYPE_U32
// leaf). `field` is the innermost field.
typedef void (*weft_leaf)(void *context, const weft_field *field, weft_type type, void *value,
                          uint32_t bytes);

// Visits the leaves of a value, or of a single member, at the cost of a call each. With
// `only_saved`, fields with save = false are passed over at any depth.
void weft_fields_walk(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      void *value, bool only_saved, weft_leaf leaf, void *context);
void weft_member_walk(const weft_schema *schema, const weft_field *field, void *member,
                      bool only_saved, weft_leaf leaf, void *context);

// Tells whether all fields of two values are equal: numbers and handles by their bits, strings up
// to their NUL, lists by the items they have. What lies between fields is not looked at.
bool weft_fields_equal(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *left, const void *right);
bool weft_member_equal(const weft_schema *schema, const weft_field *field, const void *left,
                       const void *right);

// Tells whether any of the fields, at any depth, is a handle.
bool weft_fields_have_entities(const weft_schema *schema, const weft_field *fields, uint32_t count);

// The struct or extern that an element of the field is; NULL: it is neither.
const weft_struct_info *weft_field_struct(const weft_schema *schema, const weft_field *field);

// Counts the elements in a member: 1, or all of an array, or the items of a list, which are never
// more than its capacity whatever its count says. A string counts as one element.
uint32_t weft_member_count(const weft_field *field, const void *member);

// Takes an item out of a list of `count`: those behind it move up, and the place that is free then
// is zero. Returns false if it has no such item, or more than the most there can be, since a game
// may break a count. O(items behind it).
static inline bool weft_items_remove(uint32_t *count, void *items, size_t item_bytes, uint32_t item,
                                     uint32_t most)
{
    unsigned char *at = (unsigned char *)items + item * item_bytes;
    if (item >= *count || *count > most) return false;
    size_t behind = (--*count - item) * item_bytes;
    memmove(at, at + item_bytes, behind);
    memset(at + behind, 0, item_bytes);
    return true;
}

// Counts the bytes of a string member before its NUL, or all of them if there is none.
uint32_t weft_string_bytes(const weft_field *field, const void *member);

// Reads a leaf of 1, 2, 4 or 8 bytes as an unsigned integer, which has equal bits on machines of
// either byte order. Writing drops the bits that do not fit.
static inline uint64_t weft_bits_read(const void *leaf, uint32_t bytes)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    if (bytes == 1) return *(const uint8_t *)leaf;
    if (bytes == 2) {
        memcpy(&u16, leaf, 2);
        return u16;
    }
    if (bytes == 4) {
        memcpy(&u32, leaf, 4);
        return u32;
    }
    memcpy(&u64, leaf, 8);
    return u64;
}

static inline void weft_bits_write(void *leaf, uint32_t bytes, uint64_t bits)
{
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    const void *from = &bits;
    if (bytes == 1) from = &u8;
    if (bytes == 2) from = &u16;
    if (bytes == 4) from = &u32;
    memcpy(leaf, from, bytes);
}

// Reads and writes a leaf that is a handle.
static inline uint64_t weft_handle_read(const weft_schema *schema, const void *value)
{
    return weft_bits_read(value, schema->handle_bytes);
}

static inline void weft_handle_write(const weft_schema *schema, void *value, uint64_t bits)
{
    weft_bits_write(value, schema->handle_bytes, bits);
}

#endif
