// The section of change bits: for each reader, the rows whose changes it has yet to see.
//
// The bits of one purpose are a change set: those that are incoming for a component, those that a
// reader has not seen, those that are visible to it. Schemas number change sets anew, so a save
// lists for each reader and each component that it watches which change sets it has. Where all
// readers of the incoming bits are those of the save, their change sets come back as they were.
// Where they are not, each reader that the save knows gets what it had not seen, and every other
// reader gets everything.
#include "loader.h"
#include "saver.h"

#include "../change/component.h"
#include "../record/reader.h"
#include "../world/rows.h"

// Tells whether changes are watched, not additions.
static bool watches_changes(const weft_plan *plan, const weft_watch_plan *watch)
{
    return plan->components[watch->component].changed == watch->incoming;
}

// Tells whether any row has a bit of the change set, since a summary may name words that are 0 now.
static bool has_bits(const weft_table *table, uint32_t change_set)
{
    bool any = false;
    if (!weft_marked_any(&table->change_bits, change_set, table->count)) return false;
    for (uint32_t word = 0; !any && word < (table->count + 63) / 64; word++) {
        any = weft_change_words(&table->change_bits, change_set, word).words[0] != 0;
    }
    return any;
}

static void write_change_set(weft_sink *sink, const weft_saver *saver, uint32_t change_set)
{
    weft_write_word(sink, saver->world->listening[change_set]);
    for (uint32_t i = 0; i < saver->table_count; i++) {
        const weft_table *table = saver->tables[i];
        bool any = has_bits(table, change_set);
        weft_write_word(sink, any);
        for (uint32_t word = 0; any && word < (table->count + 63) / 64; word++) {
            weft_write_word(sink,
                            weft_change_words(&table->change_bits, change_set, word).words[0]);
        }
    }
}

static void write_change_reader(weft_sink *sink, const weft_plan *plan, uint32_t reader)
{
    const weft_reader_plan *r = &plan->readers[reader];
    weft_write_text(sink, plan->reader_names[reader]);
    weft_write_word(sink, r->watch_count);
    for (uint32_t i = 0; i < r->watch_count; i++) {
        weft_write_word(sink, r->watches[i].component);
        weft_write_word(sink, watches_changes(plan, &r->watches[i]));
        weft_write_word(sink, r->watches[i].incoming);
        weft_write_word(sink, r->watches[i].unseen);
        weft_write_word(sink, r->watches[i].visible);
    }
}

weft_section_writer weft_write_change_bits;
weft_loader_step weft_read_change_bits;

void weft_write_change_bits(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_plan *plan = saver->world->plan;
    (void)number;
    if (plan->change_set_count == 0) return;
    weft_write_word(sink, plan->change_set_count);
    for (uint32_t i = 0; i < plan->change_set_count; i++) write_change_set(sink, saver, i);
    weft_write_word(sink, plan->reader_count);
    for (uint32_t i = 0; i < plan->reader_count; i++) write_change_reader(sink, plan, i);
}

typedef struct saved_change_set {
    bool listening;
    const unsigned char **words; // by table; NULL: no bits in it
} saved_change_set;

// A component that a reader watched, as the save has it.
typedef struct saved_watch {
    const char *reader;
    uint32_t component; // of the world; WEFT_NEVER: gone
    bool changed;
    uint32_t incoming;
    uint32_t unseen;
    uint32_t visible;
} saved_watch;

