// A program and a whole table: its tests are bound to it, and none, some or all of its rows pass.
#ifndef WEFT_SELECT_TABLES_H
#define WEFT_SELECT_TABLES_H

#include "program.h"

// Binds the tests of a program to a table as it is now.
void weft_select_bind(const weft_world *world, weft_select_program *program,
                      const weft_table *table);

// Says whether none, all or maybe some rows of the table pass that the program is bound to.
weft_table_match weft_select_match(const weft_select_program *program);

#endif
