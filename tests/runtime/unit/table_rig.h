// Tables with a naive model: every table of the rig is also a list of rows, each with everything
// that a row can have. Each operation is done to both. One that fails must change neither. The
// checks compare both.
#ifndef TABLE_RIG_H
#define TABLE_RIG_H

#include "row_take.h"
#include "store/row.h"
#include "watched_memory.h"

// ---- the model: tables as lists of rows, each with everything that a row can have

enum { TABLES = 5, MODEL_COMPONENTS = 8, MODEL_BITSETS = 8, MODEL_ROWS = 2000, VALUE_BYTES = 80 };

static const uint32_t components[MODEL_COMPONENTS] = {
    POSITION, VELOCITY, WORKER, BUILDING, LEADER, GROUP, CREW, CARGO,
};
static const uint32_t bitsets[MODEL_BITSETS] = {
    BURNING, CURSED, SELECTED, HIDDEN, NAMED, SPARE, SPARE + 55, HEAVY,
};

typedef struct model_row {
    uint64_t handle;
    unsigned char value[MODEL_COMPONENTS][VALUE_BYTES];
    bool bitset[MODEL_BITSETS];
} model_row;

typedef struct model_table {
    bool has[MODEL_COMPONENTS];
    uint32_t count;
    model_row rows[MODEL_ROWS];
} model_table;

typedef struct rig {
    fixture fixture;
    const weft_plan *plan;
    watched_memory memory;
    weft_heap heap;
    weft_table *tables[TABLES];
    model_table models[TABLES];
    fixture_random random;
    uint64_t handles;
} rig;

static const uint32_t sets[TABLES] = {0x00, 0x01, 0x03, 0x7F, 0xF5}; // bits: of components[]

static inline rig *rig_open_as(fixture_options options, bool grouped)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    fixture_make(&r->fixture, options);
    if (grouped) fixture_group(&r->fixture);
    r->plan = &r->fixture.plan;
    r->heap = watched_heap(&r->memory);
    for (uint32_t t = 0; t < TABLES; t++) {
        uint64_t set[FIXTURE_WORDS] = {0};
        for (uint32_t c = 0; c < MODEL_COMPONENTS; c++) {
            r->models[t].has[c] = sets[t] >> c & 1;
            if (r->models[t].has[c]) weft_set_add(set, components[c]);
        }
        r->tables[t] = weft_table_open(&r->heap, r->plan, &r->fixture.kit, t, set);
        assert_non_null(r->tables[t]);
    }
    return r;
}

static inline rig *rig_open(fixture_options options)
{
    return rig_open_as(options, false);
}

static inline void rig_close(rig *r)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        if (r->tables[t]) weft_table_close(&r->heap, r->plan, r->tables[t]);
    }
    watched_check_empty(&r->memory, &r->heap);
    free(r);
}

static inline uint32_t bitset_column(const rig *r, uint32_t bitset)
{
    return r->plan->first_bitset + (uint32_t)r->plan->components[bitsets[bitset]].bitset;
}

// Fills a value with random bytes, and with 0 where no field is stored (soa: between the fields).
static inline void random_value(rig *r, uint32_t c, unsigned char *value)
{
    const weft_component_info *info = &r->plan->schema->components[components[c]];
    memset(value, 0, VALUE_BYTES);
    if (!info->soa) {
        for (uint32_t i = 0; i < info->size; i++) {
            value[i] = (unsigned char)fixture_below(&r->random, 256);
        }
        return;
    }
    for (uint32_t f = 0; f < info->field_count; f++) {
        for (uint32_t i = 0; i < info->fields[f].size; i++) {
            value[info->fields[f].offset + i] = (unsigned char)fixture_below(&r->random, 256);
        }
    }
}

// ---- checks

static inline void check_row(const rig *r, uint32_t t, uint32_t row)
{
    const weft_table *table = r->tables[t];
    const model_row *model = &r->models[t].rows[row];
    uint64_t handle = weft_handle_load(r->plan->format, weft_column(table, 0), row);
    assert_int_equal(handle, model->handle);
    for (uint32_t c = 0; c < MODEL_COMPONENTS; c++) {
        unsigned char value[VALUE_BYTES] = {0};
        const weft_component_info *info = &r->plan->schema->components[components[c]];
        if (!r->models[t].has[c]) continue;
        row_take(r->plan, table, row, components[c], value);
        assert_memory_equal(value, model->value[c], VALUE_BYTES);
        for (uint32_t f = 0; f < info->field_count; f++) {
            const weft_field *field = &info->fields[f];
            const void *member = weft_row_member(r->plan, table, row, components[c], f);
            assert_memory_equal(member, model->value[c] + field->offset, field->size);
        }
    }
    for (uint32_t i = 0; i < MODEL_BITSETS; i++) {
        assert_int_equal(weft_bitset_bit(table, bitset_column(r, i), row), model->bitset[i]);
    }
}

