// Spawns every tree of trees_made.c in every way, and its entities one by one in another world. The
// two worlds must be equal, and their hooks must be called in the same order.
#include "rig.h"

enum { MANY = 4, TREE_MAX = 8192 };

// ------------------------------------------------------------------------------------------------
// Spawning

// Changes some numbers and handles of a value.
static void draw(const tree *t, dice *d, void *value, w_entity other)
{
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const cell *c = &t->cells[i];
        unsigned char *at = (unsigned char *)value + c->in_value;
        float number = (float)dice_below(d, 100);
        if (dice_once_in(d, 2)) continue;
        if (c->kind == HANDLE) memcpy(at, &other, c->size);
        if (c->kind == FLOAT) memcpy(at, &number, c->size);
        if (c->kind == INTEGER) at[0] = (unsigned char)number;
    }
}

typedef struct values {
    unsigned char naive[TREE_MAX];
    unsigned char defaults[TREE_MAX];
    unsigned char drawn[TREE_MAX];
} values;

static void values_fill(values *v, const tree *t, dice *d, w_entity other)
{
    CHECK(t->size <= TREE_MAX && t->node_count <= NODES_MAX);
    t->naive(v->naive);
    t->defaults(v->defaults);
    memcpy(v->drawn, v->naive, t->size);
    draw(t, d, v->drawn, other);
}

// Spawns one tree with each value, and with each call.
static void spawn_one(const pair *p, const tree *t, const values *v)
{
    w_entity hand[NODES_MAX], all[NODES_MAX];
    const void *given[] = {NULL, v->defaults, v->drawn, v->drawn};
    for (uint32_t i = 0; i < 4; i++) {
        const void *value = i < 2 ? v->naive : v->drawn;
        by_hand(p->hand->w, t, 1, value, hand);
        if (i == 3) {
            CHECK(w_same(t->spawn(p->trees->w, given[i]), hand[0]));
        } else {
            t->spawn_all(p->trees->w, given[i], all);
            CHECK(memcmp(all, hand, t->node_count * sizeof *all) == 0);
        }
        check_tree(p->trees->w, t, value, hand);
        check_same(p);
    }
}

static void spawn_many(const pair *p, const tree *t, const void *value)
{
    w_entity hand[MANY * NODES_MAX], roots[MANY];
    by_hand(p->hand->w, t, MANY, value, hand);
    CHECK(t->spawn_many(p->trees->w, MANY, value, roots) == MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(w_same(roots[i], hand[i * t->node_count]));
        check_tree(p->trees->w, t, value, &hand[i * t->node_count]);
    }
    check_same(p);
}

// Sorts calls of on_add by the tree of their entity, whose handles are e[part * MANY + i]. They stay
// in order within a tree.
static void tell_by_tree(world *one, const tree *t, const w_entity *e)
{
    world *sorted = (world *)calloc(1, sizeof *sorted);
    CHECK(sorted != NULL);
    for (uint32_t i = 0; i < MANY * t->node_count; i++) {
        const w_entity of = e[i % t->node_count * MANY + i / t->node_count];
        for (uint32_t k = 0; k < one->count; k++) {
            if (one->log[k].kind != ATTACHED && w_same(one->log[k].e, of))
                sorted->log[sorted->count++] = one->log[k];
        }
    }
    memcpy(one->log, sorted->log, sorted->count * sizeof(told));
    free(sorted);
}

// The rows of a part are adjacent, and so are its handles. Hooks are called tree by tree.
static void spawn_rows(const pair *p, const tree *t, const void *value)
{
    w_entity hand[MANY * NODES_MAX], rows[MANY * NODES_MAX], one[NODES_MAX];
    for (uint32_t i = 0; i < t->node_count * MANY; i++)
        hand[i] = t->place(p->hand->w, i / MANY, value);
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t k = 0; k < t->node_count; k++) one[k] = hand[k * MANY + i];
        join(p->hand->w, t, one);
    }
    tell_by_tree(p->hand, t, hand);
    t->spawn_rows(p->trees->w, MANY, rows);
    CHECK(memcmp(rows, hand, t->node_count * MANY * sizeof *rows) == 0);
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t k = 0; k < t->node_count; k++) one[k] = rows[k * MANY + i];
        check_tree(p->trees->w, t, value, one);
    }
    settle(p);
    check_same(p);
}

