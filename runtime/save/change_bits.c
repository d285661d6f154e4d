// The section of change bits: for each reader, the rows whose changes it has not seen yet.
//
// A change set is a set of bits with one purpose: the incoming changes of a component, the changes
// that a reader has not seen, or the changes that are visible to it. A removal has no incoming
// changes. Schemas number their change sets differently, so a save lists the change sets for each
// reader and each component that it watches. If all readers of the incoming bits are those of the
// save, their change sets are restored unchanged. Otherwise each reader that the save contains gets
// what it had not seen, and every other reader sees everything as new, like a reader that starts
// over after each load.
//
// What readers have not seen of singletons follows at the end of the section, reader by reader.
// There, an incoming change counts as unseen by every reader.
#include "loader.h"
#include "saver.h"

#include "../edit/member.h"
#include "../record/reader.h"
#include "../world/rows.h"

// Returns whether any row has its bit set in the change set. A summary alone is not enough, because
// it may mark words that are 0 now.
static bool has_bits(const weft_table *table, uint32_t change_set)
{
    bool any = false;
    if (!weft_marked_any(&table->change_bits, change_set, table->count)) return false;
    for (uint32_t word = 0; !any && word < (table->count + 63) / 64; word++) {
        any = weft_change_words(&table->change_bits, change_set, word).words[0] != 0;
    }
    return any;
}

// A change set that only indexes use is saved empty, because indexes are built anew after a load.
static void write_change_set(weft_sink *sink, const weft_saver *saver, uint32_t change_set)
{
    const weft_plan *plan = saver->world->plan;
    bool kept = !plan->indexes_only || !plan->indexes_only[change_set];
    weft_write_word(sink, kept && saver->world->changes.listening[change_set]);
    for (uint32_t i = 0; i < saver->table_count; i++) {
        const weft_table *table = saver->tables[i];
        bool any = kept && has_bits(table, change_set);
        weft_write_word(sink, any);
        for (uint32_t word = 0; any && word < (table->count + 63) / 64; word++) {
            weft_write_word(sink,
                            weft_change_words(&table->change_bits, change_set, word).words[0]);
        }
    }
}

// The numbers of the kinds of watches in saves.
enum { WATCH_ADDED, WATCH_CHANGED, WATCH_REMOVED };

static uint32_t kind_of(const weft_plan *plan, const weft_watch_plan *watch)
{
    if (watch->removed) return WATCH_REMOVED;
    bool changed = plan->components[watch->component].changed == watch->incoming;
    return changed ? WATCH_CHANGED : WATCH_ADDED;
}

static void write_change_reader(weft_sink *sink, const weft_plan *plan, uint32_t reader)
{
    const weft_reader_plan *r = &plan->readers[reader];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->watch_count; i++) count += !r->watches[i].singleton;
    weft_write_text(sink, plan->reader_names[reader]);
    weft_write_word(sink, count);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        if (watch->singleton) continue;
        weft_write_word(sink, weft_saved_number(plan, watch->component));
        weft_write_word(sink, kind_of(plan, watch));
        weft_write_word(sink, watch->incoming);
        weft_write_word(sink, watch->unseen);
        weft_write_word(sink, watch->visible);
    }
}

// Writes what a reader has not seen of the singletons that it watches.
static void write_flags(weft_sink *sink, const weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        if (!watch->singleton) continue;
        weft_write_text(sink, world->plan->reader_names[reader]);
        weft_write_word(sink, watch->component);
        weft_write_word(sink, world->changes.listening[watch->unseen]);
        weft_write_word(sink, weft_flag_unseen(world, watch));
        weft_write_word(sink, weft_flag_shown(world, watch));
    }
}

static uint32_t flag_watches(const weft_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            count += plan->readers[r].watches[i].singleton;
        }
    }
    return count;
}

weft_section_writer weft_write_change_bits;
weft_loader_step weft_read_change_bits;

void weft_write_change_bits(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_plan *plan = saver->world->plan;
    (void)number;
    if (plan->reader_count == 0) return;
    weft_write_word(sink, plan->change_set_count);
    for (uint32_t i = 0; i < plan->change_set_count; i++) write_change_set(sink, saver, i);
    weft_write_word(sink, plan->reader_count);
    for (uint32_t i = 0; i < plan->reader_count; i++) write_change_reader(sink, plan, i);
    if (plan->flag_count == 0) return;
    weft_write_word(sink, flag_watches(plan));
    for (uint32_t i = 0; i < plan->reader_count; i++) write_flags(sink, saver->world, i);
}

typedef struct saved_change_set {
    bool listening;
    const unsigned char **words; // by table; NULL if it has no bits
} saved_change_set;

// The change sets in the save of a component that a reader watches.
typedef struct saved_watch {
    bool known; // the reader watched it in the save too
    uint32_t incoming;
    uint32_t unseen;
    uint32_t visible;
} saved_watch;

// The changes of a singleton that a reader had not seen when the world was saved.
typedef struct saved_flag {
    bool known; // the reader watched it in the save too
    bool listening;
    bool unseen;
    bool visible;
} saved_flag;

