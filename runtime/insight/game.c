// Records what the game may write, from the names of the calls that it makes.
#include "game.h"

#include "../base/bits.h"
#include "../record/loans.h"
#include "../value/fields.h"

#include <string.h>

void weft_written_add(const weft_schema *schema, uint64_t *set, const weft_access *access,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        weft_access_kind kind = access[i].kind;
        if (kind == WEFT_ACCESS_WRITE || kind == WEFT_ACCESS_LOOKUP_WRITE) {
            weft_set_add(set, access[i].of);
        } else if (kind == WEFT_ACCESS_SINGLETON_WRITE) {
            weft_set_add(set, schema->component_count + access[i].of);
        } else if (kind == WEFT_ACCESS_QUERY) {
            const weft_query_info *query = &schema->queries[access[i].of];
            weft_written_add(schema, set, query->access, query->access_count);
        }
    }
}

bool weft_game_open(weft_world *world)
{
    weft_watching *w = world->observers.watching;
    if (!weft_array_open(&world->heap, &w->acted, w->set_words, sizeof *w->acted) ||
        !weft_owners_open(world)) {
        return false;
    }
    memset(weft_owners_lend(world), 0xFF, w->set_words * sizeof *w->acted);
    weft_game_begin(world);
    return true;
}

void weft_game_close(weft_world *world)
{
    weft_watching *w = world->observers.watching;
    weft_free(&world->heap, w->acted, w->set_words * sizeof *w->acted);
    weft_owners_close(world);
}

void weft_game_begin(weft_world *world)
{
    weft_watching *w = world->observers.watching;
    const uint64_t *lent = weft_owners_lent(world);
    for (uint32_t i = 0; i < w->set_words; i++) w->acted[i] = lent ? lent[i] : 0;
    w->begun_at = weft_version(world);
}

// Adds the component or singleton of an `_edit` call. Returns false if there is none with that
// name.
static bool add_edited(const weft_schema *schema, uint64_t *set, const char *name, size_t length)
{
    uint32_t i = weft_word_find(schema->components, sizeof *schema->components,
                                schema->component_count, name, length);
    if (i == WEFT_NO_NAME) {
        i = weft_word_find(schema->singletons, sizeof *schema->singletons, schema->singleton_count,
                           name, length);
        if (i == WEFT_NO_NAME) return false;
        i += schema->component_count;
    }
    weft_set_add(set, i);
    return true;
}

// Adds what a call lets the game write: <world>_<owner>_edit or <world>_<query>_begin, followed by
// more words. Returns false for any other call.
static bool add_given(const weft_schema *schema, uint64_t *set, const char *call)
{
    static const char edit[] = "_edit";
    static const char begin[] = "_begin";
    const size_t prefix = strlen(schema->name) + 1; // with its underscore
    size_t length = strcspn(call, " ");
    if (length <= prefix || strncmp(call, schema->name, prefix - 1) != 0) return false;
    const char *name = call + prefix;
    length -= prefix;
    if (length >= sizeof edit && memcmp(name + length - (sizeof edit - 1), edit, 5) == 0) {
        return add_edited(schema, set, name, length - (sizeof edit - 1));
    }
    if (length >= sizeof begin && memcmp(name + length - (sizeof begin - 1), begin, 6) == 0) {
        uint32_t i = weft_word_find(schema->queries, sizeof *schema->queries, schema->query_count,
                                    name, length - (sizeof begin - 1));
        if (i == WEFT_NO_NAME) return false;
        weft_written_add(schema, set, schema->queries[i].access, schema->queries[i].access_count);
        return true;
    }
    return false;
}

// Returns whether a call writes at once, and returns no pointer for later writes.
static bool writes_at_once(const char *call)
{
    static const char *const calls[] = {"set ", "replace ", "weft_field_set ",
                                        "weft_field_set_number "};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strncmp(call, calls[i], strlen(calls[i])) == 0) return true;
    }
    return false;
}

// Assume that an unknown call may expose every value.
void weft_insight_calls(weft_world *world, const char *call)
{
    weft_watching *w = world->observers.watching;
    if (!w) return;
    if (writes_at_once(call) && !w->telling) {
        memset(w->acted, 0xFF, w->set_words * sizeof *w->acted);
        return;
    }
    uint64_t *lent = weft_owners_lend(world);
    if (!add_given(world->plan->schema, lent, call)) {
        memset(lent, 0xFF, w->set_words * sizeof *lent);
    }
    for (uint32_t i = 0; i < w->set_words; i++) w->acted[i] |= lent[i];
}
