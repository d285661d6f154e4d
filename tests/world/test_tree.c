// Relations, from a schema to systems that follow them: links against a naive model, what despawning
// takes along, commands, walks, rows in the order of a tree.
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../support/asserts.h"
#include "tree_user.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PART_OF, FOLLOWS, OWNED_BY, RELATIONS };
enum { PEOPLE = 24, NOBODY = -1 };

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

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static void step(tree_world *w, model *m, uint64_t *seed)
{
    int relation = (int)draw(seed, RELATIONS);
    int who = (int)draw(seed, PEOPLE);
    int other = (int)draw(seed, PEOPLE);
    tree_entity e = m->people[who].entity;
    uint32_t kind = draw(seed, 32);
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
    uint64_t seed = 7;
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
    uint64_t *seed;
} recording;

static void record_steps(tree_user *user, const tree_build_ctx *ctx)
{
    recording *r = (recording *)user->with;
    for (int i = 0; i < 6; i++) {
        int relation = (int)draw(r->seed, RELATIONS);
        int who = (int)draw(r->seed, PEOPLE);
        int other = (int)draw(r->seed, PEOPLE);
        tree_entity e = r->m->people[who].entity;
        uint32_t kind = draw(r->seed, 16);
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
    uint64_t seed = 99;
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

static void record_family(tree_user *user, const tree_build_ctx *ctx)
{
    tree_entity *roots = (tree_entity *)user->with;
    tree_entity child = tree_cmd_node_spawn(ctx->cmd, NULL);
    tree_entity parent = tree_cmd_spawn(ctx->cmd);
    tree_entity gone = tree_cmd_spawn(ctx->cmd);
    tree_cmd_part_of_attach(ctx->cmd, child, parent); // spawned after it
    tree_cmd_part_of_attach(ctx->cmd, parent, roots[0]);
    tree_cmd_placed_set(ctx->cmd, child, (tree_placed){3, 4});
    tree_cmd_part_of_attach(ctx->cmd, gone, child);
    tree_cmd_despawn(ctx->cmd, gone);
    tree_cmd_part_of_attach(ctx->cmd, gone, parent);    // dead by then
    tree_cmd_part_of_attach(ctx->cmd, roots[0], child); // a circle
    tree_cmd_part_of_detach(ctx->cmd, roots[0]);        // has no parent: fine
    tree_cmd_part_of_attach(ctx->cmd, roots[1], roots[0]);
    tree_cmd_despawn(ctx->cmd, roots[1]);
    user->act = NULL;
}

static void commands_attach_whom_they_spawn(void **state)
{
    tree_user user = {.act = record_family};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    tree_entity roots[2] = {tree_spawn(w), tree_spawn(w)};
    user.with = roots;
    (void)state;
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    tree_entity parent = tree_part_of_first_child(w, roots[0]);
    tree_entity child = tree_part_of_first_child(w, parent);
    assert_true(tree_alive(w, child));
    assert_float_equal(tree_placed_get(w, child)->x, 3, 0);
    assert_true(tree_is_none(tree_part_of_first_child(w, child)));
    assert_true(tree_is_none(tree_part_of_next_sibling(w, parent)));
    assert_false(tree_alive(w, roots[1]));
    assert_int_equal(tree_stats(w).commands_dropped, 2);
    tree_close(w);
}

// ------------------------------------------------------------------------------------------------
// What is refused

static void says(tree_world *w, const char *text)
{
    assert_string_equal(tree_error(w), text);
}

static void circles_are_refused_in_words(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = tree_spawn(w);
    assert_false(tree_part_of_detach(w, e[0]));
    says(w, "entity 0:1 has no parent by 'part_of'");
    assert_false(tree_part_of_attach(w, e[0], e[0]));
    says(w, "entity 0:1 cannot be attached to itself by 'part_of'");
    assert_true(tree_part_of_attach(w, e[1], e[0]));
    assert_true(tree_part_of_attach(w, e[2], e[1]));
    uint64_t before = tree_hash(w);
    assert_false(tree_part_of_attach(w, e[0], e[2]));
    says(w, "entity 0:1 cannot be attached to 2:1 by 'part_of': that is below it already; detach "
            "that first");
    assert_true(tree_hash(w) == before);
    assert_true(tree_follows_attach(w, e[0], e[2])); // another relation does not mind
    assert_true(tree_despawn(w, e[2]));
    assert_false(tree_part_of_attach(w, e[1], e[2]));
    says(w, "entity 2:1 is not alive: it was despawned, or is of another world");
    assert_false(tree_part_of_attach(w, e[2], e[1]));
    says(w, "entity 2:1 is not alive: it was despawned, or is of another world");
}

typedef struct pair {
    tree_world *w;
    tree_entity child;
    tree_entity parent;
} pair;

static void attach_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_attach(p->w, p->child, p->parent);
}

static void detach_pair(void *context)
{
    pair *p = (pair *)context;
    tree_part_of_detach(p->w, p->child);
}

static void change_directly(tree_user *user, const tree_build_ctx *ctx)
{
    pair *p = (pair *)user->with;
    (void)ctx;
    assert_true(asserts_saying(attach_pair, p, "phase 'act' runs"));
    assert_true(asserts_saying(detach_pair, p, "phase 'act' runs"));
#ifdef NDEBUG
    assert_false(tree_part_of_attach(p->w, p->child, p->parent));
    assert_false(tree_part_of_detach(p->w, p->parent));
#endif
}

static void direct_calls_in_a_phase_are_refused(void **state)
{
    tree_user user = {.act = change_directly};
    tree_world *w = tree_open(&(weft_options){.user = &user});
    pair p = {w, tree_spawn(w), tree_spawn(w)};
    user.with = &p;
    (void)state;
    assert_true(tree_follows_attach(w, p.parent, p.child));
    assert_int_equal(tree_run_act(w, 1), WEFT_OK);
    assert_true(tree_is_none(tree_part_of_parent(w, p.child)));
    tree_close(w);
}

// ------------------------------------------------------------------------------------------------
// Trees, seen from outside

static void seed_N5_hierarchies_of_any_width_several_at_once(void **state)
{
    tree_world *w = (tree_world *)*state;
    enum { CHILDREN = 300 };
    static tree_entity child[CHILDREN];
    tree_entity one = tree_spawn(w);
    tree_entity other = tree_spawn(w);
    for (int i = 0; i < CHILDREN; i++) {
        child[i] = tree_spawn(w);
        assert_true(tree_part_of_attach(w, child[i], one));
        assert_true(tree_follows_attach(w, child[i], i % 2 ? one : other));
    }
    tree_entity at = tree_part_of_first_child(w, one); // prepended: the last comes first
    for (int i = CHILDREN - 1; i >= 0; i--, at = tree_part_of_next_sibling(w, at)) {
        assert_true(tree_same(at, child[i]));
        assert_true(tree_same(tree_part_of_parent(w, at), one));
    }
    assert_true(tree_is_none(at));
    assert_true(tree_part_of_detach(w, child[7])); // unlinked from the middle
    assert_true(tree_same(tree_part_of_next_sibling(w, child[8]), child[6]));
    assert_true(tree_same(tree_follows_parent(w, child[7]), one)); // the other one stays
    assert_true(tree_part_of_attach(w, child[3], other));          // moved
    assert_true(tree_same(tree_part_of_next_sibling(w, child[4]), child[2]));
    assert_true(tree_same(tree_part_of_first_child(w, other), child[3]));
}

// A tree of 1 + 3 + 9 + 27, in which every fourth is heavy.
static tree_entity grow(tree_world *w, int depth, int *number)
{
    tree_node node = {.local = {(float)++*number, 1}};
    tree_entity e = tree_node_spawn(w, &node);
    if (*number % 4 == 0) tree_heavy_set(w, e, (tree_heavy){1});
    for (int i = 0; depth > 0 && i < 3; i++) {
        assert_true(tree_part_of_attach(w, grow(w, depth - 1, number), e));
    }
    return e;
}

static void seed_N6_a_subtree_is_walked_and_filtered_by_a_query(void **state)
{
    tree_world *w = (tree_world *)*state;
    int number = 0;
    tree_entity root = grow(w, 3, &number);
    tree_entity part = tree_part_of_first_child(w, root);
    size_t all = 0;
    size_t light = 0;
    tree_part_of_walk it = tree_part_of_walk_begin(w, part);
    while (tree_part_of_walk_next(&it)) {
        assert_int_equal(it.depth, tree_part_of_depth(w, it.entity) - 1);
        assert_int_equal(tree_light_passes(w, it.entity), !tree_heavy_has(w, it.entity));
        all++;
        light += tree_light_passes(w, it.entity);
    }
    assert_int_equal(number, 40);
    assert_int_equal(all, 13);
    assert_in_range(light, 9, 11);
    assert_false(tree_part_of_walk_next(&it));
}

static void seed_N6_transforms_propagate_from_parent_to_child(void **state)
{
    tree_world *w = (tree_world *)*state;
    int number = 0;
    tree_entity root = grow(w, 3, &number);
    assert_int_equal(tree_tick(w, 1), WEFT_OK);
    tree_part_of_walk it = tree_part_of_walk_begin(w, root);
    while (tree_part_of_walk_next(&it)) {
        tree_entity parent = tree_part_of_parent(w, it.entity);
        float above = tree_is_none(parent) ? 0 : tree_placed_get(w, parent)->x;
        float here = tree_placed_get(w, it.entity)->x;
        assert_float_equal(here, above + tree_local_get(w, it.entity)->x, 0);
        assert_float_equal(tree_placed_get(w, it.entity)->y, (float)it.depth + 1, 0);
    }
}

static void walk_on(void *context)
{
    tree_part_of_walk_next((tree_part_of_walk *)context);
}

static void walks_of_the_dead_and_the_lonely_end(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity lonely = tree_spawn(w);
    tree_part_of_walk it = tree_part_of_walk_begin(w, (tree_entity){0});
    assert_false(tree_part_of_walk_next(&it));
    it = tree_part_of_walk_begin(w, lonely);
    assert_true(tree_part_of_walk_next(&it));
    assert_true(tree_same(it.entity, lonely));
    assert_false(tree_part_of_walk_next(&it));
    tree_entity below = tree_spawn(w);
    tree_part_of_attach(w, below, lonely);
    it = tree_part_of_walk_begin(w, below); // not to its siblings, nor up
    assert_true(tree_part_of_walk_next(&it));
    assert_false(tree_part_of_walk_next(&it));
    it = tree_part_of_walk_begin(w, lonely);
    assert_true(tree_part_of_walk_next(&it));
    tree_part_of_detach(w, below);
    assert_true(asserts_saying(walk_on, &it, "after a structural change"));
#ifdef NDEBUG
    assert_false(tree_part_of_walk_next(&it));
#endif
}

static void a_query_passes_exactly_its_rows(void **state)
{
    tree_world *w = (tree_world *)*state;
    static tree_entity e[200];
    for (int i = 0; i < 200; i++) {
        e[i] = i % 3 ? tree_node_spawn(w, NULL) : tree_spawn(w);
        if (i % 5 == 0) tree_frozen_set(w, e[i]);
        if (i % 7 == 0) tree_heavy_set(w, e[i], (tree_heavy){0});
    }
    size_t light = 0;
    size_t thawed = 0;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(tree_light_passes(w, e[i]), i % 3 && i % 5 && i % 7);
        assert_int_equal(tree_thawed_passes(w, e[i]), i % 5 != 0);
        assert_int_equal(tree_placed_ones_passes(w, e[i]), i % 3 != 0);
        light += tree_light_passes(w, e[i]);
        thawed += tree_thawed_passes(w, e[i]);
    }
    assert_int_equal(light, tree_light_count(w));
    assert_int_equal(thawed, tree_thawed_count(w));
    tree_despawn(w, e[1]);
    assert_false(tree_light_passes(w, e[1]));
    assert_false(tree_thawed_passes(w, (tree_entity){0}));
}

