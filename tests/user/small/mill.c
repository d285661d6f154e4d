#include "mill.h"

#include <stdio.h>

// Returns whether a place, or one that it is a part of, is open and has flour.
static bool has_flour(mill_stock_reader stocks, mill_closed_reader closed,
                      mill_part_of_reader part_of, mill_entity place)
{
    for (; !mill_is_none(place); place = mill_part_of_parent_in(part_of, place)) {
        const mill_stock *stock = mill_stock_get_in(stocks, place);
        if (stock != NULL && stock->flour > 0 && !mill_closed_has_in(closed, place)) return true;
    }
    return false;
}

void mill_bake(const mill_bake_ctx *ctx, uint32_t count, const mill_order *order)
{
    for (uint32_t i = 0; i < count; i++) {
        if (has_flour(ctx->stock, ctx->closed, ctx->part_of, order[i].at)) {
            mill_claim *claim = mill_claim_edit_in(ctx->claim, order[i].at);
            if (claim != NULL) claim->count++;
        } else {
            mill_shortage_emit(ctx->emit_shortage, (mill_shortage){order[i].at});
        }
    }
}

void mill_sell(const mill_sell_ctx *ctx, uint32_t count, const mill_order *order)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!has_flour(ctx->stock.reader, ctx->closed, ctx->part_of, order[i].at)) continue;
        mill_stock *stock = mill_stock_edit_in(ctx->stock, order[i].at);
        if (stock != NULL && stock->flour > 0) stock->flour--;
    }
}

void mill_audit(const mill_audit_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->shortage_count; i++) {
        mill_entity at = ctx->shortage[i].at;
        if (!has_flour(ctx->stock, ctx->closed, ctx->part_of, at)) ctx->ledger->misses++;
    }
}

void mill_order_on_add(const mill_hook_ctx *ctx, mill_entity e, mill_order *value)
{
    if (ctx->reason == WEFT_BY_LOAD) return; // this order is not new
    if (has_flour(ctx->stock, ctx->closed, ctx->part_of, value->at)) return;
    printf("an order for an empty store\n");
    mill_cmd_claim_set(ctx->cmd, e, mill_claim_defaults());
}

int main(void)
{
    mill_world *w = mill_open(NULL);
    if (w == NULL) return 1;
    mill_entity store = mill_spawn(w), shelf = mill_spawn(w);
    mill_stock_set(w, store, mill_stock_defaults());
    mill_claim_set(w, store, mill_claim_defaults());
    mill_part_of_attach(w, shelf, store);
    mill_order_set(w, mill_spawn(w), (mill_order){store});
    mill_order_set(w, mill_spawn(w), (mill_order){shelf});
    mill_tick(w, 1);
    mill_closed_set(w, store);
    mill_order_set(w, mill_spawn(w), (mill_order){shelf});
    mill_tick(w, 1);
    printf("%u of flour, %u claims, %u misses\n", mill_stock_get(w, store)->flour,
           mill_claim_get(w, store)->count, mill_ledger_get(w)->misses);
    mill_close(w);
    return 0;
}
