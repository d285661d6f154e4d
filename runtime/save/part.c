// Finds the entities of a part, their rows and their slots.
#include "part.h"

#include "../base/bits.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "saver.h"

// ------------------------------------------------------------------------------------------------
// Members

// Members whose children are still to be visited: indices, in the order in which they were found.
typedef struct finding {
    weft_world *world;
    weft_saved_part *part;
    uint32_t *found; // only if descendants are looked for
    uint32_t capacity;
} finding;

// Makes an index a member. Returns false if there is no memory.
static bool add_member(finding *f, uint32_t index)
{
    weft_saved_part *part = f->part;
    if (weft_saved_part_has(part, index)) return true;
    if (f->found != NULL && !weft_array_grow(&f->world->heap, &f->found, &f->capacity,
                                             part->count + 1, sizeof *f->found)) {
        return false;
    }
    part->members[index / 64] |= (uint64_t)1 << index % 64;
    if (part->indices <= index) part->indices = index + 1;
    if (f->found) f->found[part->count] = index;
    part->count++;
    return true;
}

static weft_status add_set(finding *f, const weft_part_choice *choice)
{
    weft_world *world = f->world;
    weft_format format = world->plan->format;
    const unsigned char *at = (const unsigned char *)choice->set;
    weft_place place;
    for (size_t i = 0; i < choice->count; i++, at += format.handle_bytes) {
        uint64_t handle = weft_handle_load(format, at, 0);
        if (!weft_find(&world->entities, format, handle, &place)) {
            weft_refuse(world, weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle));
            return WEFT_DEAD;
        }
        if (!add_member(f, weft_handle_index(format, handle))) return WEFT_NO_MEMORY;
    }
    return WEFT_OK;
}

// Adds the descendants of all members in the chosen relations.
static bool add_descendants(finding *f, const uint64_t *below)
{
    const weft_world *world = f->world;
    for (uint32_t at = 0; at < f->part->count; at++) {
        uint32_t index = f->found[at];
        for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
            const weft_relation *r = &world->relations[i];
            if (!weft_set_has(below, i) || index >= r->capacity) continue;
            for (uint32_t child = weft_nodes(r)[index].first_child; child != 0;
                 child = weft_node_at(r, child)->next) {
                if (!add_member(f, child - 1)) return false;
            }
        }
    }
    return true;
}

static bool wants_trees(const weft_world *world, const weft_part_choice *choice)
{
    bool any = false;
    for (uint32_t i = 0; choice->below && i < world->plan->schema->relation_count; i++) {
        any |= weft_set_has(choice->below, i) && world->relations[i].attached != 0;
    }
    return any;
}

static weft_status find_part_members(finding *f, const weft_part_choice *choice)
{
    bool trees = wants_trees(f->world, choice);
    if (trees && !weft_array_grow(&f->world->heap, &f->found, &f->capacity, 1, sizeof *f->found)) {
        return WEFT_NO_MEMORY;
    }
    weft_status status = add_set(f, choice);
    if (status != WEFT_OK) return status;
    return !trees || add_descendants(f, choice->below) ? WEFT_OK : WEFT_NO_MEMORY;
}

// ------------------------------------------------------------------------------------------------
// Outer nodes: links of a relation with one end among the members

static bool add_node(weft_saved_part *part, weft_world *world, uint32_t relation, uint32_t child)
{
    const weft_node *node = weft_node_at(&world->relations[relation], child);
    weft_format f = world->plan->format;
    if (!weft_array_grow(&world->heap, &part->nodes, &part->node_capacity, part->node_count + 1,
                         sizeof *part->nodes)) {
        return false;
    }
    part->nodes[part->node_count++] = (weft_part_node){
        .relation = relation,
        .child = weft_node_handle(world, f, child),
        .parent = weft_node_handle(world, f, node->parent),
        .next = weft_node_handle(world, f, node->next),
    };
    return true;
}

// Adds the children of a parent that are members although it is not one, or the reverse. The last
// child is first, so that a load can insert each child before its next sibling.
static bool add_outer_children(weft_saved_part *part, weft_world *world, uint32_t relation,
                               uint32_t parent)
{
    const weft_relation *r = &world->relations[relation];
    bool inside = weft_saved_part_has(part, parent - 1);
    for (uint32_t child = weft_last_child(r, parent - 1); child != 0;
         child = weft_child_before(r, child)) {
        if (weft_saved_part_has(part, child - 1) == inside) continue;
        if (!add_node(part, world, relation, child)) return false;
    }
    return true;
}