// ------------------------------------------------------------------------------------------------
// Despawning

static void circles_through_several_relations_end_too(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[4];
    for (int i = 0; i < 4; i++) e[i] = tree_spawn(w);
    tree_part_of_attach(w, e[1], e[0]);
    tree_owned_by_attach(w, e[0], e[1]); // each ends the other
    tree_owned_by_attach(w, e[2], e[1]);
    tree_part_of_attach(w, e[2], e[0]); // ended by both
    tree_follows_attach(w, e[3], e[2]); // outlives all
    assert_true(tree_despawn(w, e[0]));
    for (int i = 0; i < 3; i++) assert_false(tree_alive(w, e[i]));
    assert_true(tree_alive(w, e[3]));
    assert_true(tree_is_none(tree_follows_parent(w, e[3])));
    assert_int_equal(tree_stats(w).entities, 1);
    tree_entity again = tree_spawn(w);
    assert_true(tree_is_none(tree_part_of_parent(w, again)));
    assert_true(tree_is_none(tree_part_of_first_child(w, again)));
}

static void children_end_before_their_parents(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_entity e[3];
    for (int i = 0; i < 3; i++) e[i] = tree_spawn(w);
    tree_part_of_attach(w, e[1], e[0]);
    tree_part_of_attach(w, e[2], e[1]);
    assert_true(tree_despawn(w, e[0]));
    for (int i = 0; i < 3; i++) { // what ended last is reused first
        assert_int_equal(tree_spawn(w).bits & 0xFFFFFFu, e[i].bits & 0xFFFFFFu);
    }
}

