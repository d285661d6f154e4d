// Compares trees with their values, and worlds with each other.
#include "rig.h"

static bool lists(const char *components, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(components, word) != NULL;
}

// Checks which components an entity has.
static void check_components(w_world *w, const node *n, w_entity e)
{
    const weft_schema *schema = w_schema();
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const char *name = schema->components[i].name;
        CHECK(weft_component_has_by_name(w_world_base(w), e.bits, name) ==
              lists(n->components, name));
    }
}

static size_t size_of(const char *component)
{
    const weft_schema *schema = w_schema();
    return schema->components[weft_component_index(schema, component)].size;
}

static void check_cell(w_world *w, const cell *c, const void *value, const w_entity *e)
{
    unsigned char found[VALUE_MAX];
    const w_entity *target = c->target == NO_NODE ? NULL : &e[c->target];
    const void *wanted = target ? (const void *)target : (const char *)value + c->in_value;
    CHECK(weft_component_get_by_name(w_world_base(w), e[c->node].bits, c->component, found,
                                     size_of(c->component)) == WEFT_OK);
    CHECK(memcmp(found + c->at, wanted, c->size) == 0);
}

static void check_keeper(w_world *w, const keeper *k, const w_entity *e)
{
    w_entity found[HANDLES_MAX];
    CHECK(weft_component_get_by_name(w_world_base(w), e[k->node].bits, k->component, found,
                                     k->count * sizeof *found) == WEFT_OK);
    for (uint32_t i = 0; i < k->count; i++)
        CHECK(w_same(found[i], k->nodes[i] == NO_NODE ? W_NONE : e[k->nodes[i]]));
}

w_entity (*const parent_of[])(const w_world *, w_entity) = {w_rig_parent, w_line_parent,
                                                            w_tie_parent, w_queue_parent};
static w_entity (*const first_child[])(const w_world *, w_entity) = {
    w_rig_first_child, w_line_first_child, w_tie_first_child, w_queue_first_child};
static w_entity (*const next_sibling[])(const w_world *, w_entity) = {
    w_rig_next_sibling, w_line_next_sibling, w_tie_next_sibling, w_queue_next_sibling};

// Checks the children of a node in a relation: new ones are first, or last.
static void check_children(const w_world *w, const tree *t, uint32_t above, relation by,
                           const w_entity *e)
{
    const bool appends = by == LINE || by == QUEUE;
    w_entity child = first_child[by](w, e[above]);
    for (uint32_t k = 1; k < t->node_count; k++) {
        uint32_t i = appends ? k : t->node_count - k;
        if (t->nodes[i].above != above || t->nodes[i].by != by) continue;
        CHECK(w_same(child, e[i]));
        child = next_sibling[by](w, child);
    }
    CHECK(w_is_none(child));
}

void check_tree(w_world *w, const tree *t, const void *value, const w_entity *e)
{
    w_entity found[NODES_MAX];
    t->find(w, e[0], found);
    CHECK(memcmp(found, e, t->node_count * sizeof *e) == 0);
    for (uint32_t i = 0; i < t->node_count; i++) {
        CHECK(w_alive(w, e[i]));
        check_components(w, &t->nodes[i], e[i]);
        for (relation by = RIG; by < RELATIONS; by++) {
            bool is_child = i != 0 && t->nodes[i].by == by;
            CHECK(w_same(parent_of[by](w, e[i]), is_child ? e[t->nodes[i].above] : W_NONE));
            check_children(w, t, i, by, e);
        }
    }
    for (uint32_t i = 0; i < t->cell_count; i++) check_cell(w, &t->cells[i], value, e);
    for (uint32_t i = 0; i < t->keeper_count; i++) check_keeper(w, &t->keepers[i], e);
}

// Replaces the values that hooks by hand were given too early: before refs were filled in.
static void complete(const world *one, told *t)
{
    static const char *const names[] = {"aos", "soa", "rare"};
    if (t->kind > RARE) return;
    memset(t->value, 0, sizeof t->value);
    CHECK(weft_component_get_by_name(w_world_base(one->w), t->e.bits, names[t->kind], t->value,
                                     size_of(names[t->kind])) == WEFT_OK);
}

// Checks that the hooks of both worlds were called in the same order with the same values.
static void check_told(const pair *p)
{
    CHECK(p->trees->count == p->hand->count);
    for (uint32_t i = 0; i < p->hand->count; i++) complete(p->hand, &p->hand->log[i]);
    CHECK(memcmp(p->trees->log, p->hand->log, p->hand->count * sizeof(told)) == 0);
    p->trees->count = p->hand->count = 0;
}

// Checks that two iterations of queries show the same rows.
#define CHECK_ROWS(query, p)                                                                       \
    do {                                                                                           \
        query##_iter a = query##_begin((p)->trees->w);                                             \
        query##_iter b = query##_begin((p)->hand->w);                                              \
        while (query##_next(&a)) {                                                                 \
            CHECK(query##_next(&b) && a.count == b.count);                                         \
            CHECK(memcmp(a.entities, b.entities, a.count * sizeof *a.entities) == 0);              \
        }                                                                                          \
        CHECK(!query##_next(&b));                                                                  \
    } while (0)

static void check_lost(const w_entity *a, uint32_t a_count, const w_entity *b, uint32_t b_count)
{
    CHECK(a_count == b_count);
    CHECK(a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

// Checks that readers of changes see the same.
static void check_readers(const pair *p)
{
    CHECK_ROWS(w_fresh, p);
    CHECK_ROWS(w_edited, p);
    CHECK_ROWS(w_kept, p);
    CHECK_ROWS(w_joined, p);
    CHECK_ROWS(w_held, p);
    w_losses_iter a = w_losses_begin(p->trees->w);
    w_losses_iter b = w_losses_begin(p->hand->w);
    check_lost(a.removed_aos, a.removed_aos_count, b.removed_aos, b.removed_aos_count);
    check_lost(a.removed_rare, a.removed_rare_count, b.removed_rare, b.removed_rare_count);
    check_lost(a.removed_tag, a.removed_tag_count, b.removed_tag, b.removed_tag_count);
    check_lost(a.removed_line, a.removed_line_count, b.removed_line, b.removed_line_count);
}

void settle(const pair *p)
{
    CHECK(
        w_same(w_plain_one_tag_spawn(p->trees->w, NULL), w_plain_one_tag_spawn(p->hand->w, NULL)));
}

void check_same(const pair *p)
{
    check_readers(p);
    CHECK(w_hash(p->trees->w) == w_hash(p->hand->w));
    CHECK(w_hash_exact(p->trees->w) == w_hash_exact(p->hand->w));
    check_told(p);
}
