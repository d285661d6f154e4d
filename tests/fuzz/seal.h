// A type of the game for [extern.seal].
#ifndef SEAL_H
#define SEAL_H

#include <stdint.h>

typedef struct seal {
    uint64_t number;
    uint8_t letters[3];
} seal;

#endif
