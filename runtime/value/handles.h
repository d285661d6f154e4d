// Handles as text, "index:generation", and handles inside values.
#ifndef WEFT_VALUE_HANDLES_H
#define WEFT_VALUE_HANDLES_H

#include "../store/entity.h"
#include "fields.h"

// A handle as index:generation, with space for the largest numbers.
typedef struct weft_handle_text {
    char text[24];
} weft_handle_text;

weft_handle_text weft_handle_as_text(weft_format f, uint64_t handle);

// Reads a handle, dead or alive, in exactly this form. Returns false for any other text.
bool weft_handle_from_text(weft_format f, const char *text, size_t bytes, uint64_t *handle);

// Returns whether bits in a value are a handle that an entity can have, dead or alive. Texts never
// contain other handles, because these could not be read back.
static inline bool weft_handle_is_some(weft_format f, uint64_t bits)
{
    uint64_t generation = bits >> f.index_bits;
    return generation != 0 && generation <= weft_generation_max(f);
}

// Returns the new handle for a handle.
typedef uint64_t (*weft_handle_change)(void *context, uint64_t handle);

// Replaces all handles in a value, at any depth.
void weft_fields_change(const weft_schema *schema, const weft_field *fields, uint32_t field_count,
                        void *value, weft_handle_change change, void *context);

// Replaces all handles in one field of `count` values, `stride` bytes apart.
void weft_members_change(const weft_schema *schema, const weft_field *field, void *members,
                         size_t stride, size_t count, weft_handle_change change, void *context);

#endif
