// Converts values by walking over the pairs of fields that matching has found. Each pair is applied
// to all rows of a block before the next pair.
#include "convert.h"

#include "../value/check.h"
#include "../value/numbers.h"
#include "bytes.h"

#include <inttypes.h>

// A block of rows stays in the cache while its fields are converted one after the other.
#define CONVERTED_BLOCK_BYTES 16384u

#define ALLOW_IT "; let the schema allow it, or give the new field another name"

// Parameters of all functions that walk over fields.
typedef struct conversion {
    weft_schemas *schemas;
    const weft_match *match;
    bool in_place;      // values are already in their place; only check and clean them
    weft_status status; // if a value is refused
} conversion;

// Refuses a value that no valid save can contain.
static bool refuse_damaged(conversion *c, const weft_field_pair *pair)
{
    c->status = WEFT_BAD_FILE;
    return weft_refuse_field(c->schemas, c->match, pair->is, " contains an invalid %.64s",
                             weft_element_name(c->schemas->file, pair->was));
}

// ------------------------------------------------------------------------------------------------
// Elements

static bool convert_member(conversion *c, const weft_field_pair *pair, weft_cells cells);

// Integers become floats only if they are represented exactly. An f64 becomes the nearest f32.
static bool to_float(weft_number_kind kind, weft_type is, weft_number *n)
{
    const double infinite = 3.4028235677973366e38; // the least that an f32 rounds to infinity
    double value;
    if (!weft_double_from_number(kind, *n, &value)) return false;
    n->f64 = value;
    if (is == WEFT_TYPE_F64) return true;
    if (kind != WEFT_FLOAT) return (double)(float)value == value;
    bool finite = value - value == 0;
    return !finite || (value < infinite && value > -infinite);
}

static bool to_number(weft_number_kind kind, weft_type is, weft_number *n)
{
    weft_number_kind now = weft_kind_of(is);
    if (now == WEFT_FLOAT) return to_float(kind, is, n);
    if (kind == WEFT_FLOAT && !weft_number_from_double(now, weft_scalars[is].bytes, n->f64, n)) {
        return false;
    }
    return weft_scalar_has(is, kind == WEFT_FLOAT ? now : kind, *n);
}

static bool convert_numbers(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    weft_type was = pair->was->type;
    weft_type is = pair->is->type;
    weft_number_kind kind = weft_kind_of(was);
    uint32_t bytes = weft_scalars[was].bytes;
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t bits = 0;
        weft_bits_write(&bits, bytes, weft_little_read(cell.from, bytes));
        weft_number n = weft_number_load(kind, &bits, bytes);
        if (kind != WEFT_FLOAT && !weft_scalar_has(was, kind, n)) return refuse_damaged(c, pair);
        if (was == is) { // another byte order, or a value that had to be checked
            memcpy(cell.to, &bits, bytes);
            continue;
        }
        if (!to_number(kind, is, &n)) {
            return weft_refuse_field(c->schemas, c->match, pair->is,
                                     " holds a number of type %s that %s cannot hold" ALLOW_IT,
                                     weft_type_name(was), weft_type_name(is));
        }
        weft_number_store(weft_kind_of(is), cell.to, weft_scalars[is].bytes, n);
    }
    return true;
}

uint64_t weft_convert_handle(const weft_schemas *schemas, uint64_t bits)
{
    const weft_schema *was = schemas->file;
    const weft_schema *is = schemas->world;
    uint64_t index = bits & (((uint64_t)1 << was->index_bits) - 1);
    uint64_t generation = bits >> was->index_bits;
    if (weft_handles_same(schemas)) return bits;
    if (generation >> was->generation_bits != 0) return 0; // it must not become valid
    if (index >> is->index_bits != 0 || generation >> is->generation_bits != 0) return 0;
    return index | generation << is->index_bits;
}

static bool convert_handles(const conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t bits = weft_little_read(cell.from, pair->was->element_size);
        weft_bits_write(cell.to, pair->is->element_size, weft_convert_handle(c->schemas, bits));
    }
    return true;
}

static bool convert_enums(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    const weft_enum_info *was = &c->schemas->file->enums[pair->was->of];
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        uint64_t value = weft_little_read(cell.from, pair->was->element_size);
        if (value >= was->count) return refuse_damaged(c, pair);
        if (pair->values[value] == WEFT_NEVER) {
            return weft_refuse_field(c->schemas, c->match, pair->is,
                                     " is '%.64s', which enum '%s' no longer contains" ALLOW_IT,
                                     was->values[value],
                                     weft_element_name(c->schemas->world, pair->is));
        }
        weft_bits_write(cell.to, pair->is->element_size, pair->values[value]);
    }
    return true;
}

// Zeroes some bytes of each cell, one byte of all cells at a time, because gaps are short.
static void clean_cells(weft_cells cells, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        for (size_t i = 0; i < cells.count; i++) cells.to[i * cells.to_stride + b] = 0;
    }
}

