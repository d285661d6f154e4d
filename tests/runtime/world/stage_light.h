// Types of a game that its systems use as resources, by pointers.
#ifndef STAGE_LIGHT_H
#define STAGE_LIGHT_H

#include <stdint.h>

struct lamp {
    uint32_t lit; // how often
};

typedef struct stage_house {
    uint32_t lamps;
} stage_house;

#endif
