// links: without_sockets.c
#include "desk_test.h"

void desk_ring(const desk_ring_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->clock->ticks++;
    desk_rang_emit(ctx->emit_rang, (desk_rang){ctx->clock->ticks});
}

void desk_hear(const desk_hear_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

void desk_begin(const desk_begin_ctx *ctx, uint32_t count)
{
    (void)count;
    desk_foe foe = desk_foe_defaults();
    desk_cmd_foe_spawn(ctx->cmd, &foe);
}

void desk_finish(const desk_finish_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

static weft_status tick(void *user)
{
    return desk_tick((desk_world *)user, 1.0);
}

static weft_status phase(void *user, uint32_t number)
{
    desk_world *w = (desk_world *)user;
    return number == 0 ? desk_run_work(w, 1.0) : desk_run_rest(w, 1.0);
}

desk open_desk(void)
{
    desk d = {.world = desk_open(NULL)};
    assert_non_null(d.world);
    const weft_serve_options options = {
        .writable = true, .tick = tick, .phase = phase, .user = d.world};
    d.inspector = weft_inspector_open(desk_world_base(d.world), &options);
    assert_non_null(d.inspector);
    return d;
}

void close_desk(desk *d)
{
    weft_inspector_close(d->inspector);
    desk_close(d->world);
}

const char *ask(const desk *d, const char *request)
{
    size_t bytes;
    const char *answer = weft_inspector_answer(d->inspector, request, strlen(request), &bytes);
    assert_non_null(answer);
    assert_int_equal(strlen(answer), bytes);
    return answer;
}

const char *call(const desk *d, const char *method, const char *params)
{
    static char request[8192];
    const int bytes = snprintf(
        request, sizeof request,
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}", method, params);
    assert_true(bytes > 0 && (size_t)bytes < sizeof request);
    return ask(d, request);
}

const char *call_state(serve_state *state, serve_text *text, const char *method, const char *params)
{
    char request[512];
    const int bytes = snprintf(
        request, sizeof request,
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}", method, params);
    assert_true(bytes > 0 && (size_t)bytes < sizeof request);
    serve_free(text);
    text->limit = WEFT_SERVE_ANSWER_MAX;
    serve_answer(state, request, (size_t)bytes, text);
    serve_add_bytes(text, "", 1);
    assert_false(text->failed);
    return text->bytes;
}

void assert_refused(const char *answer, int code, const char *words)
{
    char start[32];
    snprintf(start, sizeof start, "\"code\":%d,", code);
    if (!strstr(answer, start) || !strstr(answer, words)) {
        fail_msg("not refused by %d, '%s': %.400s", code, words, answer);
    }
}

void assert_done(const char *answer)
{
    if (!strstr(answer, "\"result\":")) fail_msg("refused: %.400s", answer);
}

size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) count++;
    return count;
}
