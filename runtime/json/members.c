// Names of members, and which were there.
#include "members.h"

#include "../plan/names.h"
#include "../plan/plan.h"

#include <string.h>

static bool begin(weft_json_text *t, weft_json_members *m)
{
    m->begun = true;
    m->path_bytes = t->path_bytes;
    memset(m->seen, 0, weft_json_words(m->count) * sizeof *m->seen);
    return weft_json_take(t, '{', "'{'");
}

static bool once(weft_json_text *t, uint64_t *seen, uint32_t record)
{
    if (weft_set_has(seen, record)) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "it is there twice");
    }
    weft_set_add(seen, record);
    return true;
}

bool weft_json_next_member(weft_json_text *t, weft_json_members *members, uint32_t *record)
{
    char name[WEFT_JSON_NAME_BYTES];
    bool first = !members->begun;
    if (first && !begin(t, members)) return false;
    weft_json_leave(t, members->path_bytes);
    if (!weft_json_more(t, '}', first) || !weft_json_key(t, name, sizeof name)) return false;
    *record = weft_name_find(members->records, members->record_bytes, members->count, name);
    if (*record == WEFT_NO_NAME) {
        return weft_json_refuse(t, WEFT_BAD_VALUE, "there is no %s '%.64s'", members->kind, name);
    }
    weft_json_enter(t, name);
    return once(t, members->seen, *record);
}
