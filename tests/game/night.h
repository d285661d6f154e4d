// The hours at which people stay at home.
#ifndef NIGHT_H
#define NIGHT_H

#include "colony_calendar.h"

#include <stdbool.h>

static inline bool is_night(const colony_calendar *calendar)
{
    return calendar->hour >= 21.0f || calendar->hour < 5.0f;
}

#endif
