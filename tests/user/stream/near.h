// Which regions are near the walker: its own and those around it.
#ifndef NEAR_H
#define NEAR_H

#include "prairie.h"

enum { SIDE = 8, REGIONS = SIDE * SIDE };

static inline bool is_near(const prairie_walker *walker, uint32_t region)
{
    uint32_t right = region % SIDE + 1 - walker->x; // 0, 1 or 2
    uint32_t down = region / SIDE + 1 - walker->y;
    return right <= 2 && down <= 2;
}

#endif