// Zeroes the bytes outside of fields. This is only needed for values in place: converted values
// begin as defaults, which have zeros there.
static void clean_gaps(const conversion *c, const weft_field_pairs *pairs, weft_cells cells)
{
    for (uint32_t i = 0; c->in_place && i < pairs->gap_count; i++) {
        clean_cells(weft_cells_at(cells, 0, pairs->gaps[i].offset), pairs->gaps[i].size);
    }
}

// Converts one element of each member.
static bool convert_elements(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (uint32_t i = 0; i < pair->elements.count; i++) {
        const weft_field_pair *inner = &pair->elements.each[i];
        if (!inner->was || (c->in_place && inner->plain)) continue;
        weft_cells part = weft_cells_at(cells, inner->was->offset, inner->is->offset);
        if (!convert_member(c, inner, part)) return false;
    }
    clean_gaps(c, &pair->elements, cells);
    if (pair->elements.each) return true;
    if (pair->is->type == WEFT_TYPE_ENTITY) return convert_handles(c, pair, cells);
    if (pair->is->type == WEFT_TYPE_ENUM) return convert_enums(c, pair, cells);
    return convert_numbers(c, pair, cells);
}

// ------------------------------------------------------------------------------------------------
// Members

// Converts the elements of an array that an enum numbers. Elements whose name no longer exists are
// dropped.
static bool convert_named(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    for (uint32_t i = 0; i < pair->was->count; i++) {
        if (pair->places[i] == WEFT_NEVER) continue;
        weft_cells element = weft_cells_at(cells, (size_t)i * pair->was->element_size,
                                           (size_t)pair->places[i] * pair->is->element_size);
        if (!convert_elements(c, pair, element)) return false;
    }
    return true;
}

static bool convert_array(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    uint32_t count = was->count < is->count ? was->count : is->count;
    if (pair->places && !pair->same) return convert_named(c, pair, cells);
    if (pair->elements.same && pair->elements.plain) {
        if (!c->in_place) weft_cells_copy(cells, (size_t)count * is->element_size);
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_cells element =
            weft_cells_at(cells, (size_t)i * was->element_size, (size_t)i * is->element_size);
        if (!convert_elements(c, pair, element)) return false;
    }
    return true;
}

// Zeroes bytes without meaning. They are nearly always zero already, so they are only read, because
// writing to memory costs more.
static void clean(unsigned char *at, size_t bytes)
{
    uint64_t any = 0;
    size_t i = 0;
    for (; i + sizeof any <= bytes; i += sizeof any) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        any |= word;
    }
    for (; i < bytes; i++) any |= at[i];
    if (any != 0) memset(at, 0, bytes);
}

static bool convert_string(conversion *c, const weft_field_pair *pair, weft_cells cell)
{
    const void *end = memchr(cell.from, '\0', pair->was->count);
    size_t length = end ? (size_t)((const unsigned char *)end - cell.from) : 0;
    if (!end) return refuse_damaged(c, pair);
    if (length >= pair->is->count) {
        return weft_refuse_field(c->schemas, c->match, pair->is,
                                 " has %zu bytes, and there is room for %" PRIu32 " now" ALLOW_IT,
                                 length, pair->is->count - 1);
    }
    if (!c->in_place) memcpy(cell.to, cell.from, length);
    clean(cell.to + length, pair->is->count - length);
    return true;
}

// If items are structs with fields that the save lacks, they begin with the defaults of the struct.
static bool convert_list(conversion *c, const weft_field_pair *pair, weft_cells cell)
{
    const weft_field *was = pair->was;
    const weft_field *is = pair->is;
    uint32_t count = (uint32_t)weft_little_read(cell.from, (uint32_t)sizeof count);
    if (count > was->count) return refuse_damaged(c, pair);
    if (count > is->count) {
        return weft_refuse_field(c->schemas, c->match, pair->is,
                                 " has %" PRIu32 " items, and there is room for %" PRIu32
                                 " now" ALLOW_IT,
                                 count, is->count);
    }
    weft_bits_write(cell.to, (uint32_t)sizeof count, count);
    weft_cells items = weft_cells_at(cell, was->items_offset, is->items_offset);
    size_t used = (size_t)count * is->element_size;
    clean(cell.to + sizeof count, is->items_offset - sizeof count);
    clean(items.to + used, is->size - is->items_offset - used);
    if (pair->elements.same && pair->elements.plain) {
        if (!c->in_place) memcpy(items.to, items.from, used);
        return true;
    }
    items.from_stride = was->element_size;
    items.to_stride = is->element_size;
    items.count = count;
    const weft_struct_info *inner = weft_field_struct(c->schemas->world, is);
    for (uint32_t i = 0; inner && !c->in_place && i < count; i++) {
        memcpy(items.to + i * items.to_stride, inner->defaults, items.to_stride);
    }
    return convert_elements(c, pair, items);
}