typedef struct saved_bits {
    saved_change_set *change_sets;
    saved_flag *flags; // by unseen change set of the world
    uint32_t change_set_count;
    saved_watch *watches;    // by unseen change set of the world; each watch has its own
    uint32_t *reader_counts; // by incoming change set of the world: number of readers in the save
} saved_bits;

static void read_change_set(weft_loader *l, weft_bytes *body, saved_change_set *change_set)
{
    change_set->listening = weft_read_number(body, 1) != 0;
    change_set->words = weft_scratch_array(&l->scratch, l->table_count, sizeof *change_set->words);
    for (uint32_t i = 0; change_set->words && i < l->table_count && !body->bad; i++) {
        if (weft_read_number(body, 1) == 0) continue;
        change_set->words[i] =
            weft_read_array(body, (l->tables[i].rows + 63) / 64, sizeof(uint64_t));
    }
}

// Returns whether a reader is the reader called `name` in the save, and continues where that one
// stopped.
static bool is_continued(const weft_loader *l, uint32_t reader, const char *name)
{
    const weft_plan *plan = l->into->plan;
    return !plan->readers[reader].starts_over &&
           weft_loader_is_reader(l, plan->reader_names[reader], name);
}

// Reads what the reader called `name` watched, and finds the same watches in the world.
static void read_watch(const weft_loader *l, const saved_bits *bits, weft_bytes *body,
                       const char *name)
{
    const weft_plan *plan = l->into->plan;
    uint32_t was = weft_read_number(body, UINT16_MAX);
    uint32_t kind = weft_read_number(body, WATCH_REMOVED);
    saved_watch saved = {.known = true};
    saved.incoming = weft_read_place(body, bits->change_set_count);
    saved.unseen = weft_read_place(body, bits->change_set_count);
    saved.visible = weft_read_place(body, bits->change_set_count);
    uint32_t now = weft_loader_numbered(l, was);
    if (now == WEFT_NEVER) return;
    const weft_component_plan *c = &plan->components[now];
    uint32_t incoming = kind == WATCH_CHANGED ? c->changed : c->added;
    if (kind != WATCH_REMOVED && incoming != WEFT_NONE) bits->reader_counts[incoming]++;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        if (!is_continued(l, r, name)) continue;
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            if (watch->singleton || watch->component != now) continue;
            if (kind_of(plan, watch) != kind) continue;
            if (bits->watches[watch->unseen].known) continue;
            bits->watches[watch->unseen] = saved;
        }
    }
}

static void read_change_readers(const weft_loader *l, const saved_bits *bits, weft_bytes *body)
{
    uint32_t readers = weft_read_number(body, UINT16_MAX);
    for (uint32_t r = 0; r < readers && !body->bad; r++) {
        const char *name = weft_read_text(body);
        uint32_t watches = weft_read_number(body, UINT16_MAX);
        for (uint32_t i = 0; i < watches && !body->bad; i++) read_watch(l, bits, body, name);
    }
}

// Stores what a reader had not seen of a singleton, if it still watches it.
static void keep_flag(const weft_loader *l, const saved_bits *bits, const char *name,
                      uint32_t singleton, saved_flag saved)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        if (!is_continued(l, r, name)) continue;
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            if (!watch->singleton || watch->component != singleton) continue;
            if (!bits->flags[watch->unseen].known) bits->flags[watch->unseen] = saved;
        }
    }
}

static void read_flags(const weft_loader *l, const saved_bits *bits, weft_bytes *body)
{
    uint32_t count = weft_read_number(body, UINT32_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = weft_read_text(body);
        uint32_t was = weft_read_place(body, l->matched.schemas.file->singleton_count);
        saved_flag saved = {.known = true};
        saved.listening = weft_read_number(body, 1) != 0;
        saved.unseen = weft_read_number(body, 1) != 0;
        saved.visible = weft_read_number(body, 1) != 0;
        if (body->bad) return;
        uint32_t now = l->matched.singletons.now[was];
        if (now == WEFT_NEVER) continue;
        // If only one of the two schemas saves the singleton, it has its defaults now, which is a
        // change that readers must see. If neither saves it, it has its defaults too, but readers
        // are not notified, so that the world continues like the saved one.
        saved.unseen |= l->matched.schemas.file->singletons[was].save !=
                        l->matched.schemas.world->singletons[now].save;
        keep_flag(l, bits, name, now, saved);
    }
}

static bool read_change_bits(weft_loader *l, weft_bytes body, saved_bits *bits)
{
    bits->change_set_count = weft_read_number(&body, UINT16_MAX);
    if (bits->change_set_count > body.left / WEFT_WORD_BYTES) body.bad = true;
    if (body.bad) bits->change_set_count = 0;
    bits->change_sets =
        weft_scratch_array(&l->scratch, bits->change_set_count, sizeof *bits->change_sets);
    for (uint32_t i = 0; i < bits->change_set_count && !body.bad; i++) {
        if (l->scratch.out_of_memory) break;
        read_change_set(l, &body, &bits->change_sets[i]);
    }
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    read_change_readers(l, bits, &body);
    if (body.left != 0) read_flags(l, bits, &body); // saves without such singletons end here
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "its change bits are malformed");
}

