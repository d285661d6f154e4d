// The game's own type, which is aligned for wide registers; schema.toml describes it.
#ifndef VECTOR_H
#define VECTOR_H

#ifdef __cplusplus
#define VECTOR_ALIGNED alignas(16)
#else
#define VECTOR_ALIGNED _Alignas(16)
#endif

struct vector {
    VECTOR_ALIGNED float f[4];
};

#endif
