// Batches evaluate changes against the rules, then apply them together.
#include "batch.h"

#include "../world/move.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "../world/rules.h"
#include "member.h"

// ------------------------------------------------------------------------------------------------
// Opening

bool weft_batch_open(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    if (!weft_array_open(heap, &world->scratch.batch, 1, sizeof *world->scratch.batch))
        return false;
    weft_batch *batch = world->scratch.batch;
    batch->world = world;
    if (!weft_array_open(heap, &batch->had, 4 * (size_t)plan->set_words, sizeof *batch->had) ||
        !weft_array_open(heap, &batch->value, plan->component_count, sizeof *batch->value) ||
        !weft_array_open(heap, &batch->adding.components, plan->component_count,
                         sizeof(uint16_t)) ||
        !weft_array_open(heap, &batch->removing.components, plan->component_count,
                         sizeof(uint16_t))) {
        return false;
    }
    batch->set = batch->had + plan->set_words;
    batch->written = batch->set + plan->set_words;
    batch->gone = batch->written + plan->set_words;
    return true;
}

void weft_batch_close(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_batch *batch = world->scratch.batch;
    if (!batch) return;
    weft_free(heap, batch->had, 4 * (size_t)plan->set_words * sizeof *batch->had);
    weft_free(heap, batch->value, plan->component_count * sizeof *batch->value);
    weft_free(heap, batch->adding.components, plan->component_count * sizeof(uint16_t));
    weft_free(heap, batch->removing.components, plan->component_count * sizeof(uint16_t));
    weft_free(heap, batch, sizeof *batch);
}

// ------------------------------------------------------------------------------------------------
// The current set of the entity, and the wanted set

bool weft_batch_begin(weft_batch *batch, uint64_t handle)
{
    const weft_world *world = batch->world;
    const weft_plan *plan = world->plan;
    batch->handle = handle;
    batch->from = (weft_place){0, 0}; // the table without components
    batch->placed = weft_find(&world->entities, plan->format, handle, &batch->from);
    batch->adding.count = 0;
    batch->removing.count = 0;
    const weft_table *table = world->tables.items[batch->from.table];
    for (uint32_t i = 0; i < plan->set_words; i++) {
        batch->had[i] = batch->set[i] = table->set[i];
        batch->written[i] = batch->gone[i] = 0;
    }
    for (uint16_t i = 0; batch->placed && i < table->bitset_count; i++) {
        uint16_t column = table->bitsets[i];
        if (!weft_bitset_bit(table, column, batch->from.row)) continue;
        weft_set_add(batch->had, plan->columns[column].component);
        weft_set_add(batch->set, plan->columns[column].component);
    }
    return batch->placed;
}

static bool excluded(const weft_batch *batch, uint32_t component, weft_refusal *why)
{
    weft_subject subject = weft_subject_set(batch->handle, batch->set);
    return weft_rules_exclude(batch->world, &subject, component, why);
}

// Lists an added component. Components of one change are kept in schema order.
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
        if (told->components[i] != component) told->components[kept++] = told->components[i];
    }
    told->count = kept;
}

static void want(weft_batch *batch, uint32_t component, const void *value)
{
    const weft_component_plan *plan = &batch->world->plan->components[component];
    if (plan->on_add && !weft_set_has(batch->set, component)) told_add(&batch->adding, component);
    weft_set_add(batch->set, component);
    weft_set_add(batch->written, component);
    batch->value[component] = value ? value : plan->defaults;
}

