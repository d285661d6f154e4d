// Batches evaluate changes against the rules, then apply them all at once.
#include "batch.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/move.h"
#include "../world/rules.h"
#include "component.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Opening

// The batch, its four sets, its values and the lists for hooks lie in one block.
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
// The set that the entity has, and the one it is to have

// Starts from a set of table components: nothing is asked for yet.
static void start_batch(weft_batch *batch, uint64_t handle, bool placed, const uint64_t *set)
{
    batch->handle = handle;
    batch->placed = placed;
    batch->adding.count = 0;
    batch->removing.count = 0;
    for (uint32_t i = 0; i < batch->world->plan->set_words; i++) {
        batch->had[i] = batch->set[i] = set[i];
        batch->written[i] = batch->gone[i] = 0;
    }
}

void weft_batch_begin_new(weft_batch *batch, uint64_t handle)
{
    start_batch(batch, handle, false, batch->world->tables.items[0]->set); // the empty one
}

bool weft_batch_begin(weft_batch *batch, uint64_t handle)
{
    const weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    if (!weft_find(&world->entities, plan->format, handle, &batch->from)) return false;
    const weft_table *table = world->tables.items[batch->from.table];
    start_batch(batch, handle, true, table->set);
    for (uint16_t i = 0; i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        if (!weft_bitset_bit(table, column, batch->from.row)) continue;
        weft_set_add(batch->had, plan->columns[column].component);
        weft_set_add(batch->set, plan->columns[column].component);
    }
    return true;
}

static bool excluded(const weft_batch *batch, uint32_t component, weft_refusal *why)
{
    weft_subject subject = weft_subject_set(batch->handle, batch->set);
    return weft_rules_exclude(batch->world, &subject, component, why);
}

// Lists a component that is added; those of one change are kept in schema order.
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
        while (bits != 0) want(batch, word * 64 + weft_bits_pop(&bits), NULL);
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

// Returns the n-th component that a prefab lists: those with values come first, then tags.
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

// Notes that a component goes. One that the entity had goes once, however often it comes back.
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
    note_loss(batch, component);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Applying

// The table for the wanted set: the one it is in, if only bitsets change. NULL: no memory.
static weft_table *target_table(weft_batch *batch)
{
    weft_world *world = batch->world;
    bool stays = batch->placed;
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        stays = stays && ((batch->set[i] ^ batch->had[i]) & world->table_set[i]) == 0;
    }
    if (stays) return world->tables.items[batch->from.table];
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        world->scratch_set[i] = batch->set[i] & world->table_set[i];
    }
    return weft_world_table(world, world->scratch_set);
}

// Takes all the memory that the change needs; nothing after it can fail.
static bool batch_ready(weft_batch *batch, weft_table *to, bool moves)
{
    weft_world *world = batch->world;
    if (!batch->placed && !weft_table_grow(&world->heap, world->plan, to, to->count + 1)) {
        return false;
    }
    if (moves && !weft_world_move_ready(world, batch->from, to)) return false;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t bits = batch->set[word] & ~batch->had[word];
        while (bits != 0) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (!weft_component_ready(world, batch->handle, to, component)) return false;
        }
    }
    return true;
}

// Tells hooks what is about to go, and notes it for who reads removals, also where it comes back.
static void report_gone(weft_batch *batch)
{
    weft_world *world = batch->world;
    for (uint32_t i = 0; i < batch->removing.count; i++) {
        // The hook may have moved columns in hard mode, so the table is looked up each time.
        const weft_table *table = world->tables.items[batch->from.table];
        weft_hook_removing(world, table, batch->from.row, batch->removing.components[i]);
    }
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        for (uint64_t gone = batch->gone[word]; gone != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&gone);
            weft_removed_note(world, world->tables.items[batch->from.table], batch->from.row,
                              component, WEFT_NONE);
        }
    }
}

// Writes one component that was asked for, or clears the bit of one that has gone.
static void write_component(weft_batch *batch, weft_table *to, uint32_t row, uint32_t component)
{
    weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[component];
    bool on = weft_set_has(batch->set, component);
    if (c->bitset != WEFT_NONE && on != weft_set_has(batch->had, component)) {
        weft_bitset_write(plan, to, weft_bitset_column(plan, c), row, on);
    }
    if (on) {
        weft_component_write(world, to, row, batch->handle, component, batch->value[component]);
    } else if (c->sparse != WEFT_NONE) {
        weft_sparse_drop(&world->sparse[c->sparse], weft_handle_index(plan->format, batch->handle));
    }
}

// Writes values, and the bits that differ. Returns whether any differs.
static bool write_components(weft_batch *batch, weft_table *to, uint32_t row)
{
    const weft_world *world = batch->world;
    uint64_t bits_differ = 0;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t differ = (batch->set[word] ^ batch->had[word]) & ~world->table_set[word];
        bits_differ |= differ;
        for (uint64_t left = differ | batch->written[word]; left != 0;) {
            write_component(batch, to, row, word * 64 + weft_bits_pop(&left));
        }
        // A component that went and came back counts as added.
        for (uint64_t back = batch->gone[word] & batch->set[word]; back != 0;) {
            weft_row_added(world->plan, to, row, word * 64 + weft_bits_pop(&back));
        }
    }
    return bits_differ != 0;
}

bool weft_batch_commit(weft_batch *batch)
{
    weft_world *world = batch->world;
    weft_table *to = target_table(batch);
    bool moves = to && batch->placed && batch->from.table != to->id;
    uint32_t row = batch->from.row;
    if (!to || !batch_ready(batch, to, moves)) return false;
    report_gone(batch);
    if (moves) {
        row = weft_world_move(world, batch->handle, batch->from, to);
    } else if (!batch->placed) {
        row = weft_row_append(world, world->plan->format, to, batch->handle);
        weft_mark_added(&to->change_bits, row);
    }
    bool bits_differ = write_components(batch, to, row);
    // Moving has said already that the world changed.
    if (!batch->placed) {
        weft_world_changed(world);
    } else if (!moves && bits_differ) {
        weft_world_changed_in_place(world);
    }
    for (uint32_t i = 0; i < batch->adding.count; i++) {
        weft_hook_added(world, to, row, batch->adding.components[i]);
    }
    return true;
}
