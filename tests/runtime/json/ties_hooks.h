// The hooks of the world `ties`, for programs that only count their calls.
#ifndef TIES_HOOKS_H
#define TIES_HOOKS_H

#include "ties.h"
#include "ties_run.h"

static uint32_t told_added;
static uint32_t told_removed;

void ties_owes_on_add(const ties_hook_ctx *ctx, ties_entity from, ties_entity to, ties_owes *value)
{
    told_added += ties_owes_get(ctx->world, from, to) == value;
}

void ties_owes_on_remove(const ties_hook_ctx *ctx, ties_entity from, ties_entity to,
                         const ties_owes *value)
{
    told_removed += ties_owes_get(ctx->world, from, to) == value;
}

#endif
