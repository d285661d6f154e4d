// The params of each method and their kinds. A call is checked against them before its method runs,
// so that no call is carried out in part.
#ifndef WEFT_SERVE_PARAMS_H
#define WEFT_SERVE_PARAMS_H

#include "rpc.h"

#define SERVE_PARAMS_MAX 7u // of a method

// Kinds of JSON values, as bits.
typedef enum serve_kind {
    SERVE_STRING = 1,
    SERVE_NUMBER = 2,
    SERVE_COUNT = 4, // a whole number, at least 0
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

// Checks the params of a call against those that its method takes; the first entry without a name
// ends the list. Returns false, and refuses the call, if a param is missing, unknown, given twice,
// or of a wrong kind.
bool serve_params_judge(serve_call *call, const char *method, const serve_param *takes);

#endif