// ------------------------------------------------------------------------------------------------
// State

static void the_hash_knows_parents_and_the_order_of_siblings(void **state)
{
    tree_world *w = (tree_world *)*state;
    tree_world *v = tree_open(NULL);
    tree_entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = tree_spawn(w);
        tree_spawn(v);
    }
    uint64_t bare = tree_hash(w);
    tree_part_of_attach(w, e[1], e[0]);
    assert_true(tree_hash(w) != bare);
    uint64_t one = tree_hash(w);
    tree_part_of_attach(w, e[2], e[0]);
    tree_part_of_attach(w, e[3], e[0]);
    uint64_t in_order = tree_hash(w);
    tree_part_of_attach(v, e[3], e[0]);
    tree_part_of_attach(v, e[1], e[0]);
    tree_part_of_attach(v, e[2], e[0]);
    assert_true(tree_hash(v) != in_order);
    tree_part_of_attach(v, e[3], e[0]); // now in the same order, by another way
    assert_true(tree_hash(v) == in_order);
    assert_true(tree_hash_exact(v) == tree_hash_exact(w));
    tree_part_of_detach(w, e[2]);
    tree_part_of_detach(w, e[3]);
    assert_true(tree_hash(w) == one);
    tree_part_of_detach(w, e[1]);
    tree_follows_attach(w, e[1], e[0]);
    assert_true(tree_hash(w) != one && tree_hash(w) != bare);
    tree_close(v);
}