// A recorded tree is spawned when its commands are applied. One is applied at a time, so that the
// handles of its parts follow that of its root.
static void spawn_recorded(const pair *p, const tree *t, const values *v)
{
    w_entity hand[MANY * NODES_MAX];
    for (uint32_t i = 0; i < 2; i++) {
        const void *value = i ? v->drawn : v->naive;
        w_entity root = t->record(w_commands(p->trees->w), i ? value : NULL);
        CHECK(!w_is_none(root) && !w_alive(p->trees->w, root));
        CHECK(w_flush(p->trees->w) == WEFT_OK);
        by_hand(p->hand->w, t, 1, value, hand);
        CHECK(w_same(root, hand[0]));
        check_tree(p->trees->w, t, value, hand);
        check_same(p);
    }
    CHECK(t->record_many(w_commands(p->trees->w), MANY, v->drawn));
    CHECK(w_flush(p->trees->w) == WEFT_OK);
    by_hand(p->hand->w, t, MANY, v->drawn, hand);
    for (uint32_t i = 0; i < MANY; i++)
        check_tree(p->trees->w, t, v->drawn, &hand[i * t->node_count]);
    check_same(p);
}

// ------------------------------------------------------------------------------------------------
// What becomes of a tree

static void clone(const pair *p, const tree *t, const void *value)
{
    const w_clone_options whole = {.rig = true, .line = true, .tie = true, .queue = true};
    w_entity hand[NODES_MAX], copy[NODES_MAX];
    by_hand(p->hand->w, t, 1, value, hand);
    t->spawn(p->trees->w, value);
    for (uint32_t other = 0; other < 2; other++) {
        world *to = other ? opened(true, (dice){7}) : p->trees;
        w_entity root = w_clone_into(to->w, p->trees->w, hand[0], &whole);
        CHECK(!w_is_none(root));
        t->find(to->w, root, copy);
        for (uint32_t i = 0; i < t->node_count; i++) CHECK(other || !w_same(copy[i], hand[i]));
        check_tree(to->w, t, value, copy);
        if (other) closed(to);
    }
    check_tree(p->trees->w, t, value, hand);
    w_entity alone = w_clone(p->trees->w, hand[0], NULL);
    CHECK(!w_is_none(alone));
    t->find(p->trees->w, alone, copy);
    for (uint32_t i = 1; i < t->node_count; i++) CHECK(w_is_none(copy[i]));
}

static void despawn(const pair *p, const tree *t, const void *value)
{
    w_entity hand[NODES_MAX];
    bool lives[NODES_MAX] = {false};
    by_hand(p->hand->w, t, 1, value, hand);
    t->spawn(p->trees->w, value);
    check_same(p);
    CHECK(w_despawn(p->hand->w, hand[0]) && w_despawn(p->trees->w, hand[0]));
    for (uint32_t i = 0; i < t->node_count; i++) {
        const node *n = &t->nodes[i];
        lives[i] = i != 0 && (n->by == TIE || n->by == QUEUE || lives[n->above]);
        CHECK(w_alive(p->trees->w, hand[i]) == lives[i]);
        CHECK(i == 0 || !lives[i] || lives[n->above] ||
              w_is_none(parent_of[n->by](p->trees->w, hand[i])));
    }
    check_same(p);
}

static void save_and_load(const pair *p, const tree *t, const void *value)
{
    w_entity hand[NODES_MAX], next[NODES_MAX];
    void *bytes;
    size_t n;
    by_hand(p->hand->w, t, 1, value, hand);
    t->spawn(p->trees->w, value);
    CHECK(w_save_memory(p->trees->w, &bytes, &n) == WEFT_OK);
    pair loaded = {opened(false, (dice){0}), p->hand};
    CHECK(w_load_memory(loaded.trees->w, bytes, n) == WEFT_OK);
    free(bytes);
    loaded.trees->count = loaded.hand->count = 0;
    check_tree(loaded.trees->w, t, value, hand);
    check_same(&loaded);
    by_hand(p->hand->w, t, 1, value, next); // both go on from there
    t->spawn(loaded.trees->w, value);
    check_same(&loaded);
    closed(loaded.trees);
}