// The store of the sparse component that a bitset is of; WEFT_NONE: it is a tag's.
static inline uint16_t store_of(const rig *r, uint32_t column)
{
    return r->plan->components[r->plan->columns[column].component].sparse;
}

// Checks that a count which still counts as valid is right, by counting again like a walk.
static inline void check_counted(weft_sparse_rows *listed, uint32_t members)
{
    if (listed->counted) assert_int_equal(listed->count, members);
    listed->count = members;
    listed->counted = true;
}

static inline void check_bitsets(const rig *r, uint32_t t)
{
    const weft_table *table = r->tables[t];
    uint32_t with_memory = 0;
    for (uint32_t column = r->plan->first_bitset; column < r->plan->column_count; column++) {
        const uint64_t *words = weft_column(table, column);
        uint32_t members = 0;
        with_memory += words != NULL;
        for (uint32_t row = 0; words && row < weft_round_up(table->capacity, 64); row++) {
            bool bit = words[row / 64] >> (row % 64) & 1;
            members += bit;
            assert_false(bit && row >= table->count);
        }
        bool sparse = store_of(r, column) != WEFT_NONE;
        if (sparse && table->sparse_rows)
            check_counted(&table->sparse_rows[store_of(r, column)], members);
        assert_int_equal(table->bitset_counts[column - r->plan->first_bitset],
                         sparse ? 0 : members);
    }
    assert_int_equal(table->bitset_count, with_memory);
    for (uint32_t i = 0; i < table->bitset_count; i++) {
        assert_non_null(weft_column(table, table->bitsets[i]));
    }
}

static inline void check_columns(const rig *r, uint32_t t)
{
    const weft_table *table = r->tables[t];
    uint32_t present = 0;
    for (uint32_t column = 0; column < r->plan->first_bitset; column++) {
        uint32_t of = r->plan->columns[column].component;
        bool expected = column == 0 || weft_set_has(table->set, of);
        assert_int_equal(weft_column(table, column) != NULL, expected);
        assert_int_equal((uintptr_t)weft_column(table, column) % 64, 0);
        if (!expected) continue;
        const weft_present *at = &table->present[present++];
        assert_int_equal(at->column, column);
        assert_int_equal(at->size, r->plan->columns[column].size);
        assert_ptr_equal(at->base, weft_column(table, column));
    }
    assert_int_equal(table->present_count, present);
}

static inline void check_table(const rig *r, uint32_t t)
{
    assert_int_equal(r->tables[t]->count, r->models[t].count);
    assert_true(r->tables[t]->count <= r->tables[t]->capacity);
    check_columns(r, t);
    check_bitsets(r, t);
    for (uint32_t row = 0; row < r->models[t].count; row++) check_row(r, t, row);
}

// ---- operations, each on the table and on the model; a failing one changes neither

static inline void write_bit(rig *r, uint32_t t, uint32_t row, uint32_t bitset, bool on)
{
    uint32_t column = bitset_column(r, bitset);
    if (on && !weft_bitset_open(&r->heap, r->plan, r->tables[t], column)) return;
    weft_bitset_write(r->plan, r->tables[t], column, row, on);
    r->models[t].rows[row].bitset[bitset] = on;
}

static inline void write_value(rig *r, uint32_t t, uint32_t row, uint32_t c)
{
    unsigned char *value = r->models[t].rows[row].value[c];
    random_value(r, c, value);
    weft_row_write(r->plan, r->tables[t], row, components[c], value);
}

static inline void write_handle(rig *r, uint32_t t, uint32_t row, uint64_t handle)
{
    r->models[t].rows[row].handle = handle;
    weft_handle_store(r->plan->format, weft_column(r->tables[t], 0), row, handle);
}

static inline bool ready(rig *r, uint32_t t)
{
    uint32_t rows = r->tables[t]->count + 1;
    return rows <= MODEL_ROWS && weft_table_grow(&r->heap, r->plan, r->tables[t], rows);
}