static void reflection_names_relations(void **state)
{
    const weft_schema *s = tree_schema();
    (void)state;
    assert_int_equal(s->relation_count, 3);
    assert_string_equal(s->relations[0].name, "part_of");
    assert_string_equal(s->relations[0].doc, "What an entity is a part of.");
    assert_int_equal(s->relations[0].on_parent_despawn, WEFT_DESPAWN);
    assert_int_equal(s->relations[1].on_parent_despawn, WEFT_DETACH);
    const weft_system_info *place = &s->systems[1];
    assert_string_equal(place->name, "place");
    assert_int_equal(place->access_count, 5);
    assert_int_equal(place->access[3].kind, WEFT_ACCESS_ORDER);
    assert_int_equal(place->access[3].of, 0);
    assert_int_equal(place->access[4].kind, WEFT_ACCESS_PARENT);
    assert_string_equal(s->components[place->access[4].of].name, "placed");
}

// ------------------------------------------------------------------------------------------------
// Rows in the order of a tree

enum { MANY = 400 };

typedef struct forest {
    tree_world *w;
    tree_user user;
    tree_entity e[MANY];
    tree_entity order[MANY];
    tree_sight seen[MANY];
} forest;

static forest *open_forest(void)
{
    static forest f;
    memset(&f, 0, sizeof f);
    f.w = tree_open(&(weft_options){.user = &f.user});
    for (int i = 0; i < MANY; i++) {
        tree_leaf leaf = {.local = {(float)i, 1}, .heavy = {(float)i}};
        tree_node node = {.local = {(float)i, 1}};
        f.e[i] = i % 3 == 0 ? tree_leaf_spawn(f.w, &leaf) : tree_node_spawn(f.w, &node);
    }
    return &f;
}

static void run_forest(forest *f)
{
    f->user.order = f->order;
    f->user.seen = f->seen;
    f->user.placed = f->user.looked = f->user.calls = 0;
    assert_int_equal(tree_run_place(f->w, 0), WEFT_OK);
}

