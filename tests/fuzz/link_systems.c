// Systems and hooks of the fuzzer of links, and what a tick does to the model.
//
// flags: played
#include "link_run.h"

#include "fail.h"

#include <string.h>

// ---- hooks

static void tell(const bonds_hook_ctx *ctx, kind k, bool added, bonds_entity from, bonds_entity to)
{
    run *r = (run *)ctx->user;
    if (!kinds[k].has(ctx->world, from, to)) fail("%s: a hook without its link", kinds[k].name);
    if (r->deaf) return;
    if (r->told.count == TELLINGS_MAX) fail("more hooks than the test can list");
    r->told.items[r->told.count++] = (telling){k, added, from, to};
}

void bonds_owes_on_add(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to, bonds_owes *v)
{
    if (bonds_owes_get(ctx->world, from, to) != v) fail("owes: a hook gets another value");
    tell(ctx, OWES, true, from, to);
    v->met = true;
}

void bonds_owes_on_remove(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to,
                          const bonds_owes *v)
{
    if (bonds_owes_get(ctx->world, from, to) != v) fail("owes: a hook gets another value");
    tell(ctx, OWES, false, from, to);
}

void bonds_trusts_on_add(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to,
                         bonds_trusts *v)
{
    tell(ctx, TRUSTS, true, from, to);
    v->met = true;
}

void bonds_trusts_on_remove(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to,
                            const bonds_trusts *v)
{
    if (bonds_trusts_get(ctx->world, to, from) != v) fail("trusts: a hook gets another value");
    tell(ctx, TRUSTS, false, from, to);
}

void bonds_needs_on_remove(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to)
{
    tell(ctx, NEEDS, false, from, to);
}

void bonds_shares_on_add(const bonds_hook_ctx *ctx, bonds_entity from, bonds_entity to)
{
    tell(ctx, SHARES, true, from, to);
}

// ---- systems

// Returns any end, often one that an earlier command of this tick spawns.
static bonds_entity any_promised(run *r)
{
    for (uint32_t i = r->command_count; i-- > 0 && dice_once_in(&r->d, 2);) {
        const command *c = &r->commands[i];
        if (c->kind == COMMAND_SPAWN || c->kind == COMMAND_CLONE) return c->to;
    }
    return any_end(r);
}

static void record_command(run *r, bonds_cmd *cmd)
{
    command c = {.of = any_kind(r), .from = any_promised(r), .to = any_promised(r)};
    uint32_t drawn = dice_below(&r->d, 16);
    c.v = any_value(r);
    c.kind = drawn < 8 ? COMMAND_SET : drawn < 13 ? COMMAND_REMOVE : COMMAND_DESPAWN;
    if (drawn >= 14 && r->m.living < r->population) {
        c.kind = drawn == 14 ? COMMAND_SPAWN : COMMAND_CLONE;
    }
    if (c.kind == COMMAND_CLONE && bonds_is_none(c.from)) c.kind = COMMAND_SPAWN;
    if (c.kind == COMMAND_SET) kinds[c.of].cmd_set(cmd, c.from, c.to, &c.v);
    if (c.kind == COMMAND_REMOVE) kinds[c.of].cmd_remove(cmd, c.from, c.to);
    if (c.kind == COMMAND_DESPAWN) bonds_cmd_despawn(cmd, c.from);
    if (c.kind == COMMAND_SPAWN) c.to = bonds_cmd_one_spawn(cmd, NULL);
    if (c.kind == COMMAND_CLONE) c.to = bonds_cmd_clone(cmd, c.from, NULL);
    r->commands[r->command_count++] = c;
}

static void edit_in_system(run *r, bonds_owes_writer owes)
{
    bonds_entity e = any_living(r);
    item_list *list = &r->m.links[OWES][INDEX(e)];
    if (list->count == 0) return;
    item *edited = &list->items[dice_below(&r->d, list->count)];
    bonds_owes *v = bonds_owes_edit_in(owes, e, r->m.handle[edited->to]);
    if (!v) fail("edit_in finds no link");
    v->number = edited->v.number = dice_below(&r->d, 1000);
    model_written(&r->m, OWES, INDEX(e), edited->to);
}

