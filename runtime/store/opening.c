// Opening tables: counts the pointers that a table needs, chooses the prefab that moves its rows,
// and allocates the fixed parts in one block.
#include "opening.h"

typedef struct pointer_counts {
    size_t columns; // columns of the table, with handles
    size_t groups;  // groups of pointers, with the empty one
} pointer_counts;

// Counts the columns of the components of a set, and the groups that contain them.
static pointer_counts count_pointers(const weft_plan *plan, const uint64_t *set)
{
    pointer_counts p = {1, weft_has_groups(plan)};
    uint32_t behind = WEFT_DIRECT_COLUMNS; // columns before it are direct, or in counted groups
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = set[word]; bits != 0;) {
            const weft_component_plan *c = &plan->components[word * 64 + weft_bits_pop(&bits)];
            uint32_t end = (uint32_t)c->first_column + c->column_count;
            p.columns += c->column_count;
            if (!weft_has_groups(plan) || end <= behind) continue;
            uint32_t first = c->first_column > behind ? c->first_column : behind;
            p.groups += weft_group_of(end - 1) - weft_group_of(first) + 1;
            behind = (weft_group_of(end - 1) + 1) * WEFT_GROUP_COLUMNS + WEFT_DIRECT_COLUMNS;
        }
    }
    return p;
}

// Returns the number of columns of a prefab, or 0 if the set lacks one of them.
static uint32_t columns_copied(const weft_plan *plan, const weft_prefab_plan *prefab,
                               const uint64_t *set)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < prefab->component_count; i++) {
        uint32_t columns = plan->components[prefab->components[i]].column_count;
        if (columns != 0 && !weft_set_has(set, prefab->components[i])) return 0;
        count += columns;
    }
    return count;
}

// Returns the prefab that copies the largest part of a row at once, among those whose columns are
// all in the set. Returns NULL if there is none. Only prefabs whose key is in the set are tested.
static const weft_prefab_plan *choose_prefab(const weft_plan *plan, const weft_by_component *by_key,
                                             const uint64_t *set)
{
    const weft_prefab_plan *chosen = NULL;
    uint32_t most = 0;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = set[word]; bits != 0;) {
            const uint16_t *first = by_key->first + word * 64 + weft_bits_pop(&bits);
            for (uint32_t i = first[0]; i < first[1]; i++) {
                const weft_prefab_plan *prefab = &plan->prefabs[by_key->items[i]];
                uint32_t count = columns_copied(plan, prefab, set);
                if (count < most || (count == most && prefab >= chosen)) continue;
                chosen = prefab;
                most = count;
            }
        }
    }
    return chosen;
}

void weft_sort_by_component(weft_by_component *sorted, const weft_plan *plan, uint32_t count,
                            weft_key_of key_of)
{
    for (uint32_t i = 0; i < count; i++) sorted->first[key_of(plan, i)]++;
    for (uint32_t c = 0; c <= plan->component_count; c++) {
        sorted->first[c + 1] = (uint16_t)(sorted->first[c + 1] + sorted->first[c]);
    }
    // first[] now contains the ends of the groups. Filling in the items moves each down to its
    // beginning.
    for (uint32_t i = count; i-- > 0;)
        sorted->items[--sorted->first[key_of(plan, i)]] = (uint16_t)i;
}

static uint32_t key_of_prefab(const weft_plan *plan, uint32_t p)
{
    const weft_prefab_plan *prefab = &plan->prefabs[p];
    uint32_t i = 0;
    while (prefab->copy && plan->components[prefab->components[i]].column_count == 0) i++;
    return prefab->copy ? prefab->components[i] : plan->component_count;
}

void weft_sort_prefabs(weft_table_kit *kit, const weft_plan *plan)
{
    weft_sort_by_component(&kit->prefabs, plan, plan->prefab_count, key_of_prefab);
}

// Appends a column to the list of columns of the table.
static void list_column(const weft_plan *plan, weft_table *table, uint16_t column)
{
    weft_column_give_place(table, column);
    weft_present *present = &table->present[table->present_count++];
    *present = (weft_present){NULL, plan->columns[column].size, column};
}

// Lists the columns of the table's set that belong to the prefab, or those that do not.
static void list_columns(const weft_plan *plan, weft_table *table, const weft_prefab_plan *prefab,
                         bool of_prefab)
{
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t copied = prefab ? prefab->set[word] : 0;
        for (uint64_t bits = table->set[word] & (of_prefab ? copied : ~copied); bits != 0;) {
            const weft_component_plan *c = &plan->components[word * 64 + weft_bits_pop(&bits)];
            for (uint16_t i = 0; i < c->column_count; i++) {
                list_column(plan, table, (uint16_t)(c->first_column + i));
            }
        }
    }
}

