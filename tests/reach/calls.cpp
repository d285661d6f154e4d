// Typical functions, written with the calls of C and, if CPP is defined, with those of colony.hpp.
// test_cpp.py compares the machine code of the two.
#include "colony.hpp"

#ifdef CPP
using world = weft::world_ref<colony_world>;
#else
using world = colony_world *;
#endif

extern "C" {
float get(world w, colony_entity e);
bool edit(world w, colony_entity e);
bool set(world w, colony_entity e, float x);
bool has(world w, colony_entity e);
bool remove_it(world w, colony_entity e);
bool spawn(world w);
bool same(world w, colony_entity a, colony_entity b);
uint32_t singleton(world w);
uint64_t walk(world w);
void write(world w);
float near_by(world w, float x, float y);
uint64_t namesakes(world w, const char *name);
bool known(world w, const char *name);
bool resume(world w, colony_order order);
uint32_t looked_up(const colony_seek_work_ctx *ctx, colony_entity e);
bool claimed(const colony_seek_work_ctx *ctx, colony_entity e);
bool taken(const colony_seek_work_ctx *ctx, colony_entity e);
bool stored(const colony_seek_work_ctx *ctx, colony_entity e);
float reached(const colony_seek_work_ctx *ctx, float x, float y);
void emitted(const colony_raise_house_ctx *ctx, colony_entity e);
bool carried(const colony_deliver_ctx *ctx, colony_entity e);
bool passes(const colony_take_stock_ctx *ctx, colony_entity e);
uint64_t counted(const colony_take_stock_ctx *ctx);
bool dropped(const colony_deliver_ctx *ctx);
bool given(const colony_deliver_ctx *ctx, colony_entity e, colony_worker worker);
}

float get(world w, colony_entity e)
{
#ifdef CPP
    const auto *position = w.get<colony_position>(e);
#else
    const colony_position *position = colony_position_get(w, e);
#endif
    return position != nullptr ? position->x : 0;
}

bool edit(world w, colony_entity e)
{
#ifdef CPP
    colony_stock *stock = w.edit<colony_stock>(e);
#else
    colony_stock *stock = colony_stock_edit(w, e);
#endif
    if (stock == nullptr) return false;
    *stock = colony_stock{};
    return true;
}

bool set(world w, colony_entity e, float x)
{
    const colony_position position = {x, x};
#ifdef CPP
    return w.set(e, position);
#else
    return colony_position_set(w, e, position);
#endif
}

bool has(world w, colony_entity e)
{
#ifdef CPP
    return w.has<colony_sick>(e);
#else
    return colony_sick_has(w, e);
#endif
}

bool remove_it(world w, colony_entity e)
{
#ifdef CPP
    return w.remove<colony_sick>(e);
#else
    return colony_sick_remove(w, e);
#endif
}

bool spawn(world w)
{
    const colony_villager value = colony_villager_defaults();
#ifdef CPP
    return w.despawn(w.spawn(value));
#else
    return colony_despawn(w, colony_villager_spawn(w, &value));
#endif
}

bool same(world w, colony_entity a, colony_entity b)
{
#ifdef CPP
    return a == b && w.alive(a);
#else
    return colony_same(a, b) && colony_alive(w, a);
#endif
}

uint32_t singleton(world w)
{
#ifdef CPP
    return w.get<colony_ledger>()->people;
#else
    return colony_ledger_get(w)->people;
#endif
}

uint64_t walk(world w)
{
    uint64_t sum = 0;
#ifdef CPP
    for (const auto &it : w.each<colony_people>()) {
        for (uint32_t i = 0; i < it.count; i++) sum += it.worker[i].job;
    }
#else
    colony_people_iter it = colony_people_begin(w);
    while (colony_people_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) sum += it.worker[i].job;
    }
#endif
    return sum;
}

void write(world w)
{
#ifdef CPP
    for (const auto &it : w.each<colony_plants>()) {
        for (uint32_t i = 0; i < it.count; i++) it.plant[i] = colony_plant{};
    }
#else
    colony_plants_iter it = colony_plants_begin(w);
    while (colony_plants_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) it.plant[i] = colony_plant{};
    }
#endif
}

float near_by(world w, float x, float y)
{
    float sum = 0;
#ifdef CPP
    for (const auto &at : w.near<colony_depots_by_place>(x, y, 8)) sum += at.position->x;
#else
    colony_depots_by_place_near_iter at = colony_depots_by_place_near_begin(w, x, y, 8);
    while (colony_depots_by_place_near_next(&at)) sum += at.position->x;
#endif
    return sum;
}

