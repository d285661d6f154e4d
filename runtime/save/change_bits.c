// Change sets out and in.
#include "change_bits.h"

#include "../change/component.h"
#include "../record/reader.h"
#include "../world/rows.h"

// ------------------------------------------------------------------------------------------------
// Out

static bool is_changed(const weft_plan *plan, const weft_watch_plan *watch)
{
    return plan->components[watch->component].changed == watch->incoming;
}

// Whether a row has a mark of the change set; a summary may say so of words that are 0 by now.
static bool any_mark(const weft_table *table, uint32_t change_set)
{
    bool any = false;
    if (!weft_marked_any(&table->change_bits, change_set, table->count)) return false;
    for (uint32_t word = 0; !any && word < (table->count + 63) / 64; word++) {
        any = weft_change_words(&table->change_bits, change_set, word).words[0] != 0;
    }
    return any;
}

static void put_stream(weft_sink *sink, const weft_saver *saver, uint32_t change_set)
{
    weft_put_word(sink, saver->world->listening[change_set]);
    for (uint32_t i = 0; i < saver->table_count; i++) {
        const weft_table *table = saver->tables[i];
        bool any = any_mark(table, change_set);
        weft_put_word(sink, any);
        for (uint32_t word = 0; any && word < (table->count + 63) / 64; word++) {
            weft_put_word(sink, weft_change_words(&table->change_bits, change_set, word).words[0]);
        }
    }
}

static void put_reader(weft_sink *sink, const weft_plan *plan, uint32_t reader)
{
    const weft_reader_plan *r = &plan->readers[reader];
    weft_put_text(sink, plan->reader_names[reader]);
    weft_put_word(sink, r->watch_count);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        weft_put_word(sink, r->watches[i].component);
        weft_put_word(sink, is_changed(plan, &r->watches[i]));
        weft_put_word(sink, r->watches[i].incoming);
        weft_put_word(sink, r->watches[i].unseen);
        weft_put_word(sink, r->watches[i].visible);
    }
}

void weft_put_marks(weft_sink *sink, const weft_saver *saver)
{
    const weft_plan *plan = saver->world->plan;
    weft_put_word(sink, plan->change_set_count);
    for (uint32_t i = 0; i < plan->change_set_count; i++) put_stream(sink, saver, i);
    weft_put_word(sink, plan->reader_count);
    for (uint32_t i = 0; i < plan->reader_count; i++) put_reader(sink, plan, i);
}

// ------------------------------------------------------------------------------------------------
// In

#define STREAMS_MAX UINT16_MAX
#define READERS_MAX UINT16_MAX

typedef struct saved_stream {
    bool listening;
    const unsigned char **words; // by table; NULL: no marks in it
} saved_stream;

// What a reader watched, as the save has it.
typedef struct saved_watch {
    const char *reader;
    uint32_t component; // of the world; UINT32_MAX: gone
    bool changed;
    uint32_t incoming;
    uint32_t unseen;
    uint32_t visible;
} saved_watch;

typedef struct saved_marks {
    saved_stream *change_sets;
    uint32_t change_set_count;
    saved_watch *watches;
    uint32_t watch_count;
} saved_marks;

static bool take_stream(weft_loader *l, weft_bytes *body, saved_stream *change_set)
{
    change_set->listening = weft_take_number(body, 1) != 0;
    change_set->words = (const unsigned char **)weft_scratch_take(&l->scratch, l->table_count,
                                                                  sizeof *change_set->words);
    for (uint32_t i = 0; change_set->words && i < l->table_count && !body->bad; i++) {
        if (weft_take_number(body, 1) == 0) continue;
        change_set->words[i] = (const unsigned char *)weft_take_array(
            body, (l->tables[i].rows + 63) / 64, sizeof(uint64_t));
    }
    return change_set->words && !body->bad;
}

static uint32_t take_stream_number(const saved_marks *m, weft_bytes *body)
{
    uint32_t number = weft_take_number(body, STREAMS_MAX);
    if (number >= m->change_set_count) body->bad = true;
    return number;
}

static void take_watch(const weft_loader *l, const saved_marks *m, weft_bytes *body,
                       saved_watch *watch, const char *reader)
{
    uint32_t was = weft_take_number(body, UINT16_MAX);
    bool known = was < l->matched.schemas.file->component_count;
    watch->reader = reader;
    watch->component = known ? l->matched.components.now[was] : UINT32_MAX;
    watch->changed = weft_take_number(body, 1) != 0;
    watch->incoming = take_stream_number(m, body);
    watch->unseen = take_stream_number(m, body);
    watch->visible = take_stream_number(m, body);
}

static void take_readers(const weft_loader *l, saved_marks *m, weft_bytes *body, size_t most)
{
    uint32_t readers = weft_take_number(body, READERS_MAX);
    for (uint32_t r = 0; r < readers && !body->bad; r++) {
        const char *name = weft_take_text(body);
        uint32_t watches = weft_take_number(body, READERS_MAX);
        for (uint32_t i = 0; i < watches && !body->bad; i++) {
            if (m->watch_count == most) body->bad = true;
            if (!body->bad) take_watch(l, m, body, &m->watches[m->watch_count++], name);
        }
    }
}