typedef struct text {
    char *at;
    size_t bytes;
} text;

static weft_status append(void *user, const char *more, size_t bytes)
{
    text *to = (text *)user;
    char *at = (char *)realloc(to->at, to->bytes + bytes + 1);
    CHECK(at != NULL);
    memcpy(at + to->bytes, more, bytes);
    at[to->bytes + bytes] = '\0';
    *to = (text){at, to->bytes + bytes};
    return WEFT_OK;
}

static text json_of(w_world *w)
{
    text to = {NULL, 0};
    CHECK(weft_json_world_write(w_world_base(w), append, &to) == WEFT_OK);
    return to;
}

// A reader numbers the entities of a text from 0, so that in a world in which none has lived the
// handles stay.
static void json(const tree *t, const void *value)
{
    pair p = pair_open(false, (dice){0});
    w_entity hand[MANY * NODES_MAX];
    by_hand(p.hand->w, t, MANY, value, hand);
    CHECK(t->spawn_many(p.trees->w, MANY, value, NULL) == MANY);
    text a = json_of(p.trees->w);
    text b = json_of(p.hand->w);
    CHECK(strcmp(a.at, b.at) == 0);
    world *read = opened(false, (dice){0});
    CHECK(weft_json_world_read(w_world_base(read->w), a.at, a.bytes) == WEFT_OK);
    for (uint32_t i = 0; i < MANY; i++) check_tree(read->w, t, value, &hand[i * t->node_count]);
    text c = json_of(read->w);
    CHECK(strcmp(a.at, c.at) == 0);
    free(a.at);
    free(b.at);
    free(c.at);
    closed(read);
    pair_close(p);
}

// ------------------------------------------------------------------------------------------------

static const char *const relation_names[] = {"rig", "line", "tie", "queue"};

static const weft_prefab_info *prefab_info(const char *name)
{
    const weft_schema *schema = w_schema();
    uint32_t i = 0;
    while (i < schema->prefab_count && strcmp(schema->prefabs[i].name, name) != 0) i++;
    CHECK(i < schema->prefab_count);
    return &schema->prefabs[i];
}

// Checks that reflection knows each part.
static void check_infos(const tree *t)
{
    const weft_schema *schema = w_schema();
    for (uint32_t i = 1; i < t->node_count; i++) {
        const node *n = &t->nodes[i];
        const node *above = &t->nodes[n->above];
        const weft_prefab_info *prefab = prefab_info(above->prefab);
        uint32_t k = 0;
        while (k < prefab->part_count && strcmp(prefab->parts[k].name, n->part) != 0) k++;
        CHECK(k < prefab->part_count);
        const weft_part_info *info = &prefab->parts[k];
        CHECK(strcmp(schema->prefabs[info->prefab].name, n->prefab) == 0);
        CHECK(strcmp(schema->relations[info->relation].name, relation_names[n->by]) == 0);
        CHECK(info->count == n->count);
        CHECK(above->in_value + info->offset + n->item * n->size == n->in_value);
    }
}

static void check(const tree *t, dice d)
{
    check_infos(t);
    static values v;
    for (uint32_t lived = 0; lived < 2; lived++) {
        pair p = pair_open(lived, d);
        w_entity other = w_plain_full_spawn(p.trees->w, NULL);
        CHECK(w_same(other, w_plain_full_spawn(p.hand->w, NULL)));
        values_fill(&v, t, &d, other);
        p.trees->count = p.hand->count = 0;
        spawn_one(&p, t, &v);
        spawn_many(&p, t, v.drawn);
        spawn_rows(&p, t, v.naive);
        spawn_recorded(&p, t, &v);
        despawn(&p, t, v.drawn);
        save_and_load(&p, t, v.naive);
        pair_close(p);
        p = pair_open(lived, d);
        clone(&p, t, v.naive);
        pair_close(p);
    }
    json(t, v.naive);
}

int main(int argc, char **argv)
{
    dice d = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1};
    for (size_t i = 0; i < tree_count; i++) check(&trees[i], (dice){dice_bits(&d)});
    printf("%zu trees\n", tree_count);
    return 0;
}
