// Batches: evaluating changes against the rules, then applying them all at once.
#include "batch.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/move.h"
#include "../world/rules.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Opening

// The batch, its four sets, its values and what hooks are told of lie in one block.
static size_t batch_bytes(const weft_plan *plan)
{
    return sizeof(weft_batch) + 4 * (size_t)plan->set_words * sizeof(uint64_t) +
           plan->component_count * (sizeof(void *) + 2 * sizeof(uint16_t));
}

bool weft_batch_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_batch *batch = (weft_batch *)weft_allocate_zeroed(&world->heap, batch_bytes(plan));
    if (!batch) return false;
    batch->world = world;
    batch->had = (uint64_t *)(void *)(batch + 1);
    batch->set = batch->had + plan->set_words;
    batch->written = batch->set + plan->set_words;
    batch->gone = batch->written + plan->set_words;
    batch->value = (const void **)(void *)(batch->gone + plan->set_words);
    batch->adding.components = (uint16_t *)(void *)(batch->value + plan->component_count);
    batch->removing.components = batch->adding.components + plan->component_count;
    world->batch = batch;
    return true;
}

void weft_batch_close(weft_world *world)
{
    weft_free(&world->heap, world->batch, batch_bytes(world->plan));
}

// ------------------------------------------------------------------------------------------------
// What the entity has, and is to have

void weft_batch_begin_new(weft_batch *batch, uint64_t handle)
{
    size_t bytes = batch->world->plan->set_words * sizeof(uint64_t);
    batch->handle = handle;
    batch->placed = false;
    batch->adding.count = 0;
    batch->removing.count = 0;
    memset(batch->had, 0, bytes);
    memset(batch->set, 0, bytes);
    memset(batch->written, 0, bytes);
    memset(batch->gone, 0, bytes);
}

bool weft_batch_begin(weft_batch *batch, uint64_t handle)
{
    const weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    if (!weft_find(&world->entities, plan->format, handle, &batch->from)) return false;
    const weft_table *table = world->tables.items[batch->from.table];
    size_t bytes = plan->set_words * sizeof(uint64_t);
    batch->handle = handle;
    batch->placed = true;
    batch->adding.count = 0;
    batch->removing.count = 0;
    memcpy(batch->had, table->set, bytes);
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        if (weft_bitset_bit(table, column, batch->from.row)) {
            weft_set_add(batch->had, plan->columns[column].component);
        }
    }
    memcpy(batch->set, batch->had, bytes);
    memset(batch->written, 0, bytes);
    memset(batch->gone, 0, bytes);
    return true;
}

static bool excluded(const weft_batch *batch, uint32_t component, weft_refusal *why)
{
    weft_subject subject = weft_subject_set(batch->handle, batch->set);
    return weft_rules_exclude(batch->world, &subject, component, why);
}

// Notes what is added now, in schema order.
static void told_add(weft_told *told, uint32_t component)
{
    uint32_t i = told->count++;
    for (; i > told->asked && told->components[i - 1] > component; i--) {
        told->components[i] = told->components[i - 1];
    }
    told->components[i] = (uint16_t)component;
}

static void told_drop(weft_told *told, uint32_t component)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < told->count; i++) {
        uint16_t other = told->components[i];
        if (other != component) told->components[kept++] = other;
    }
    told->count = kept;
}

static void want(weft_batch *batch, uint32_t component, const void *value)
{
    const weft_component_plan *plan = &batch->world->plan->components[component];
    const void *defaults = plan->defaults;
    if (plan->on_add && !weft_set_has(batch->set, component)) told_add(&batch->adding, component);
    weft_set_add(batch->set, component);
    weft_set_add(batch->written, component);
    batch->value[component] = value ? value : defaults;
}

// Adds what a component requires and the entity would not have, at its defaults.
static void want_missing(weft_batch *batch, uint32_t component)
{
    const weft_plan *plan = batch->world->plan;
    const uint64_t *closure = plan->components[component].closure;
    if (!plan->components[component].ruled) return;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = closure[word] & ~batch->set[word];
        for (; bits != 0; bits &= bits - 1) want(batch, word * 64 + weft_lowest_bit(bits), NULL);
    }
}

