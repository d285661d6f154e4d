// Types of the game. The schema dust.toml describes a part of them.
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