// Visits each parent of an outer node once. `seen` has a bit for each index, all 0.
static bool add_nodes_of(weft_saved_part *part, weft_world *world, uint32_t relation,
                         uint64_t *seen)
{
    const weft_relation *r = &world->relations[relation];
    uint32_t indices = part->indices < r->capacity ? part->indices : r->capacity;
    for (uint32_t word = 0; word < weft_bits_words(indices); word++) {
        for (uint64_t bits = part->members[word]; bits != 0;) {
            uint32_t index = word * 64 + weft_bits_pop(&bits);
            if (index >= indices) break;
            if (!add_outer_children(part, world, relation, index + 1)) return false;
            uint32_t parent = weft_nodes(r)[index].parent;
            if (parent == 0 || weft_saved_part_has(part, parent - 1)) continue;
            uint64_t bit = (uint64_t)1 << (parent - 1) % 64;
            if (seen[(parent - 1) / 64] & bit) continue;
            seen[(parent - 1) / 64] |= bit;
            if (!add_outer_children(part, world, relation, parent)) return false;
        }
    }
    return true;
}

static bool find_nodes(weft_saved_part *part, weft_world *world, weft_scratch *scratch)
{
    uint32_t words = world->entities.index_count / 64 + 1;
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        if (world->relations[i].attached == 0) continue;
        uint64_t *seen = (uint64_t *)weft_scratch_array(scratch, words, sizeof *seen);
        if (!seen || !add_nodes_of(part, world, i, seen)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Walks

// Returns the first index from `index` whose bit is `member`, or `end` if there is none.
static uint32_t next_index(const weft_saved_part *part, uint32_t index, bool member, uint32_t end)
{
    while (index < end) {
        uint64_t word = part->members[index / 64] ^ (member ? 0 : ~(uint64_t)0);
        word >>= index % 64;
        if (word != 0) {
            index += weft_lowest_bit(word);
            return index < end ? index : end;
        }
        index = (index / 64 + 1) * 64;
    }
    return end;
}

bool weft_part_next_gap(weft_part_gap *gap)
{
    uint32_t end = gap->part->indices;
    gap->first = next_index(gap->part, gap->next, false, end);
    if (gap->first == end) return false;
    uint32_t after = next_index(gap->part, gap->first, true, end);
    gap->more = after - gap->first - 1 < gap->most ? after - gap->first - 1 : gap->most;
    gap->next = gap->first + gap->more + 1;
    return true;
}

bool weft_part_next_pair(weft_part_pair *pair)
{
    const weft_saved_part *part = pair->part;
    const weft_relation *r = pair->relation;
    uint32_t end = part->indices < r->capacity ? part->indices : r->capacity;
    for (;;) {
        while (pair->before == 0) {
            pair->parent = next_index(part, pair->next, true, end);
            if (pair->parent == end) return false;
            pair->next = pair->parent + 1;
            pair->before = weft_last_child(r, pair->parent);
        }
        pair->child = pair->before;
        pair->before = weft_child_before(r, pair->child);
        if (weft_saved_part_has(part, pair->child - 1)) return true;
    }
}

// Counts what the walks find, because sections begin with these numbers.
static bool count_walks(weft_saved_part *part, const weft_world *world, weft_scratch *scratch)
{
    uint32_t relations = world->plan->schema->relation_count;
    weft_part_gap gap = {.part = part, .most = weft_index_mask(world->plan->format) >> 1};
    while (weft_part_next_gap(&gap)) part->gap_numbers += gap.more == 0 ? 1 : 2;
    part->pairs = (uint32_t *)weft_scratch_array(scratch, relations, sizeof *part->pairs);
    if (!part->pairs) return false;
    for (uint32_t i = 0; i < relations; i++) {
        weft_part_pair pair = {.part = part, .relation = &world->relations[i]};
        if (world->relations[i].attached == 0) continue;
        while (weft_part_next_pair(&pair)) part->pairs[i]++;
    }
    return true;
}

weft_status weft_saved_part_open(weft_saved_part *part, weft_world *world, weft_scratch *scratch,
                                 const weft_part_choice *choice)
{
    finding f = {.world = world, .part = part};
    *part = (weft_saved_part){.away = choice->away};
    part->members = (uint64_t *)weft_scratch_array(scratch, world->entities.index_count / 64 + 1,
                                                   sizeof *part->members);
    if (!part->members) return WEFT_NO_MEMORY;
    weft_status status = find_part_members(&f, choice);
    weft_free(&world->heap, f.found, f.capacity * sizeof *f.found);
    if (status != WEFT_OK || !part->away) return status;
    return find_nodes(part, world, scratch) ? WEFT_OK : WEFT_NO_MEMORY;
}

void weft_saved_part_close(weft_saved_part *part, weft_heap *heap)
{
    weft_free(heap, part->nodes, part->node_capacity * sizeof *part->nodes);
    part->nodes = NULL;
}

// ------------------------------------------------------------------------------------------------
// Rows

// The rows of all tables that belong to a part, as one bit each.
typedef struct row_masks {
    uint64_t **of; // by table; NULL: no row
    uint32_t *counts;
} row_masks;

static bool mark_row(row_masks *masks, weft_scratch *scratch, const weft_world *world,
                     weft_place at)
{
    if (!masks->of[at.table]) {
        uint32_t words = weft_bits_words(world->tables.items[at.table]->count);
        masks->of[at.table] = (uint64_t *)weft_scratch_array(scratch, words, sizeof(uint64_t));
        if (!masks->of[at.table]) return false;
    }
    masks->of[at.table][at.row / 64] |= (uint64_t)1 << at.row % 64;
    masks->counts[at.table]++;
    return true;
}

static bool mark_rows(const weft_saved_part *part, const weft_world *world, row_masks *masks,
                      weft_scratch *scratch)
{
    for (uint32_t word = 0; word < weft_bits_words(part->indices); word++) {
        for (uint64_t bits = part->members[word]; bits != 0;) {
            uint32_t index = word * 64 + weft_bits_pop(&bits);
            weft_place at = weft_place_of(&world->entities, world->plan->format, index);
            if (!mark_row(masks, scratch, world, at)) return false;
        }
    }
    return true;
}

// Returns the number of runs of set bits, and writes them unless `runs` is NULL.
static uint32_t find_row_runs(const uint64_t *mask, uint32_t words, weft_part_run *runs)
{
    uint32_t count = 0;
    uint32_t end = UINT32_MAX; // of the last run
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t bits = mask[word]; bits != 0;) {
            uint32_t low = weft_lowest_bit(bits);
            uint64_t rest = ~(bits >> low);
            uint32_t length = rest == 0 ? 64 : weft_lowest_bit(rest);
            uint32_t first = word * 64 + low;
            bits &= length == 64 ? 0 : ~(weft_bits_low(length) << low);
            bool joins = first == end;
            if (runs && !joins) runs[count] = (weft_part_run){first, 0};
            count += !joins;
            if (runs) runs[count - 1].count += length;
            end = first + length;
        }
    }
    return count;
}