// Adds the components that a component requires and the wanted set lacks, with the values that it
// gives them, or their defaults.
static void want_missing(weft_batch *batch, uint32_t component)
{
    const weft_plan *plan = batch->world->plan;
    const weft_component_plan *c = &plan->components[component];
    if (!c->ruled) return;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = c->closure[word] & ~batch->set[word];
        while (bits != 0) {
            uint32_t other = word * 64 + weft_bits_pop(&bits);
            want(batch, other,
                 weft_required_value_of(c->required_values, c->required_value_count, other));
        }
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

bool weft_batch_replace(weft_batch *batch, uint32_t component, const void *value, weft_refusal *why)
{
    const weft_world *world = batch->world;
    *why = weft_refusal_of(WEFT_NOT_FOUND, component, batch->handle);
    if (!weft_set_has(batch->set, component)) return false;
    // A value written by the batch is not in the row yet, and is overwritten in any case.
    const weft_table *table = world->tables.items[batch->from.table];
    if (!weft_set_has(batch->written, component) &&
        weft_row_equals(world, table, batch->from.row, component, value)) {
        return true;
    }
    want(batch, component, value);
    return true;
}

bool weft_batch_set_prefab(weft_batch *batch, uint32_t prefab, const void *value, weft_refusal *why)
{
    const weft_prefab_plan *p = &batch->world->plan->prefabs[prefab];
    for (uint32_t i = 0; i < p->component_count; i++) {
        if (excluded(batch, p->components[i], why)) return false;
    }
    batch->adding.asked = batch->adding.count;
    for (uint32_t i = 0; i < p->component_count; i++) {
        if (i >= p->member_count && weft_set_has(batch->set, p->components[i])) continue;
        want(batch, p->components[i], weft_prefab_value(p, i, weft_prefab_given(p, value)));
    }
    return true;
}

// Removing a component twice in one batch is recorded once, even if it was added again in between.
bool weft_batch_remove(weft_batch *batch, uint32_t component, weft_refusal *why)
{
    const weft_component_plan *plan = &batch->world->plan->components[component];
    weft_subject subject = weft_subject_set(batch->handle, batch->set);
    if (!weft_set_has(batch->set, component)) return true;
    if (!weft_rules_remove(batch->world, &subject, component, why)) return false;
    weft_set_drop(batch->set, component);
    if (plan->on_add) told_drop(&batch->adding, component);
    if (!weft_set_has(batch->had, component) || weft_set_has(batch->gone, component)) return true;
    weft_set_add(batch->gone, component);
    if (plan->on_remove) batch->removing.components[batch->removing.count++] = (uint16_t)component;
    return true;
}

void weft_batch_strip(weft_batch *batch)
{
    const weft_plan *plan = batch->world->plan;
    for (uint32_t c = 0; c < plan->schema->component_count; c++) {
        if (!weft_set_has(batch->had, c)) continue;
        weft_set_drop(batch->set, c);
        weft_set_add(batch->gone, c);
        if (!plan->components[c].on_remove) continue;
        batch->removing.components[batch->removing.count++] = (uint16_t)c;
    }
}

// ------------------------------------------------------------------------------------------------
// Applying

weft_table *weft_batch_table(weft_batch *batch)
{
    weft_world *world = batch->world;
    for (uint32_t i = 0; i < world->plan->set_words; i++) {
        world->scratch.set[i] = batch->set[i] & world->shared.table_set[i];
    }
    return weft_world_table(world, world->scratch.set);
}

// Takes all memory for the change; later steps cannot fail.
static bool batch_ready(weft_batch *batch, weft_table *to, bool moves)
{
    weft_world *world = batch->world;
    uint32_t index = weft_handle_index(world->plan->format, batch->handle);
    if (!batch->placed && !weft_world_table_ready(world, to, to->count + 1)) {
        return false;
    }
    if (moves && !weft_world_move_ready(world, batch->from, to)) return false;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t bits = batch->set[word] & ~batch->had[word];
        while (bits != 0) {
            uint32_t component = word * 64 + weft_bits_pop(&bits);
            if (!weft_component_ready(world, to, component, 1, index, 1)) return false;
        }
    }
    return true;
}

// Calls hooks of values that are about to be overwritten. A component that was removed and added
// again is reported as removed and added instead.
static void report_replaced(weft_batch *batch)
{
    weft_world *world = batch->world;
    const weft_table *table = world->tables.items[batch->from.table];
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t stays = batch->had[word] & batch->set[word] & ~batch->gone[word];
        for (uint64_t left = stays & batch->written[word]; left != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&left);
            weft_hook_replacing(world, table, batch->from.row, component, batch->value[component]);
        }
    }
}

// Calls hooks of components that are about to be removed, and notes removals, including components
// that the batch adds again.
static void report_gone(weft_batch *batch)
{
    weft_world *world = batch->world;
    const weft_table *table = world->tables.items[batch->from.table];
    uint32_t row = batch->from.row;
    for (uint32_t i = 0; i < batch->removing.count; i++) {
        weft_hook_removing(world, table, row, batch->removing.components[i]);
    }
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        for (uint64_t gone = batch->gone[word]; gone != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&gone);
            weft_losing(world, weft_loss_of(world, table, row, component));
        }
    }
}

