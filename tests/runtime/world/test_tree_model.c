// The links of relations against a naive model, in random direct calls and commands.
#include "../../fuzz/dice.h"
#include "tree_user.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int open_tree(void **state)
{
    *state = tree_open(NULL);
    return *state == NULL;
}

static int close_tree(void **state)
{
    tree_close((tree_world *)*state);
    return 0;
}

enum { PART_OF, FOLLOWS, OWNED_BY, RELATIONS };
enum { PEOPLE = 24, NOBODY = -1 };

// ------------------------------------------------------------------------------------------------
// The calls of a relation by its number

typedef struct calls {
    bool (*attach)(tree_world *, tree_entity, tree_entity);
    bool (*detach)(tree_world *, tree_entity);
    tree_entity (*parent)(const tree_world *, tree_entity);
    tree_entity (*first_child)(const tree_world *, tree_entity);
    tree_entity (*next_sibling)(const tree_world *, tree_entity);
    uint32_t (*depth)(const tree_world *, tree_entity);
    bool (*cmd_attach)(tree_cmd *, tree_entity, tree_entity);
    bool (*cmd_detach)(tree_cmd *, tree_entity);
} calls;

static const calls of[RELATIONS] = {
    {tree_part_of_attach, tree_part_of_detach, tree_part_of_parent, tree_part_of_first_child,
     tree_part_of_next_sibling, tree_part_of_depth, tree_cmd_part_of_attach,
     tree_cmd_part_of_detach},
    {tree_follows_attach, tree_follows_detach, tree_follows_parent, tree_follows_first_child,
     tree_follows_next_sibling, tree_follows_depth, tree_cmd_follows_attach,
     tree_cmd_follows_detach},
    {tree_owned_by_attach, tree_owned_by_detach, tree_owned_by_parent, tree_owned_by_first_child,
     tree_owned_by_next_sibling, tree_owned_by_depth, tree_cmd_owned_by_attach,
     tree_cmd_owned_by_detach},
};

// ------------------------------------------------------------------------------------------------
// A naive model: who has which parent, and when they were attached; all else is searched for

typedef struct somebody {
    tree_entity entity;
    bool alive;
    int parent[RELATIONS];
    uint64_t since[RELATIONS]; // the later one comes first
} somebody;

typedef struct model {
    somebody people[PEOPLE];
    uint64_t now;
} model;

static bool is_above(const model *m, int relation, int above, int who)
{
    for (int steps = 0; who != NOBODY && steps <= PEOPLE; steps++) {
        if (who == above) return true;
        who = m->people[who].parent[relation];
    }
    return false;
}

static bool model_attach(model *m, int relation, int child, int parent)
{
    if (!m->people[child].alive || !m->people[parent].alive) return false;
    if (is_above(m, relation, child, parent)) return false;
    m->people[child].parent[relation] = parent;
    m->people[child].since[relation] = ++m->now;
    return true;
}

static bool model_detach(model *m, int relation, int child)
{
    if (!m->people[child].alive || m->people[child].parent[relation] == NOBODY) return false;
    m->people[child].parent[relation] = NOBODY;
    return true;
}

// Whoever has a dead parent, in a relation that ends children, dies; until nobody does.
static bool model_despawn(model *m, int who)
{
    if (!m->people[who].alive) return false;
    m->people[who].alive = false;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < PEOPLE; i++) {
            somebody *p = &m->people[i];
            for (int r = 0; r < RELATIONS; r++) {
                if (!p->alive || p->parent[r] == NOBODY) continue;
                if (m->people[p->parent[r]].alive) continue;
                if (r != FOLLOWS) {
                    p->alive = false;
                    more = true;
                    break;
                }
            }
        }
    }
    for (int i = 0; i < PEOPLE; i++) {
        for (int r = 0; r < RELATIONS; r++) {
            int parent = m->people[i].parent[r];
            bool holds = m->people[i].alive && parent != NOBODY && m->people[parent].alive;
            if (!holds) m->people[i].parent[r] = NOBODY;
        }
    }
    return true;
}

// The child of `parent` that was attached last before `since`.
static int model_child(const model *m, int relation, int parent, uint64_t since)
{
    int found = NOBODY;
    for (int i = 0; i < PEOPLE; i++) {
        const somebody *p = &m->people[i];
        if (p->parent[relation] != parent || p->since[relation] >= since) continue;
        if (found == NOBODY || p->since[relation] > m->people[found].since[relation]) found = i;
    }
    return found;
}

static tree_entity entity_of(const model *m, int who)
{
    return who == NOBODY ? (tree_entity){0} : m->people[who].entity;
}

