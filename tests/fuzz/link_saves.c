// Saves and loads, as bytes and as text; what else concerns the whole world.
#include "link_run.h"

#include "fail.h"
#include "weft_json.h"

#include <stdlib.h>
#include <string.h>

// A load calls on_add for all links, whose hooks write to the values.
static void expect_loaded(run *r)
{
    for (kind k = 0; k < KINDS; k++) {
        if (!kinds[k].tells_added) continue;
        for (uint32_t i = 0; i < r->m.top; i++) {
            item_list *list = &r->m.links[k][i];
            for (uint32_t j = 0; j < list->count; j++) {
                model_expect(&r->m, k, true, i, list->items[j].to);
                list->items[j].v.met = kinds[k].valued;
            }
        }
    }
}

static bool all_met(const run *r)
{
    for (uint32_t i = 0; i < r->m.top; i++) {
        for (uint32_t j = 0; j < r->m.links[OWES][i].count; j++) {
            if (!r->m.links[OWES][i].items[j].v.met) return false;
        }
        for (uint32_t j = 0; j < r->m.links[TRUSTS][i].count; j++) {
            if (!r->m.links[TRUSTS][i].items[j].v.met) return false;
        }
    }
    return true;
}

// Changes the world without the model.
static void spoil(run *r)
{
    r->deaf = true;
    for (uint32_t i = dice_below(&r->d, 30); i != 0; i--) {
        kind k = any_kind(r);
        value v = any_value(r);
        uint32_t drawn = dice_below(&r->d, 8);
        if (drawn < 5)
            kinds[k].set(r->w, any_end(r), any_end(r), &v);
        else if (drawn < 7)
            kinds[k].remove(r->w, any_end(r), any_end(r));
        else
            kinds[k].clear(r->w);
        if (drawn == 5) bonds_despawn(r->w, any_end(r));
    }
    r->deaf = false;
}

// Removals that a load tells are of the world that it replaces.
static void forget_told_removals(run *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->told.count; i++) {
        if (r->told.items[i].added) r->told.items[count++] = r->told.items[i];
    }
    r->told.count = count;
}

static void load(run *r, bonds_world *w, const void *bytes, size_t size, bool starves)
{
    if (starves) starve(r);
    weft_status status = bonds_load_memory(w, bytes, size);
    bool starved = starves && fed(r);
    if (status != WEFT_OK) {
        if (!starved) fail("no load: %s", bonds_error(w));
        status = bonds_load_memory(w, bytes, size);
        if (status != WEFT_OK) fail("no load after a failed one: %s", bonds_error(w));
    }
    forget_told_removals(r);
    expect_loaded(r);
    model_loans_end(&r->m);
}

void save_and_load(run *r)
{
    void *bytes;
    size_t size;
    bool met = all_met(r);
    starve(r);
    weft_status status = bonds_save_memory(r->w, &bytes, &size);
    bool starved = fed(r);
    if (status != WEFT_OK) {
        if (!starved) fail("no save: %s", bonds_error(r->w));
        return;
    }
    uint64_t hash = bonds_hash_exact(r->w);
    if (dice_once_in(&r->d, 2)) {
        spoil(r);
        load(r, r->w, bytes, size, dice_once_in(&r->d, 2));
    } else {
        bonds_world *before = r->w;
        load(r, r->other, bytes, size, true);
        r->deaf = true;
        bonds_reset(before);
        r->deaf = false;
        r->w = r->other;
        r->other = before;
    }
    free_saved(r, bytes, size);
    if (met && bonds_hash_exact(r->w) != hash) fail("another hash after a load");
}

// ---- text

typedef struct text {
    char *bytes;
    size_t count;
} text;

static weft_status append(void *user, const char *piece, size_t bytes)
{
    text *t = (text *)user;
    char *longer = (char *)realloc(t->bytes, t->count + bytes);
    if (!longer) return WEFT_NO_MEMORY;
    memcpy(longer + t->count, piece, bytes);
    t->bytes = longer;
    t->count += bytes;
    return WEFT_OK;
}

// Finds the new handle of each entity by its id.
static void find_again(run *r, const model *old, copied *c)
{
    c->count = 0;
    for (uint32_t i = 0; i < old->top; i++) {
        if (old->state[i] != ALIVE) continue;
        bonds_everyone_iter it = bonds_everyone_begin(r->w);
        bonds_entity found = {0};
        while (bonds_everyone_next(&it)) {
            for (uint32_t j = 0; j < it.count; j++) {
                if (it.id[j].number == old->id[i]) found = it.entities[j];
            }
        }
        if (bonds_is_none(found)) fail("an entity is not in the text");
        c->from[c->count] = old->handle[i];
        c->to[c->count++] = found;
    }
}

void reset(run *r)
{
    model *m = &r->m;
    free_parts(r);
    if (bonds_reset(r->w) != WEFT_OK) fail("no reset: %s", bonds_error(r->w));
    for (kind k = 0; k < KINDS; k++) model_clear(m, k);
    for (uint32_t i = 0; i < m->top; i++) {
        if (m->state[i] != DEAD) model_forget_entity(m, i);
    }
}

// Reads the world back from its text, by which entities get other handles.
void write_and_read(run *r)
{
    static model old;
    static copied c;
    text t = {NULL, 0};
    forget_parts(r);
    compare_hooks(r);
    if (weft_json_world_write(bonds_world_base(r->w), append, &t) != WEFT_OK) fail("no text");
    r->deaf = true;
    bonds_reset(r->w);
    r->deaf = false;
    weft_status status = weft_json_world_read(bonds_world_base(r->w), t.bytes, t.count);
    if (status != WEFT_OK) fail("no world of its text: %s", bonds_error(r->w));
    free(t.bytes);
    old = r->m;
    memset(&r->m, 0, sizeof r->m);
    r->m.next_id = old.next_id;
    find_again(r, &old, &c);
    model_copy(&r->m, &old, &c, DROP);
    model_free(&old);
}

// ---- memory

// Handles in values of links that are neither alive nor away become none.
static void model_recycle(model *m)
{
    for (uint32_t i = 0; i < m->top; i++) {
        for (uint32_t j = 0; j < m->links[OWES][i].count; j++) {
            value *v = &m->links[OWES][i].items[j].v;
            if (!model_exists(m, v->witness)) v->witness = (bonds_entity){0};
            if (!model_exists(m, v->judge)) v->judge = (bonds_entity){0};
        }
    }
}

void trim_and_recycle(run *r)
{
    if (dice_once_in(&r->d, 2)) {
        starve(r);
        bonds_trim(r->w);
        fed(r);
    } else {
        (void)bonds_recycle(r->w);
        model_recycle(&r->m);
    }
}