typedef struct saved_bits {
    saved_change_set *change_sets;
    uint32_t change_set_count;
    saved_watch *watches;
    uint32_t watch_count;
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

static uint32_t read_set_number(const saved_bits *bits, weft_bytes *body)
{
    uint32_t number = weft_read_number(body, UINT16_MAX);
    if (number >= bits->change_set_count) body->bad = true;
    return number;
}

static saved_watch read_watch(const weft_loader *l, const saved_bits *bits, weft_bytes *body,
                              const char *reader)
{
    saved_watch watch = {.reader = reader, .component = WEFT_NEVER};
    uint32_t was = weft_read_number(body, UINT16_MAX);
    if (was < l->matched.schemas.file->component_count) {
        watch.component = l->matched.components.now[was];
    }
    watch.changed = weft_read_number(body, 1) != 0;
    watch.incoming = read_set_number(bits, body);
    watch.unseen = read_set_number(bits, body);
    watch.visible = read_set_number(bits, body);
    return watch;
}

static void read_change_readers(const weft_loader *l, saved_bits *bits, weft_bytes *body,
                                size_t most)
{
    uint32_t readers = weft_read_number(body, UINT16_MAX);
    for (uint32_t r = 0; r < readers && !body->bad; r++) {
        const char *name = weft_read_text(body);
        uint32_t watches = weft_read_number(body, UINT16_MAX);
        for (uint32_t i = 0; i < watches && !body->bad; i++) {
            if (bits->watch_count == most) body->bad = true;
            if (!body->bad) bits->watches[bits->watch_count++] = read_watch(l, bits, body, name);
        }
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
    size_t most = body.left / (5 * WEFT_WORD_BYTES); // a watch has five words
    bits->watches = weft_scratch_array(&l->scratch, most, sizeof *bits->watches);
    if (l->scratch.out_of_memory) return weft_loader_no_memory(l);
    read_change_readers(l, bits, &body, most);
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "its change bits are not whole");
}

static const saved_watch *find_saved_watch(const weft_plan *plan, const saved_bits *bits,
                                           uint32_t reader, const weft_watch_plan *watch)
{
    for (uint32_t i = 0; i < bits->watch_count; i++) {
        const saved_watch *saved = &bits->watches[i];
        if (saved->component == watch->component &&
            saved->changed == watches_changes(plan, watch) &&
            strcmp(saved->reader, plan->reader_names[reader]) == 0) {
            return saved;
        }
    }
    return NULL;
}

// Tells whether incoming bits have exactly the readers that they had in the save.
static bool has_same_readers(const weft_plan *plan, const saved_bits *bits,
                             const weft_watch_plan *watch)
{
    uint32_t now = 0;
    uint32_t then = 0;
    for (uint32_t r = 0; r < plan->reader_count; r++) {
        for (uint32_t i = 0; i < plan->readers[r].watch_count; i++) {
            const weft_watch_plan *other = &plan->readers[r].watches[i];
            if (other->incoming != watch->incoming) continue;
            const saved_watch *saved = find_saved_watch(plan, bits, r, other);
            bool alone = other->unseen == other->incoming;
            if (!saved || alone != (saved->unseen == saved->incoming)) return false;
            now++;
        }
    }
    for (uint32_t i = 0; i < bits->watch_count; i++) {
        const saved_watch *saved = &bits->watches[i];
        then +=
            saved->component == watch->component && saved->changed == watches_changes(plan, watch);
    }
    return now == then;
}

// Marks a row of the save in a change set of a component, wherever the row is now. A row may have
// lost the component, as it loses a tag that is not saved.
static void mark_saved_row(const weft_loader *l, const weft_saved_rows *rows, uint32_t row,
                           uint32_t component, uint32_t change_set)
{
    weft_place at;
    uint64_t handle =
        weft_convert_handle(&l->matched.schemas, weft_loader_handle(l, rows->handles, row));
    if (!weft_find(&l->into->entities, l->into->plan->format, handle, &at)) return;
    const weft_table *table = l->into->tables.items[at.table];
    if (weft_row_has(l->into->plan, table, at.row, component)) {
        weft_row_mark(table, at.row, change_set);
    }
}

static void restore_set(const weft_loader *l, const saved_bits *bits, uint32_t component,
                        uint32_t from, uint32_t to)
{
    for (uint32_t t = 0; t < l->table_count; t++) {
        const unsigned char *words = bits->change_sets[from].words[t];
        for (uint32_t row = 0; words && row < l->tables[t].rows; row++) {
            if (((uint32_t)words[row / 8] >> (row % 8) & 1u) == 0) continue;
            mark_saved_row(l, &l->tables[t], row, component, to);
        }
    }
}

static void restore_watch(const weft_loader *l, const saved_bits *bits, uint32_t reader,
                          const weft_watch_plan *watch)
{
    weft_world *into = l->into;
    const saved_watch *saved = find_saved_watch(into->plan, bits, reader, watch);
    if (!saved) {
        if (into->listening[watch->unseen] || watch->unseen == watch->visible) {
            weft_watch_all(into, watch, watch->unseen);
        }
        return;
    }
    bool listening = bits->change_sets[saved->unseen].listening;
    into->listening[watch->unseen] = listening;
    restore_set(l, bits, watch->component, saved->unseen, watch->unseen);
    if (watch->visible != watch->unseen && saved->visible != saved->unseen) {
        into->listening[watch->visible] = bits->change_sets[saved->visible].listening;
        restore_set(l, bits, watch->component, saved->visible, watch->visible);
    }
    if (has_same_readers(into->plan, bits, watch)) {
        into->listening[watch->incoming] = bits->change_sets[saved->incoming].listening;
        restore_set(l, bits, watch->component, saved->incoming, watch->incoming);
    } else if (listening) {
        restore_set(l, bits, watch->component, saved->incoming, watch->unseen);
    }
}

bool weft_read_change_bits(weft_loader *loader)
{
    weft_world *into = loader->into;
    saved_bits bits = {0};
    for (uint32_t i = 0; i < loader->section_count; i++) {
        if (loader->sections[i].kind != WEFT_SECTION_CHANGE_BITS) continue;
        if (bits.change_sets) return weft_loader_damaged(loader, "it has change bits twice");
        if (!read_change_bits(loader, loader->sections[i].body, &bits)) return false;
    }
    weft_watch_nothing(into);
    for (uint32_t r = 0; r < into->plan->reader_count; r++) {
        for (uint32_t i = 0; i < into->plan->readers[r].watch_count; i++) {
            restore_watch(loader, &bits, r, &into->plan->readers[r].watches[i]);
        }
    }
    return true;
}
