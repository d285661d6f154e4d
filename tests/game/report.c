// Prints the state of the colony in words and numbers.
#include "report.h"

#include "colony.h"
#include "ground.h"

#include <inttypes.h>
#include <stdio.h>

void report_date(colony_world *world)
{
    const colony_calendar *calendar = colony_calendar_get(world);
    int minutes = (int)(calendar->hour * 60.0f);
    printf("Day %" PRIu32 ", %s, %02d:%02d\n", calendar->day, colony_season_name(calendar->season),
           minutes / 60, minutes % 60);
}

static uint32_t all_deaths(const colony_chronicle *chronicle)
{
    uint32_t deaths = 0;
    for (int cause = 0; cause < COLONY_CAUSE_COUNT; cause++) deaths += chronicle->deaths[cause];
    return deaths;
}

void report_progress_head(void)
{
    puts("  day season  people born died | grain bread  wood planks | houses  news");
}

void report_progress(colony_world *world)
{
    const colony_calendar *calendar = colony_calendar_get(world);
    const colony_ledger *ledger = colony_ledger_get(world);
    const colony_chronicle *chronicle = colony_chronicle_get(world);
    printf("%5" PRIu32 " %-7s %6" PRIu32 " %4" PRIu32 " %4" PRIu32 " |", calendar->day,
           colony_season_name(calendar->season), ledger->people, chronicle->births,
           all_deaths(chronicle));
    printf(" %5" PRIu32 " %5" PRIu32 " %5" PRIu32 " %6" PRIu32 " |",
           ledger->goods[COLONY_GOODS_GRAIN], ledger->goods[COLONY_GOODS_BREAD],
           ledger->goods[COLONY_GOODS_WOOD], ledger->goods[COLONY_GOODS_PLANKS]);
    printf(" %6" PRIu32 "  %s\n", ledger->houses, chronicle->news);
    fflush(stdout); // so that long runs show each line immediately
}

bread_count report_count_bread(colony_world *world)
{
    return (bread_count){
        .day = colony_calendar_get(world)->day,
        .loaves = colony_ledger_get(world)->goods[COLONY_GOODS_BREAD],
    };
}

void report_bread(colony_world *world, bread_count *last)
{
    bread_count now = report_count_bread(world);
    if (now.day == last->day) return;
    if (now.loaves < last->loaves) {
        printf("  day %" PRIu32 ": bread fell from %" PRIu32 " to %" PRIu32 "\n", last->day,
               last->loaves, now.loaves);
    }
    *last = now;
}

void report_summary(colony_world *world, uint64_t ticks)
{
    const colony_ledger *ledger = colony_ledger_get(world);
    const colony_chronicle *chronicle = colony_chronicle_get(world);
    const uint32_t *deaths = chronicle->deaths;
    printf("After %" PRIu64 " ticks: ", ticks);
    report_date(world);
    printf("  people       %" PRIu32 " (%" PRIu32 " children, %" PRIu32 " sick)\n", ledger->people,
           ledger->children, ledger->sick);
    printf("  born         %" PRIu32 "\n", chronicle->births);
    printf("  died         %" PRIu32 " (%" PRIu32 " of age, %" PRIu32 " of hunger, %" PRIu32
           " of sickness)\n",
           all_deaths(chronicle), deaths[COLONY_CAUSE_AGE], deaths[COLONY_CAUSE_HUNGER],
           deaths[COLONY_CAUSE_SICKNESS]);
    printf("  goods        %" PRIu32 " wood, %" PRIu32 " grain, %" PRIu32 " planks, %" PRIu32
           " bread\n",
           ledger->goods[COLONY_GOODS_WOOD], ledger->goods[COLONY_GOODS_GRAIN],
           ledger->goods[COLONY_GOODS_PLANKS], ledger->goods[COLONY_GOODS_BREAD]);
    printf("  houses       %" PRIu32 " (%" PRIu32 " built, %" PRIu32 " beds free)\n",
           ledger->houses, chronicle->houses_built, ledger->beds_free);
    ground map = ground_of(colony_ground_get(world), colony_patches_begin(world));
    printf("  worn ground  %" PRIu32 " tiles of path and road\n", ground_trodden_tiles(&map));
    printf("  colony_hash  0x%016" PRIx64 "\n", colony_hash(world));
}
