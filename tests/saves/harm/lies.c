// Writes a save section by section, as SAVES.md describes it.
#include "lies.h"

#include "parts.h"

#include <string.h>

enum { SAVE_BYTES = 4096, RUMOR_BYTES = 2, MOTION_BYTES = 8, INDEX_BITS = 20 };

#define STRANGE WEFT_SECTION('O', 'D', 'D', ' ')

static unsigned char save[SAVE_BYTES];

uint32_t lies_handle(uint32_t index)
{
    return index | 1u << INDEX_BITS;
}

lies lies_none(void)
{
    return (lies){
        .version = WEFT_SAVE_VERSION,
        .world = "vault",
        .index_bits = INDEX_BITS,
        .generation_bits = 12,
        .handle_bytes = 4,
        .motion = {.name = "motion", .save = true, .size = MOTION_BYTES, .field_count = 1},
        .field = {.name = "marks",
                  .type = WEFT_TYPE_U8,
                  .shape = WEFT_SHAPE_LIST,
                  .save = true,
                  .size = MOTION_BYTES,
                  .element_size = 1,
                  .items_offset = 4,
                  .count = 2},
        .rumor_size = RUMOR_BYTES,
        .live = LIES_ENTITIES,
        .rows = LIES_ENTITIES,
        .free = LIES_ENTITIES | 2u << INDEX_BITS,
        .frees = 1,
        .singleton = LIES_NONE,
        .ends = 1,
        .handles = {lies_handle(0), lies_handle(1)},
        .has = 3,
        .values = LIES_ENTITIES,
        .owners = {0, 1},
        .rumors = 2,
        .events = 1,
        .links = 1,
        .child = 1,
        .clocks = 1,
        .link_sections = 1,
        .link_count = LIES_LINKS,
        .link_from = {0, 0, 1},
        .link_to = {0, 1, 0},
        .link_words = 2,
        .owes = {.name = "owes", .save = true, .size = 4, .field_count = 1},
        .gold = {.name = "gold",
                 .type = WEFT_TYPE_U32,
                 .save = true,
                 .size = 4,
                 .element_size = 4,
                 .count = 1},
    };
}

// ------------------------------------------------------------------------------------------------
// Bodies of sections

static const lies *lies_of(const void *context)
{
    return (const lies *)context;
}

// Two numbers of four bytes in a word.
static void write_two(weft_sink *sink, uint32_t first, uint32_t second)
{
    weft_write_word(sink, first | (uint64_t)second << 32);
}

static void write_version(weft_sink *sink, const void *context)
{
    weft_write_word(sink, lies_of(context)->weft);
}

static void write_schema(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    const weft_field x = {
        .name = "x", .type = WEFT_TYPE_U32, .save = true, .size = 4, .element_size = 4, .count = 1};
    const weft_field number = {.name = "number",
                               .type = WEFT_TYPE_U16,
                               .save = true,
                               .size = RUMOR_BYTES,
                               .element_size = RUMOR_BYTES,
                               .count = 1};
    weft_component_info components[] = {
        told->motion,
        {.name = "place",
         .storage = WEFT_STORAGE_SPARSE,
         .save = true,
         .size = 4,
         .field_count = 1,
         .fields = &x},
    };
    components[0].fields = &told->field;
    const weft_event_info rumor = {
        .name = "rumor", .size = told->rumor_size, .field_count = 1, .fields = &number};
    const weft_singleton_info singletons[] = {{.name = "empty", .save = true}, {.name = "unsaved"}};
    const weft_relation_info follows = {.name = "follows"};
    weft_link_info links[LIES_LINK_KINDS] = {
        [LIES_OWES] = told->owes,
        [LIES_BEARS] = {.name = "bears", .symmetric = true, .save = true},
        [LIES_UNSAVED_LINK] = {.name = "knows"},
        [LIES_LOST] = {.name = "lost", .save = true},
    };
    links[LIES_OWES].fields = &told->gold;
    const weft_schema schema = {.name = told->world,
                                .index_bits = told->index_bits,
                                .generation_bits = told->generation_bits,
                                .handle_bytes = told->handle_bytes,
                                .component_count = LIES_COMPONENTS,
                                .components = components,
                                .singleton_count = 2,
                                .singletons = singletons,
                                .event_count = 1,
                                .events = &rumor,
                                .relation_count = 1,
                                .relations = &follows,
                                .link_count = LIES_LINK_KINDS,
                                .links = links};
    part_of_schema(sink, &schema);
}

