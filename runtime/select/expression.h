// Compiles an expression into a program: operators, and the tests between them.
#ifndef WEFT_EXPRESSION_H
#define WEFT_EXPRESSION_H

#include "program.h"

// Reads an expression into a program. The program's `strings` must have space for as many bytes as
// the text. Returns false if the expression is refused.
bool weft_select_read(const weft_plan *plan, const char *text, weft_select_program *program,
                      weft_select_mistake *mistake);

#endif
