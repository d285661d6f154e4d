// What the hooks of the region world were told, by reason.
#ifndef REGION_HOOKS_H
#define REGION_HOOKS_H

#include <stdint.h>

#define REGION_REASONS 16

typedef struct region_counts {
    uint32_t added[REGION_REASONS];
    uint32_t removed[REGION_REASONS];
    uint32_t attached[REGION_REASONS];
    uint32_t detached[REGION_REASONS];
    uint32_t turns;
} region_counts;

extern region_counts region_told;

#endif
