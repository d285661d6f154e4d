// Compares relations with the model.
//
// flags: hot
#include "run.h"

#include "fail.h"

#include <inttypes.h>
#include <stdlib.h>

// ---- one entity

static void compare_kin(relation r, const char *what, uint64_t bits, uint64_t got,
                        uint64_t expected)
{
    if (got == expected) return;
    fail("by '%s' handle %" PRIx64 " has %s %" PRIx64 ", not %" PRIx64, relations[r].name, bits,
         what, got, expected);
}

void compare_ties(run *r, uint64_t bits)
{
    model *m = &r->model;
    fuzz_entity e = fuzz_entity_of(bits);
    for (relation i = 0; i < RELATIONS; i++) {
        const relation_calls *calls = &relation_api[i];
        compare_kin(i, "parent", bits, calls->parent(r->world, e).bits, model_parent(m, i, bits));
        compare_kin(i, "first child", bits, calls->first_child(r->world, e).bits,
                    model_first_child(m, i, bits));
        compare_kin(i, "next sibling", bits, calls->next_sibling(r->world, e).bits,
                    model_next_sibling(m, i, bits));
        compare_kin(i, "previous sibling", bits, calls->prev_sibling(r->world, e).bits,
                    model_prev_sibling(m, i, bits));
        compare_kin(i, "so many children", bits, calls->child_count(r->world, e),
                    model_child_count(m, i, bits));
        compare_kin(i, "depth", bits, calls->depth(r->world, e), model_depth(m, i, bits));
    }
}

// ---- walks

typedef struct walker {
    run *r;
    relation relation;
    uint64_t root;
    uint64_t at; // where the walk should be; 0 at its end
    uint32_t depth;
} walker;

// Moves to the next entity: the first child of the current one, else the next sibling of it or of
// its nearest ancestor with one.
static void move_on(walker *w)
{
    model *m = &w->r->model;
    uint64_t child = model_first_child(m, w->relation, w->at);
    if (child != 0) {
        w->at = child;
        w->depth++;
        return;
    }
    while (w->at != w->root) {
        uint64_t next = model_next_sibling(m, w->relation, w->at);
        if (next != 0) {
            w->at = next;
            return;
        }
        w->at = model_parent(m, w->relation, w->at);
        w->depth--;
    }
    w->at = 0;
}

static bool see(void *user, fuzz_entity e, uint32_t depth)
{
    walker *w = (walker *)user;
    const entity *known = model_find(&w->r->model, e.bits);
    if (e.bits != w->at || depth != w->depth) {
        fail("a walk by '%s' from %" PRIx64 " comes to %" PRIx64 " in depth %" PRIu32
             ", not to %" PRIx64 " in %" PRIu32,
             relations[w->relation].name, w->root, (uint64_t)e.bits, depth, w->at, w->depth);
    }
    if (fuzz_mixed_passes(w->r->world, e) != passes(known, MIXED) ||
        fuzz_noted_passes(w->r->world, e) != passes(known, NOTED)) {
        fail("handle %" PRIx64 " is thought to pass or not to pass a query", (uint64_t)e.bits);
    }
    move_on(w);
    return true;
}

void check_walk(run *r)
{
    walker w = {.r = r, .relation = any_relation(r), .root = any_handle(r).bits};
    w.at = model_alive(&r->model, w.root) ? w.root : 0;
    relation_api[w.relation].walk(r->world, fuzz_entity_of(w.root), see, &w);
    if (w.at != 0) fail("a walk ends before it comes to %" PRIx64, w.at);
}

// ---- everybody

// Entities without children in the model must have none: the parent of each is queried for its
// first child.
void compare_trees(run *r)
{
    const model *m = &r->model;
    kin *all;
    uint64_t count = model_kin(m, &all);
    for (uint64_t i = 0; i < count; i++) {
        const kin *k = &all[i];
        const relation_calls *calls = &relation_api[k->relation];
        const kin *before = i == 0 ? NULL : k - 1;
        fuzz_entity child = fuzz_entity_of(k->child);
        fuzz_entity parent = fuzz_entity_of(k->parent);
        bool first = !before || before->relation != k->relation || before->parent != k->parent;
        compare_kin(k->relation, "parent", k->child, calls->parent(r->world, child).bits,
                    k->parent);
        compare_kin(k->relation, "next sibling", k->child,
                    calls->next_sibling(r->world, child).bits, k->next);
        if (!first) continue;
        compare_kin(k->relation, "first child", k->parent,
                    calls->first_child(r->world, parent).bits, k->child);
    }
    free(all);
    check_walk(r);
}

// ---- the mirror

static int by_time(const void *a, const void *b)
{
    const kin *x = (const kin *)a;
    const kin *y = (const kin *)b;
    return (x->since > y->since) - (x->since < y->since);
}

// The mirror has relations only while it is compared. At other times an entity is despawned there
// without its children.
void mirror_trees(run *r, bool attach)
{
    kin *all;
    uint64_t count = model_kin(&r->model, &all);
    qsort(all, (size_t)count, sizeof *all, by_time);
    for (uint64_t i = 0; i < count; i++) {
        const relation_calls *calls = &relation_api[all[i].relation];
        fuzz_entity child = fuzz_entity_of(all[i].child);
        fuzz_entity parent = fuzz_entity_of(all[i].parent);
        bool done = attach ? calls->attach[LINK_FIRST](r->mirror, child, parent)
                           : calls->detach(r->mirror, child);
        if (!done) fail("the mirror's trees: %s", fuzz_error(r->mirror));
    }
    free(all);
}
