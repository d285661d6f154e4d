#include "mill.hpp"

#include <cstdio>

// Returns whether a place, or one that it is a part of, is open and has flour.
static bool has_flour(const weft::reads<mill_stock, mill_closed, mill_part_of> auto &ctx, mill_entity place)
{
    for (; place; place = weft::parent<mill_part_of>(ctx, place)) {
        const mill_stock *stock = weft::get<mill_stock>(ctx, place);
        if (stock != nullptr && stock->flour > 0 && !weft::has<mill_closed>(ctx, place)) return true;
    }
    return false;
}

void mill_bake(const mill_bake_ctx *ctx, uint32_t count, const mill_order *order)
{
    for (const mill_order &one : std::span(order, count)) {
        if (!has_flour(ctx, one.at)) {
            weft::emit(ctx, mill_shortage{.at = one.at});
        } else if (mill_claim *claim = weft::edit<mill_claim>(ctx, one.at)) {
            claim->count++;
        }
    }
}

void mill_sell(const mill_sell_ctx *ctx, uint32_t count, const mill_order *order)
{
    for (const mill_order &one : std::span(order, count)) {
        if (!has_flour(ctx, one.at)) continue;
        mill_stock *stock = weft::edit<mill_stock>(ctx, one.at);
        if (stock != nullptr && stock->flour > 0) stock->flour--;
    }
}

void mill_audit(const mill_audit_ctx *ctx, uint32_t)
{
    for (const mill_shortage &one : std::span(ctx->shortage, ctx->shortage_count)) {
        if (!has_flour(ctx, one.at)) weft::edit<mill_ledger>(ctx)->misses++;
    }
}

void mill_order_on_add(const mill_hook_ctx *ctx, mill_entity e, mill_order *value)
{
    if (ctx->reason == WEFT_BY_LOAD) return; // this order is not new
    if (has_flour(ctx, value->at)) return;
    std::puts("an order for an empty store");
    weft::set(ctx->cmd, e, mill_claim{});
}

int main()
{
    weft::world<mill_world> w;
    if (!w) return 1;
    const mill_entity store = w.spawn(), shelf = w.spawn();
    w.set(store, mill_stock{});
    w.set(store, mill_claim{});
    w.attach<mill_part_of>(shelf, store);
    for (mill_entity at : {store, shelf}) w.set(w.spawn(), mill_order{.at = at});
    w.tick(1);
    w.set<mill_closed>(store);
    w.set(w.spawn(), mill_order{.at = shelf});
    w.tick(1);
    if (has_flour(w, shelf)) return 1; // a world will do, too
    std::printf("%u of flour, %u claims, %u misses\n", w.get<mill_stock>(store)->flour,
                w.get<mill_claim>(store)->count, w.get<mill_ledger>()->misses);

    const weft::saved kept = w.save_memory();
    weft::world<mill_world> later{weft::closed}; // opens nothing: `if (later)` is false
    later = weft::world<mill_world>({.workers = 2});
    if (!kept || later.load_memory(kept) != WEFT_OK) return 1;
    return later.hash_exact() == w.hash_exact() ? 0 : 1;
}
