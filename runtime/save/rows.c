// Rows of a table of the save into tables of the world.
#include "../world/rows.h"
#include "../world/report.h"
#include "tables.h"

#include "../change/component.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Entities

// Takes the index of a row's handle. False: the handle can be nobody's, or somebody has that index.
static bool take_index(weft_loader *l, uint64_t bits)
{
    uint64_t generation = weft_saved_generation(l, bits);
    return generation != 0 && generation >> l->matched.schemas.file->generation_bits == 0 &&
           weft_loader_use(l, weft_saved_index(l, bits));
}

static weft_status say_wide(const weft_loader *l, uint64_t bits)
{
    return weft_report(l->said, WEFT_MISMATCH,
                       "entity %" PRIu32 ":%" PRIu64 " does not fit into handles of %u bits of "
                       "index and %u of generation",
                       weft_saved_index(l, bits), weft_saved_generation(l, bits),
                       (unsigned)l->into->plan->schema->index_bits,
                       (unsigned)l->into->plan->schema->generation_bits);
}

// Rows of the save side by side, and the last rows of a table, which they become.
typedef struct piece {
    const weft_saved_table *from;
    uint32_t first;
    uint32_t rows;
    weft_table *table;
    uint32_t start;
} piece;

// Entities, into a table in which there is room for them.
static weft_status append_rows(weft_loader *l, const piece *p)
{
    weft_world *into = l->into;
    weft_mark_added_range(&p->table->change_bits, p->start, p->rows);
    for (uint32_t i = 0; i < p->rows; i++) {
        uint64_t bits = weft_saved_handle(l, p->from->handles, p->first + i);
        if (!take_index(l, bits)) return weft_loader_damaged(l, "a handle is none that lives");
        uint64_t handle = weft_handle_carry(&l->matched.schemas, bits);
        if (handle == 0) return say_wide(l, bits);
        weft_row_append(into, into->plan->format, p->table, handle);
    }
    l->row_count += p->rows;
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Values

// The value in a sparse store of the save that a row has, to where `to` begins.
static weft_status put_sparse_value(weft_loader *l, const weft_saved_table *t, uint32_t component,
                                    uint32_t row, weft_strip to)
{
    uint32_t was = l->matched.components.was[component];
    const weft_sparse_saved *sparse = &l->sparse[was];
    uint32_t index = weft_saved_index(l, weft_saved_handle(l, t->handles, row));
    uint32_t slot = sparse->slots ? sparse->slots[index] : 0;
    if (slot == 0) return weft_loader_damaged(l, "a sparse component lacks a value");
    weft_strip from = weft_saved_strip(l, was, &sparse->values, slot - 1);
    return weft_loader_carry(l, l->matched.components.values[component], from, to, 1);
}

// Values of a component in rows from `row` of the save on, wherever they lie there (or where they
// are already); or defaults.
static weft_status put_values(weft_loader *l, const weft_saved_table *t, uint32_t component,
                              uint32_t row, weft_strip to, uint32_t rows)
{
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    if (match && l->columns[was]) {
        bool there = l->columns[was] == to.columns;
        weft_strip from = there ? to : weft_saved_strip(l, was, l->columns[was], row);
        return weft_loader_carry(l, match, from, to, rows);
    }
    weft_default_rows(weft_loaded_info(l, component), to, rows);
    for (uint32_t i = 0; match && i < rows; i++, to.first++) {
        if (!weft_saved_bit(l, was, row + i)) continue;
        weft_status status = put_sparse_value(l, t, component, row + i, to);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

static weft_status put_columns(weft_loader *l, const piece *p)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!weft_set_has(p->table->set, c)) continue;
        const weft_component_info *info = weft_loaded_info(l, c);
        weft_strip to = {weft_columns(p->table) + plan->components[c].first_column, p->start,
                         info->size, info->soa, info->fields};
        weft_status status = put_values(l, p->from, c, p->first, to, p->rows);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Tags and sparse components

// A value of what is a sparse component now and was none in the save.
static weft_status put_new_sparse(weft_loader *l, const piece *p, uint32_t component, uint32_t i)
{
    weft_world *into = l->into;
    const weft_component_info *info = weft_loaded_info(l, component);
    weft_sparse *store = &into->sparse[into->plan->components[component].sparse];
    weft_format f = into->plan->format;
    uint64_t handle = weft_handle_load(f, weft_column(p->table, 0), p->start + i);
    uint32_t index = weft_handle_index(f, handle);
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    void *value = weft_sparse_write(store, index, info->defaults);
    weft_strip to = {&value, 0, info->size, false, info->fields};
    return put_values(l, p->from, component, p->first + i, to, 1);
}

static bool is_new_sparse(const weft_loader *l, uint32_t component)
{
    uint32_t was = l->matched.components.was[component];
    const weft_schema *file = l->matched.schemas.file;
    return weft_loaded_info(l, component)->storage == WEFT_STORAGE_SPARSE &&
           (was == UINT32_MAX || file->components[was].storage != WEFT_STORAGE_SPARSE);
}

#define ALL_ROWS UINT32_MAX // instead of a component of the save

// Says that rows have a tag or sparse component: those that have `was` in the save, or ALL_ROWS.
static weft_status put_members(weft_loader *l, const piece *p, uint32_t component, uint32_t was)
{
    weft_world *into = l->into;
    uint32_t column = weft_bitset_column(into->plan, &into->plan->components[component]);
    bool fresh = is_new_sparse(l, component);
    for (uint32_t i = 0; i < p->rows; i++) {
        weft_status status = WEFT_OK;
        if (was != ALL_ROWS && !weft_saved_bit(l, was, p->first + i)) continue;
        if (!weft_bitset_open(&into->heap, into->plan, p->table, column)) {
            return weft_loader_no_memory(l);
        }
        weft_bitset_write(into->plan, p->table, column, p->start + i, true);
        if (fresh) status = put_new_sparse(l, p, component, i);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

// What all of the rows have.
static weft_status put_bitsets(weft_loader *l, const piece *p, const uint64_t *set)
{
    weft_status status = WEFT_OK;
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count && status == WEFT_OK; c++) {
        if (!weft_set_has(set, c) || plan->components[c].bitset == WEFT_NONE) continue;
        status = put_members(l, p, c, ALL_ROWS);
    }
    return status;
}

// What some of the rows have, as their bits in the save say.
static weft_status put_bits(weft_loader *l, const piece *p)
{
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < p->from->bitset_count && status == WEFT_OK; i++) {
        uint32_t was = p->from->bitsets[i];
        uint32_t now = weft_loaded_as(l, was);
        if (now != UINT32_MAX) status = put_members(l, p, now, was);
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// Tables

// Rows that all have that set, beyond what their own bits say.
static weft_status put_rows(weft_loader *l, const piece *p, const uint64_t *set)
{
    weft_status status = append_rows(l, p);
    if (status == WEFT_OK) status = put_columns(l, p);
    if (status == WEFT_OK) status = put_bitsets(l, p, set);
    return status;
}

static weft_status put_apart(weft_loader *l, const weft_saved_table *t, const uint64_t *base)
{
    for (uint32_t row = 0; row < t->rows; row++) {
        piece p = {.from = t, .first = row, .rows = 1};
        memcpy(l->set, base, l->into->plan->set_words * sizeof *base);
        for (uint32_t i = 0; i < t->bitset_count; i++) {
            if (weft_saved_bit(l, t->bitsets[i], row)) weft_loader_add(l, l->set, t->bitsets[i]);
        }
        weft_status status = weft_loader_place(l, l->set, 1, &p.table);
        if (status != WEFT_OK) return status;
        p.start = p.table->count;
        status = put_rows(l, &p, l->set);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

static void count_bits(weft_loader *l, const weft_saved_table *t)
{
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        for (uint32_t row = 0; row < t->rows; row++) {
            l->sparse[t->bitsets[i]].bits += weft_saved_bit(l, t->bitsets[i], row);
        }
    }
}

weft_status weft_loader_put(weft_loader *l, const weft_saved_table *t, const uint64_t *set)
{
    count_bits(l, t);
    if (!t->whole) return put_apart(l, t, set);
    piece p = {t, 0, t->rows, t->whole, t->start};
    weft_status status = put_rows(l, &p, set);
    return status == WEFT_OK ? put_bits(l, &p) : status;
}