static inline void append(rig *r, uint32_t t)
{
    if (!ready(r, t)) return;
    uint32_t row = r->models[t].count++;
    r->tables[t]->count++;
    r->models[t].rows[row] = (model_row){0};
    write_handle(r, t, row, ++r->handles & 0xFFFF);
    for (uint32_t c = 0; c < MODEL_COMPONENTS; c++) {
        if (r->models[t].has[c]) write_value(r, t, row, c);
    }
    uint32_t bits = fixture_below(&r->random, 1u << MODEL_BITSETS);
    bits &= fixture_below(&r->random, 1u << MODEL_BITSETS);
    for (uint32_t i = 0; i < MODEL_BITSETS; i++) {
        if (bits >> i & 1) write_bit(r, t, row, i, true);
    }
}

static inline void drop(rig *r, uint32_t t, uint32_t row)
{
    model_table *model = &r->models[t];
    weft_table *table = r->tables[t];
    weft_row_bits_drop(r->plan, table, row);
    model->rows[row] = model->rows[--model->count];
    table->count = model->count;
    write_handle(r, t, row, model->rows[row].handle);
    if (row != table->count)
        weft_columns_shift(table, table, table->count, table->count, table, row);
}

static inline bool ready_bitsets(rig *r, const model_row *row, uint32_t to)
{
    for (uint32_t i = 0; i < MODEL_BITSETS; i++) {
        uint32_t column = bitset_column(r, i);
        if (row->bitset[i] && !weft_bitset_open(&r->heap, r->plan, r->tables[to], column)) {
            return false;
        }
    }
    return true;
}

static inline void move(rig *r, uint32_t from, uint32_t row, uint32_t to)
{
    const model_row *source = &r->models[from].rows[row];
    if (from == to || !ready(r, to) || !ready_bitsets(r, source, to)) return;
    uint32_t to_row = r->models[to].count++;
    r->tables[to]->count++;
    r->models[to].rows[to_row] = *source;
    write_handle(r, to, to_row, source->handle);
    weft_row_copy(r->plan, r->tables[from], row, r->tables[to], to_row);
    for (uint32_t c = 0; c < MODEL_COMPONENTS; c++) {
        if (r->models[to].has[c] && !r->models[from].has[c]) write_value(r, to, to_row, c);
    }
    drop(r, from, row);
}

// Writes the bits of those rows from a word on that have the other value: of all, or of one in two.
// Those of a tag are written at once.
static inline void flip(rig *r, uint32_t t, uint32_t bitset, bool on, uint32_t first_word, bool all)
{
    uint64_t mask[MODEL_ROWS / 64 + 1] = {0};
    uint32_t column = bitset_column(r, bitset);
    bool tag = store_of(r, column) == WEFT_NONE;
    if (on && !weft_bitset_open(&r->heap, r->plan, r->tables[t], column)) return;
    for (uint32_t row = first_word * 64; row < r->models[t].count; row++) {
        bool *has = &r->models[t].rows[row].bitset[bitset];
        if (*has == on || (!all && fixture_below(&r->random, 2) == 0)) continue;
        *has = on;
        mask[row / 64 - first_word] |= (uint64_t)1 << row % 64;
        if (!tag) weft_bitset_write(r->plan, r->tables[t], column, row, on);
    }
    uint32_t words = weft_bits_words(r->models[t].count);
    if (!tag || words <= first_word) return;
    weft_bitset_flip(r->plan, r->tables[t], column, first_word, mask, words - first_word, on);
}

static inline void clear(rig *r, uint32_t t, uint32_t bitset)
{
    flip(r, t, bitset, false, 0, true);
}

static inline void relocate(rig *r, uint32_t t)
{
#ifdef WEFT_HARD
    weft_table_relocate(&r->heap, r->plan, r->tables[t]);
#else
    (void)r;
    (void)t;
#endif
}

// Appends rows to a table up to this number.
static inline void fill(rig *r, uint32_t t, uint32_t rows)
{
    while (r->models[t].count < rows) append(r, t);
    assert_int_equal(r->tables[t]->count, rows);
}

// Beyond it a table leaves the heap.
static inline size_t heap_bytes_max(const weft_table *table)
{
    size_t pages = table->present_count * WEFT_PAGE_BYTES;
    return pages > WEFT_HEAP_BYTES_MAX ? pages : WEFT_HEAP_BYTES_MAX;
}

#endif