static void list_present(const weft_plan *plan, const weft_table_kit *kit, weft_table *table)
{
    const weft_prefab_plan *prefab = choose_prefab(plan, &kit->prefabs, table->set);
    list_column(plan, table, 0);
    if (prefab) list_columns(plan, table, prefab, true);
    table->copy = prefab ? prefab->copy : NULL;
    table->rest_first = table->present_count;
    list_columns(plan, table, prefab, false);
    bool exactly = prefab && table->rest_first == table->present_count;
    table->shift = exactly ? prefab->shift : NULL;
    table->end = exactly ? prefab->end : NULL;
}

// Assigns a slot to each change set that the table keeps: those of its own components, those of
// tags and sparse components, which any row may get, and those of components that a row has lost.
static void place_change_sets(const weft_plan *plan, weft_table *table, uint16_t *slots)
{
    weft_change_bits *bits = &table->change_bits;
    bits->slots = slots;
    for (uint32_t change_set = 0; change_set < plan->change_set_count; change_set++) {
        uint16_t component = plan->change_set_components[change_set];
        bool kept = component == WEFT_NONE || plan->components[component].bitset != WEFT_NONE ||
                    weft_set_has(table->set, component);
        slots[change_set] = kept ? bits->set_count++ : WEFT_NONE;
        // The sets that contain every new row come first, so they get the first slots.
        if (change_set < plan->added_change_sets) bits->added = bits->set_count;
    }
}

// Places the parts of a table with these numbers of pointers in `memory`, and returns their size.
// If `memory` is NULL, it only counts the bytes.
static size_t place_parts(const weft_plan *plan, pointer_counts p, weft_table *table,
                          unsigned char *memory, uint16_t **slots)
{
    size_t direct = weft_has_groups(plan) ? WEFT_DIRECT_COLUMNS : plan->column_count;
    size_t bytes = 0;
    weft_cut(memory, &bytes, 1, sizeof(weft_table) + direct * sizeof(void *));
    table->grouped = weft_has_groups(plan);
    table->present = (weft_present *)weft_cut(memory, &bytes, p.columns, sizeof(weft_present));
    table->set = (uint64_t *)weft_cut(memory, &bytes, plan->set_words, sizeof(uint64_t));
    if (weft_has_groups(plan)) {
        size_t numbers = p.groups == 1 ? 0 : weft_group_of(plan->column_count - 1u) + 1u;
        table->group_of = (uint16_t *)weft_cut(memory, &bytes, numbers, sizeof(uint16_t));
        table->groups = weft_groups_cut(memory, &bytes, p.groups == 1 ? 0 : p.groups);
        table->group_count = 1; // the empty one
    } else {
        weft_bits_cut(plan, table, memory, &bytes);
    }
    weft_cut(memory, &bytes, plan->flag_count != 0, sizeof(weft_change_head));
    *slots = (uint16_t *)weft_cut(memory, &bytes, plan->change_set_count, sizeof(uint16_t));
    return bytes;
}

// Points empty arrays of a table to shared zeros, in a schema of many columns.
static void share_zeros(weft_table *table, uint64_t *zeros, bool no_groups)
{
    table->bitset_counts = (uint32_t *)(void *)zeros;
    if (!no_groups) return;
    table->group_of = (uint16_t *)(void *)zeros;
    table->groups = (void **)(void *)zeros;
}

weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, const weft_table_kit *kit,
                            uint32_t id, const uint64_t *set)
{
    uint16_t *slots;
    pointer_counts p = count_pointers(plan, set);
    size_t bytes = place_parts(plan, p, &(weft_table){0}, NULL, &slots);
    weft_table *table = (weft_table *)weft_allocate_zeroed(heap, bytes);
    if (!table) return NULL;
    place_parts(plan, p, table, (unsigned char *)table, &slots);
    if (weft_has_groups(plan)) share_zeros(table, kit->zeros, p.groups == 1);
    table->id = id;
    table->last_added = WEFT_NONE;
    table->last_removed = WEFT_NONE;
    table->bytes = (uint32_t)bytes;
    memcpy(table->set, set, plan->set_words * sizeof(uint64_t));
    place_change_sets(plan, table, slots);
    list_present(plan, kit, table);
    weft_columns_empty(table);
    if (!kit->bits_at_once || weft_bits_open(heap, plan, table)) return table;
    weft_free(heap, table, bytes);
    return NULL;
}
