// One table: what it is made of, opened and closed.
#include "columns.h"

// What the columns of a table without memory point to: present, and nothing to read.
static const _Alignas(64) unsigned char no_rows[64];

// Parts of the block behind a weft_table follow one another in multiples of this.
#define PART_ALIGN 8u

static size_t part(size_t count, size_t size)
{
    return weft_round_up(count * size, PART_ALIGN);
}

static uint16_t count_present(const weft_plan *plan, const uint64_t *set)
{
    uint16_t count = 1;
    for (uint32_t column = 1; column < plan->first_plane; column++) {
        if (weft_set_has(set, plan->columns[column].component)) count++;
    }
    return count;
}

static void *take_part(unsigned char **at, size_t bytes)
{
    unsigned char *memory = *at;
    *at += bytes;
    return memory;
}

// How many columns a prefab would copy for a table of that set: all of its own, or none.
static uint16_t columns_copied(const weft_plan *plan, const weft_prefab_plan *prefab,
                               const uint64_t *set)
{
    uint16_t count = 0;
    if (!prefab->copy) return 0;
    for (uint32_t column = 1; column < plan->first_plane; column++) {
        uint16_t component = plan->columns[column].component;
        if (!weft_set_has(prefab->set, component)) continue;
        if (!weft_set_has(set, component)) return 0;
        count++;
    }
    return count;
}

// The prefab that copies most of a row at once; NULL: none does.
static const weft_prefab_plan *choose_prefab(const weft_plan *plan, const uint64_t *set)
{
    const weft_prefab_plan *chosen = NULL;
    uint16_t most = 0;
    for (uint32_t p = 0; p < plan->prefab_count; p++) {
        uint16_t count = columns_copied(plan, &plan->prefabs[p], set);
        if (count > most) chosen = &plan->prefabs[p];
        if (count > most) most = count;
    }
    return chosen;
}

static void list_column(const weft_plan *plan, weft_table *table, uint16_t *count, uint16_t column)
{
    table->present[*count] = (weft_present){NULL, plan->columns[column].size, column};
    weft_column_put(table, &table->present[(*count)++], (void *)(uintptr_t)no_rows);
}

// Lists the columns of the set that are of the prefab, or those that are not.
static void list_columns(const weft_plan *plan, weft_table *table, uint16_t *count,
                         const weft_prefab_plan *prefab, bool of_prefab)
{
    for (uint16_t column = 1; column < plan->first_plane; column++) {
        uint16_t component = plan->columns[column].component;
        bool copied = prefab && weft_set_has(prefab->set, component);
        if (weft_set_has(table->set, component) && copied == of_prefab) {
            list_column(plan, table, count, column);
        }
    }
}

static void list_present(const weft_plan *plan, weft_table *table)
{
    const weft_prefab_plan *prefab = choose_prefab(plan, table->set);
    uint16_t count = 0;
    list_column(plan, table, &count, 0);
    if (prefab) list_columns(plan, table, &count, prefab, true);
    table->copy = prefab ? prefab->copy : NULL;
    table->rest_first = count;
    list_columns(plan, table, &count, prefab, false);
    bool exactly = prefab && table->rest_first == count;
    table->shift = exactly ? prefab->shift : NULL;
    table->end = exactly ? prefab->end : NULL;
}

// The slots of the streams that a table with that set keeps; gives how many those are.
static uint16_t place_streams(const weft_plan *plan, const uint64_t *set, uint16_t *slots)
{
    uint16_t count = 0;
    for (uint32_t stream = 0; stream < plan->stream_count; stream++) {
        uint16_t component = plan->stream_components[stream];
        bool beside = plan->components[component].plane != WEFT_NONE; // any row may get it
        slots[stream] = beside || weft_set_has(set, component) ? count++ : WEFT_NONE;
    }
    return count;
}

// How many of them are marked by every new row: they have the first slots.
static uint16_t count_born(const weft_plan *plan, const uint16_t *slots)
{
    uint16_t count = 0;
    for (uint32_t stream = 0; stream < plan->born_streams; stream++) {
        count = (uint16_t)(count + (slots[stream] != WEFT_NONE));
    }
    return count;
}

weft_table *weft_table_open(weft_heap *heap, const weft_plan *plan, uint32_t id,
                            const uint64_t *set)
{
    uint16_t present_count = count_present(plan, set);
    size_t plane_count = (size_t)plan->column_count - plan->first_plane;
    size_t head =
        weft_round_up(sizeof(weft_table) + plan->column_count * sizeof(void *), PART_ALIGN);
    size_t set_bytes = part(plan->set_words, sizeof(uint64_t));
    size_t memory_bytes = part(plane_count, sizeof(weft_region));
    size_t members_bytes = part(plane_count, sizeof(uint32_t));
    size_t planes_bytes = part(plane_count, sizeof(uint16_t));
    size_t present_bytes = part(present_count, sizeof(weft_present));
    size_t orders_bytes = part(plan->sparse_count, sizeof(weft_order));
    size_t slots_bytes = part(plan->stream_count, sizeof(uint16_t));
    size_t bytes = head + set_bytes + memory_bytes + members_bytes + planes_bytes + present_bytes +
                   orders_bytes + slots_bytes;
    weft_table *table = (weft_table *)weft_allocate_zeroed(heap, bytes);
    if (!table) return NULL;
    unsigned char *at = (unsigned char *)table + head;
    table->id = id;
    table->last_added = WEFT_NONE;
    table->last_removed = WEFT_NONE;
    table->bytes = bytes;
    table->present_count = present_count;
    table->present = (weft_present *)take_part(&at, present_bytes);
    table->set = (uint64_t *)take_part(&at, set_bytes);
    table->orders = (weft_order *)take_part(&at, orders_bytes);
    table->plane_memory = (weft_region *)take_part(&at, memory_bytes);
    table->plane_members = (uint32_t *)take_part(&at, members_bytes);
    table->planes = (uint16_t *)take_part(&at, planes_bytes);
    uint16_t *slots = (uint16_t *)take_part(&at, slots_bytes);
    table->marks.slots = slots;
    table->marks.streams = place_streams(plan, set, slots);
    table->marks.born = count_born(plan, slots);
    memcpy(table->set, set, plan->set_words * sizeof(uint64_t));
    list_present(plan, table);
    return table;
}

void weft_table_close(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    for (uint16_t i = 0; i < table->plane_count; i++) {
        weft_region_free(heap, &table->plane_memory[table->planes[i] - plan->first_plane]);
    }
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
        weft_region_free(heap, &table->orders[i].entries);
    }
    weft_marks_free(heap, &table->marks);
    weft_block_free(heap, table);
    weft_free(heap, table, table->bytes);
}

#ifdef WEFT_HARD
void weft_table_shake(weft_heap *heap, const weft_plan *plan, weft_table *table)
{
    weft_planes_shake(heap, plan, table);
    for (uint16_t i = 0; i < plan->sparse_count; i++) {
        weft_region_shake(heap, &table->orders[i].entries);
    }
    weft_region_shake(heap, &table->marks.words);
    weft_region_shake(heap, &table->marks.summaries);
    weft_block_shake(heap, table);
}
#endif