static void write_entities(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_number_stream stream = {.sink = sink};
    weft_write_word(sink, told->live);
    weft_write_word(sink, told->frees + told->has_row);
    weft_write_word(sink, told->retired);
    for (uint32_t i = 0; i < told->frees; i++) {
        weft_stream_number(&stream, told->free, sizeof told->free);
    }
    if (told->has_row) weft_stream_number(&stream, told->row, sizeof told->row);
    weft_stream_end(&stream);
    for (uint32_t i = 1; i <= told->retired; i++) {
        bool other = i == 1 && told->retired_first != 0;
        weft_stream_number(&stream, other ? told->retired_first : LIES_ENTITIES + i, sizeof i);
    }
    weft_stream_end(&stream);
}

static void write_table(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, told->rows);
    weft_write_word(sink, 1); // components
    weft_write_word(sink, 1); // bitsets
    weft_write_word(sink, 0); // motion
    weft_write_word(sink, 1); // place
    write_two(sink, told->handles[0], told->handles[1]);
    for (int i = 1; i < LIES_ENTITIES; i++) write_two(sink, told->marks, 0);
    write_two(sink, told->marks_of_last != 0 ? told->marks_of_last : told->marks, 0);
    weft_write_word(sink, told->has);
}

static void write_store(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, 1); // place
    weft_write_word(sink, told->values);
    write_two(sink, told->owners[0], told->values == LIES_ENTITIES ? told->owners[1] : 0);
    write_two(sink, 100, told->values == LIES_ENTITIES ? 101 : 0);
}

static void write_singleton(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, told->singleton);
    for (uint32_t i = 0; i < told->its_words; i++) weft_write_word(sink, 0);
}

static void write_seed(weft_sink *sink, const void *context)
{
    for (uint32_t i = 0; i < lies_of(context)->seed_words; i++) weft_write_word(sink, 7);
}

static void write_clocks(weft_sink *sink, const void *context)
{
    (void)context;
    for (int i = 0; i < 3; i++) weft_write_word(sink, 0);
}

static void write_switches(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, told->off);
    weft_write_text(sink, "climb");
}

static void write_event(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, 0); // rumor
    weft_write_word(sink, told->rumors);
    for (uint32_t i = 0; i < told->rumors; i += 4) weft_write_word(sink, 0);
    weft_write_word(sink, 1); // hearers
    weft_write_text(sink, "gossip");
    weft_write_word(sink, told->unheard);
}

static void write_relation(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    weft_write_word(sink, 0); // follows
    weft_write_word(sink, told->links);
    for (uint32_t i = 0; i < told->links; i++) write_two(sink, told->child, told->parent);
}

// The number of links that are in the section, however many it says.
static uint32_t links_of(const lies *told)
{
    return told->link_count < LIES_LINKS ? (uint32_t)told->link_count : LIES_LINKS;
}

static void write_links(weft_sink *sink, const void *context)
{
    const lies *told = lies_of(context);
    const uint32_t *const ends[] = {told->link_from, told->link_to};
    weft_write_word(sink, told->link_kind);
    weft_write_word(sink, told->link_count);
    for (int end = 0; end < 2; end++) {
        weft_number_stream stream = {.sink = sink};
        for (uint32_t i = 0; i < links_of(told); i++) {
            weft_stream_number(&stream, ends[end][i], sizeof(uint32_t));
        }
        weft_stream_end(&stream);
    }
    for (uint32_t i = 0; i < told->link_words; i++) {
        write_two(sink, 7 + 2 * i, i == 1 ? told->link_padding : 8 + 2 * i);
    }
}

