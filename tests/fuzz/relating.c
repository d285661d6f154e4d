// Attaches, detaches and sorts children directly.
//
// flags: played
#include "operations.h"

// The world reports a dead handle by number, and others only in text.
static uint64_t blamed(run *r, weft_status status, uint64_t child, uint64_t parent)
{
    if (status != WEFT_DEAD) return 0;
    return model_alive(&r->model, child) ? parent : child;
}

static void attach_to(run *r, relation i, how h, fuzz_entity child, fuzz_entity other)
{
    weft_status expected = model_may_attach(&r->model, i, h, child.bits, other.bits);
    attempt(r);
    bool done = relation_api[i].attach[h](r->world, child, other);
    uint64_t handle = had_no_memory(r) ? child.bits : blamed(r, expected, child.bits, other.bits);
    if (!attempted(r, done, expected, handle)) return;
    model_attach(&r->model, i, h, child.bits, other.bits);
    compare_handle(r, child.bits);
    compare_handle(r, other.bits);
}

void attach_one(run *r)
{
    relation i = any_relation(r);
    fuzz_entity child = any_handle(r);
    how h = any_how(r, i);
    attach_to(r, i, h, child, any_chance(r, 32) ? child : any_handle(r));
}

// Each below the one before it, so that trees get deep.
void attach_chain(run *r)
{
    relation i = any_relation(r);
    fuzz_entity parent = any_handle(r);
    do {
        fuzz_entity child = any_living(r);
        attach_to(r, i, LINK_FIRST, child, parent);
        parent = child;
    } while (!any_chance(r, 6));
}

// Sorting moves rows and changes nothing else that the model knows.
void sort_rows(run *r)
{
    attempt(r);
    weft_status status = relation_api[any_relation(r)].sort(r->world);
    attempted(r, status == WEFT_OK, WEFT_OK, 0);
}

void detach_one(run *r)
{
    relation i = any_relation(r);
    fuzz_entity child = any_handle(r);
    weft_status expected = model_may_detach(&r->model, i, child.bits);
    attempt(r);
    bool done = relation_api[i].detach(r->world, child);
    if (!attempted(r, done, expected, blamed(r, expected, child.bits, 0))) return;
    model_detach(&r->model, i, child.bits);
    compare_handle(r, child.bits);
}
