// An expression becomes a program: operators and the tests between them.
#ifndef WEFT_EXPRESSION_H
#define WEFT_EXPRESSION_H

#include "program.h"

// Reads an expression into a program, whose `strings` have space for as many bytes as the text has.
// False: it is refused.
bool weft_select_read(const weft_plan *plan, const char *text, weft_select_program *program,
                      weft_select_mistake *mistake);

#endif
