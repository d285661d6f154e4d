// Makes requests to an inspector, by the grammar of its methods and the names of any schema.
#ifndef MAKER_H
#define MAKER_H

#include "weft_reflect.h"

#include <stddef.h>
#include <stdint.h>

// A request that is being made. Bytes decide each choice; behind their end it is the first one.
typedef struct maker {
    const weft_schema *schema;
    const uint8_t *at;
    const uint8_t *end;
    const weft_field *field; // that the last path leads to; NULL: it leads to none
    const char *method;      // of the last call; NULL: a byte was changed
    uint32_t calls;          // in a batch; 0: it is none
    size_t used;
    char text[16384];
} maker;

// Returns a number below `bound`.
uint32_t maker_below(maker *m, uint32_t bound);

// Makes a call of any method, or a batch of some.
void maker_request(maker *m);

// Makes a path to a value of a component or singleton, without quotes.
void maker_path(maker *m);

// Adds a text as it is.
void maker_add(maker *m, const char *text);

#endif
