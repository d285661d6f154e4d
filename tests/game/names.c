// The names that the living bear.
#include "names.h"

#include <string.h>

// Returns where the name stands; `count` if none bears it.
static uint32_t find(const names *borne, const char *name)
{
    uint32_t at = 0;
    while (at < borne->count && strcmp(borne->borne[at], name) != 0) at++;
    return at;
}

bool names_has(const names *borne, const char *name)
{
    return find(borne, name) < borne->count;
}

// A world that was opened without `user` keeps no names.
void colony_person_on_add(const colony_hook_ctx *ctx, colony_entity e, colony_person *person)
{
    (void)e;
    names *borne = ctx->user;
    if (borne == NULL || borne->count == NAMES_MAX) return;
    memcpy(borne->borne[borne->count++], person->name, sizeof person->name);
}

void colony_person_on_remove(const colony_hook_ctx *ctx, colony_entity e,
                             const colony_person *person)
{
    (void)e;
    names *borne = ctx->user;
    if (borne == NULL) return;
    uint32_t at = find(borne, person->name);
    if (at == borne->count) return;
    memcpy(borne->borne[at], borne->borne[--borne->count], sizeof person->name);
}
