// flags: hot
#include "trees.h"

#include "fail.h"

#include <stdlib.h>

const relation_info relations[RELATIONS] = {
    [PART_OF] = {"part_of", true},
    [FOLLOWS] = {"follows", false},
    [OWNED_BY] = {"owned_by", true},
};

// ---- rules

weft_status model_may_attach(model *m, relation r, how h, uint64_t child, uint64_t other)
{
    if (!model_alive(m, child) || !model_alive(m, other)) return WEFT_DEAD;
    if (child == other) return WEFT_REFUSED;
    uint64_t parent = h == LINK_BEFORE ? model_parent(m, r, other) : other;
    if (parent == 0) return WEFT_NOT_FOUND;
    for (uint64_t at = parent; at != 0; at = model_parent(m, r, at)) {
        if (at == child) return WEFT_REFUSED;
    }
    return WEFT_OK;
}

bool model_attaches_in_time(model *m, relation r, how h, uint64_t child, uint64_t other)
{
    if (h == LINK_BEFORE || !relations[r].ends_children) return false;
    if (model_is_ahead(m, other)) return true;
    if (!model_alive(m, other) || child == other) return false;
    return !model_alive(m, child) || model_may_attach(m, r, h, child, other) == WEFT_OK;
}

weft_status model_may_detach(model *m, relation r, uint64_t child)
{
    if (!model_alive(m, child)) return WEFT_DEAD;
    return model_parent(m, r, child) != 0 ? WEFT_OK : WEFT_NOT_FOUND;
}

// ---- changes

static void untie(model *m, entity *e, relation r)
{
    if (e->ties[r].parent == 0) return;
    model_find(m, e->ties[r].parent)->children[r]--;
    e->ties[r].parent = 0;
    m->attached--;
}

// Makes space after a place among the siblings, and returns the new place.
static uint64_t behind(model *m, relation r, uint64_t parent, uint64_t since)
{
    for (uint32_t i = 0; i < m->living_count; i++) {
        tie *t = &m->entities[m->living[i]].ties[r];
        if (t->parent == parent && t->since > since) t->since++;
    }
    m->attaches++; // stays the greatest
    return since + 1;
}

void model_attach(model *m, relation r, how h, uint64_t child, uint64_t other)
{
    entity *e = model_find(m, child);
    uint64_t parent = h == LINK_BEFORE ? model_parent(m, r, other) : other;
    untie(m, e, r);
    uint64_t since = h == LINK_FIRST  ? ++m->attaches
                     : h == LINK_LAST ? behind(m, r, parent, 0)
                                      : behind(m, r, parent, model_find(m, other)->ties[r].since);
    e->ties[r] = (tie){parent, since};
    model_find(m, parent)->children[r]++;
    m->attached++;
    m->changes++;
}

void model_detach(model *m, relation r, uint64_t child)
{
    untie(m, model_find(m, child), r);
    m->changes++;
}

static void release_children(model *m, const entity *parent, relation r)
{
    for (uint32_t i = 0; parent->children[r] != 0; i++) {
        entity *e = &m->entities[m->living[i]];
        if (e->ties[r].parent == parent->bits) untie(m, e, r);
    }
}

// Children end first. The entity has no parent any more while they end, since relations together
// may form circles.
void model_end(model *m, entity *e)
{
    for (relation r = 0; r < RELATIONS; r++) untie(m, e, r);
    for (relation r = 0; r < RELATIONS; r++) {
        uint64_t child;
        while (relations[r].ends_children && (child = model_first_child(m, r, e->bits)) != 0) {
            model_end(m, model_find(m, child));
        }
        release_children(m, e, r);
    }
    model_give(m, e);
}

void model_despawn(model *m, uint64_t bits)
{
    model_end(m, model_find(m, bits));
}

// ---- asking

uint64_t model_parent(model *m, relation r, uint64_t bits)
{
    const entity *e = model_find(m, bits);
    return e ? e->ties[r].parent : 0;
}

// Returns the first child of a parent after a place.
static uint64_t last_attached(const model *m, relation r, uint64_t parent, uint64_t before)
{
    const entity *last = NULL;
    for (uint32_t i = 0; i < m->living_count; i++) {
        const entity *e = &m->entities[m->living[i]];
        const tie *t = &e->ties[r];
        if (t->parent != parent || t->since >= before) continue;
        if (!last || t->since > last->ties[r].since) last = e;
    }
    return last ? last->bits : 0;
}

uint64_t model_first_child(model *m, relation r, uint64_t bits)
{
    const entity *e = model_find(m, bits);
    return e && e->children[r] != 0 ? last_attached(m, r, bits, UINT64_MAX) : 0;
}

uint64_t model_next_sibling(model *m, relation r, uint64_t bits)
{
    const entity *e = model_find(m, bits);
    uint64_t parent = e ? e->ties[r].parent : 0;
    if (parent == 0 || model_find(m, parent)->children[r] == 1) return 0;
    return last_attached(m, r, parent, e->ties[r].since);
}

uint32_t model_child_count(model *m, relation r, uint64_t bits)
{
    const entity *e = model_find(m, bits);
    return e ? e->children[r] : 0;
}

uint64_t model_prev_sibling(model *m, relation r, uint64_t bits)
{
    uint64_t at = model_first_child(m, r, model_parent(m, r, bits));
    uint64_t before = 0;
    for (; at != 0 && at != bits; at = model_next_sibling(m, r, at)) before = at;
    return before;
}

uint32_t model_depth(model *m, relation r, uint64_t bits)
{
    uint32_t depth = 0;
    while ((bits = model_parent(m, r, bits)) != 0) depth++;
    return depth;
}

// ---- everybody at once

static int by_family(const void *a, const void *b)
{
    const kin *x = (const kin *)a;
    const kin *y = (const kin *)b;
    if (x->relation != y->relation) return x->relation < y->relation ? -1 : 1;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    return x->since > y->since ? -1 : 1;
}

uint64_t model_kin(const model *m, kin **all)
{
    uint64_t count = 0;
    kin *list = (kin *)malloc((size_t)(m->attached + 1) * sizeof *list);
    if (!list) fail("no memory to test with");
    for (uint32_t i = 0; i < m->living_count; i++) {
        const entity *e = &m->entities[m->living[i]];
        for (relation r = 0; r < RELATIONS; r++) {
            if (e->ties[r].parent == 0) continue;
            list[count++] = (kin){r, e->ties[r].parent, e->ties[r].since, e->bits, 0};
        }
    }
    qsort(list, (size_t)count, sizeof *list, by_family);
    for (uint64_t i = 0; i + 1 < count; i++) {
        bool same =
            list[i].relation == list[i + 1].relation && list[i].parent == list[i + 1].parent;
        list[i].next = same ? list[i + 1].child : 0;
    }
    *all = list;
    return count;
}

uint64_t model_trees_hash(const model *m)
{
    kin *all;
    uint64_t count = model_kin(m, &all);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t h = model_absorb_name(8, relations[all[i].relation].name);
        h = model_absorb(h, all[i].child);
        h = model_absorb(h, all[i].parent);
        sum += model_absorb(h, all[i].next);
    }
    free(all);
    return sum;
}
