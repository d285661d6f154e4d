// A program and a whole table: binds tests to it, and finds whether none, some or all rows pass.
#ifndef WEFT_SELECT_TABLES_H
#define WEFT_SELECT_TABLES_H

#include "program.h"

// Binds the tests of a program to the current state of a table.
void weft_select_bind(const weft_world *world, weft_select_program *program,
                      const weft_table *table);

// Returns whether none, all or perhaps some rows of the bound table pass.
weft_table_match weft_select_match(const weft_select_program *program);

#endif