// Appends `count` bits from bit `first` of a bitset to the bits from `at` of another, which are 0.
static void append_bits(uint64_t *to, uint32_t at, const uint64_t *from, uint32_t first,
                        uint32_t count)
{
    while (count != 0) {
        uint32_t some = 64 - (first % 64 > at % 64 ? first % 64 : at % 64);
        if (some > count) some = count;
        uint64_t bits = from[first / 64] >> first % 64 & weft_bits_low(some);
        to[at / 64] |= bits << at % 64;
        first += some;
        at += some;
        count -= some;
    }
}

static bool list_bits(weft_part_rows *rows, const weft_table *table, const weft_world *world,
                      weft_scratch *scratch)
{
    const weft_plan *plan = world->plan;
    uint32_t words = weft_bits_words(rows->count);
    if (table->bitset_count == 0) return true;
    rows->bits =
        (weft_part_bits *)weft_scratch_array(scratch, table->bitset_count, sizeof *rows->bits);
    if (!rows->bits) return false;
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        const uint64_t *from = (const uint64_t *)weft_column(table, column);
        if (!from || plan->columns[column].component >= plan->schema->component_count) continue;
        uint64_t *to = (uint64_t *)weft_scratch_array(scratch, words, sizeof *to);
        if (!to) return false;
        uint32_t at = 0;
        for (uint32_t i = 0; i < rows->run_count; i++) {
            append_bits(to, at, from, rows->runs[i].first, rows->runs[i].count);
            at += rows->runs[i].count;
        }
        uint32_t count = weft_bits_count(to, words);
        if (count != 0) rows->bits[rows->bits_count++] = (weft_part_bits){column, count, to};
    }
    return true;
}

