// Writes events of the colony into the chronicle.
#include "chronicle.h"

#include "colony_write_chronicle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void chronicle_tell(colony_chronicle *chronicle, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    memset(chronicle->news, 0, sizeof chronicle->news); // so that equal news have equal bytes
    vsnprintf(chronicle->news, sizeof chronicle->news, format, arguments);
    va_end(arguments);
}

static const char *const DEATH_WORDS[] = {
    [COLONY_CAUSE_AGE] = "dies in bed",
    [COLONY_CAUSE_HUNGER] = "starves",
    [COLONY_CAUSE_SICKNESS] = "dies of a fever",
};

// Counts a birth. The mother may have died in the same phase.
static void tell_birth(const colony_write_chronicle_ctx *ctx, colony_born born)
{
    const colony_person *child = colony_person_get_in(ctx->person, born.child);
    const colony_person *mother = colony_person_get_in(ctx->person, born.mother);
    if (child == NULL) return; // the colony is full, so the child could not be spawned
    ctx->chronicle->births++;
    if (mother != NULL) {
        chronicle_tell(ctx->chronicle, "%s is born to %s", child->name, mother->name);
    } else {
        chronicle_tell(ctx->chronicle, "%s is born", child->name);
    }
}

static void tell_death(colony_chronicle *chronicle, const colony_died *died)
{
    const char *how = DEATH_WORDS[died->cause];
    chronicle->deaths[died->cause]++;
    if (died->friends == 0) {
        chronicle_tell(chronicle, "%s %s", died->name, how);
    } else {
        chronicle_tell(chronicle, "%s %s, missed by %u friend%s", died->name, how,
                       (unsigned)died->friends, died->friends == 1 ? "" : "s");
    }
}

void colony_write_chronicle(const colony_write_chronicle_ctx *ctx, uint32_t count)
{
    (void)count;
    colony_chronicle *chronicle = ctx->chronicle;
    chronicle->houses_built += ctx->built_count;
    if (ctx->built_count != 0) chronicle_tell(chronicle, "a new house is ready");
    for (uint32_t i = 0; i < ctx->born_count; i++) tell_birth(ctx, ctx->born[i]);
    for (uint32_t i = 0; i < ctx->died_count; i++) {
        tell_death(chronicle, &ctx->died[i]);
    }
}
