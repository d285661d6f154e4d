// The links of relations compared with a naive model, in random direct calls and commands.
//
// program: moving
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
typedef enum how { FIRST, LAST, BEFORE, HOWS } how; // attach, append, insert_before

// ------------------------------------------------------------------------------------------------
// The calls of a relation by its number

typedef struct calls {
    bool (*link[3])(tree_world *, tree_entity, tree_entity); // by `how`
    bool (*detach)(tree_world *, tree_entity);
    tree_entity (*parent)(const tree_world *, tree_entity);
    tree_entity (*first_child)(const tree_world *, tree_entity);
    tree_entity (*next_sibling)(const tree_world *, tree_entity);
    tree_entity (*prev_sibling)(const tree_world *, tree_entity);
    uint32_t (*child_count)(const tree_world *, tree_entity);
    uint32_t (*depth)(const tree_world *, tree_entity);
    bool (*cmd_link[3])(tree_cmd *, tree_entity, tree_entity);
    bool (*cmd_detach)(tree_cmd *, tree_entity);
} calls;

#define CALLS(name)                                                                                \
    {                                                                                              \
        {tree_##name##_attach, tree_##name##_append, tree_##name##_insert_before},                 \
            tree_##name##_detach, tree_##name##_parent, tree_##name##_first_child,                 \
            tree_##name##_next_sibling, tree_##name##_prev_sibling, tree_##name##_child_count,     \
            tree_##name##_depth,                                                                   \
            {tree_cmd_##name##_attach, tree_cmd_##name##_append, tree_cmd_##name##_insert_before}, \
            tree_cmd_##name##_detach                                                               \
    }

static const calls of[RELATIONS] = {CALLS(part_of), CALLS(follows), CALLS(owned_by)};

// ------------------------------------------------------------------------------------------------
// A naive model: a list of children for each, from the first to the last

typedef struct family {
    int parent;
    int child[PEOPLE];
    int children;
} family;

typedef struct somebody {
    tree_entity entity;
    bool alive;
    family in[RELATIONS];
} somebody;

typedef struct model {
    somebody people[PEOPLE];
} model;

static bool is_above(const model *m, int relation, int above, int who)
{
    for (; who != NOBODY; who = m->people[who].in[relation].parent) {
        if (who == above) return true;
    }
    return false;
}

static int place_of(const family *f, int child)
{
    int place = 0;
    while (f->child[place] != child) place++;
    return place;
}

static void remove_from(model *m, int relation, int child)
{
    int parent = m->people[child].in[relation].parent;
    if (parent == NOBODY) return;
    family *f = &m->people[parent].in[relation];
    f->children--;
    for (int i = place_of(f, child); i < f->children; i++) f->child[i] = f->child[i + 1];
    m->people[child].in[relation].parent = NOBODY;
}

static void add_at(model *m, int relation, int child, int parent, int place)
{
    family *f = &m->people[parent].in[relation];
    for (int i = f->children++; i > place; i--) f->child[i] = f->child[i - 1];
    f->child[place] = child;
    m->people[child].in[relation].parent = parent;
}

// `other` is the parent, or BEFORE a sibling.
static bool model_link(model *m, int relation, how h, int child, int other)
{
    if (!m->people[child].alive || !m->people[other].alive) return false;
    int parent = h == BEFORE ? m->people[other].in[relation].parent : other;
    if (parent == NOBODY || (h == BEFORE && child == other)) return false;
    if (is_above(m, relation, child, parent)) return false;
    remove_from(m, relation, child);
    const family *f = &m->people[parent].in[relation];
    int place = h == FIRST ? 0 : h == LAST ? f->children : place_of(f, other);
    add_at(m, relation, child, parent, place);
    return true;
}

static bool model_detach(model *m, int relation, int child)
{
    if (!m->people[child].alive || m->people[child].in[relation].parent == NOBODY) return false;
    remove_from(m, relation, child);
    return true;
}

// One is out of all families before those below it end, since relations together may form circles.
static bool model_despawn(model *m, int who)
{
    somebody *p = &m->people[who];
    if (!p->alive) return false;
    p->alive = false;
    for (int r = 0; r < RELATIONS; r++) remove_from(m, r, who);
    for (int r = 0; r < RELATIONS; r++) {
        while (p->in[r].children != 0) {
            int child = p->in[r].child[0];
            remove_from(m, r, child);
            if (r != FOLLOWS) model_despawn(m, child);
        }
    }
    return true;
}

static tree_entity entity_of(const model *m, int who)
{
    return who == NOBODY ? (tree_entity){0} : m->people[who].entity;
}

// Returns the child in a place of a family, or that there is none.
static int child_at(const family *f, int place)
{
    return place < 0 || place >= f->children ? NOBODY : f->child[place];
}

static void check_person(const tree_world *w, const model *m, int relation, int who)
{
    const calls *c = &of[relation];
    const somebody *p = &m->people[who];
    const family *mine = &p->in[relation];
    int next = NOBODY;
    int before = NOBODY;
    uint32_t depth = 0;
    if (mine->parent != NOBODY) {
        const family *theirs = &m->people[mine->parent].in[relation];
        next = child_at(theirs, place_of(theirs, who) + 1);
        before = child_at(theirs, place_of(theirs, who) - 1);
    }
    for (int at = mine->parent; at != NOBODY; at = m->people[at].in[relation].parent) depth++;
    assert_int_equal(c->parent(w, p->entity).bits, entity_of(m, mine->parent).bits);
    assert_int_equal(c->first_child(w, p->entity).bits, entity_of(m, child_at(mine, 0)).bits);
    assert_int_equal(c->next_sibling(w, p->entity).bits, entity_of(m, next).bits);
    assert_int_equal(c->prev_sibling(w, p->entity).bits, entity_of(m, before).bits);
    assert_int_equal(c->child_count(w, p->entity), mine->children);
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
    for (int r = 0; r < RELATIONS; r++) p->in[r] = (family){.parent = NOBODY};
}

static void step(tree_world *w, model *m, dice *seed)
{
    int relation = (int)dice_below(seed, RELATIONS);
    int who = (int)dice_below(seed, PEOPLE);
    int other = (int)dice_below(seed, PEOPLE);
    tree_entity e = m->people[who].entity;
    uint32_t kind = dice_below(seed, 32);
    if (kind < 20) {
        how h = (how)dice_below(seed, HOWS);
        bool done = of[relation].link[h](w, e, m->people[other].entity);
        assert_int_equal(done, model_link(m, relation, h, who, other));
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

// A world that was loaded has the lists of children in the order of the one that was saved.
static void check_loaded(tree_world *w, const model *m)
{
    void *bytes;
    size_t count;
    tree_world *v = tree_open(NULL);
    assert_int_equal(tree_save_memory(w, &bytes, &count), WEFT_OK);
    assert_int_equal(tree_load_memory(v, bytes, count), WEFT_OK);
    check_all(v, m);
    assert_true(tree_hash_exact(v) == tree_hash_exact(w));
    free(bytes);
    tree_close(v);
}

static void seed_N5_links_are_those_of_a_naive_model(void **state)
{
    tree_world *w = (tree_world *)*state;
    static model m;
    dice seed = {7};
    memset(&m, 0, sizeof m);
    for (int i = 0; i < PEOPLE; i++) revive(w, &m, i);
    for (int i = 0; i < 20000; i++) {
        step(w, &m, &seed);
        if (i % 4 == 0) check_all(w, &m);
        if (i % 1000 == 0) check_loaded(w, &m);
    }
}

// ------------------------------------------------------------------------------------------------
// Commands against that model

typedef struct recording {
    model *m;
    dice *seed;
} recording;

// An attach whose parent has ended before its turn ends the child, if it could be done when it was
// recorded, which is before any of the commands.
static void link_in_time(model *m, const model *before, int relation, how h, int who, int other)
{
    if (model_link(m, relation, h, who, other) || relation == FOLLOWS || h == BEFORE) return;
    if (m->people[other].alive || is_above(before, relation, who, other)) return;
    model_despawn(m, who);
}

static void record_steps(tree_user *user, const tree_build_ctx *ctx)
{
    recording *r = (recording *)user->with;
    const model before = *r->m;
    for (int i = 0; i < 6; i++) {
        int relation = (int)dice_below(r->seed, RELATIONS);
        int who = (int)dice_below(r->seed, PEOPLE);
        int other = (int)dice_below(r->seed, PEOPLE);
        tree_entity e = r->m->people[who].entity;
        uint32_t kind = dice_below(r->seed, 16);
        if (kind < 10) {
            how h = (how)dice_below(r->seed, HOWS);
            of[relation].cmd_link[h](ctx->cmd, e, r->m->people[other].entity);
            link_in_time(r->m, &before, relation, h, who, other);
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
        IN_A_WORLD(seed_N5_links_are_those_of_a_naive_model),
        cmocka_unit_test(commands_do_in_order_what_calls_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
