// The systems of the post: they write, answer, and store what they hear.
#include "post_office.h"

#include <string.h>

#define ANSWER 1000u // what the number of an answer is more than that of its letter

static void keep(post_heard *heard, const post_letter *letters, uint32_t count)
{
    if (heard->calls++ != 0) {
        heard->differed |= heard->count != count;
        for (uint32_t i = 0; i < count && !heard->differed; i++) {
            heard->differed |= heard->letters[i].number != letters[i].number;
        }
        return;
    }
    heard->count = count;
    if (count != 0) memcpy(heard->letters, letters, count * sizeof letters[0]);
}

void post_early(const post_early_ctx *ctx, uint32_t count)
{
    (void)count;
    keep(&((post_office *)ctx->user)->early, ctx->letter, ctx->letter_count);
}

void post_write(const post_write_ctx *ctx, uint32_t count, const post_author *author)
{
    post_office *office = (post_office *)ctx->user;
    for (uint32_t i = 0; i < count; i++) {
        post_letter letter = {.from = ctx->entities[i]};
        if (office->spawn) {
            office->companion = post_cmd_spawn(ctx->cmd);
            letter.about.count = 1;
            letter.about.items[0] = office->companion;
        }
        for (uint32_t k = 0; k < author[i].letters; k++) {
            letter.number = author[i].first + k;
            post_letter_emit(ctx->emit_letter, letter);
        }
        post_memo_emit(ctx->emit_memo, (post_memo){.text = "nobody reads this"});
    }
}

void post_answer(const post_answer_ctx *ctx, uint32_t count)
{
    (void)count;
    keep(&((post_office *)ctx->user)->answer, ctx->letter, ctx->letter_count);
    for (uint32_t i = 0; i < ctx->letter_count; i++) {
        post_letter answer = ctx->letter[i];
        answer.number += ANSWER;
        if (ctx->letter[i].number < ANSWER) post_letter_emit(ctx->emit_letter, answer);
    }
}

void post_late(const post_late_ctx *ctx, uint32_t count)
{
    (void)count;
    keep(&((post_office *)ctx->user)->late, ctx->letter, ctx->letter_count);
}

void post_in_vain(const post_in_vain_ctx *ctx, uint32_t count, const post_nobody *nobody)
{
    (void)count;
    (void)nobody;
    keep(&((post_office *)ctx->user)->in_vain, ctx->letter, ctx->letter_count);
}

void post_slow(const post_slow_ctx *ctx, uint32_t count, const post_author *author)
{
    (void)count;
    (void)author;
    keep(&((post_office *)ctx->user)->slow, ctx->letter, ctx->letter_count);
}
