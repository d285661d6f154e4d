// The rules are tested one word of components at a time.
#include "rules.h"

#include "rows.h"

// Returns the components of a word of a set that an entity has.
static uint64_t word_had(const weft_world *world, const weft_subject *subject, const uint64_t *set,
                         uint32_t word)
{
    uint64_t had = set[word] & subject->set[word];
    if (!subject->table) return had;
    for (uint64_t left = set[word] & ~world->shared.table_set[word]; left != 0;) {
        uint32_t bit = weft_bits_pop(&left);
        bool there = weft_row_has(world->plan, subject->table, subject->row, word * 64 + bit);
        had |= (uint64_t)there << bit;
    }
    return had;
}

// Returns the first component of a set, other than `except`, that an entity has (`had`) or lacks.
// Returns WEFT_NONE if there is none.
static uint16_t first_of(const weft_world *world, const weft_subject *subject, const uint64_t *set,
                         bool had, uint32_t except)
{
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        if (set[word] == 0) continue;
        uint64_t found = word_had(world, subject, set, word);
        if (!had) found = set[word] & ~found;
        if (word == except / 64) found &= ~((uint64_t)1 << except % 64);
        if (found != 0) return (uint16_t)(word * 64 + weft_lowest_bit(found));
    }
    return WEFT_NONE;
}

static weft_refusal refusal(const weft_subject *subject, uint32_t component, uint16_t other,
                            bool excluded)
{
    return (weft_refusal){WEFT_REFUSED, (uint16_t)component, other, excluded, subject->handle};
}

bool weft_rules_exclude(const weft_world *world, const weft_subject *subject, uint32_t component,
                        weft_refusal *why)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (!c->ruled) return false;
    uint16_t other = first_of(world, subject, c->conflicts, true, WEFT_NONE);
    if (other == WEFT_NONE) return false;
    *why = refusal(subject, component, other, true);
    return true;
}

weft_verdict weft_rules_set(const weft_world *world, const weft_subject *subject,
                            uint32_t component, weft_refusal *why)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (weft_rules_exclude(world, subject, component, why)) return WEFT_FORBIDDEN;
    uint16_t other = first_of(world, subject, c->closure, false, component);
    if (other == WEFT_NONE) return WEFT_ALLOWED;
    *why = refusal(subject, component, other, false);
    return WEFT_ALLOWED_WITH_MORE;
}

bool weft_rules_remove(const weft_world *world, const weft_subject *subject, uint32_t component,
                       weft_refusal *why)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (!c->ruled) return true;
    uint16_t other = first_of(world, subject, c->required_by, true, WEFT_NONE);
    if (other == WEFT_NONE) return true;
    *why = refusal(subject, component, other, false);
    return false;
}