// Rows come by depth; the sum over the way up is what each has been given, in this turn.
static void check_forest(const forest *f)
{
    size_t expected = tree_thawed_count(f->w);
    uint32_t depth = 0;
    assert_int_equal(f->user.placed, expected);
    for (size_t i = 0; i < f->user.placed; i++) {
        tree_entity e = f->order[i];
        tree_entity parent = tree_part_of_parent(f->w, e);
        const tree_placed *above = tree_placed_get(f->w, parent);
        assert_true(tree_part_of_depth(f->w, e) >= depth);
        depth = tree_part_of_depth(f->w, e);
        float x = tree_local_get(f->w, e)->x + (above ? above->x : 0);
        assert_float_equal(tree_placed_get(f->w, e)->x, x, 0);
    }
}

static void check_sights(const forest *f)
{
    uint32_t depth = 0;
    assert_int_equal(f->user.looked, tree_placed_ones_count(f->w));
    for (size_t i = 0; i < f->user.looked; i++) {
        const tree_sight *s = &f->seen[i];
        tree_entity parent = tree_follows_parent(f->w, s->entity);
        const tree_mark *mark = tree_mark_get(f->w, s->entity);
        const tree_mark *parent_mark = tree_mark_get(f->w, parent);
        const tree_heavy *heavy = tree_heavy_get(f->w, parent);
        tree_drift_const_columns drift = tree_drift_get(f->w, parent);
        assert_true(tree_follows_depth(f->w, s->entity) >= depth);
        depth = tree_follows_depth(f->w, s->entity);
        assert_int_equal(s->mark, mark ? mark->number : 0);
        assert_int_equal(s->parent_mark, parent_mark ? parent_mark->number : 0);
        assert_float_equal(s->mass, (heavy ? heavy->mass : 0), 0);
        assert_float_equal(s->drift, (drift.x ? *drift.x + *drift.y : 0), 0);
    }
}

static void disturb(forest *f, uint64_t *seed)
{
    tree_entity e = f->e[draw(seed, MANY)];
    tree_entity other = f->e[draw(seed, MANY)];
    uint32_t number = draw(seed, 1000);
    switch (draw(seed, 8)) {
    case 0:
        tree_part_of_attach(f->w, e, other);
        break;
    case 1:
        tree_follows_attach(f->w, e, other);
        break;
    case 2:
        tree_part_of_detach(f->w, e);
        break;
    case 3:
        if (!tree_frozen_remove(f->w, e)) tree_frozen_set(f->w, e);
        break;
    case 4:
        if (!tree_heavy_remove(f->w, e)) tree_heavy_set(f->w, e, (tree_heavy){(float)number});
        break;
    case 5:
        if (!tree_mark_remove(f->w, e)) tree_mark_set(f->w, e, (tree_mark){number});
        break;
    case 6:
        if (!tree_drift_remove(f->w, e)) {
            tree_drift_set(f->w, e, (tree_drift){(float)number, 1});
        }
        break;
    default:
        if (number < 30) tree_despawn(f->w, e);
        break;
    }
}

static void rows_come_parents_first_whatever_happens(void **state)
{
    forest *f = open_forest();
    uint64_t seed = 3;
    (void)state;
    for (int turn = 0; turn < 150; turn++) {
        for (uint32_t i = draw(&seed, 12); i > 0; i--) disturb(f, &seed);
        run_forest(f);
        check_forest(f);
        check_sights(f);
    }
    assert_true(tree_stats(f->w).entities > 20);
    tree_close(f->w);
}

static void rows_side_by_side_and_as_deep_come_in_one_call(void **state)
{
    forest *f = open_forest();
    (void)state;
    run_forest(f);
    assert_int_equal(f->user.calls, 2); // one a table
    for (int i = 3; i < 6; i++) tree_part_of_attach(f->w, f->e[i], f->e[0]);
    run_forest(f);
    check_forest(f);
    assert_in_range(f->user.calls, 5, 6);
    tree_close(f->w);
}