void bonds_act(const bonds_act_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    (void)count;
    if (r->m.living == 0) return;
    bonds_entity a = any_living(r);
    bonds_entity b = any_living(r);
    bool known = model_find(&r->m, KNOWS, INDEX(a), INDEX(b)) != NULL;
    if (bonds_knows_has_in(ctx->knows, a, b) != known) fail("knows: has_in is wrong");
    edit_in_system(r, ctx->owes);
    uint32_t commands = dice_below(&r->d, COMMANDS_MAX);
    while (r->command_count < commands) record_command(r, ctx->cmd);
}

// The commands that `urge` records depend only on the row and the tick, because parts of the rows
// run on several threads.
static bool urges(bonds_entity e, uint64_t tick)
{
    return (e.bits % 1021 + tick) % 5 == 0;
}

static bonds_entity urged(const run *r, bonds_entity e, uint64_t tick)
{
    return r->m.handle[(INDEX(e) * 7 + tick) % r->m.top];
}

static value urged_value(bonds_entity e, uint64_t tick)
{
    return (value){.number = (uint32_t)tick, .paid = e.bits, .witness = e};
}

void bonds_urge(const bonds_urge_ctx *ctx, uint32_t count, const bonds_purse *WEFT_RESTRICT purse)
{
    const run *r = (const run *)ctx->user;
    (void)purse;
    for (uint32_t i = 0; i < count; i++) {
        bonds_entity e = ctx->entities[i];
        if (!urges(e, ctx->tick)) continue;
        value v = urged_value(e, ctx->tick);
        kinds[OWES].cmd_set(ctx->cmd, e, urged(r, e, ctx->tick), &v);
    }
}

void bonds_pay(const bonds_pay_ctx *ctx, uint32_t count, const bonds_entity *from,
               const bonds_entity *to, bonds_owes *const *owes,
               const bonds_purse *const *from_purse, bonds_charm *const *from_charm,
               const bonds_drift_columns *to_drift)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        if (owes[i] != bonds_owes_get(r->w, from[i], to[i])) fail("pay: another link");
        if (from_purse[i] != bonds_purse_get(r->w, from[i])) fail("pay: another end");
        owes[i]->paid++;
        from_charm[i]->power++;
        *to_drift[i].x += 1;
    }
    r->paid += count;
}

void bonds_sum(const bonds_sum_ctx *ctx, uint32_t count, const bonds_entity *from,
               const bonds_entity *to, const bonds_trusts *const *trusts,
               const bonds_purse *const *to_purse)
{
    (void)from, (void)to, (void)to_purse;
    for (uint32_t i = 0; i < count; i++) ctx->partial->numbers += trusts[i]->number;
    ctx->partial->links += count;
}

void bonds_sum_merge(const bonds_sum_ctx *ctx, const bonds_sum_partial *parts, uint32_t count)
{
    run *r = (run *)ctx->user;
    r->sum = (bonds_sum_partial){0, 0};
    for (uint32_t i = 0; i < count; i++) {
        r->sum.links += parts[i].links;
        r->sum.numbers += parts[i].numbers;
    }
}

void bonds_lift(const bonds_lift_ctx *ctx, uint32_t count, const bonds_entity *from,
                const bonds_entity *to, bonds_bears *const *bears)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        if (bears[i] != bonds_bears_get(r->w, from[i], to[i])) fail("lift: another link");
        bears[i]->number++;
    }
    atomic_fetch_add(&r->lifted, count);
}

void bonds_note(const bonds_note_ctx *ctx, uint32_t count)
{
    run *r = (run *)ctx->user;
    for (uint32_t i = 0; i < count; i++) r->noted[INDEX(ctx->entities[i])] = true;
}

// ---- a tick of the model

