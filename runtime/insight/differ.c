// Compares values with their copies.
#include "differ.h"

#include "../value/fields.h"

#define BLOCK_BYTES 1024u // of a column, compared at once
#define PIECE_BYTES 4096u // of a singleton, compared at once
#define RUN_ITEMS 32u     // of an array, compared at once
#define ROW_BYTES 16u     // a longer row is compared as a whole before its numbers

// Compares two elements. Most are numbers, for which calling memcmp takes longer than comparing.
static inline bool are_equal(const unsigned char *before, const unsigned char *after,
                             uint32_t bytes)
{
    bool number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (number) return weft_bits_read(before, bytes) == weft_bits_read(after, bytes);
    return memcmp(before, after, bytes) == 0;
}

// ------------------------------------------------------------------------------------------------
// Fields

static void differ_fields(const weft_differ *d, const weft_field *fields, uint32_t count,
                          uint32_t offset, const unsigned char *before, const unsigned char *after);

// Compares an element that differs. One of the two is NULL if the list has no such item.
static void differ_element(const weft_differ *d, const weft_field *field, uint32_t offset,
                           const unsigned char *before, const unsigned char *after)
{
    const weft_struct_info *inner = weft_field_struct(d->schema, field);
    if (inner) {
        differ_fields(d, inner->fields, inner->field_count, offset, before, after);
    } else {
        weft_ring_value(d->ring, d->handle, offset, before, after, field->element_size);
    }
}

// At most one of the two is NULL.
static void differ_string(const weft_differ *d, const weft_field *field, uint32_t offset,
                          const unsigned char *before, const unsigned char *after)
{
    if (before && after) {
        uint32_t bytes = weft_string_bytes(field, before);
        if (bytes == weft_string_bytes(field, after) && memcmp(before, after, bytes) == 0) return;
    }
    weft_ring_value(d->ring, d->handle, offset, before, after, field->count);
}

// Returns the first item of a member that is in the bytes that may differ.
static uint32_t first_item(const weft_differ *d, const weft_field *field, uint32_t offset)
{
    uint32_t items = offset + field->items_offset;
    return d->first <= items ? 0 : (d->first - items) / field->element_size;
}

// Compares a member. One of the two may be NULL.
static void differ_member(const weft_differ *d, const weft_field *field, uint32_t offset,
                          const unsigned char *before, const unsigned char *after)
{
    const uint32_t count_bytes = (uint32_t)sizeof(uint32_t);
    bool at_once = before && after && field->size <= PIECE_BYTES;
    if (at_once && memcmp(before, after, field->size) == 0) return;
    if (field->shape == WEFT_SHAPE_STRING) {
        differ_string(d, field, offset, before, after);
        return;
    }
    bool list = field->shape == WEFT_SHAPE_LIST;
    if (list && (!before || !after || memcmp(before, after, count_bytes) != 0)) {
        weft_ring_value(d->ring, d->handle, offset, before, after, count_bytes);
    }
    uint32_t had = before ? weft_member_count(field, before) : 0;
    uint32_t has = after ? weft_member_count(field, after) : 0;
    for (uint32_t i = first_item(d, field, offset); i < had || i < has; i++) {
        uint32_t at = field->items_offset + i * field->element_size;
        if (offset + at >= d->end) return;
        if (i % RUN_ITEMS == 0 && i + RUN_ITEMS <= had && i + RUN_ITEMS <= has &&
            memcmp(before + at, after + at, (size_t)RUN_ITEMS * field->element_size) == 0) {
            i += RUN_ITEMS - 1;
            continue;
        }
        bool both = i < had && i < has;
        if (both && are_equal(before + at, after + at, field->element_size)) continue;
        differ_element(d, field, offset + at, i < had ? before + at : NULL,
                       i < has ? after + at : NULL);
    }
}

static void differ_fields(const weft_differ *d, const weft_field *fields, uint32_t count,
                          uint32_t offset, const unsigned char *before, const unsigned char *after)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        uint32_t at = offset + field->offset;
        if (at >= d->end || at + field->size <= d->first) continue;
        differ_member(d, field, at, before ? before + field->offset : NULL,
                      after ? after + field->offset : NULL);
    }
}

// ------------------------------------------------------------------------------------------------
// Cells

// Adds the numbers of fields to those of a cell. Returns false if there are lists, strings or too
// many numbers.
static bool flatten(const weft_schema *schema, weft_cell_plan *cells, const weft_field *fields,
                    uint32_t field_count, uint32_t at)
{
    for (uint32_t i = 0; i < field_count; i++) {
        const weft_field *field = &fields[i];
        const weft_struct_info *inner = weft_field_struct(schema, field);
        bool plain = field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_ARRAY;
        if (!plain || field->count > WEFT_FLAT_MAX) return false;
        for (uint32_t k = 0; k < field->count; k++) {
            uint32_t item = at + field->offset + k * field->element_size;
            if (inner) {
                if (!flatten(schema, cells, inner->fields, inner->field_count, item)) return false;
                continue;
            }
            if (cells->flat_count == WEFT_FLAT_MAX) return false;
            if (field->element_size > WEFT_SHORT_BYTES) return false;
            cells->flat[cells->flat_count++] = (weft_flat){item, field->element_size};
        }
    }
    return true;
}

