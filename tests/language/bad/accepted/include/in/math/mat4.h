// The game's own type in design.toml: 16 floats, aligned for vectors.
#ifndef MATH_MAT4_H
#define MATH_MAT4_H

struct mat4 {
    float m[16];
} __attribute__((aligned(16)));

#endif