// Writes values, and the bits that differ. Returns whether any differs.
static bool write_components(weft_batch *batch, weft_table *to, uint32_t row)
{
    weft_world *world = batch->world;
    uint64_t bits_differ = 0;
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t differ = (batch->set[word] ^ batch->had[word]) & ~world->shared.table_set[word];
        bits_differ |= differ;
        for (uint64_t left = differ | batch->written[word]; left != 0;) {
            uint32_t component = word * 64 + weft_bits_pop(&left);
            weft_component_write(world, to, row, component, batch->value[component],
                                 weft_set_has(batch->set, component));
        }
        // A component that was removed and added again counts as added.
        for (uint64_t back = batch->gone[word] & batch->set[word]; back != 0;) {
            weft_row_added(world->plan, to, row, word * 64 + weft_bits_pop(&back));
        }
    }
    return bits_differ != 0;
}

bool weft_batch_commit(weft_batch *batch)
{
    weft_world *world = batch->world;
    weft_table *to = weft_batch_table(batch);
    bool moves = to && batch->placed && batch->from.table != to->id;
    uint32_t row = batch->from.row;
    if (!to || !batch_ready(batch, to, moves)) return false;
    report_gone(batch);
    if (WEFT_UNLIKELY(world->hooks != NULL)) report_replaced(batch);
    if (moves) {
        row = weft_world_move(world, batch->handle, batch->from, to);
    } else if (!batch->placed) {
        row = weft_row_append(world, world->plan->format, to, batch->handle);
        weft_mark_added(&to->change_bits, row);
    }
    bool bits_differ = write_components(batch, to, row);
    // weft_world_move has already counted the change.
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

// ------------------------------------------------------------------------------------------------
// A single component

// Adds or removes a component without rules. This is faster than a batch.
static bool change_alone(weft_world *world, uint64_t handle, weft_place at, uint32_t component,
                         const void *value, bool on)
{
    bool moves = world->plan->components[component].bitset == WEFT_NONE;
    uint32_t index = weft_handle_index(world->plan->format, handle);
    weft_table *from = world->tables.items[at.table];
    weft_table *to = moves ? weft_world_table_beyond(world, from, component, on) : from;
    uint32_t row = at.row;
    if (!to || (on && !weft_component_ready(world, to, component, 1, index, 1)) ||
        (moves && !weft_world_move_ready(world, at, to))) {
        return false;
    }
    if (!on) {
        weft_hook_removing(world, from, row, component);
        weft_losing(world, weft_loss_of(world, from, row, component));
    }
    if (moves) row = weft_world_move(world, handle, at, to); // this counts the change
    weft_component_write(world, to, row, component, value, on);
    if (!moves) weft_world_changed_in_place(world);
    if (on) weft_hook_added(world, to, row, component);
    return true;
}

bool weft_component_change(weft_world *world, uint64_t handle, uint32_t component,
                           const void *value, bool on, weft_refusal *why)
{
    weft_batch *batch = world->scratch.batch;
    weft_place at;
    *why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) return false;
    weft_table *table = world->tables.items[at.table];
    bool has = weft_row_has(world->plan, table, at.row, component);
    *why = weft_refusal_of(WEFT_NOT_FOUND, component, handle);
    if (!on && !has) return false;
    if (on && has) {
        weft_hook_replacing(world, table, at.row, component, value);
        weft_component_write(world, table, at.row, component, value, true);
        return true;
    }
    *why = weft_refusal_of(WEFT_NO_MEMORY, component, handle);
    if (!world->plan->components[component].ruled) {
        return change_alone(world, handle, at, component, value, on);
    }
    weft_batch_begin(batch, handle);
    bool allowed = on ? weft_batch_set(batch, component, value, why)
                      : weft_batch_remove(batch, component, why);
    return allowed && weft_batch_commit(batch);
}

bool weft_component_change_value(weft_world *world, uint64_t handle, uint32_t component,
                                 const void *value, weft_refusal *why)
{
    weft_place at;
    *why = weft_refusal_of(WEFT_DEAD, WEFT_NONE, handle);
    if (!weft_find(&world->entities, world->plan->format, handle, &at)) return false;
    const weft_table *table = world->tables.items[at.table];
    *why = weft_refusal_of(WEFT_NOT_FOUND, component, handle);
    if (!weft_row_has(world->plan, table, at.row, component)) return false;
    if (!weft_row_equals(world, table, at.row, component, value)) {
        // This cannot fail, because the row has the component and needs no memory for it.
        (void)weft_component_change(world, handle, component, value, true, why);
    }
    return true;
}