uint64_t namesakes(world w, const char *name)
{
    uint64_t sum = 0;
#ifdef CPP
    for (const auto &at : w.each<colony_by_name>(name)) sum += at.entity.bits;
    return sum + w.count<colony_by_name>(name);
#else
    colony_by_name_each_iter at = colony_by_name_each_begin(w, name);
    while (colony_by_name_each_next(&at)) sum += at.entity.bits;
    return sum + colony_by_name_count(w, name);
#endif
}

bool known(world w, const char *name)
{
#ifdef CPP
    return w.alive(w.find<colony_by_name>(name));
#else
    return colony_alive(w, colony_by_name_find(w, name));
#endif
}

bool resume(world w, colony_order order)
{
#ifdef CPP
    return w.now<colony_pause>() == COLONY_PAUSE_ON && w.go(COLONY_PAUSE_OFF) && w.put(order);
#else
    return colony_pause_now(w) == COLONY_PAUSE_ON && colony_pause_go(w, COLONY_PAUSE_OFF) &&
           colony_order_put(w, order);
#endif
}

// ---- in systems, with what they are granted

uint32_t looked_up(const colony_seek_work_ctx *ctx, colony_entity e)
{
#ifdef CPP
    const colony_stock *stock = weft::get<colony_stock>(ctx, e);
#else
    const colony_stock *stock = colony_stock_get_in(ctx->stock, e);
#endif
    return stock != nullptr ? stock->amount[0] : 0;
}

bool claimed(const colony_seek_work_ctx *ctx, colony_entity e)
{
#ifdef CPP
    colony_claim *claim = weft::edit<colony_claim>(ctx, e);
#else
    colony_claim *claim = colony_claim_edit_in(ctx->claim, e);
#endif
    if (claim == nullptr) return false;
    claim->by = e;
    return true;
}

bool taken(const colony_seek_work_ctx *ctx, colony_entity e)
{
#ifdef CPP
    return !weft::has<colony_taken>(ctx, e) && weft::set<colony_taken>(ctx, e);
#else
    return !colony_taken_has_in(ctx->taken.reader, e) && colony_taken_set_in(ctx->taken, e);
#endif
}

bool stored(const colony_seek_work_ctx *ctx, colony_entity e)
{
#ifdef CPP
    return weft::has<colony_stock>(ctx, e);
#else
    return colony_stock_has_in(ctx->stock, e);
#endif
}

float reached(const colony_seek_work_ctx *ctx, float x, float y)
{
    float sum = 0;
#ifdef CPP
    for (const auto &at : weft::near<colony_depots_by_place>(ctx, x, y, 8)) sum += at.position->x;
#else
    colony_depots_by_place_near_iter at =
        colony_depots_by_place_near_begin_in(ctx->depots_by_place, x, y, 8);
    while (colony_depots_by_place_near_next(&at)) sum += at.position->x;
#endif
    return sum;
}

void emitted(const colony_raise_house_ctx *ctx, colony_entity e)
{
#ifdef CPP
    weft::emit(ctx, colony_built{e});
#else
    colony_built_emit(ctx->emit_built, colony_built{e});
#endif
}

bool carried(const colony_deliver_ctx *ctx, colony_entity e)
{
#ifdef CPP
    return bool(weft::first_child<colony_carried_by>(ctx, e));
#else
    return !colony_is_none(colony_carried_by_first_child_in(ctx->carried_by, e));
#endif
}

bool passes(const colony_take_stock_ctx *ctx, colony_entity e)
{
#ifdef CPP
    return weft::passes<colony_houses>(ctx, e);
#else
    return colony_houses_passes_in(ctx->houses, e);
#endif
}

uint64_t counted(const colony_take_stock_ctx *ctx)
{
    uint64_t sum = 0;
#ifdef CPP
    for (const auto &it : weft::each<colony_stocks>(ctx)) {
        for (uint32_t i = 0; i < it.count; i++) sum += it.stock[i].amount[0];
    }
#else
    colony_stocks_iter it = colony_stocks_begin_in(ctx->stocks);
    while (colony_stocks_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) sum += it.stock[i].amount[0];
    }
#endif
    return sum;
}

bool dropped(const colony_deliver_ctx *ctx)
{
#ifdef CPP
    return bool(weft::spawn<colony_bundle>(ctx->cmd));
#else
    return !colony_is_none(colony_cmd_bundle_spawn(ctx->cmd, nullptr));
#endif
}

bool given(const colony_deliver_ctx *ctx, colony_entity e, colony_worker worker)
{
#ifdef CPP
    return weft::set(ctx->cmd, e, worker);
#else
    return colony_cmd_worker_set(ctx->cmd, e, worker);
#endif
}
