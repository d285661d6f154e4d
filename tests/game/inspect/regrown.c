// The colony with a bug: gathering grain does not reset the growth of the field, so the field is
// ripe again at once. Tests find the missing write by the page alone. The linker puts this function
// in place of the game's system.
#include "colony_gather.h"

#include "colony_goods.h"

void __real_colony_gather(const colony_gather_ctx *ctx, uint32_t count,
                          const colony_position *position, colony_worker *worker,
                          colony_walker *walker);
void __wrap_colony_gather(const colony_gather_ctx *ctx, uint32_t count,
                          const colony_position *position, colony_worker *worker,
                          colony_walker *walker);

void __wrap_colony_gather(const colony_gather_ctx *ctx, uint32_t count,
                          const colony_position *position, colony_worker *worker,
                          colony_walker *walker)
{
    colony_gather_ctx one = *ctx; // of one row
    for (uint32_t i = 0; i < count; i++, one.entities++) {
        const bool gathers = worker[i].job == COLONY_JOB_GATHER;
        colony_plant *plant = gathers ? colony_plant_edit_in(ctx->plant, worker[i].source) : NULL;
        const float hours_grown = plant != NULL ? plant->hours_grown : 0;
        __real_colony_gather(&one, 1, &position[i], &worker[i], &walker[i]);
        if (plant != NULL && plant->goods == COLONY_GOODS_GRAIN) plant->hours_grown = hours_grown;
    }
}
