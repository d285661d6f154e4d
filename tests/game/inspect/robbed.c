// The colony with a bug: delivering anything at a stock removes the bread that is there. Tests find
// the bug by the page alone. The linker puts this function in place of the game's system.
#include "colony_deliver.h"

#include "colony_goods.h"

void __real_colony_deliver(const colony_deliver_ctx *ctx, uint32_t count, colony_worker *worker);
void __wrap_colony_deliver(const colony_deliver_ctx *ctx, uint32_t count, colony_worker *worker);

void __wrap_colony_deliver(const colony_deliver_ctx *ctx, uint32_t count, colony_worker *worker)
{
    for (uint32_t i = 0; i < count; i++) {
        if (worker[i].job != COLONY_JOB_DELIVER) continue;
        colony_stock *stock = colony_stock_edit_in(ctx->stock, worker[i].destination);
        if (stock != NULL) stock->amount[COLONY_GOODS_BREAD] = 0;
    }
    __real_colony_deliver(ctx, count, worker);
}
