#include "weft_inspector.h"

#include "answer.h"
#include "state.h"

#include <stdlib.h>

struct weft_inspector {
    serve_state state;
    serve_text answer; // the last one
};

weft_inspector *weft_inspector_open(weft_world *world, const weft_serve_options *options)
{
    if (!IS_GIVEN(world)) return NULL;
    weft_inspector *inspector = (weft_inspector *)calloc(1, sizeof *inspector);
    if (inspector) serve_state_open(&inspector->state, world, options);
    return inspector;
}

void weft_inspector_close(weft_inspector *inspector)
{
    if (!inspector) return;
    serve_free(&inspector->answer);
    serve_state_close(&inspector->state);
    free(inspector);
}

const char *weft_inspector_answer(weft_inspector *inspector, const char *request, size_t bytes,
                                  size_t *answer_bytes)
{
    size_t unasked;
    if (!answer_bytes) answer_bytes = &unasked;
    *answer_bytes = 0;
    if (!IS_GIVEN(inspector) || (bytes != 0 && !IS_GIVEN(request))) return NULL;
    serve_text *answer = &inspector->answer;
    serve_free(answer);
    answer->limit = WEFT_SERVE_ANSWER_MAX;
    serve_state_poll(&inspector->state, serve_now());
    serve_answer(&inspector->state, request, bytes, answer);
    *answer_bytes = answer->used;
    answer->limit++;
    serve_add_bytes(answer, "", 1);
    return answer->failed ? NULL : answer->bytes;
}

weft_serve_clock *weft_inspector_time(weft_inspector *inspector)
{
    return IS_GIVEN(inspector) ? &inspector->state.clock : NULL;
}

double weft_inspector_seconds(const weft_inspector *inspector, double seconds)
{
    return IS_GIVEN(inspector) ? serve_state_seconds(&inspector->state, seconds) : 0;
}

void weft_inspector_log(weft_inspector *inspector, const char *line)
{
    if (IS_GIVEN(inspector) && IS_GIVEN(line)) serve_state_log(&inspector->state, line);
}