static void check_person(const tree_world *w, const model *m, int relation, int who)
{
    const calls *c = &of[relation];
    const somebody *p = &m->people[who];
    int parent = p->alive ? p->parent[relation] : NOBODY;
    int child = p->alive ? model_child(m, relation, who, UINT64_MAX) : NOBODY;
    int next = parent == NOBODY ? NOBODY : model_child(m, relation, parent, p->since[relation]);
    uint32_t depth = 0;
    for (int at = parent; at != NOBODY; at = m->people[at].parent[relation]) depth++;
    assert_int_equal(c->parent(w, p->entity).bits, entity_of(m, parent).bits);
    assert_int_equal(c->first_child(w, p->entity).bits, entity_of(m, child).bits);
    assert_int_equal(c->next_sibling(w, p->entity).bits, entity_of(m, next).bits);
    assert_int_equal(c->depth(w, p->entity), depth);
}

static void check_all(const tree_world *w, const model *m)
{
    for (int i = 0; i < PEOPLE; i++) {
        assert_int_equal(tree_alive(w, m->people[i].entity), m->people[i].alive);
        for (int r = 0; r < RELATIONS; r++) check_person(w, m, r, i);
    }
}

static void revive(tree_world *w, model *m, int who)
{
    somebody *p = &m->people[who];
    if (p->alive) return;
    p->entity = who % 3 == 0 ? tree_leaf_spawn(w, NULL) : tree_node_spawn(w, NULL);
    p->alive = true;
    assert_true(tree_alive(w, p->entity));
    for (int r = 0; r < RELATIONS; r++) p->parent[r] = NOBODY;
}

static void step(tree_world *w, model *m, dice *seed)
{
    int relation = (int)dice_below(seed, RELATIONS);
    int who = (int)dice_below(seed, PEOPLE);
    int other = (int)dice_below(seed, PEOPLE);
    tree_entity e = m->people[who].entity;
    uint32_t kind = dice_below(seed, 32);
    if (kind < 20) {
        bool done = of[relation].attach(w, e, m->people[other].entity);
        assert_int_equal(done, model_attach(m, relation, who, other));
    } else if (kind < 24) {
        assert_int_equal(of[relation].detach(w, e), model_detach(m, relation, who));
    } else if (kind < 25) {
        assert_int_equal(tree_despawn(w, e), model_despawn(m, who));
    } else if (kind < 28) {
        revive(w, m, who);
    } else {
        bool heavy = tree_heavy_has(w, e);
        tree_heavy_set(w, e, (tree_heavy){1}); // moves rows: links do not care
        if (heavy) tree_heavy_remove(w, e);
    }
}

static void links_are_those_of_a_naive_model(void **state)
{
    tree_world *w = (tree_world *)*state;
    static model m;
    dice seed = {7};
    memset(&m, 0, sizeof m);
    for (int i = 0; i < PEOPLE; i++) revive(w, &m, i);
    for (int i = 0; i < 20000; i++) {
        step(w, &m, &seed);
        if (i % 4 == 0) check_all(w, &m);
    }
}

// ------------------------------------------------------------------------------------------------
// Commands against the same model

typedef struct recording {
    model *m;
    dice *seed;
} recording;

static void record_steps(tree_user *user, const tree_build_ctx *ctx)
{
    recording *r = (recording *)user->with;
    for (int i = 0; i < 6; i++) {
        int relation = (int)dice_below(r->seed, RELATIONS);
        int who = (int)dice_below(r->seed, PEOPLE);
        int other = (int)dice_below(r->seed, PEOPLE);
        tree_entity e = r->m->people[who].entity;
        uint32_t kind = dice_below(r->seed, 16);
        if (kind < 10) {
            of[relation].cmd_attach(ctx->cmd, e, r->m->people[other].entity);
            model_attach(r->m, relation, who, other);
        } else if (kind < 15) {
            of[relation].cmd_detach(ctx->cmd, e);
            model_detach(r->m, relation, who);
        } else {
            tree_cmd_despawn(ctx->cmd, e);
            model_despawn(r->m, who);
        }
    }
}

static void commands_do_in_order_what_calls_do(void **state)
{
    static model m;
    dice seed = {99};
    recording r = {&m, &seed};
    tree_user user = {.act = record_steps, .with = &r};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    (void)state;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 1500; i++) {
        for (int k = 0; k < PEOPLE; k++) revive(w, &m, k);
        assert_int_equal(tree_run_act(w, 1), WEFT_OK);
        check_all(w, &m);
    }
    tree_close(w);
}

int main(void)
{
#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(links_are_those_of_a_naive_model),
        cmocka_unit_test(commands_do_in_order_what_calls_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
