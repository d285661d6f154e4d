// Appends the rows of a table of the save: see table_rows.h.
#include "table_rows.h"

#include "../edit/member.h"
#include "../world/move.h"

#include <inttypes.h>

// Maps a component of the save to its number now. Returns WEFT_NEVER if it no longer exists or is a
// tag that is not saved.
static uint32_t component_now(const weft_loader *l, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    if (now == WEFT_NEVER) return now;
    const weft_component_info *info = weft_loader_info(l, now);
    bool lost = info->storage == WEFT_STORAGE_TAG && !info->save;
    return lost ? WEFT_NEVER : now;
}

// Adds to a set what a component of the save stands for now: the component itself, and everything
// that it requires.
static void add_required(const weft_loader *l, uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = component_now(l, component);
    if (now == WEFT_NEVER) return;
    weft_set_add(set, now);
    for (uint32_t i = 0; plan->components[now].ruled && i < plan->set_words; i++) {
        set[i] |= plan->components[now].closure[i];
    }
}

// Refuses a component that excludes another one in the set.
static bool check_excludes_of(weft_loader *l, const uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; plan->components[component].ruled && word < plan->set_words; word++) {
        uint64_t others = set[word] & plan->components[component].conflicts[word];
        if (others == 0) continue;
        uint32_t other = word * 64 + weft_lowest_bit(others);
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has entities with both '%s' and '%s', which exclude "
                                  "each other now",
                                  weft_loader_info(l, component)->name,
                                  weft_loader_info(l, other)->name);
    }
    return true;
}

static bool check_excludes(weft_loader *l, const uint64_t *set)
{
    for (uint32_t word = 0; word < l->into->plan->set_words; word++) {
        for (uint64_t bits = set[word]; bits != 0;) {
            if (!check_excludes_of(l, set, word * 64 + weft_bits_pop(&bits))) return false;
        }
    }
    return true;
}

// Finds the table of a set and makes space in it for `rows` more rows.
static bool prepare_table(weft_loader *l, const uint64_t *set, uint32_t rows, weft_table **table)
{
    weft_world *into = l->into;
    if (!check_excludes(l, set)) return false;
    for (uint32_t i = 0; i < into->plan->set_words; i++) {
        into->scratch.set[i] = set[i] & into->shared.table_set[i];
    }
    *table = weft_world_table(into, into->scratch.set);
    if (*table && weft_world_table_ready(into, *table, (*table)->count + rows)) {
        return true;
    }
    return weft_loader_no_memory(l);
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

// Consecutive rows of the save, and the rows at the end of a table that they become.
typedef struct row_piece {
    const weft_saved_table *from;
    uint32_t first;
    uint32_t rows;
    weft_table *table;
    uint32_t start;
} row_piece;

// Appends entities whose handles have the same format in the save and in the world. The format is a
// constant in each of the three loops that the compiler makes of this. Returns how many rows were
// appended before the first invalid handle.
WEFT_ALWAYS_INLINE uint32_t append_handles(weft_loader *l, const row_piece *p, weft_format f)
{
    weft_entities *entities = &l->into->entities;
    const unsigned char *from = p->from->handles + (size_t)p->first * f.handle_bytes;
    void *handles = weft_column(p->table, 0);
    for (uint32_t i = 0; i < p->rows; i++, from += f.handle_bytes) {
        uint64_t bits = weft_little_read(from, f.handle_bytes);
        uint64_t generation = bits >> f.index_bits;
        uint32_t index = weft_handle_index(f, bits);
        if (generation == 0 || generation >> f.generation_bits != 0 || index >= l->index_count ||
            weft_record_at(entities, f, index).generation != 0) {
            return i;
        }
        weft_handle_store(f, handles, p->start + i, bits);
        weft_record_place(entities, f, bits, p->table->id, p->start + i);
    }
    return p->rows;
}

static uint32_t append_handles_alike(weft_loader *l, const row_piece *p)
{
    weft_format f = l->into->plan->format;
    f.wide = f.handle_bytes == 8; // a constant in each branch
    if (f.handle_bytes == 8) return append_handles(l, p, f);
    if (f.handle_bytes == 4) return append_handles(l, p, f);
    return append_handles(l, p, f);
}

// Appends entities to a table that has space for them.
static bool append_rows(weft_loader *l, const row_piece *p)
{
    weft_world *into = l->into;
    uint32_t sound = 0;
    weft_mark_added_range(&p->table->change_bits, p->start, p->rows);
    if (weft_handles_same(&l->matched.schemas)) {
        sound = append_handles_alike(l, p);
        p->table->count += sound;
    }
    for (uint32_t i = sound; i < p->rows; i++) {
        uint64_t bits = weft_loader_handle(l, p->from->handles, p->first + i);
        if (!weft_loader_is_fresh(l, bits))
            return weft_loader_damaged(l, "the handle of a row is invalid");
        uint64_t handle = weft_convert_handle(&l->matched.schemas, bits);
        if (handle == 0) return refuse_wide_handle(l, bits);
        weft_row_append(into, into->plan->format, p->table, handle);
    }
    l->row_count += p->rows;
    return true;
}

// Converts the value of a row in a sparse store of the save to the first row of `to`.
static bool fill_sparse_value(weft_loader *l, const weft_saved_table *t, uint32_t component,
                              uint32_t row, weft_column_span to)
{
    uint32_t was = l->matched.components.was[component];
    const weft_saved_store *sparse = &l->stores[was];
    uint32_t index = weft_loader_index(l, weft_loader_handle(l, t->handles, row));
    uint32_t slot = sparse->slots ? sparse->slots[index] : 0;
    if (slot == 0) return weft_loader_damaged(l, "a sparse component lacks a value");
    weft_column_span from = {&sparse->values, slot - 1};
    const weft_match *match = l->matched.components.values[component];
    weft_owners owner = {.handles = t->handles, .first = row};
    if (!weft_loader_convert_rows(l, match, from, to, 1, &owner)) return false;
    weft_loader_seed(l, component, match, to, 1, &owner);
    return true;
}

// Returns whether a row of the save has the component that is `component` now.
static bool row_had(const weft_loader *l, const weft_saved_table *t, uint32_t component,
                    uint32_t row)
{
    uint32_t was = l->matched.components.was[component];
    if (was == WEFT_NEVER || component_now(l, was) != component) return false;
    for (uint32_t i = 0; i < t->component_count; i++) {
        if (t->components[i] == was) return true;
    }
    return l->bitsets[was] && weft_loader_bit(l, was, row);
}

// Returns the first component in schema order that requires `component` and that a row of the save
// has, or WEFT_NEVER if there is none.
static uint32_t first_requirer(const weft_loader *l, const weft_saved_table *t, uint32_t component,
                               uint32_t row)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = plan->components[component].required_by[word];
        while (bits != 0) {
            uint32_t other = word * 64 + weft_bits_pop(&bits);
            if (row_had(l, t, other, row)) return other;
        }
    }
    return WEFT_NEVER;
}