static void model_command(run *r, const command *c)
{
    model *m = &r->m;
    uint32_t from = INDEX(c->from);
    uint32_t to = INDEX(c->to);
    switch (c->kind) {
    case COMMAND_SET:
        if (!model_alive(m, c->from) || !model_alive(m, c->to)) return;
        model_set(m, c->of, from, to, &c->v);
        return;
    case COMMAND_REMOVE:
        if (model_exists(m, c->from) && model_exists(m, c->to)) model_remove(m, c->of, from, to);
        return;
    case COMMAND_DESPAWN:
        model_despawn(m, c->from);
        return;
    case COMMAND_SPAWN:
        model_spawn(m, c->to);
        return;
    case COMMAND_CLONE:
        if (model_alive(m, c->from)) clone_one(m, c->from, c->to);
        return;
    }
}

static bool both_live(const model *m, uint32_t from, uint32_t to)
{
    return m->state[from] == ALIVE && m->state[to] == ALIVE;
}

static void model_pay(run *r)
{
    model *m = &r->m;
    uint64_t paid = 0;
    for (uint32_t i = 0; i < m->top; i++) {
        for (uint32_t j = 0; j < m->links[OWES][i].count; j++) {
            item *link = &m->links[OWES][i].items[j];
            bool has = m->purse[i] && m->charm[i] && m->drift[link->to];
            if (!both_live(m, i, link->to) || !has) continue;
            paid++;
            link->v.paid++;
            m->power[i]++;
            m->drift_x[link->to]++;
            model_written(m, OWES, i, link->to);
        }
    }
    if (paid != r->paid) fail("pay got %u links", (unsigned)r->paid);
}

static void model_sum_and_lift(run *r)
{
    model *m = &r->m;
    bonds_sum_partial sum = {0, 0};
    uint64_t lifted = 0;
    for (uint32_t i = 0; i < m->top; i++) {
        for (uint32_t j = 0; j < m->links[TRUSTS][i].count; j++) {
            const item *link = &m->links[TRUSTS][i].items[j];
            if (!both_live(m, i, link->to) || !m->purse[link->to]) continue;
            sum.links++;
            sum.numbers += link->v.number;
        }
        for (uint32_t j = 0; j < m->links[BEARS][i].count; j++) {
            item *link = &m->links[BEARS][i].items[j];
            if (!both_live(m, i, link->to)) continue;
            lifted++;
            link->v.number++;
            model_written(m, BEARS, i, link->to);
        }
    }
    if (sum.links != r->sum.links || sum.numbers != r->sum.numbers) fail("another sum");
    if (lifted != atomic_load(&r->lifted)) fail("another number of links is lifted");
}

static void model_commands(run *r, const bool *urging, uint64_t number)
{
    model *m = &r->m;
    bonds_entity to[INDICES];
    for (uint32_t i = 0; i < m->top; i++) {
        if (urging[i]) to[i] = urged(r, m->handle[i], number);
    }
    bonds_entity from[INDICES];
    uint32_t top = m->top;
    memcpy(from, m->handle, sizeof from);
    for (uint32_t i = 0; i < r->command_count; i++) model_command(r, &r->commands[i]);
    for (uint32_t i = 0; i < top; i++) {
        if (!urging[i] || !model_alive(m, from[i]) || !model_alive(m, to[i])) continue;
        value v = urged_value(from[i], number);
        model_set(m, OWES, i, INDEX(to[i]), &v);
    }
}

void tick(run *r)
{
    model *m = &r->m;
    bool urging[INDICES] = {false};
    uint64_t number = bonds_stats(r->w).ticks;
    for (uint32_t i = 0; i < m->top; i++) {
        urging[i] = m->state[i] == ALIVE && m->purse[i] && urges(m->handle[i], number);
    }
    r->command_count = 0;
    r->paid = 0;
    r->sum = (bonds_sum_partial){0, 0};
    atomic_store(&r->lifted, 0);
    memset(r->noted, 0, sizeof r->noted);
    model_loans_end(m);
    if (bonds_tick(r->w, 0.1) != WEFT_OK) fail("a tick fails: %s", bonds_error(r->w));
    model_commands(r, urging, number);
    model_pay(r);
    model_sum_and_lift(r);
    compare_noted(r);
    for (uint32_t i = 0; i < r->command_count; i++) {
        const command *c = &r->commands[i];
        bool spawns = c->kind == COMMAND_SPAWN || c->kind == COMMAND_CLONE;
        if (spawns && model_alive(m, c->to)) give_new_id(r, c->to);
    }
}
