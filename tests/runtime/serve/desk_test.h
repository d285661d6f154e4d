// A desk with an inspector that has no socket, and requests of tests to it.
#ifndef DESK_TEST_H
#define DESK_TEST_H

#include "desk.h"
#include "serve/answer.h"
#include "serve/weft_inspector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct desk {
    desk_world *world;
    weft_inspector *inspector;
} desk;

desk open_desk(void);
void close_desk(desk *d);

// Sends a request and returns the answer, valid until the next one; "" if there is none.
const char *ask(const desk *d, const char *request);

// Calls a method with params, the text of an object, and returns the answer.
const char *call(const desk *d, const char *method, const char *params);

// Calls a method of a state without an inspector, whose clock the test sets. Returns the answer, which
// is in `text` until the next call.
const char *call_state(serve_state *state, serve_text *text, const char *method,
                       const char *params);

// Asserts that an answer is a refusal with this code, or a result.
void assert_refused(const char *answer, int code, const char *words);
void assert_done(const char *answer);

// Counts how often a word is in a text.
size_t count_of(const char *text, const char *word);

#endif