// Returns the initial value of a component that the save has no values of. If the component is
// added because others require it, the outermost of these decides: the one that no other component
// of the row requires. Otherwise, returns its defaults.
static const void *value_brought(const weft_loader *l, const weft_saved_table *t,
                                 uint32_t component, uint32_t row)
{
    const weft_plan *plan = l->into->plan;
    const void *value = NULL;
    uint32_t by = row_had(l, t, component, row) ? WEFT_NEVER : component;
    while (by != WEFT_NEVER && (by = first_requirer(l, t, by, row)) != WEFT_NEVER) {
        const weft_component_plan *c = &plan->components[by];
        value = weft_required_value_of(c->required_values, c->required_value_count, component);
    }
    return value ? value : plan->components[component].defaults;
}

// Fills rows with the values of a component, starting at `row` of the save. Values come from the
// columns of the saved table, which may already have been copied to their place. Without columns,
// rows get the initial value, and then the values of a sparse store if there is one.
static bool fill_values(weft_loader *l, const weft_saved_table *t, uint32_t component, uint32_t row,
                        weft_column_span to, uint32_t rows)
{
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    weft_owners owners = {.handles = t->handles, .first = row};
    if (match && l->columns[was]) {
        bool there = l->columns[was][0] == to.columns[0];
        if (there) to.columns = l->columns[was];
        weft_column_span from = {l->columns[was], there ? to.first : row};
        if (!weft_loader_convert_rows(l, match, from, to, rows, &owners)) return false;
        weft_loader_seed(l, component, match, to, rows, &owners);
        return true;
    }
    weft_component_info info = *weft_loader_info(l, component);
    info.defaults = value_brought(l, t, component, row);
    weft_default_rows(&info, to, rows);
    weft_loader_seed(l, component, NULL, to, rows, &owners);
    for (uint32_t i = 0; match && i < rows; i++, to.first++) {
        if (!weft_loader_bit(l, was, row + i)) continue;
        if (!fill_sparse_value(l, t, component, row + i, to)) return false;
    }
    return true;
}

