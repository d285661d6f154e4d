// Rules are asked a word of components at a time.
#include "rules.h"

#include "rows.h"

// Returns the components of a word of a set that an entity has.
static uint64_t word_had(const weft_world *world, const weft_subject *subject, const uint64_t *set,
                         uint32_t word)
{
    uint64_t had = set[word] & subject->set[word];
    if (!subject->table) return had;
    uint64_t others = set[word] & ~world->table_set[word];
    for (; others != 0; others &= others - 1) {
        uint32_t component = word * 64 + weft_lowest_bit(others);
        if (weft_row_has(world->plan, subject->table, subject->row, component)) {
            had |= others & (~others + 1);
        }
    }
    return had;
}

// Returns the first component of a set that an entity has; WEFT_NONE: none.
static uint16_t first_had(const weft_world *world, const weft_subject *subject, const uint64_t *set)
{
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        uint64_t had = set[word] == 0 ? 0 : word_had(world, subject, set, word);
        if (had != 0) return (uint16_t)(word * 64 + weft_lowest_bit(had));
    }
    return WEFT_NONE;
}

// Returns the first component of a set, other than `except`, that an entity lacks; WEFT_NONE: none.
static uint16_t first_lacked(const weft_world *world, const weft_subject *subject,
                             const uint64_t *set, uint32_t except)
{
    for (uint32_t word = 0; word < world->plan->set_words; word++) {
        if (set[word] == 0) continue;
        uint64_t lacked = set[word] & ~word_had(world, subject, set, word);
        if (word == except / 64) lacked &= ~((uint64_t)1 << except % 64);
        if (lacked != 0) return (uint16_t)(word * 64 + weft_lowest_bit(lacked));
    }
    return WEFT_NONE;
}

static bool has(const weft_world *world, const weft_subject *subject, uint32_t component)
{
    if (!subject->table) return weft_set_has(subject->set, component);
    return weft_row_has(world->plan, subject->table, subject->row, component);
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
    uint16_t other = c->ruled ? first_had(world, subject, c->conflicts) : WEFT_NONE;
    if (other == WEFT_NONE) return false;
    *why = refusal(subject, component, other, true);
    return true;
}

weft_verdict weft_rules_set(const weft_world *world, const weft_subject *subject,
                            uint32_t component, weft_refusal *why)
{
    const weft_component_plan *c = &world->plan->components[component];
    if (!c->ruled || has(world, subject, component)) return WEFT_ALLOWED;
    if (weft_rules_exclude(world, subject, component, why)) return WEFT_FORBIDDEN;
    uint16_t other = first_lacked(world, subject, c->closure, component);
    if (other == WEFT_NONE) return WEFT_ALLOWED;
    *why = refusal(subject, component, other, false);
    return WEFT_ALLOWED_WITH_MORE;
}

bool weft_rules_remove(const weft_world *world, const weft_subject *subject, uint32_t component,
                       weft_refusal *why)
{
    const weft_component_plan *c = &world->plan->components[component];
    uint16_t other = c->ruled ? first_had(world, subject, c->required_by) : WEFT_NONE;
    if (other == WEFT_NONE) return true;
    *why = refusal(subject, component, other, false);
    return false;
}
