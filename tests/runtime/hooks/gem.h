// A type with a greater alignment than any value in a command.
#ifndef GEM_H
#define GEM_H

#ifdef __cplusplus
#define GEM_ALIGNED alignas(16)
#else
#define GEM_ALIGNED _Alignas(16)
#endif

typedef struct gem {
    GEM_ALIGNED float carats;
} gem;

#endif
