// The game's own type, which schema.toml describes.
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

struct matrix {
    double scale;
    float m[4];
    struct {
        uint32_t count;
        uint16_t items[3];
    } steps;
};

#endif
