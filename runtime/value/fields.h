// The shape of a value: what the fields of the schema mean, and which leaves the bytes contain.
// visit.h walks over them.
//
// A value is a plain struct. A member is the part of the struct that one field occupies; it can
// also be in a column of a soa component. No function here needs aligned data.
#ifndef WEFT_FIELDS_H
#define WEFT_FIELDS_H

#include "names.h"

// ------------------------------------------------------------------------------------------------
// Fields

// The first fields of a state. WEFT_STATE_AGAIN is only a field if the state has `again`. The fields
// after them are flags of turns that are due.
enum { WEFT_STATE_NOW, WEFT_STATE_NEXT, WEFT_STATE_AGAIN };

// Return whether all fields of two values are equal. Numbers and handles are compared by their
// bits, strings up to their NUL, and lists up to their count. Bytes between fields are ignored.
bool weft_fields_equal(const weft_schema *schema, const weft_field *fields, uint32_t count,
                       const void *left, const void *right);
bool weft_member_equal(const weft_schema *schema, const weft_field *field, const void *left,
                       const void *right);

// Returns the struct or extern of a field's elements, or NULL.
const weft_struct_info *weft_field_struct(const weft_schema *schema, const weft_field *field);

// Returns whether the field is an array or a list, so that a path must name an element of it.
static inline bool weft_field_is_many(const weft_field *field)
{
    return field->shape == WEFT_SHAPE_ARRAY || field->shape == WEFT_SHAPE_LIST;
}

// Returns the number of elements in a member: 1, the length of an array, or the items of a list.
// For a list with an invalid count, it returns at most the capacity. A string counts as one
// element.
uint32_t weft_member_count(const weft_field *field, const void *member);

// Removes an item from a list: the items after it move up, and the place that becomes free is
// zeroed. Returns false if the list has no such item, or if its count exceeds `most`, because a
// game can set a wrong count. O(items after it).
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

// Returns the bytes of a string before its NUL, or its whole capacity if there is no NUL.
uint32_t weft_string_bytes(const weft_field *field, const void *member);

// Read and write a leaf of 1, 2, 4 or 8 bytes as an unsigned integer, which is the same on machines
// of either byte order. Writing drops the bits that do not fit.
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

// Read and write a leaf that is a handle.
static inline uint64_t weft_handle_read(const weft_schema *schema, const void *value)
{
    return weft_bits_read(value, schema->handle_bytes);
}

static inline void weft_handle_write(const weft_schema *schema, void *value, uint64_t bits)
{
    weft_bits_write(value, schema->handle_bytes, bits);
}

#endif
