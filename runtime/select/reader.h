// The state of reading an expression: its words, its mistakes, and the ops compiled so far.
#ifndef WEFT_SELECT_READER_H
#define WEFT_SELECT_READER_H

#include "program.h"

#include <string.h>

// Everything before `at` was read.
typedef struct weft_select_reader {
    const weft_plan *plan;
    weft_select_program *program;
    weft_select_mistake *mistake;
    const char *text;
    const char *at;
    char *strings;  // where the next string is stored
    uint32_t depth; // of `!` and `(`
} weft_select_reader;

// A word of the expression. It is not NUL-terminated.
typedef struct weft_select_word {
    const char *text;
    size_t length;
} weft_select_word;

// ------------------------------------------------------------------------------------------------
// Mistakes

// Refuses the text at `place`, after the reason was written to the mistake. Returns false.
bool weft_select_refuse_at(weft_select_reader *r, const char *place, weft_status status);

// Writes the reason and refuses the text at `place`.
#define WEFT_SELECT_REFUSE(reader, place, ...)                                                     \
    (weft_value_refuse((reader)->mistake->why, __VA_ARGS__),                                       \
     weft_select_refuse_at(reader, place, WEFT_BAD_VALUE))

// Refuses a word that is not among the names of `count` sets.
bool weft_select_refuse_names(weft_select_reader *r, const weft_names *names, uint32_t count,
                              weft_select_word word);

// ------------------------------------------------------------------------------------------------
// Words

void weft_select_skip_blanks(weft_select_reader *r);

// Reads a character if it is next. Returns whether it was.
bool weft_select_accept(weft_select_reader *r, char sign);

// Read a name, or the operand of a comparison with the signs that numbers and handles contain. The
// word is empty if there is none.
weft_select_word weft_select_next_name(weft_select_reader *r);
weft_select_word weft_select_next_operand(weft_select_reader *r);

// Reads a word if it is next, after blanks. Returns whether it was.
bool weft_select_accept_word(weft_select_reader *r, const char *wanted);

static inline bool weft_select_is_word(weft_select_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

// ------------------------------------------------------------------------------------------------
// Ops

void weft_select_add_op(weft_select_reader *r, weft_select_op_kind kind, uint32_t at);

// Adds a `not`. Two of them cancel each other out.
void weft_select_add_not(weft_select_reader *r);

// Adds a test and pushes it. Returns false if there are too many tests; this is refused at `place`.
bool weft_select_add_test(weft_select_reader *r, const char *place, weft_select_test test);

#endif
