// Worlds with hooks that note their calls, and trees that are spawned entity by entity.
#include "rig.h"

// Entities that have lived. Narrow handles do not suffice for more.
enum { LIVED = sizeof(w_entity) == 2 ? 60 : 3000 };

_Noreturn void fail(const char *file, int line, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(1);
}

// ------------------------------------------------------------------------------------------------
// Hooks

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

world *opened(bool lived, dice d)
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

void closed(world *one)
{
    w_close(one->w);
    free(one);
}

pair pair_open(bool lived, dice d)
{
    return (pair){opened(lived, d), opened(lived, d)};
}

void pair_close(pair p)
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

void join(w_world *w, const tree *t, const w_entity *e)
{
    refer(w, t, e);
    for (uint32_t i = 1; i < t->node_count; i++)
        CHECK(attach[t->nodes[i].by](w, e[i], e[t->nodes[i].above]));
    t->keep(w, e);
}

void by_hand(w_world *w, const tree *t, size_t n, const void *value, w_entity *out)
{
    for (size_t i = 0; i < n; i++) place(w, t, value, out + i * t->node_count);
    for (size_t i = 0; i < n; i++) join(w, t, out + i * t->node_count);
}