static weft_status take_marks(weft_loader *l, weft_bytes body, saved_marks *m)
{
    m->change_set_count = weft_take_number(&body, STREAMS_MAX);
    if (m->change_set_count > body.left / WEFT_WORD_BYTES) body.bad = true;
    if (body.bad) m->change_set_count = 0;
    m->change_sets =
        (saved_stream *)weft_scratch_take(&l->scratch, m->change_set_count, sizeof *m->change_sets);
    for (uint32_t i = 0; m->change_sets && i < m->change_set_count && !body.bad; i++) {
        if (!take_stream(l, &body, &m->change_sets[i])) break;
    }
    size_t most = body.left / (5 * WEFT_WORD_BYTES);
    m->watches = (saved_watch *)weft_scratch_take(&l->scratch, most, sizeof *m->watches);
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    take_readers(l, m, &body, most);
    if (body.bad || body.left != 0) return weft_loader_damaged(l, "its marks are not whole");
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Giving them to the readers there are

static const saved_watch *find_watch(const weft_plan *plan, const saved_marks *m, uint32_t reader,
                                     const weft_watch_plan *watch)
{
    for (uint32_t i = 0; i < m->watch_count; i++) {
        const saved_watch *saved = &m->watches[i];
        if (saved->component == watch->component && saved->changed == is_changed(plan, watch) &&
            strcmp(saved->reader, plan->reader_names[reader]) == 0) {
            return saved;
        }
    }
    return NULL;
}

// Whether exactly those watch what comes into an incoming who did in the save.
static bool same_readers(const weft_plan *plan, const saved_marks *m, const weft_watch_plan *watch)
{
    uint32_t now = 0;
    uint32_t then = 0;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *other = &plan->readers[r].watches[i];
            if (other->incoming != watch->incoming) continue;
            const saved_watch *saved = find_watch(plan, m, r, other);
            bool alone = other->unseen == other->incoming;
            if (!saved || alone != (saved->unseen == saved->incoming)) return false;
            now++;
        }
    }
    for (uint32_t i = 0; i < m->watch_count; i++) {
        const saved_watch *saved = &m->watches[i];
        then += saved->component == watch->component && saved->changed == is_changed(plan, watch);
    }
    return now == then;
}

// Marks a row of the save in a change set of a component, wherever it is now: unless it has lost that
// one, as a tag that is not saved.
static void mark_saved(const weft_loader *l, const weft_saved_rows *rows, uint32_t row,
                       uint32_t component, uint32_t change_set)
{
    weft_place at;
    uint64_t handle =
        weft_handle_carry(&l->matched.schemas, weft_saved_handle(l, rows->handles, row));
    if (!weft_find(&l->into->entities, l->into->plan->format, handle, &at)) return;
    const weft_table *table = l->into->tables.items[at.table];
    if (weft_row_has(l->into->plan, table, at.row, component)) {
        weft_row_mark(table, at.row, change_set);
    }
}

static void carry_stream(const weft_loader *l, const saved_marks *m, uint32_t component,
                         uint32_t from, uint32_t to)
{
    for (uint32_t t = 0; t < l->table_count; t++) {
        const unsigned char *words = m->change_sets[from].words[t];
        for (uint32_t row = 0; words && row < l->tables[t].rows; row++) {
            if (((uint32_t)words[row / 8] >> (row % 8) & 1u) == 0) continue;
            mark_saved(l, &l->tables[t], row, component, to);
        }
    }
}

static void give_watch(const weft_loader *l, const saved_marks *m, uint32_t reader,
                       const weft_watch_plan *watch)
{
    weft_world *into = l->into;
    const saved_watch *saved = find_watch(into->plan, m, reader, watch);
    if (!saved) {
        if (into->listening[watch->unseen] || watch->unseen == watch->visible) {
            weft_watch_all(into, watch, watch->unseen);
        }
        return;
    }
    bool listening = m->change_sets[saved->unseen].listening;
    into->listening[watch->unseen] = listening;
    carry_stream(l, m, watch->component, saved->unseen, watch->unseen);
    if (watch->visible != watch->unseen && saved->visible != saved->unseen) {
        into->listening[watch->visible] = m->change_sets[saved->visible].listening;
        carry_stream(l, m, watch->component, saved->visible, watch->visible);
    }
    if (same_readers(into->plan, m, watch)) {
        into->listening[watch->incoming] = m->change_sets[saved->incoming].listening;
        carry_stream(l, m, watch->component, saved->incoming, watch->incoming);
    } else if (listening) {
        carry_stream(l, m, watch->component, saved->incoming, watch->unseen);
    }
}

weft_status weft_loader_marks(weft_loader *loader)
{
    weft_world *into = loader->into;
    saved_marks marks = {0};
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != WEFT_SECTION_CHANGE_BITS) continue;
        if (marks.change_sets) return weft_loader_damaged(loader, "it has marks twice");
        weft_status status = take_marks(loader, loader->sections[i].body, &marks);
        if (status != WEFT_OK) return status;
    }
    weft_watch_nothing(into);
    for (uint32_t r = 0; r < into->plan->reader_count; r++) {
        for (uint32_t i = 0; i < into->plan->readers[r].watch_count; i++) {
            give_watch(loader, &marks, r, &into->plan->readers[r].watches[i]);
        }
    }
    return WEFT_OK;
}