static bool convert_member(conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    if (pair->is->shape == WEFT_SHAPE_ONE || pair->is->shape == WEFT_SHAPE_ARRAY) {
        return convert_array(c, pair, cells);
    }
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        bool converted = pair->is->shape == WEFT_SHAPE_LIST ? convert_list(c, pair, cell)
                                                            : convert_string(c, pair, cell);
        if (!converted) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Rows

static size_t column_stride(const weft_component_info *info, uint32_t field)
{
    return info->soa ? info->fields[field].size : info->size;
}

// Returns the place of a field in the first row.
static unsigned char *field_in(const weft_component_info *info, weft_column_span span,
                               uint32_t field)
{
    unsigned char *column = (unsigned char *)span.columns[info->soa ? field : 0];
    return column + span.first * column_stride(info, field) +
           (info->soa ? 0 : info->fields[field].offset);
}

void weft_default_rows(const weft_component_info *info, weft_column_span to, uint32_t rows)
{
    const unsigned char *value = (const unsigned char *)info->defaults;
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t stride = column_stride(info, i);
        unsigned char *at = (unsigned char *)to.columns[i] + to.first * stride;
        size_t offset = info->soa ? info->fields[i].offset : 0;
        weft_cells_copy((weft_cells){value + offset, at, 0, stride, rows}, stride);
    }
}

static void copy_rows(const weft_component_info *info, weft_column_span from, weft_column_span to,
                      uint32_t rows)
{
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t stride = column_stride(info, i);
        memcpy((unsigned char *)to.columns[i] + to.first * stride,
               (const unsigned char *)from.columns[i] + from.first * stride, rows * stride);
    }
}

// Returns whether all cells of a member that is one bool or one enum are valid; if not, the caller
// checks each cell. The member is never a single struct, because list_parts has split those into
// their fields.
static bool leaf_is_sound(const conversion *c, const weft_field_pair *pair, weft_cells cells)
{
    uint64_t most = pair->values ? c->schemas->world->enums[pair->is->of].count - 1u : 1;
    return pair->is->shape == WEFT_SHAPE_ONE &&
           weft_numbers_within(cells.to, cells.to_stride, cells.count, pair->is->size, most);
}

// Checks values that are already in their place, and zeroes their gaps.
static bool check_block(conversion *c, weft_column_span in, uint32_t rows)
{
    const weft_component_info *info = &c->match->is;
    for (uint32_t i = 0; i < c->match->part_count; i++) {
        const weft_value_part *part = &c->match->parts[i];
        uint32_t begin = info->soa ? info->fields[part->field].offset : 0;
        size_t stride = column_stride(info, part->field);
        unsigned char *at = (unsigned char *)in.columns[info->soa ? part->field : 0];
        at += in.first * stride + (part->offset - begin);
        weft_cells cells = {at, at, stride, stride, rows};
        if (!part->member) {
            clean_cells(cells, part->size);
        } else if (!leaf_is_sound(c, part->member, cells) &&
                   !convert_member(c, part->member, cells)) {
            return false;
        }
    }
    return true;
}

static bool convert_block(conversion *c, weft_column_span from, weft_column_span to, uint32_t rows)
{
    const weft_match *match = c->match;
    c->status = WEFT_MISMATCH; // the reason for a refusal, unless the save is damaged
    if (c->in_place) return check_block(c, to, rows);
    weft_default_rows(&match->is, to, rows);
    for (uint32_t i = 0; i < match->is.field_count; i++) {
        const weft_field_pair *pair = &match->fields.each[i];
        if (!pair->was) continue;
        uint32_t was = (uint32_t)(pair->was - match->was.fields);
        weft_cells cells = {
            .from = field_in(&match->was, from, was),
            .to = field_in(&match->is, to, i),
            .from_stride = column_stride(&match->was, was),
            .to_stride = column_stride(&match->is, i),
            .count = rows,
        };
        if (!convert_member(c, pair, cells)) return false;
    }
    return true;
}

weft_status weft_convert_rows(weft_schemas *schemas, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows)
{
    conversion c = {schemas, match, match->fields.same, WEFT_OK};
    if (rows == 0) return WEFT_OK; // then there may be no columns
    if (match->fields.same) {
        if (from.columns != to.columns) copy_rows(&match->is, from, to, rows);
        from = to;
        if (match->part_count == 0) return WEFT_OK;
    }
    uint32_t block = CONVERTED_BLOCK_BYTES / (match->was.size + match->is.size + 1) + 1;
    for (uint32_t done = 0; done != rows;) {
        uint32_t some = rows - done < block ? rows - done : block;
        if (convert_block(&c, from, to, some)) {
            from.first += some;
            to.first += some;
            done += some;
        } else if (some == 1) {
            schemas->why_row = done;
            return c.status;
        } else {
            block = 1; // find the row that is refused
        }
    }
    return WEFT_OK;
}
