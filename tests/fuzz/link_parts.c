// Parts: entities with their links are copied, or leave the world and return.
//
// flags: hot
#include "link_run.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

// Draws different living entities. Returns their number.
static uint32_t any_set(run *r, bonds_entity *set)
{
    uint32_t count = 0;
    for (uint32_t i = 1 + dice_below(&r->d, PART_MAX); i != 0; i--) {
        bonds_entity e = any_living(r);
        bool has = false;
        for (uint32_t j = 0; j < count; j++) has = has || bonds_same(set[j], e);
        if (!has) set[count++] = e;
    }
    return count;
}

static void expect_saved(const run *r, weft_status status, bool starved)
{
    if (status != WEFT_OK && !starved) fail("no part: %s", bonds_error(r->w));
}

void copy_part(run *r)
{
    static copied c;
    void *bytes;
    size_t size;
    bonds_map map = {0};
    c.count = any_set(r, c.from);
    if (r->m.living + c.count > r->population + 20) return;
    starve(r);
    weft_status status = bonds_part_save_memory(r->w, c.from, c.count, NULL, &bytes, &size);
    bool starved = fed(r);
    expect_saved(r, status, starved);
    if (status != WEFT_OK) return;
    starve(r);
    status = bonds_part_load_memory(r->w, bytes, size, NULL, &map);
    starved = fed(r);
    expect_saved(r, status, starved);
    free_saved(r, bytes, size);
    if (status != WEFT_OK) return;
    for (uint32_t i = 0; i < c.count; i++) c.to[i] = bonds_map_find(&map, c.from[i]);
    bonds_map_close(&map);
    model_copy(&r->m, &r->m, &c, DROP);
    for (uint32_t i = 0; i < c.count; i++) spawned(r, c.to[i]);
}

// ---- away

static bool ends(kind k, const model *m, uint32_t first, uint32_t second)
{
    bool forth = kinds[k].from_ends && model_find(m, k, first, second);
    bool back = kinds[k].to_ends && model_find(m, k, second, first);
    return forth || back;
}

// Notes which entity of a part despawns which, if it is given up while both are away.
static void note_edges(const model *m, part *p)
{
    p->edge_count = 0;
    for (uint8_t i = 0; i < p->count; i++) {
        for (uint8_t j = 0; j < p->count; j++) {
            for (kind k = 0; k < KINDS; k++) {
                if (!ends(k, m, INDEX(p->set[i]), INDEX(p->set[j]))) continue;
                p->edges[p->edge_count++] = (struct edge){i, j};
            }
        }
    }
}

// Parents are lost with a part and may return with it, which tests of trees have. Here all of them
// are detached before.
static void detach_all(run *r, const part *p)
{
    for (uint32_t i = 0; i < r->m.top; i++) {
        bool inner = false;
        for (uint32_t j = 0; j < p->count && r->m.parent[i] != 0; j++) {
            inner = inner || INDEX(p->set[j]) == i || INDEX(p->set[j]) + 1 == r->m.parent[i];
        }
        if (!inner) continue;
        if (!bonds_under_detach(r->w, r->m.handle[i])) fail("no detaching");
        r->m.parent[i] = 0;
    }
}

void take_part(run *r)
{
    part *p = &r->parts[dice_below(&r->d, PARTS)];
    model *m = &r->m;
    if (p->bytes) return;
    p->count = any_set(r, p->set);
    detach_all(r, p);
    const bonds_part_options options = {.away = true};
    starve(r);
    weft_status status =
        bonds_part_save_memory(r->w, p->set, p->count, &options, &p->bytes, &p->size);
    bool starved = fed(r);
    expect_saved(r, status, starved);
    if (status != WEFT_OK) {
        p->bytes = NULL;
        return;
    }
    note_edges(m, p);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t index = INDEX(p->set[i]);
        m->state[index] = AWAY;
        m->living--;
        for (reader which = 0; which < READERS; which++) {
            m->readers[which].must[index] = m->readers[which].may[index] = false;
        }
    }
    model_loans_end(m);
}

// Those of a part that were given up end others of the part with them.
static uint32_t still_away(const model *m, const part *p, bool *away)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        away[i] = m->state[INDEX(p->set[i])] == AWAY && model_exists(m, p->set[i]);
        count += away[i];
    }
    for (bool more = count != 0; more;) {
        more = false;
        for (uint32_t i = 0; i < p->edge_count; i++) {
            if (away[p->edges[i].first] || !away[p->edges[i].second]) continue;
            away[p->edges[i].second] = false;
            more = true;
        }
    }
    return count;
}

void return_part(run *r)
{
    part *p = &r->parts[dice_below(&r->d, PARTS)];
    model *m = &r->m;
    bool away[PART_MAX];
    if (!p->bytes || m->living > r->population + 20) return;
    uint32_t count = still_away(m, p, away);
    starve(r);
    weft_status status = bonds_part_load_memory(r->w, p->bytes, p->size, NULL, NULL);
    bool starved = fed(r);
    if (status != WEFT_OK && starved) return;
    free_saved(r, p->bytes, p->size);
    p->bytes = NULL;
    if (count == 0) {
        if (status != WEFT_DEAD) fail("a part returns that was given up");
        return;
    }
    if (status != WEFT_OK) fail("no return: %s", bonds_error(r->w));
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t index = INDEX(p->set[i]);
        bool gone = !model_exists(m, p->set[i]) || m->state[index] != AWAY;
        if (gone || away[i]) continue;
        model_remove_all_of(m, index);
        model_forget_entity(m, index);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (!away[i]) continue;
        m->state[INDEX(p->set[i])] = ALIVE;
        m->living++;
        model_returned(m, INDEX(p->set[i]));
    }
    model_loans_end(m);
}

void free_parts(run *r)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        part *p = &r->parts[i];
        if (p->bytes) free_saved(r, p->bytes, p->size);
        p->bytes = NULL;
    }
}

// Gives up all entities that are away.
void forget_parts(run *r)
{
    free_parts(r);
    for (uint32_t i = 0; i < r->m.top; i++) {
        if (r->m.state[i] != AWAY) continue;
        if (!bonds_despawn(r->w, r->m.handle[i])) fail("no giving up");
        model_despawn(&r->m, r->m.handle[i]);
    }
}
