// Tables of many kinds: each choice of CHOICE_PARTS components is the set of one table.
#ifndef CHOICE_H
#define CHOICE_H

#include "record/places.h"

#define CHOICE_PARTS 5u

typedef struct choice {
    uint16_t part[CHOICE_PARTS]; // ascending
} choice;

choice choice_first(void);

// The next one in lexical order. False: it was the last.
bool choice_next(choice *c, uint16_t parts);

// Records that `rows` entities come to be with the components of the choice, counted from
// first_component on. Values are three floats: the number of the part, x and the row. False: no
// memory.
bool choice_record(const choice *c, weft_commands *cmd, uint16_t first_component, float x,
                   uint32_t rows);

#endif
