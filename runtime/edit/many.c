// Masks of rows: see many.h.
#include "many.h"

#include "../world/rows.h"
#include "../world/rules.h"

// Inline, so that `step` is inlined too.
WEFT_ALWAYS_INLINE void each_row(const weft_many *many, const weft_masked_rows *rows,
                                 weft_each_row step)
{
    for (uint32_t word = 0; word < rows->count; word++) {
        for (uint64_t bits = rows->words[word]; bits != 0;) {
            step(many, rows->table, (rows->first_word + word) * 64 + weft_bits_pop(&bits));
        }
    }
}

void weft_many_each_back(const weft_many *many, const weft_masked_rows *rows, weft_each_row step)
{
    for (uint32_t word = rows->count; word-- > 0;) {
        for (uint32_t bit = rows->words[word] == 0 ? 0 : 64; bit-- > 0;) {
            if (rows->words[word] >> bit & 1u) {
                step(many, rows->table, (rows->first_word + word) * 64 + bit);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Which rows change

// Inline, because rules are tested for each row.
WEFT_ALWAYS_INLINE bool allows(const weft_many *many, const weft_table *table, uint32_t row,
                               weft_refusal *why)
{
    const weft_world *world = many->world;
    const void *handles = weft_column(table, 0);
    weft_subject subject = {0, table->set, table, row};
    // Only counted refusals are reported and need the handle.
    if (many->in_place) subject.handle = weft_handle_load(world->plan->format, handles, row);
    if (!many->on) return weft_rules_remove(world, &subject, many->component, why);
    if (!many->in_place) return !weft_rules_exclude(world, &subject, many->component, why);
    return weft_rules_set(world, &subject, many->component, why) == WEFT_ALLOWED;
}

bool weft_many_allows(const weft_many *many, const weft_table *table, uint32_t row,
                      weft_refusal *why)
{
    return !many->plan->ruled || allows(many, table, row, why);
}

// Keeps the rows whose bit differs from the new one. Returns whether there are any.
static bool keep_differing(const weft_many *many, const weft_masked_rows *rows)
{
    const uint64_t *has = weft_bitset_word(
        rows->table, weft_bitset_column(many->world->plan, many->plan), rows->first_word * 64);
    uint64_t any = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint64_t word = has ? has[i] : 0;
        any |= rows->words[i] &= many->on ? ~word : word;
    }
    return any != 0;
}

// Keeps the rows that the rules allow.
static void keep_allowed(const weft_many *change, const weft_masked_rows *rows)
{
    const weft_many many = *change; // a copy, so that the compiler knows that writing the mask does
                                    // not change it
    for (uint32_t word = 0; word < rows->count; word++) {
        uint64_t refused = 0;
        for (uint64_t bits = rows->words[word]; bits != 0;) {
            uint32_t bit = weft_bits_pop(&bits);
            weft_refusal why;
            if (allows(&many, rows->table, (rows->first_word + word) * 64 + bit, &why)) continue;
            if (many.in_place) weft_drop(many.world, why);
            refused |= (uint64_t)1 << bit;
        }
        rows->words[word] &= ~refused;
    }
}

// Returns whether the rules may refuse a row of a table. They never refuse removing a component
// that no other requires.
static bool may_refuse(const weft_many *many, bool has)
{
    uint64_t required = 0;
    if (!many->plan->ruled || (has && many->on)) return false;
    for (uint32_t word = 0; word < many->world->plan->set_words; word++) {
        required |= many->plan->required_by[word];
    }
    return many->on || required != 0;
}

uint32_t weft_many_keep(const weft_many *many, weft_masked_rows *rows)
{
    bool has = weft_set_has(rows->table->set, many->component);
    bool bits = many->plan->bitset != WEFT_NONE;
    if (!bits && !has && !many->on) return 0; // no row of the table has it
    if (bits && !keep_differing(many, rows)) return 0;
    if (may_refuse(many, has)) keep_allowed(many, rows);
    return weft_bits_count(rows->words, rows->count);
}

// ------------------------------------------------------------------------------------------------
// The steps of a change

static void tell_removing(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_hook_removing(many->world, table, row, many->component);
}

static void tell_replacing(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_hook_replacing(many->world, table, row, many->component, many->value);
}

static void tell_added(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_hook_added(many->world, table, row, many->component);
}

static void write_sparse(const weft_many *many, weft_table *table, uint32_t row)
{
    weft_component_write(many->world, table, row, many->component, many->value, many->on);
}

void weft_many_tell_before(const weft_many *many, const weft_masked_rows *rows)
{
    if (!many->on) {
        if (many->plan->on_remove) each_row(many, rows, tell_removing);
    } else if (many->plan->on_replace && weft_set_has(rows->table->set, many->component)) {
        each_row(many, rows, tell_replacing);
    }
}

void weft_many_losing(const weft_many *many, const weft_masked_rows *rows)
{
    weft_loss loss = {.table = rows->table,
                      .component = many->component,
                      .reader = many->reader,
                      .noted = weft_removal_asked(many->plan)};
    for (uint32_t word = 0; word < rows->count; word++) {
        loss.first = (rows->first_word + word) * 64;
        loss.rows = rows->words[word];
        weft_losing(many->world, loss);
    }
}

void weft_many_write_bits(const weft_many *many, const weft_masked_rows *rows)
{
    const weft_plan *plan = many->world->plan;
    if (many->plan->sparse != WEFT_NONE) {
        each_row(many, rows, write_sparse);
    } else {
        weft_bitset_flip(plan, rows->table, weft_bitset_column(plan, many->plan), rows->first_word,
                         rows->words, rows->count, many->on);
    }
}

void weft_many_tell_after(const weft_many *many, const weft_masked_rows *rows)
{
    if (many->on && many->plan->on_add) each_row(many, rows, tell_added);
}
