// Rows of a save become rows of the world. Where the schema is the one that the save was written
// with, a table's rows go to one table in one piece. Else the components of each row decide: what
// was a sparse component or a tag may be a column now, and what is required now comes along.
#include "rows.h"

#include "../change/component.h"
#include "../world/move.h"

#include <inttypes.h>

// Finds what a component of the save is now; WEFT_NEVER: nothing, or a tag that is not saved.
static uint32_t component_now(const weft_loader *l, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    if (now == WEFT_NEVER) return now;
    const weft_component_info *info = weft_loader_info(l, now);
    bool lost = info->storage == WEFT_STORAGE_TAG && !info->save;
    return lost ? WEFT_NEVER : now;
}

void weft_loader_add(const weft_loader *l, uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = component_now(l, component);
    if (now == WEFT_NEVER) return;
    for (uint32_t i = 0; i < plan->set_words; i++) set[i] |= plan->components[now].closure[i];
}

static bool check_excludes(weft_loader *l, const uint64_t *set)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!plan->components[c].ruled || !weft_set_has(set, c)) continue;
        for (uint32_t other = 0; other < plan->component_count; other++) {
            if (!weft_set_has(set, other) || !weft_set_has(plan->components[c].conflicts, other))
                continue;
            return weft_loader_refuse(
                l, WEFT_MISMATCH,
                "the save has entities with both '%s' and '%s', which exclude "
                "each other now",
                weft_loader_info(l, c)->name, weft_loader_info(l, other)->name);
        }
    }
    return true;
}

bool weft_loader_place(weft_loader *l, const uint64_t *set, uint32_t rows, weft_table **table)
{
    weft_world *into = l->into;
    if (!check_excludes(l, set)) return false;
    for (uint32_t i = 0; i < into->plan->set_words; i++) {
        into->scratch_set[i] = set[i] & into->table_set[i];
    }
    *table = weft_world_table(into, into->scratch_set);
    if (*table && weft_table_grow(&into->heap, into->plan, *table, (*table)->count + rows)) {
        return true;
    }
    return weft_loader_no_memory(l);
}

// Marks the index of a row's handle as seen. False: no entity can have the handle, or another one
// has its index.
static bool use_index(weft_loader *l, uint64_t bits)
{
    uint64_t generation = weft_loader_generation(l, bits);
    return generation != 0 && generation >> l->matched.schemas.file->generation_bits == 0 &&
           weft_loader_use(l, weft_loader_index(l, bits));
}

static bool refuse_wide_handle(weft_loader *l, uint64_t bits)
{
    return weft_loader_refuse(l, WEFT_MISMATCH,
                              "entity %" PRIu32 ":%" PRIu64
                              " does not fit into handles of %u bits of "
                              "index and %u of generation",
                              weft_loader_index(l, bits), weft_loader_generation(l, bits),
                              (unsigned)l->into->plan->schema->index_bits,
                              (unsigned)l->into->plan->schema->generation_bits);
}

// Consecutive rows of the save, and the last rows of a table, which they become.
typedef struct row_piece {
    const weft_saved_table *from;
    uint32_t first;
    uint32_t rows;
    weft_table *table;
    uint32_t start;
} row_piece;

// Appends entities to a table that has space for them.
static bool append_rows(weft_loader *l, const row_piece *p)
{
    weft_world *into = l->into;
    weft_mark_added_range(&p->table->change_bits, p->start, p->rows);
    for (uint32_t i = 0; i < p->rows; i++) {
        uint64_t bits = weft_loader_handle(l, p->from->handles, p->first + i);
        if (!use_index(l, bits)) return weft_loader_damaged(l, "a handle is none that lives");
        uint64_t handle = weft_convert_handle(&l->matched.schemas, bits);
        if (handle == 0) return refuse_wide_handle(l, bits);
        weft_row_append(into, into->plan->format, p->table, handle);
    }
    l->row_count += p->rows;
    return true;
}

// Converts the value that a row has in a sparse store of the save to where `to` begins.
static bool fill_sparse_value(weft_loader *l, const weft_saved_table *t, uint32_t component,
                              uint32_t row, weft_column_span to)
{
    uint32_t was = l->matched.components.was[component];
    const weft_saved_store *sparse = &l->stores[was];
    uint32_t index = weft_loader_index(l, weft_loader_handle(l, t->handles, row));
    uint32_t slot = sparse->slots ? sparse->slots[index] : 0;
    if (slot == 0) return weft_loader_damaged(l, "a sparse component lacks a value");
    weft_column_span from = {&sparse->values, slot - 1};
    return weft_loader_convert_rows(l, l->matched.components.values[component], from, to, 1);
}

