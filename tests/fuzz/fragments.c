// Makes entities in a fragment, with parents among themselves, and merges them into the world.
//
// flags: played
#include "operations.h"

#include "fail.h"

#include <string.h>

#define MADE_MAX 40u

// An entity made in a fragment: its prefab, one more component, a parent or sibling.
typedef struct made {
    prefab p;
    any_value value;
    component c; // COMPONENTS: none
    any_value more;
    relation i; // RELATIONS: none
    how h;
    uint32_t other; // its parent, or sibling
    uint64_t bits;  // in the fragment, then in the world
} made;

static void make(run *r, made *all, uint32_t n)
{
    made *m = &all[n];
    fuzz_world *w = r->fragment;
    memset(m, 0, sizeof *m);
    m->p = any_prefab(r);
    m->c = any_component(r);
    m->i = any_relation(r);
    any_value_of_prefab(r, m->p, &m->value);
    if (m->c < TAGS) any_value_of(r, &components[m->c], &m->more);
    fuzz_entity e = prefab_api[m->p].spawn(w, &m->value);
    m->bits = e.bits;
    m->h = any_how(r, m->i);
    m->other = any_below(r, n + 1);
    if (!any_chance(r, 2) || !component_api[m->c].set(w, e, &m->more)) m->c = COMPONENTS;
    fuzz_entity other = fuzz_entity_of(all[m->other].bits);
    if (!any_chance(r, 2) || !relation_api[m->i].attach[m->h](w, e, other)) m->i = RELATIONS;
}

// Handles that are alive in the fragment become handles of the world, and all others become none.
typedef struct renamer {
    visitor base;
    const made *all;
    const uint64_t *before;
    uint32_t n;
} renamer;

static void rename_leaf(visitor *v, leaf l)
{
    const renamer *of = (const renamer *)(const void *)v;
    if (l.kind != LEAF_ENTITY) return;
    uint64_t now = 0;
    for (uint32_t i = 0; i < of->n; i++) {
        if (of->before[i] == leaf_bits(l)) now = of->all[i].bits;
    }
    leaf_write(l, now);
}

// The model spawns all of them, then applies the changes of each.
static void make_in_model(run *r, made *all, uint32_t n)
{
    uint64_t before[MADE_MAX];
    renamer v = {{.see = rename_leaf}, all, before, n};
    for (uint32_t i = 0; i < n; i++) {
        before[i] = all[i].bits;
        all[i].bits = model_spawn(&r->model, all[i].p, &all[i].value)->bits;
    }
    for (uint32_t i = 0; i < n; i++) {
        made *m = &all[i];
        prefab_visit(m->p, &v.base, m->value.bytes);
        model_set_prefab(&r->model, m->bits, m->p, &m->value);
        if (m->c < TAGS) components[m->c].visit(&v.base, m->more.bytes);
        if (m->c < COMPONENTS) model_set(&r->model, m->bits, m->c, &m->more);
        if (m->i < RELATIONS) model_attach(&r->model, m->i, m->h, m->bits, all[m->other].bits);
    }
}

void merge_fragment(run *r)
{
    static made all[MADE_MAX];
    fuzz_entity kept[MADE_MAX];
    uint32_t n = any_below(r, MADE_MAX);
    for (uint32_t i = 0; i < n; i++) make(r, all, i);
    for (uint32_t i = 0; i < n; i++) kept[i] = fuzz_entity_of(all[i].bits);
    weft_status expected = model_may_spawn(&r->model, n);
    attempt(r);
    weft_status status = fuzz_fragment_merge(r->world, r->fragment, kept, n);
    if (!attempted(r, status == WEFT_OK, expected, 0)) {
        if (fuzz_stats(r->fragment).entities != n) fail("a fragment has changed");
        fuzz_close(r->fragment);
        run_open_fragment(r);
        return;
    }
    make_in_model(r, all, n);
    for (uint32_t i = 0; i < n; i++) {
        if (kept[i].bits != all[i].bits) fail("a handle that was kept is another one");
        compare_handle(r, kept[i].bits);
    }
}
