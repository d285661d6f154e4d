// The hooks and systems of the world of clones. Each writes to the notes of its world.
//
// flags: hot
#include "twin_notes.h"

static void note(const twin_hook_ctx *ctx, twin_entity e, uint32_t kind)
{
    twin_notes *notes = (twin_notes *)ctx->user;
    if (!notes || notes->count == TWIN_NOTES_MAX) return;
    notes->items[notes->count++] = (twin_note){e.bits, kind, ctx->reason};
}

void twin_bond_on_add(const twin_hook_ctx *ctx, twin_entity e, twin_bond *bond)
{
    (void)bond;
    note(ctx, e, TWIN_BOND_ADDED);
}

void twin_fever_on_add(const twin_hook_ctx *ctx, twin_entity e, twin_fever *fever)
{
    (void)fever;
    note(ctx, e, TWIN_FEVER_ADDED);
}

void twin_awake_on_add(const twin_hook_ctx *ctx, twin_entity e)
{
    note(ctx, e, TWIN_AWAKE_ADDED);
}

void twin_carries_on_attach(const twin_hook_ctx *ctx, twin_entity child, twin_entity parent)
{
    (void)parent;
    note(ctx, child, TWIN_CARRIED);
}

void twin_owes_on_add(const twin_hook_ctx *ctx, twin_entity from, twin_entity to, twin_owes *value)
{
    (void)to;
    (void)value;
    note(ctx, from, TWIN_OWES);
}

void twin_watch(const twin_watch_ctx *ctx, uint32_t count)
{
    twin_notes *notes = (twin_notes *)ctx->user;
    if (notes) notes->added += count;
}

void twin_breed(const twin_breed_ctx *ctx, uint32_t count, const twin_bond *bond)
{
    const twin_clone_options below = {.carries = true};
    for (uint32_t i = 0; i < count; i++) {
        if (bond[i].strength >= 100) continue;
        twin_entity copy = twin_cmd_clone(ctx->cmd, ctx->entities[i], &below);
        if (twin_is_none(copy)) continue;
        twin_cmd_marked_remove(ctx->cmd, copy);
        twin_cmd_bond_set(ctx->cmd, copy, (twin_bond){.to = copy, .strength = 1000});
    }
}
