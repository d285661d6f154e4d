// A model of the world of links: the parent of each entity, and what each reader has yet to see.
//
// flags: hot
#include "wood_forest.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

forest wood;

const int wood_relation_of[READERS] = {TREE, TREE, TREE, PATH, PATH, TREE, PATH};

void want(int kind, uint64_t child, uint64_t parent)
{
    assert_true(wood.wanted_count < EVENTS);
    wood.wanted[wood.wanted_count++] = (wood_event){child, parent, (uint64_t)kind};
}

static void model_lose(wood_model *m, int relation, uint64_t child)
{
    uint32_t i = index_of(child);
    uint64_t parent = m->parent[relation][i];
    if (parent == 0) return;
    want(relation * 2 + 1, child, parent);
    m->parent[relation][i] = 0;
    for (int k = 0; k < READERS; k++) {
        sight *s = &m->seen[k][i];
        if (wood_relation_of[k] != relation || !m->listens[k]) continue;
        s->removed |= s->had;
        if (s->had && k >= WATCH_TREE) m->lost[relation][m->lost_count[relation]++] = child;
        s->had = s->added = s->changed = false;
    }
}

static bool model_is_below(const wood_model *m, int relation, uint64_t below, uint64_t above)
{
    while (below != 0 && below != above) below = m->parent[relation][index_of(below)];
    return below != 0;
}

bool model_alive(const wood_model *m, uint64_t handle)
{
    return handle != 0 && m->alive[index_of(handle)] == handle;
}

bool model_attach(wood_model *m, int relation, uint64_t child, uint64_t parent)
{
    if (!model_alive(m, child) || !model_alive(m, parent)) return false;
    if (model_is_below(m, relation, parent, child)) return false;
    uint32_t i = index_of(child);
    uint64_t before = m->parent[relation][i];
    if (before == parent) return true;
    if (before != 0) want(relation * 2 + 1, child, before);
    m->parent[relation][i] = parent;
    want(relation * 2, child, parent);
    for (int k = 0; k < READERS; k++) {
        if (wood_relation_of[k] != relation || !m->listens[k]) continue;
        m->seen[k][i].changed = true;
        m->seen[k][i].added |= before == 0;
    }
    return true;
}

bool model_insert_before(wood_model *m, int relation, uint64_t child, uint64_t sibling)
{
    if (!model_alive(m, child) || !model_alive(m, sibling) || child == sibling) return false;
    uint64_t parent = m->parent[relation][index_of(sibling)];
    return parent != 0 && model_attach(m, relation, child, parent);
}

bool model_detach(wood_model *m, int relation, uint64_t child)
{
    if (!model_alive(m, child) || m->parent[relation][index_of(child)] == 0) return false;
    model_lose(m, relation, child);
    return true;
}

void model_despawn(wood_model *m, uint64_t e)
{
    for (uint32_t i = 0; i < INDICES; i++) {
        if (m->parent[TREE][i] == e) model_despawn(m, m->alive[i]);
        if (m->parent[PATH][i] == e) model_lose(m, PATH, m->alive[i]);
    }
    model_lose(m, TREE, e);
    model_lose(m, PATH, e);
    m->alive[index_of(e)] = 0;
    for (int k = 0; k < READERS; k++) m->seen[k][index_of(e)] = (sight){false, false, false, false};
}

void model_turn(wood_model *m, int reader)
{
    for (uint32_t i = 0; i < INDICES; i++) {
        bool has = m->parent[wood_relation_of[reader]][i] != 0;
        m->seen[reader][i] = (sight){has, false, false, false};
    }
    m->listens[reader] = true;
}

void model_listen(wood_model *m, int reader)
{
    for (uint32_t i = 0; i < INDICES && !m->listens[reader]; i++) {
        bool has = m->parent[wood_relation_of[reader]][i] != 0;
        m->seen[reader][i] = (sight){false, has, has, false};
    }
}

void want_all(const wood_model *m, bool detached)
{
    for (int r = 0; r < RELATIONS; r++) {
        for (uint32_t i = 0; i < INDICES; i++) {
            if (m->parent[r][i] != 0) want(r * 2 + detached, m->alive[i], m->parent[r][i]);
        }
    }
}
