// Walking the fields of a value through its reflection tables, down to numbers, handles, strings.
//
// What needs to know the inside of a component without knowing the schema is built on this walk:
// the state hash, and the mending of handles in values (commands, recycling).
//
// A value is a plain struct; a member is what one field takes up in it, or in a column of a soa
// component. Nothing here asks for alignment.
#ifndef WEFT_FIELDS_H
#define WEFT_FIELDS_H

#include "../weft.h"

#include <string.h>

// Called for every leaf in field order: an element that is a number, an enum or a handle (bytes: of
// it), or a string (type WEFT_TYPE_CHAR, bytes: up to its NUL). Only the items a list has are
// visited, and before them its count (as a WEFT_TYPE_U32 leaf). `field` is the innermost field.
typedef void (*weft_leaf)(void *context, const weft_field *field, weft_type type, void *value,
                          uint32_t bytes);

// Visits the leaves of a value, or of a single member. `only_saved`: fields with save = false are
// passed over, at any depth. Costs a call a leaf.
void weft_fields_walk(const weft_schema *schema, const weft_field *fields, uint32_t count,
                      void *value, bool only_saved, weft_leaf leaf, void *context);
void weft_member_walk(const weft_schema *schema, const weft_field *field, void *member,
                      bool only_saved, weft_leaf leaf, void *context);

// Whether there is a handle anywhere inside.
bool weft_fields_have_entities(const weft_schema *schema, const weft_field *fields, uint32_t count);

// What an element of the field is made of; NULL if it is no struct or extern.
const weft_struct_info *weft_field_struct(const weft_schema *schema, const weft_field *field);

// How many elements the member has: 1, or all of an array's, or the items of a list (never more
// than it has room for, whatever its count says). A string counts as one element.
uint32_t weft_member_count(const weft_field *field, const void *member);

// Bytes of a string member before its NUL, or all it has room for if there is none.
uint32_t weft_string_bytes(const weft_field *field, const void *member);

// A handle in a field of a value.
uint64_t weft_handle_read(const weft_schema *schema, const void *value);
void weft_handle_write(const weft_schema *schema, void *value, uint64_t bits);

// A leaf of 1, 2, 4 or 8 bytes as a number: what its bits say as an unsigned integer, the same on
// machines of either byte order. Writing drops the bits that do not fit.
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

#endif