bool weft_batch_set(weft_batch *batch, uint32_t component, const void *value, weft_refusal *why)
{
    if (excluded(batch, component, why)) return false;
    batch->adding.asked = batch->adding.count;
    want_missing(batch, component);
    want(batch, component, value);
    return true;
}

// The n-th component that a prefab lists: those with values, then tags.
static uint16_t listed(const weft_prefab_plan *prefab, uint32_t n)
{
    return n < prefab->component_count ? prefab->components[n]
                                       : prefab->tags[n - prefab->component_count];
}

bool weft_batch_set_prefab(weft_batch *batch, uint32_t prefab, const void *value, weft_refusal *why)
{
    const weft_prefab_plan *p = &batch->world->plan->prefabs[prefab];
    uint32_t count = p->component_count + p->tag_count;
    for (uint32_t i = 0; i < count; i++) {
        if (excluded(batch, listed(p, i), why)) return false;
    }
    batch->adding.asked = batch->adding.count;
    for (uint32_t i = 0; i < count; i++) {
        bool valued = value && i < p->component_count;
        want_missing(batch, listed(p, i));
        want(batch, listed(p, i), valued ? (const unsigned char *)value + p->offsets[i] : NULL);
    }
    return true;
}

// What it had goes once, however often it comes back meanwhile.
static void note_loss(weft_batch *batch, uint32_t component)
{
    const weft_component_plan *plan = &batch->world->plan->components[component];
    bool goes = weft_set_has(batch->had, component) && !weft_set_has(batch->gone, component);
    if (plan->on_add) told_drop(&batch->adding, component);
    if (goes) weft_set_add(batch->gone, component);
    if (goes && plan->on_remove) {
        batch->removing.components[batch->removing.count++] = (uint16_t)component;
    }
}

bool weft_batch_remove(weft_batch *batch, uint32_t component, weft_refusal *why)
{
    weft_subject subject = weft_subject_set(batch->handle, batch->set);
    if (!weft_set_has(batch->set, component)) return true;
    if (!weft_rules_remove(batch->world, &subject, component, why)) return false;
    weft_set_drop(batch->set, component);
    weft_set_drop(batch->written, component);
    note_loss(batch, component);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Applying

// The table for the wanted set: the one it is in, if only bitsets change. NULL: no memory.
static weft_table *target_table(weft_batch *batch)
{
    weft_world *world = batch->world;
    bool same = batch->placed;
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        world->scratch_set[i] = batch->set[i] & world->table_set[i];
        same = same && ((batch->set[i] ^ batch->had[i]) & world->table_set[i]) == 0;
    }
    return same ? world->tables.items[batch->from.table]
                : weft_world_table(world, world->scratch_set);
}

// Room for noting the removal of what was not there, when it comes to that.
static bool removals_ready(weft_batch *batch)
{
    for (uint32_t word = 0; word < batch->world->plan->set_words; word++) {
        uint64_t bits = batch->set[word] & ~batch->had[word];
        for (; bits != 0; bits &= bits - 1) {
            uint32_t component = word * 64 + weft_lowest_bit(bits);
            if (!weft_removed_ready(batch->world, component, 1)) return false;
        }
    }
    return true;
}

// Notes what the entity loses, also where it comes back.
static void note_gone(weft_batch *batch)
{
    weft_world *world = batch->world;
    if (!batch->placed) return;
    const weft_table *table = world->tables.items[batch->from.table];
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        for (uint64_t bits = batch->gone[word]; bits != 0; bits &= bits - 1) {
            uint32_t component = word * 64 + weft_lowest_bit(bits);
            weft_removed_note(world, table, batch->from.row, component, WEFT_NONE);
        }
    }
}

// Room for what is wanted besides table components and was not there.
static bool wanted_bitsets_ready(weft_batch *batch, weft_table *to)
{
    weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    uint32_t index = weft_handle_index(plan->format, batch->handle);
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = batch->set[word] & ~batch->had[word] & ~world->table_set[word];
        for (; bits != 0; bits &= bits - 1) {
            const weft_component_plan *c = &plan->components[word * 64 + weft_lowest_bit(bits)];
            if (!weft_bitset_open(&world->heap, plan, to, weft_bitset_column(plan, c)))
                return false;
            if (c->sparse == WEFT_NONE) continue;
            if (!weft_sparse_ready(&world->heap, &world->sparse[c->sparse], index)) return false;
        }
    }
    return true;
}

