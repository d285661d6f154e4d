// The words of an expression, and the record of a mistake.
#include "reader.h"

#include "../value/path.h"

bool weft_select_refuse_at(weft_select_reader *r, const char *place, weft_status status)
{
    r->mistake->status = status;
    r->mistake->column = (uint32_t)(place - r->text) + 1;
    return false;
}

bool weft_select_refuse_names(weft_select_reader *r, const weft_names *names, uint32_t count,
                              weft_select_word word)
{
    weft_name_refuse(r->mistake->why, names, count, word.text, word.length);
    return weft_select_refuse_at(r, word.text, WEFT_NOT_FOUND);
}

void weft_select_skip_blanks(weft_select_reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

bool weft_select_accept(weft_select_reader *r, char sign)
{
    weft_select_skip_blanks(r);
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

weft_select_word weft_select_next_name(weft_select_reader *r)
{
    weft_select_word word = {r->at, weft_name_length(r->at)};
    r->at += word.length;
    return word;
}

bool weft_select_accept_word(weft_select_reader *r, const char *wanted)
{
    weft_select_reader after = *r;
    weft_select_skip_blanks(&after);
    if (!weft_select_is_word(weft_select_next_name(&after), wanted)) return false;
    *r = after;
    return true;
}

weft_select_word weft_select_next_operand(weft_select_reader *r)
{
    weft_select_word word = {r->at, 0};
    for (size_t more = 1; more != 0; r->at += more) {
        r->at += weft_name_length(r->at);
        more = strspn(r->at, ".+-:");
    }
    word.length = (size_t)(r->at - word.text);
    return word;
}

// ------------------------------------------------------------------------------------------------
// Ops

void weft_select_add_op(weft_select_reader *r, weft_select_op_kind kind, uint32_t at)
{
    weft_select_program *program = r->program;
    WEFT_ASSERT(program->op_count, <, WEFT_SELECT_OPS, "more ops than tests can bring");
    program->ops[program->op_count++] = (weft_select_op){(uint16_t)kind, (uint16_t)at};
}

// A jump over the first of two `not` also skips both, because it lands at the same place.
void weft_select_add_not(weft_select_reader *r)
{
    weft_select_program *program = r->program;
    if (program->ops[program->op_count - 1].kind == WEFT_SELECT_NOT) {
        program->op_count--;
    } else {
        weft_select_add_op(r, WEFT_SELECT_NOT, 0);
    }
}

bool weft_select_add_test(weft_select_reader *r, const char *place, weft_select_test test)
{
    weft_select_program *program = r->program;
    if (program->test_count == WEFT_SELECT_TESTS_MAX) {
        return WEFT_SELECT_REFUSE(r, place, "more than %u tests", WEFT_SELECT_TESTS_MAX);
    }
    weft_select_add_op(r, WEFT_SELECT_PUSH, program->test_count);
    program->tests[program->test_count++] = test;
    return true;
}