static bool list_table(weft_part_rows *rows, const weft_table *table, const weft_world *world,
                       const uint64_t *mask, weft_scratch *scratch)
{
    uint32_t words = weft_bits_words(table->count);
    rows->run_count = find_row_runs(mask, words, NULL);
    rows->runs = (weft_part_run *)weft_scratch_array(scratch, rows->run_count, sizeof *rows->runs);
    if (!rows->runs) return false;
    find_row_runs(mask, words, rows->runs);
    return list_bits(rows, table, world, scratch);
}

static bool list_tables(weft_saved_part *part, weft_saver *saver, weft_scratch *scratch)
{
    const weft_world *world = saver->world;
    row_masks masks;
    uint32_t kept = 0;
    masks.of = (uint64_t **)weft_scratch_array(scratch, world->tables.count, sizeof *masks.of);
    masks.counts =
        (uint32_t *)weft_scratch_array(scratch, world->tables.count, sizeof *masks.counts);
    part->tables =
        (weft_part_rows *)weft_scratch_array(scratch, saver->table_count, sizeof *part->tables);
    if (!masks.of || !masks.counts || !part->tables) return false;
    if (!mark_rows(part, world, &masks, scratch)) return false;
    for (uint32_t i = 0; i < saver->table_count; i++) {
        const weft_table *table = saver->tables[i];
        weft_part_rows *rows = &part->tables[kept];
        if (masks.counts[table->id] == 0) continue;
        rows->count = masks.counts[table->id];
        if (!list_table(rows, table, world, masks.of[table->id], scratch)) return false;
        saver->tables[kept++] = table;
    }
    saver->table_count = kept;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Slots

static void add_slot(weft_part_rows *slots, uint32_t slot)
{
    weft_part_run *last = slots->run_count == 0 ? NULL : &slots->runs[slots->run_count - 1];
    if (last && last->first + last->count == slot)
        last->count++;
    else
        slots->runs[slots->run_count++] = (weft_part_run){slot, 1};
}

// Lists the slots of a store that belong to members, in the order of slots. If the store is much
// larger than the part, members are looked up instead, and the order is that of their indices.
static void list_slots(const weft_saved_part *part, const weft_sparse *sparse,
                       weft_part_rows *slots)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    uint32_t count = weft_sparse_count(sparse);
    if (count / 8 <= part->count) {
        for (uint32_t slot = 0; slot < count; slot++) {
            if (weft_saved_part_has(part, owners[slot])) add_slot(slots, slot);
        }
        return;
    }
    for (uint32_t word = 0; word < weft_bits_words(part->indices); word++) {
        for (uint64_t bits = part->members[word]; bits != 0;) {
            uint32_t index = word * 64 + weft_bits_pop(&bits);
            const uint32_t *slot = weft_sparse_slot(sparse, index);
            if (slot && *slot != 0) add_slot(slots, *slot - 1);
        }
    }
}

static void count_slots(const weft_saved_part *part, const weft_saver *saver)
{
    const weft_plan *plan = saver->world->plan;
    for (uint32_t i = 0; i < saver->table_count; i++) {
        const weft_part_rows *rows = &part->tables[i];
        for (uint32_t b = 0; b < rows->bits_count; b++) {
            uint32_t component = plan->columns[rows->bits[b].column].component;
            uint16_t store = plan->components[component].sparse;
            if (store != WEFT_NONE) part->stores[store].count += rows->bits[b].count;
        }
    }
}

bool weft_saved_part_list(weft_saved_part *part, weft_saver *saver, weft_scratch *scratch)
{
    const weft_world *world = saver->world;
    uint32_t count = world->plan->sparse_count;
    if (!list_tables(part, saver, scratch) || !count_walks(part, world, scratch)) return false;
    part->stores = (weft_part_rows *)weft_scratch_array(scratch, count, sizeof *part->stores);
    if (!part->stores) return false;
    count_slots(part, saver);
    for (uint32_t i = 0; i < count; i++) {
        weft_part_rows *slots = &part->stores[i];
        if (slots->count == 0) continue;
        slots->runs =
            (weft_part_run *)weft_scratch_array(scratch, slots->count, sizeof *slots->runs);
        if (!slots->runs) return false;
        list_slots(part, &world->sparse[i], slots);
    }
    saver->gathered = (unsigned char *)weft_scratch_array(scratch, saver->buffer_bytes, 1);
    saver->part = part;
    return saver->gathered != NULL;
}
