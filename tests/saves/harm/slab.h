// Types of the game's own, of which the schema of dust.toml knows a part.
#ifndef SLAB_H
#define SLAB_H

#include <stdint.h>

typedef struct slab {
    uint16_t height;
    uint32_t hidden;
    uint16_t width;
    uint8_t kind;
} slab;

typedef struct brick {
    union {
        uint16_t length;
        uint16_t same;
    };
    uint16_t hidden;
} brick;

#endif
