// What design.toml takes for the game's own: 16 floats, aligned for vectors.
#ifndef MATH_MAT4_H
#define MATH_MAT4_H

struct mat4 {
    float m[16];
} __attribute__((aligned(16)));

#endif
