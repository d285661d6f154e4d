// Spawns every tree of trees_made.c in every way, and its entities one by one in another world. The
// two worlds must be equal, and their hooks must be called in the same order.
#include "trees.h"
#include "dice.h"

enum { LIVED = sizeof(w_entity) == 2 ? 60 : 3000, LOG_MAX = 8192, MANY = 4, TREE_MAX = 8192 };

_Noreturn void fail(const char *file, int line, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(1);
}

// ------------------------------------------------------------------------------------------------
// Hooks

typedef enum told_kind { AOS, SOA, RARE, TAG, RARE_LOST, TAG_LOST, ATTACHED } told_kind;

// A call of a hook. The value is that after the whole change: hooks see trees that are complete.
typedef struct told {
    told_kind kind;
    w_entity e;
    w_entity parent;
    relation by;
    unsigned char value[sizeof(w_aos) + sizeof(w_soa)];
} told;

// A world, and the calls of its hooks since log_clear.
typedef struct world {
    w_world *w;
    uint32_t count;
    told log[LOG_MAX];
} world;

static told *note(void *user, told_kind kind, w_entity e)
{
    world *to = (world *)user;
    CHECK(to->count < LOG_MAX);
    told *one = &to->log[to->count++];
    memset(one, 0, sizeof *one);
    one->kind = kind;
    one->e = e;
    return one;
}

void w_aos_on_add(const w_hook_ctx *ctx, w_entity e, w_aos *value)
{
    memcpy(note(ctx->user, AOS, e)->value, value, sizeof *value);
}

void w_soa_on_add(const w_hook_ctx *ctx, w_entity e, w_soa *value)
{
    memcpy(note(ctx->user, SOA, e)->value, value, sizeof *value);
}

void w_rare_on_add(const w_hook_ctx *ctx, w_entity e, w_rare *value)
{
    memcpy(note(ctx->user, RARE, e)->value, value, sizeof *value);
}

void w_rare_on_remove(const w_hook_ctx *ctx, w_entity e, const w_rare *value)
{
    memcpy(note(ctx->user, RARE_LOST, e)->value, value, sizeof *value);
}

void w_tag_on_add(const w_hook_ctx *ctx, w_entity e)
{
    note(ctx->user, TAG, e);
}

void w_tag_on_remove(const w_hook_ctx *ctx, w_entity e)
{
    note(ctx->user, TAG_LOST, e);
}

static void note_attached(void *user, relation by, w_entity child, w_entity parent)
{
    told *one = note(user, ATTACHED, child);
    one->parent = parent;
    one->by = by;
}

void w_rig_on_attach(const w_hook_ctx *ctx, w_entity child, w_entity parent)
{
    note_attached(ctx->user, RIG, child, parent);
}

void w_line_on_attach(const w_hook_ctx *ctx, w_entity child, w_entity parent)
{
    note_attached(ctx->user, LINE, child, parent);
}

void w_tie_on_attach(const w_hook_ctx *ctx, w_entity child, w_entity parent)
{
    note_attached(ctx->user, TIE, child, parent);
}

void w_queue_on_attach(const w_hook_ctx *ctx, w_entity child, w_entity parent)
{
    note_attached(ctx->user, QUEUE, child, parent);
}

// ------------------------------------------------------------------------------------------------
// Worlds

// Some entities have lived, so that indices come from the free list, in no order. If handles are wide
// enough, these indices are in several pages of a sparse store.
static void live_in(w_world *w, dice d)
{
    w_entity some[LIVED];
    for (uint32_t i = 0; i < LIVED; i++) some[i] = w_plain_one_tag_spawn(w, NULL);
    for (uint32_t left = LIVED; left > LIVED / 3; left--) {
        uint32_t i = dice_below(&d, left);
        CHECK(w_despawn(w, some[i]));
        some[i] = some[left - 1];
    }
}

static world *opened(bool lived, dice d)
{
    world *one = (world *)calloc(1, sizeof *one);
    CHECK(one != NULL);
    one->w = w_open(&(weft_options){.user = one});
    CHECK(one->w != NULL);
    if (lived) live_in(one->w, d);
    one->count = 0;
    (void)w_losses_begin(one->w);
    return one;
}