weft_cell_plan weft_cell_plan_of(const weft_schema *schema, const weft_field *fields,
                                 uint32_t field_count, uint32_t offset, uint32_t bytes)
{
    weft_cell_plan cells = {
        .fields = fields, .field_count = field_count, .offset = offset, .bytes = bytes};
    cells.block_rows = bytes > BLOCK_BYTES ? 1 : BLOCK_BYTES / bytes;
    if (!flatten(schema, &cells, fields, field_count, 0)) cells.flat_count = 0;
    uint32_t number = cells.flat[0].bytes;
    bool packed = cells.flat_count != 0 && cells.flat_count * number == bytes;
    for (uint32_t i = 0; i < cells.flat_count; i++) {
        cells.flat[i].at -= offset;
        packed = packed && cells.flat[i].bytes == number;
    }
    cells.flat_bytes = packed ? number : 0;
    cells.run_rows = packed && number >= 4 ? WEFT_RUN_ROWS_MAX : 0;
    while (cells.run_rows * bytes > WEFT_RUN_BYTES_MAX) cells.run_rows /= 2;
    return cells;
}

void weft_differ_cell(const weft_differ *d, const weft_cell_plan *of, const unsigned char *before,
                      const unsigned char *after)
{
    for (uint32_t i = 0; i < of->flat_count; i++) {
        uint32_t at = of->flat[i].at;
        uint32_t bytes = of->flat[i].bytes;
        if (are_equal(before + at, after + at, bytes)) continue;
        weft_ring_value(d->ring, d->handle, of->offset + at, before + at, after + at, bytes);
    }
    for (uint32_t i = 0; of->flat_count == 0 && i < of->field_count; i++) {
        const weft_field *field = &of->fields[i];
        uint32_t at = field->offset - of->offset;
        differ_member(d, field, field->offset, before + at, after + at);
    }
}

// Compares rows of numbers, as long as the ring stores writes.
static void differ_flat(const weft_differ *d, const weft_cell_plan *of, weft_format format,
                        const void *handles, const unsigned char *copies,
                        const unsigned char *cells, uint32_t rows)
{
    for (uint32_t row = 0; row < rows && d->ring->left != 0; row++) {
        const unsigned char *before = copies + (size_t)row * of->bytes;
        const unsigned char *after = cells + (size_t)row * of->bytes;
        if (of->bytes > ROW_BYTES && memcmp(before, after, of->bytes) == 0) continue;
        uint64_t handle = weft_handle_load(format, handles, row);
        for (uint32_t i = 0; i < of->flat_count; i++) {
            uint32_t at = of->flat[i].at;
            uint32_t bytes = of->flat[i].bytes;
            if (are_equal(before + at, after + at, bytes)) continue;
            weft_ring_value(d->ring, handle, of->offset + at, before + at, after + at, bytes);
        }
    }
}

// Compares rows in which something differs, which may only be the bytes between fields.
static void differ_block(weft_differ *d, const weft_cell_plan *of, weft_format format,
                         const void *handles, const unsigned char *copies,
                         const unsigned char *cells, uint32_t rows)
{
    if (of->flat_count != 0) {
        differ_flat(d, of, format, handles, copies, cells, rows);
    } else {
        for (uint32_t row = 0; row < rows && d->ring->left != 0; row++) {
            size_t at = (size_t)row * of->bytes;
            if (memcmp(copies + at, cells + at, of->bytes) == 0) continue;
            d->handle = weft_handle_load(format, handles, row);
            weft_differ_cell(d, of, copies + at, cells + at);
        }
    }
}

void weft_differ_rows(weft_differ *d, const weft_cell_plan *of, weft_format format,
                      const void *handles, unsigned char *copies, const unsigned char *cells,
                      uint32_t rows)
{
    uint32_t block = of->block_rows;
    for (uint32_t row = 0; row < rows; row += block) {
        uint32_t some = rows - row < block ? rows - row : block;
        size_t at = (size_t)row * of->bytes;
        size_t bytes = (size_t)some * of->bytes;
        if (memcmp(copies + at, cells + at, bytes) == 0) continue;
        if (d->ring->left != 0) {
            const unsigned char *behind =
                (const unsigned char *)handles + (size_t)row * format.handle_bytes;
            differ_block(d, of, format, behind, copies + at, cells + at, some);
        }
        memcpy(copies + at, cells + at, bytes);
    }
}

// ------------------------------------------------------------------------------------------------
// Singletons

// Finds the pieces in which a value differs from its copy. Returns false if there are none.
static bool find_difference(weft_differ *d, const unsigned char *copy, const unsigned char *value,
                            uint32_t size)
{
    d->first = UINT32_MAX;
    for (uint32_t at = 0; at < size; at += PIECE_BYTES) {
        uint32_t bytes = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        if (memcmp(copy + at, value + at, bytes) == 0) continue;
        if (d->first == UINT32_MAX) d->first = at;
        d->end = at + bytes;
    }
    return d->first != UINT32_MAX;
}

void weft_differ_singleton(weft_differ *d, const weft_singleton_info *info, unsigned char *copy,
                           const unsigned char *value)
{
    if (!find_difference(d, copy, value, info->size)) return;
    differ_fields(d, info->fields, info->field_count, 0, copy, value);
    memcpy(copy + d->first, value + d->first, d->end - d->first);
}
