#include "link_all.h"

#include "report.h"

weft_link_all weft_link_all_begin(const weft_world *world, uint32_t link)
{
    weft_link_all all;
    all.runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
    all.runs.run.count = 0;
    all.moment = weft_moment(world);
    all.from = 0;
    all.to = 0;
    all.at = 0;
    return all;
}

bool weft_link_all_more(weft_link_all *all)
{
    const weft_world *world = all->runs.world;
    if (all->moment == WEFT_NO_MOMENT) return false;
    bool passed = all->moment != weft_moment(world);
    if (passed) weft_moment_passed(world, all->moment, "a loop over links");
    all->at = 0;
    if (!passed && weft_link_runs_next(&all->runs)) return true;
    all->moment = WEFT_NO_MOMENT;
    all->runs.run.count = 0;
    return false;
}
