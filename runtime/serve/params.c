#include "params.h"

#include <stdio.h>
#include <string.h>

#define WORDS_BYTES 96u

// Returns whether a number is whole. All numbers from 2^53 on are.
static bool is_whole(double number)
{
    return number >= 9007199254740992.0 || number == (double)(uint64_t)number;
}

// Returns the kinds that a value belongs to.
static uint32_t kinds_of(weft_scanned value)
{
    double number;
    switch (weft_scan_kind(value)) {
    case '"':
        return SERVE_STRING;
    case '0':
        if (!weft_scan_number(value, &number) || !(number >= 0)) return SERVE_NUMBER;
        return is_whole(number) ? SERVE_NUMBER | SERVE_COUNT : SERVE_NUMBER;
    case 't':
    case 'f':
        return SERVE_BOOL;
    case 'n':
        return SERVE_NULL;
    case '[':
        return SERVE_ARRAY;
    default:
        return SERVE_OBJECT;
    }
}

// Writes kinds as text: "a string or null".
static void write_kinds(uint32_t kinds, char words[WORDS_BYTES])
{
    static const char *const names[] = {"a string", "a number", "a whole number", "true or false",
                                        "null",     "an array", "an object"};
    size_t used = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((kinds >> i & 1u) == 0) continue;
        used += (size_t)snprintf(words + used, WORDS_BYTES - used, "%s%s", used == 0 ? "" : " or ",
                                 names[i]);
    }
}

static uint32_t find_param(const serve_param *takes, weft_scanned name)
{
    uint32_t i = 0;
    while (i < SERVE_PARAMS_MAX && takes[i].name && !weft_scan_is(name, takes[i].name)) i++;
    return i;
}

// Checks one member of the params. `seen` has a bit for each param that was found before.
static bool judge_member(serve_call *call, const char *method, const serve_param *takes,
                         weft_scanned name, weft_scanned value, uint32_t *seen)
{
    char words[WORDS_BYTES];
    uint32_t i = find_param(takes, name);
    if (i == SERVE_PARAMS_MAX || !takes[i].name) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' takes no %.*s", method,
                            (int)(name.bytes < 66 ? name.bytes : 66), name.text);
    }
    if ((*seen >> i & 1u) != 0) {
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' occurs twice", takes[i].name);
    }
    *seen |= (uint32_t)1 << i;
    if ((kinds_of(value) & takes[i].kinds) != 0) return true;
    write_kinds(takes[i].kinds, words);
    return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' must be %s", takes[i].name, words);
}

bool serve_params_judge(serve_call *call, const char *method, const serve_param *takes)
{
    const char *at = NULL;
    uint32_t seen = 0;
    weft_scanned value;
    for (weft_scanned name = weft_scan_next_member(call->params, &at, &value); name.bytes != 0;
         name = weft_scan_next_member(call->params, &at, &value)) {
        if (!judge_member(call, method, takes, name, value, &seen)) return false;
    }
    for (uint32_t i = 0; i < SERVE_PARAMS_MAX && takes[i].name; i++) {
        if (!takes[i].needed || (seen >> i & 1u) != 0) continue;
        return serve_refuse(call, SERVE_INVALID_PARAMS, "'%s' is missing", takes[i].name);
    }
    return true;
}
