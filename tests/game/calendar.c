// The calendar: ticks become hours, days, seasons and years.
#include "colony_keep_calendar.h"

static const float HOURS_A_DAY = 24.0f;
enum { DAYS_A_SEASON = 3, SEASONS = 4 };

void colony_keep_calendar(const colony_keep_calendar_ctx *ctx, uint32_t count)
{
    (void)count; // always 0: a system without columns runs once a turn
    colony_calendar *calendar = ctx->calendar;
    calendar->hour += (float)ctx->dt;
    while (calendar->hour >= HOURS_A_DAY) {
        calendar->hour -= HOURS_A_DAY;
        calendar->day++;
    }
    calendar->season = (colony_season)((calendar->day - 1) / DAYS_A_SEASON % SEASONS);
}