// Returns the columns of a component in a table: the table's own array if their pointers are
// consecutive there, or a copy. Returns NULL if there is no memory.
static void *const *columns_of(weft_loader *l, const weft_table *table, uint32_t component)
{
    const weft_component_plan *c = &l->into->plan->components[component];
    void **place = weft_column_place(table, c->first_column);
    bool consecutive = true;
    for (uint32_t i = 1; i < c->column_count; i++) {
        consecutive &= weft_column_place(table, c->first_column + i) == place + i;
    }
    if (consecutive) return place;
    void **columns = (void **)weft_scratch_array(&l->of_table, c->column_count, sizeof *columns);
    if (!columns) return NULL;
    for (uint32_t i = 0; i < c->column_count; i++) {
        columns[i] = weft_column(table, c->first_column + i);
    }
    return columns;
}

static bool fill_columns(weft_loader *l, const row_piece *p)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = p->table->set[word]; bits != 0;) {
            uint32_t c = word * 64 + weft_bits_pop(&bits);
            void *const *columns = columns_of(l, p->table, c);
            if (!columns) return weft_loader_no_memory(l);
            weft_column_span to = {columns, p->start};
            if (!fill_values(l, p->from, c, p->first, to, p->rows)) return false;
        }
    }
    return true;
}

// Gives a row a value of a component that is sparse now, but was not in the save.
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

// Returns whether a component is sparse now and was not in the save. A sparse component of a row
// was always in the save itself, because no component can require a sparse one.
static bool is_new_sparse(const weft_loader *l, uint32_t component)
{
    const weft_schema *file = l->matched.schemas.file;
    if (weft_loader_info(l, component)->storage != WEFT_STORAGE_SPARSE) return false;
    return file->components[l->matched.components.was[component]].storage != WEFT_STORAGE_SPARSE;
}

// Sets the bits of a tag or sparse component: for rows that have `was` in the save, or for all rows
// if `was` is WEFT_NEVER.
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

// Sets the bits of components that all rows have, and of those that some rows have by their bits in
// the save.
static bool set_bits(weft_loader *l, const row_piece *p, const uint64_t *set)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t all = set[word] & ~l->into->shared.table_set[word]; all != 0;) {
            uint32_t c = word * 64 + weft_bits_pop(&all);
            if (!set_bits_of(l, p, c, WEFT_NEVER)) return false;
        }
    }
    for (uint32_t i = 0; i < p->from->bitset_count; i++) {
        uint32_t was = p->from->bitsets[i];
        uint32_t c = component_now(l, was);
        if (c == WEFT_NEVER || weft_set_has(set, c)) continue;
        if (plan->components[c].bitset == WEFT_NONE) continue;
        if (!set_bits_of(l, p, c, was)) return false;
    }
    return true;
}

// Finds the table of a row. It depends on the row's own bits too.
static bool place_row(weft_loader *l, const uint64_t *base, row_piece *p)
{
    const weft_saved_table *t = p->from;
    memcpy(l->set, base, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        if (weft_loader_bit(l, t->bitsets[i], p->first)) add_required(l, l->set, t->bitsets[i]);
    }
    if (!prepare_table(l, l->set, 1, &p->table)) return false;
    p->start = p->table->count;
    return true;
}

bool weft_saved_table_load(weft_loader *l, const weft_saved_table *t, const uint64_t *base)
{
    row_piece p = {t, 0, t->whole ? t->rows : 1, t->whole, t->start};
    const uint64_t *set = t->whole ? base : l->set;
    for (; p.first < t->rows; p.first += p.rows) {
        if (!t->whole && !place_row(l, base, &p)) return false;
        if (!append_rows(l, &p) || !fill_columns(l, &p) || !set_bits(l, &p, set)) return false;
    }
    return true;
}

// Returns whether the rows of one table of the save can belong to several tables now, or must be
// checked for rules one by one.
static bool goes_apart(const weft_loader *l, const weft_saved_table *t)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        uint32_t now = l->matched.components.now[t->bitsets[i]];
        if (now == WEFT_NEVER) continue;
        if (weft_loader_info(l, now)->storage == WEFT_STORAGE_TABLE ||
            plan->components[now].ruled) {
            return true;
        }
    }
    return false;
}

bool weft_saved_table_place(weft_loader *l, uint64_t *base, weft_saved_table *t)
{
    memset(base, 0, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->component_count; i++) add_required(l, base, t->components[i]);
    if (goes_apart(l, t)) return true;
    if (!prepare_table(l, base, t->rows, &t->whole)) return false;
    t->start = t->whole->count;
    return true;
}

void *const *weft_saved_table_columns(weft_loader *l, const weft_saved_table *t, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    const weft_match *match = now == WEFT_NEVER ? NULL : l->matched.components.values[now];
    if (!t->whole || !match || !match->fields.same) return NULL;
    if (weft_loader_info(l, now)->storage != WEFT_STORAGE_TABLE) return NULL;
    return columns_of(l, t->whole, now);
}