// One change set without bits, which a reader watches for removals.
static void write_marks(weft_sink *sink, const void *context)
{
    weft_write_word(sink, 1); // change sets
    weft_write_word(sink, 1); // it listens
    weft_write_word(sink, 0); // no bits in the table
    weft_write_word(sink, 1); // readers
    weft_write_text(sink, "watch");
    weft_write_word(sink, 1); // watches
    weft_write_word(sink, lies_of(context)->watched);
    weft_write_word(sink, 2); // removals
    for (int i = 0; i < 3; i++) weft_write_word(sink, 0);
}

static void write_nothing(weft_sink *sink, const void *context)
{
    (void)sink;
    (void)context;
}

// ------------------------------------------------------------------------------------------------
// The whole

static bool append(void *to, const void *bytes, size_t count)
{
    unsigned char **end = (unsigned char **)to;
    memcpy(*end, bytes, count);
    *end += count;
    return true;
}

const void *lies_save(const lies *told, size_t *count)
{
    unsigned char *end = save;
    weft_sink sink = {.write = append, .to = &end, .piece_bytes = WEFT_PIECE_BYTES};
    weft_checksum_begin(&sink.sum);
    weft_write_word(&sink, WEFT_SAVE_MAGIC);
    weft_write_word(&sink, told->version);
    for (int i = 0; i < 2; i++) weft_write_word(&sink, 0); // mended below
    weft_write_section(&sink, WEFT_SECTION_SCHEMA, 0, write_schema, told);
    if (told->weft != 0) {
        weft_write_section(&sink, WEFT_SECTION_VERSION, WEFT_SECTION_SKIP, write_version, told);
    }
    weft_write_section(&sink, WEFT_SECTION_ENTITIES, 0, write_entities, told);
    weft_write_section(&sink, WEFT_SECTION_TABLE, 0, write_table, told);
    weft_write_section(&sink, WEFT_SECTION_SPARSE, 0, write_store, told);
    if (told->singleton != LIES_NONE) {
        weft_write_section(&sink, WEFT_SECTION_SINGLETON, 0, write_singleton, told);
    }
    weft_write_section(&sink, WEFT_SECTION_SEED, 0, write_seed, told);
    for (uint32_t i = 0; i < told->clocks; i++) {
        weft_write_section(&sink, WEFT_SECTION_CLOCKS, 0, write_clocks, told);
    }
    if (told->off != 0) {
        weft_write_section(&sink, WEFT_SECTION_SWITCHES, 0, write_switches, told);
    }
    if (told->strange) weft_write_section(&sink, STRANGE, told->its_flags, write_clocks, told);
    for (uint32_t i = 0; i < told->events; i++) {
        weft_write_section(&sink, WEFT_SECTION_EVENT, 0, write_event, told);
    }
    weft_write_section(&sink, WEFT_SECTION_RELATION, 0, write_relation, told);
    for (uint32_t i = 0; i < told->link_sections; i++) {
        weft_write_section(&sink, WEFT_SECTION_LINKS, 0, write_links, told);
    }
    if (told->watched != 0) {
        weft_write_section(&sink, WEFT_SECTION_CHANGE_BITS, WEFT_SECTION_SKIP, write_marks, told);
    }
    for (uint32_t i = 0; i < told->ends; i++) {
        weft_write_section(&sink, WEFT_SECTION_END, 0, write_nothing, told);
    }
    if (told->goes_on) weft_write_section(&sink, STRANGE, WEFT_SECTION_SKIP, write_clocks, told);
    *count = (size_t)sink.bytes;
    parts_mend(&(parts){.count = 0}, save, *count);
    return save;
}