static void closed(world *one)
{
    w_close(one->w);
    free(one);
}

// A pair of worlds: trees are spawned in one, and entity by entity in the other.
typedef struct pair {
    world *trees;
    world *hand;
} pair;

static pair pair_open(bool lived, dice d)
{
    return (pair){opened(lived, d), opened(lived, d)};
}

static void pair_close(pair p)
{
    closed(p.trees);
    closed(p.hand);
}

// ------------------------------------------------------------------------------------------------
// By hand

static bool (*const attach[])(w_world *, w_entity, w_entity) = {w_rig_attach, w_line_attach,
                                                                w_tie_attach, w_queue_attach};

static void place(w_world *w, const tree *t, const void *value, w_entity *out)
{
    for (uint32_t i = 0; i < t->node_count; i++) {
        out[i] = t->place(w, i, value);
        CHECK(!w_is_none(out[i]));
    }
}

// Fills in the refs. This does not use _edit, because a pointer that stays valid shows its value as
// changed again.
static void refer(w_world *w, const tree *t, const w_entity *e)
{
    char path[64];
    for (uint32_t i = 0; i < t->cell_count; i++) {
        const cell *c = &t->cells[i];
        if (c->target == NO_NODE) continue;
        snprintf(path, sizeof path, "%s.%s", c->component, c->field);
        CHECK(weft_field_set(w_world_base(w), e[c->node].bits, path, WEFT_TYPE_ENTITY,
                             &(uint64_t){e[c->target].bits}, sizeof(uint64_t)) == WEFT_OK);
    }
}

// Fills in the refs, attaches the parts and stores their handles.
static void join(w_world *w, const tree *t, const w_entity *e)
{
    refer(w, t, e);
    for (uint32_t i = 1; i < t->node_count; i++)
        CHECK(attach[t->nodes[i].by](w, e[i], e[t->nodes[i].above]));
    t->keep(w, e);
}

// Spawns n trees, one after the other, but joins them after the last.
static void by_hand(w_world *w, const tree *t, size_t n, const void *value, w_entity *out)
{
    for (size_t i = 0; i < n; i++) place(w, t, value, out + i * t->node_count);
    for (size_t i = 0; i < n; i++) join(w, t, out + i * t->node_count);
}

// ------------------------------------------------------------------------------------------------
// Comparing

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

static w_entity (*const parent_of[])(const w_world *, w_entity) = {w_rig_parent, w_line_parent,
                                                                   w_tie_parent, w_queue_parent};
static w_entity (*const first_child[])(const w_world *,
                                       w_entity) = {w_rig_first_child, w_line_first_child,
                                                    w_tie_first_child, w_queue_first_child};
static w_entity (*const next_sibling[])(const w_world *,
                                        w_entity) = {w_rig_next_sibling, w_line_next_sibling,
                                                     w_tie_next_sibling, w_queue_next_sibling};

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

// Checks everything about a tree with these handles.
static void check_tree(w_world *w, const tree *t, const void *value, const w_entity *e)
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

// Ends the validity of rows that _spawn_rows returned. Until then they are shown as changed.
static void settle(const pair *p)
{
    CHECK(w_same(w_plain_one_tag_spawn(p->trees->w, NULL), w_plain_one_tag_spawn(p->hand->w, NULL)));
}

static void check_same(const pair *p)
{
    check_readers(p);
    CHECK(w_hash(p->trees->w) == w_hash(p->hand->w));
    CHECK(w_hash_exact(p->trees->w) == w_hash_exact(p->hand->w));
    check_told(p);
}

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
        for (uint32_t i = 0; i < t->node_count; i++)
            CHECK(other || !w_same(copy[i], hand[i]));
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
    for (uint32_t i = 0; i < MANY; i++)
        check_tree(read->w, t, value, &hand[i * t->node_count]);
    text c = json_of(read->w);
    CHECK(strcmp(a.at, c.at) == 0);
    free(a.at);
    free(b.at);
    free(c.at);
    closed(read);
    pair_close(p);
}

// ------------------------------------------------------------------------------------------------

static void check(const tree *t, dice d)
{
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
