// Which params a method takes, and of which kinds: a call is judged by that before its method runs,
// so that none is half carried out.
#ifndef WEFT_SERVE_PARAMS_H
#define WEFT_SERVE_PARAMS_H

#include "rpc.h"

#define SERVE_PARAMS_MAX 6u // of a method

// Kinds of JSON values, as bits.
typedef enum serve_kind {
    SERVE_STRING = 1,
    SERVE_NUMBER = 2,
    SERVE_COUNT = 4, // a whole number that is not negative
    SERVE_BOOL = 8,
    SERVE_NULL = 16,
    SERVE_ARRAY = 32,
    SERVE_OBJECT = 64,
} serve_kind;

typedef struct serve_param {
    const char *name;
    uint32_t kinds; // bits of serve_kind
    bool needed;
} serve_param;

// Judges the params of a call by those that its method takes; the first one without a name ends
// them. False: it is refused, since one is missing, unknown, there twice, or of another kind.
bool serve_params_judge(serve_call *call, const char *method, const serve_param *takes);

#endif
