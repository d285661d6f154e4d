// Hooks of the world that is saved in parts: they count why they were called.
#include "region_hooks.h"

#include "region.h"

region_counts region_told;

void region_place_on_add(const region_hook_ctx *ctx, region_entity e, region_place *place)
{
    (void)e;
    place->seen = 9;
    region_told.added[ctx->reason]++;
}

void region_place_on_remove(const region_hook_ctx *ctx, region_entity e, const region_place *place)
{
    (void)e;
    (void)place;
    region_told.removed[ctx->reason]++;
}

void region_tree_on_attach(const region_hook_ctx *ctx, region_entity child, region_entity parent)
{
    (void)child;
    (void)parent;
    region_told.attached[ctx->reason]++;
}

void region_tree_on_detach(const region_hook_ctx *ctx, region_entity child, region_entity parent)
{
    (void)child;
    (void)parent;
    region_told.detached[ctx->reason]++;
}

void region_watch(const region_watch_ctx *ctx, uint32_t count,
                  const region_place *WEFT_RESTRICT place)
{
    (void)ctx;
    (void)place;
    region_told.turns += count;
}