// Fills rows with the values of a component from `row` of the save on: from the columns of the
// table at hand, which may have been copied to their place already; else with defaults, and with
// what a sparse store has.
static bool fill_values(weft_loader *l, const weft_saved_table *t, uint32_t component, uint32_t row,
                        weft_column_span to, uint32_t rows)
{
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    if (match && l->columns[was]) {
        bool there = l->columns[was] == to.columns;
        weft_column_span from = {l->columns[was], there ? to.first : row};
        return weft_loader_convert_rows(l, match, from, to, rows);
    }
    weft_default_rows(weft_loader_info(l, component), to, rows);
    for (uint32_t i = 0; match && i < rows; i++, to.first++) {
        if (!weft_loader_bit(l, was, row + i)) continue;
        if (!fill_sparse_value(l, t, component, row + i, to)) return false;
    }
    return true;
}

static bool fill_columns(weft_loader *l, const row_piece *p)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!weft_set_has(p->table->set, c)) continue;
        weft_column_span to = {weft_columns(p->table) + plan->components[c].first_column, p->start};
        if (!fill_values(l, p->from, c, p->first, to, p->rows)) return false;
    }
    return true;
}

// Gives a row a value of a component that is sparse now and was not in the save.
static bool fill_new_sparse(weft_loader *l, const row_piece *p, uint32_t component, uint32_t i)
{
    weft_world *into = l->into;
    weft_sparse *store = &into->sparse[into->plan->components[component].sparse];
    weft_format f = into->plan->format;
    uint64_t handle = weft_handle_load(f, weft_column(p->table, 0), p->start + i);
    uint32_t index = weft_handle_index(f, handle);
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    void *value = weft_sparse_write(store, index, weft_loader_info(l, component)->defaults);
    return fill_values(l, p->from, component, p->first + i, (weft_column_span){&value, 0}, 1);
}

static bool is_new_sparse(const weft_loader *l, uint32_t component)
{
    uint32_t was = l->matched.components.was[component];
    const weft_schema *file = l->matched.schemas.file;
    return weft_loader_info(l, component)->storage == WEFT_STORAGE_SPARSE &&
           (was == WEFT_NEVER || file->components[was].storage != WEFT_STORAGE_SPARSE);
}

// Sets the bits of rows that have a tag or sparse component: of those that have `was` in the save,
// or of all if that is WEFT_NEVER.
static bool set_bits_of(weft_loader *l, const row_piece *p, uint32_t component, uint32_t was)
{
    weft_world *into = l->into;
    uint32_t column = weft_bitset_column(into->plan, &into->plan->components[component]);
    bool fresh = is_new_sparse(l, component);
    for (uint32_t i = 0; i < p->rows; i++) {
        if (was != WEFT_NEVER && !weft_loader_bit(l, was, p->first + i)) continue;
        if (!weft_bitset_open(&into->heap, into->plan, p->table, column)) {
            return weft_loader_no_memory(l);
        }
        weft_bitset_write(into->plan, p->table, column, p->start + i, true);
        if (fresh && !fill_new_sparse(l, p, component, i)) return false;
    }
    return true;
}

// Sets the bits of what all of the rows have.
static bool set_bits_of_all(weft_loader *l, const row_piece *p, const uint64_t *set)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!weft_set_has(set, c) || plan->components[c].bitset == WEFT_NONE) continue;
        if (!set_bits_of(l, p, c, WEFT_NEVER)) return false;
    }
    return true;
}

// Sets the bits of what some of the rows have by their bits in the save.
static bool set_bits_of_some(weft_loader *l, const row_piece *p)
{
    for (uint32_t i = 0; i < p->from->bitset_count; i++) {
        uint32_t was = p->from->bitsets[i];
        uint32_t now = component_now(l, was);
        if (now != WEFT_NEVER && !set_bits_of(l, p, now, was)) return false;
    }
    return true;
}

// Appends rows that all have that set, apart from what their own bits in the save add.
static bool fill_rows(weft_loader *l, const row_piece *p, const uint64_t *set)
{
    return append_rows(l, p) && fill_columns(l, p) && set_bits_of_all(l, p, set);
}

static bool fill_apart(weft_loader *l, const weft_saved_table *t, const uint64_t *base)
{
    for (uint32_t row = 0; row < t->rows; row++) {
        row_piece p = {.from = t, .first = row, .rows = 1};
        memcpy(l->set, base, l->into->plan->set_words * sizeof *base);
        for (uint32_t i = 0; i < t->bitset_count; i++) {
            if (weft_loader_bit(l, t->bitsets[i], row)) weft_loader_add(l, l->set, t->bitsets[i]);
        }
        if (!weft_loader_place(l, l->set, 1, &p.table)) return false;
        p.start = p.table->count;
        if (!fill_rows(l, &p, l->set)) return false;
    }
    return true;
}

bool weft_loader_rows(weft_loader *l, const weft_saved_table *t, const uint64_t *set)
{
    if (!t->whole) return fill_apart(l, t, set);
    row_piece p = {t, 0, t->rows, t->whole, t->start};
    return fill_rows(l, &p, set) && set_bits_of_some(l, &p);
}