static void a_system_that_is_ordered_keeps_its_interval(void **state)
{
    forest *f = open_forest();
    (void)state;
    f->user.act = NULL;
    assert_int_equal(tree_tick(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->user.seldom, 0);
    assert_int_equal(tree_tick(f->w, 0.5), WEFT_OK);
    assert_int_equal(f->user.seldom, MANY); // all have `seen` by now
    tree_close(f->w);
}

// ------------------------------------------------------------------------------------------------
// Without memory

typedef struct meter {
    size_t left; // allocations until they fail
    size_t taken;
} meter;

static void *take(void *user, size_t bytes)
{
    meter *m = (meter *)user;
    m->taken++;
    if (m->left == 0) return NULL;
    m->left--;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void *no_reserve(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static bool no_commit(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
    return false;
}

static tree_world *open_metered(meter *m)
{
    *m = (meter){SIZE_MAX, 0};
    weft_memory hooks = {take, give, no_reserve, no_commit, give, m};
    return tree_open(&(weft_options){.memory = hooks});
}

static void attaching_without_memory_changes_nothing(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    tree_entity one = tree_spawn(w);
    tree_entity other = tree_spawn(w);
    (void)state;
    uint64_t before = tree_hash_exact(w);
    m.left = 0;
    assert_false(tree_part_of_attach(w, one, other));
    says(w, "no memory to change entity 0:1");
    assert_true(tree_hash_exact(w) == before);
    assert_int_equal(tree_part_of_depth(w, one), 0);
    m.left = SIZE_MAX;
    tree_cmd_part_of_attach(tree_commands(w), one, other);
    assert_int_equal(tree_flush(w), WEFT_OK);
    assert_int_equal(tree_part_of_depth(w, one), 1);
    m.left = 0;
    assert_true(tree_despawn(w, other)); // takes none
    assert_false(tree_alive(w, one));
    tree_close(w);
}

static void an_ordered_system_without_memory_has_no_turn(void **state)
{
    meter m;
    tree_world *w = open_metered(&m);
    static tree_entity e[1000];
    (void)state;
    assert_int_equal(tree_node_spawn_many(w, 1000, NULL, e), 1000);
    for (int i = 1; i < 1000; i++) assert_true(tree_part_of_attach(w, e[i], e[i - 1]));
    tree_local_set(w, e[0], (tree_local){1, 1});
    for (size_t allowed = 0;; allowed++) {
        m = (meter){allowed, 0};
        weft_status status = tree_run_place(w, 0);
        m.left = SIZE_MAX;
        if (status == WEFT_OK) break;
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_non_null(strstr(tree_error(w), "no memory"));
        assert_int_equal(tree_part_of_depth(w, e[999]), 999);
    }
    assert_float_equal(tree_placed_get(w, e[999])->x, 1, 0);
    uint64_t after = tree_hash(w);
    assert_int_equal(tree_run_place(w, 0), WEFT_OK);
    assert_true(tree_hash(w) == after);
    tree_close(w);
}

int main(void)
{
#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, open_tree, close_tree)
    const struct CMUnitTest tests[] = {
        IN_A_WORLD(links_are_those_of_a_naive_model),
        cmocka_unit_test(commands_do_in_order_what_calls_do),
        cmocka_unit_test(commands_attach_whom_they_spawn),
        IN_A_WORLD(circles_are_refused_in_words),
        cmocka_unit_test(direct_calls_in_a_phase_are_refused),
        IN_A_WORLD(seed_N5_hierarchies_of_any_width_several_at_once),
        IN_A_WORLD(seed_N6_a_subtree_is_walked_and_filtered_by_a_query),
        IN_A_WORLD(seed_N6_transforms_propagate_from_parent_to_child),
        IN_A_WORLD(walks_of_the_dead_and_the_lonely_end),
        IN_A_WORLD(a_query_passes_exactly_its_rows),
        IN_A_WORLD(circles_through_several_relations_end_too),
        IN_A_WORLD(children_end_before_their_parents),
        IN_A_WORLD(the_hash_knows_parents_and_the_order_of_siblings),
        cmocka_unit_test(reflection_names_relations),
        cmocka_unit_test(rows_come_parents_first_whatever_happens),
        cmocka_unit_test(rows_side_by_side_and_as_deep_come_in_one_call),
        cmocka_unit_test(a_system_that_is_ordered_keeps_its_interval),
        cmocka_unit_test(attaching_without_memory_changes_nothing),
        cmocka_unit_test(an_ordered_system_without_memory_has_no_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