static bool stays(const weft_batch *batch, const weft_table *to)
{
    return batch->placed && batch->from.table == to->id;
}

// All the memory that changing it takes.
static bool ready(weft_batch *batch, weft_table *to)
{
    weft_world *world = batch->world;
    if (!removals_ready(batch)) return false;
    if (stays(batch, to)) return wanted_bitsets_ready(batch, to);
    return weft_table_grow(&world->heap, world->plan, to, to->count + 1) &&
           wanted_bitsets_ready(batch, to) &&
           (!batch->placed || weft_world_move_ready(world, batch->from, to));
}

// Gives the entity a row in `to` if it is not there.
static uint32_t move_to(weft_batch *batch, weft_table *to)
{
    weft_world *world = batch->world;
    uint32_t row = batch->from.row;
    if (stays(batch, to)) return row;
    if (batch->placed) {
        weft_world_move(world, batch->handle, batch->from, to, &row);
        return row;
    }
    row = weft_row_append(world, world->plan->format, to, batch->handle);
    weft_mark_added(&to->change_bits, row);
    return row;
}

// Sets and clears the bits that differ; a sparse value that is gone is dropped.
static bool write_bitsets(weft_batch *batch, weft_table *to, uint32_t row)
{
    weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    bool differ = false;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = (batch->set[word] ^ batch->had[word]) & ~world->table_set[word];
        for (; bits != 0; bits &= bits - 1) {
            uint32_t component = word * 64 + weft_lowest_bit(bits);
            const weft_component_plan *c = &plan->components[component];
            bool on = weft_set_has(batch->set, component);
            differ = true;
            weft_bitset_write(plan, to, weft_bitset_column(plan, c), row, on);
            if (on || c->sparse == WEFT_NONE) continue;
            weft_sparse_drop(&world->sparse[c->sparse],
                             weft_handle_index(plan->format, batch->handle));
        }
    }
    return differ;
}

static void write_values(weft_batch *batch, weft_table *to, uint32_t row)
{
    weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    uint32_t index = weft_handle_index(plan->format, batch->handle);
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = batch->written[word]; bits != 0; bits &= bits - 1) {
            uint32_t component = word * 64 + weft_lowest_bit(bits);
            const weft_component_plan *c = &plan->components[component];
            if (c->first_column != WEFT_NONE) {
                weft_row_write(plan, to, row, component, batch->value[component]);
            } else if (c->sparse != WEFT_NONE) {
                weft_sparse_write(&world->sparse[c->sparse], index, batch->value[component]);
                weft_row_changed(plan, to, row, component);
            }
        }
    }
}

// What was taken away and came back is there as before, and yet was added.
static void mark_returned(weft_batch *batch, const weft_table *to, uint32_t row)
{
    const weft_plan *plan = batch->world->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = batch->gone[word] & batch->set[word]; bits != 0; bits &= bits - 1) {
            weft_row_added(plan, to, row, word * 64 + weft_lowest_bit(bits));
        }
    }
}

static void tell_leaving(weft_batch *batch)
{
    for (uint32_t i = 0; i < batch->removing.count; i++) {
        const weft_table *table = batch->world->tables.items[batch->from.table];
        weft_hook_removing(batch->world, table, batch->from.row, batch->removing.components[i]);
    }
}

static void tell_added(weft_batch *batch, const weft_table *to, uint32_t row)
{
    for (uint32_t i = 0; i < batch->adding.count; i++) {
        weft_hook_added(batch->world, to, row, batch->adding.components[i]);
    }
}

bool weft_batch_commit(weft_batch *batch)
{
    weft_world *world = batch->world;
    weft_table *to = target_table(batch);
    if (!to || !ready(batch, to)) return false;
    tell_leaving(batch);
    note_gone(batch);
    bool moved = batch->placed && !stays(batch, to); // which says that it changed the world
    uint32_t row = move_to(batch, to);
    bool differ = write_bitsets(batch, to, row);
    write_values(batch, to, row);
    mark_returned(batch, to, row);
    if (!batch->placed) {
        weft_world_changed(world);
    } else if (!moved && differ) {
        weft_world_changed_in_place(world);
    }
    tell_added(batch, to, row);
    return true;
}