// Returns whether incoming bits have exactly the same readers as in the save.
static bool has_same_readers(const weft_plan *plan, const saved_bits *bits, uint32_t incoming)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *watch = &plan->readers[r].watches[i];
            const saved_watch *saved = &bits->watches[watch->unseen];
            bool alone = watch->unseen == incoming;
            if (watch->incoming != incoming) continue;
            if (!saved->known || alone != (saved->unseen == saved->incoming)) return false;
            count++;
        }
    }
    return count == bits->reader_counts[incoming];
}

// Marks the row in a change set that a row of the save has become. It is not marked if it has lost
// the component of the set, for example a tag that is not saved.
static void mark_saved_row(const weft_loader *l, const weft_saved_rows *rows, uint32_t row,
                           uint32_t change_set)
{
    const weft_plan *plan = l->into->plan;
    uint32_t component = plan->change_set_components[change_set];
    weft_place at;
    uint64_t handle =
        weft_convert_handle(&l->matched.schemas, weft_loader_handle(l, rows->handles, row));
    if (!weft_find(&l->into->entities, plan->format, handle, &at)) return;
    const weft_table *table = l->into->tables.items[at.table];
    if (component == WEFT_NONE || weft_row_has(plan, table, at.row, component)) {
        weft_row_mark(table, at.row, change_set);
    }
}

// Adds bits of the save to a change set.
static void restore_rows(const weft_loader *l, const saved_change_set *from, uint32_t to)
{
    for (uint32_t t = 0; t < l->table_count; t++) {
        for (uint32_t row = 0; from->words[t] && row < l->tables[t].rows; row++) {
            if (!weft_saved_bit(from->words[t], row)) continue;
            mark_saved_row(l, &l->tables[t], row, to);
        }
    }
}

static void restore_set(const weft_loader *l, const saved_change_set *from, uint32_t to)
{
    l->into->changes.listening[to] = from->listening;
    restore_rows(l, from, to);
}

static void restore_flag(weft_world *into, const weft_watch_plan *watch, saved_flag saved)
{
    bool listens = into->changes.listening[watch->unseen]; // queries do not listen from the start
    if (!saved.known || (listens && !saved.listening)) {
        into->changes.flags[watch->unseen] = listens ? ~(uint64_t)0 : 0;
        return;
    }
    into->changes.listening[watch->unseen] = saved.listening;
    into->changes.flags[watch->visible] = saved.visible ? ~(uint64_t)0 : 0;
    into->changes.flags[watch->unseen] = saved.unseen ? ~(uint64_t)0 : 0;
}

static void restore_watch(const weft_loader *l, const saved_bits *bits,
                          const weft_watch_plan *watch)
{
    weft_world *into = l->into;
    if (watch->singleton) {
        restore_flag(into, watch, bits->flags[watch->unseen]);
        return;
    }
    const saved_watch *saved = &bits->watches[watch->unseen];
    // In the save this reader may be a query that had not begun yet, but now it may be a reader
    // that listens from the start.
    bool listened = saved->known && bits->change_sets[saved->unseen].listening;
    if (!saved->known || (into->changes.listening[watch->unseen] && !listened)) {
        if (into->changes.listening[watch->unseen]) weft_watch_all(into, watch, watch->unseen);
        return;
    }
    restore_set(l, &bits->change_sets[saved->unseen], watch->unseen);
    if (watch->visible != watch->unseen && saved->visible != saved->unseen) {
        restore_set(l, &bits->change_sets[saved->visible], watch->visible);
    }
    if (watch->removed) return;
    const saved_change_set *incoming = &bits->change_sets[saved->incoming];
    if (has_same_readers(into->plan, bits, watch->incoming)) {
        restore_set(l, incoming, watch->incoming);
    } else if (bits->change_sets[saved->unseen].listening) {
        restore_rows(l, incoming, watch->unseen);
    }
}

bool weft_read_change_bits(weft_loader *loader)
{
    weft_world *into = loader->into;
    saved_bits bits = {0};
    size_t sets = (size_t)into->plan->change_set_count + into->plan->flag_count;
    bits.watches = weft_scratch_array(&loader->scratch, sets, sizeof *bits.watches);
    bits.flags = weft_scratch_array(&loader->scratch, sets, sizeof *bits.flags);
    bits.reader_counts = weft_scratch_array(&loader->scratch, sets, sizeof *bits.reader_counts);
    if (loader->scratch.out_of_memory) return weft_loader_no_memory(loader);
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != WEFT_SECTION_CHANGE_BITS) continue;
        if (bits.change_sets) return weft_loader_damaged(loader, "it has change bits twice");
        if (!read_change_bits(loader, loader->sections[i].body, &bits)) return false;
    }
    weft_watch_nothing(into);
    for (uint32_t r = 0; r < into->plan->reader_count; r++) {
        for (uint32_t i = 0; i < into->plan->readers[r].watch_count; i++) {
            restore_watch(loader, &bits, &into->plan->readers[r].watches[i]);
        }
    }
    return true;
}
