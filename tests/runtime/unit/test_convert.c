// Values of an older save are converted to the current schema, or refused: one table of old and new
// fields, with the bytes of both. The schemas are written by hand, as the generator and the reader
// of saves would write them.
//
// Each row of the table is tried with both sides as arrays of structs and as one array per field,
// among other rows, and in place if the bytes do not change.
//
// program: quick units portable byte_order
#include "save/convert.h"
#include "save/match.h"
#include "save/saver.h"
#include "value/fields.h"
#include "value/numbers.h"

#include "conversion_cases.h" // behind headers whose variables have names of its tables

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- one side of a case, with its component as it lies in memory

typedef struct schema_of {
    weft_component_info thing;
    weft_schema schema;
    unsigned char defaults[VALUE_BYTES];
} schema_of;

static void read_bytes(const char *digits, unsigned char bytes[VALUE_BYTES])
{
    memset(bytes, 0, VALUE_BYTES);
    for (uint32_t i = 0; digits && digits[2 * i] != '\0'; i++) {
        unsigned byte;
        assert_int_equal(sscanf(digits + (size_t)2 * i, "%2x", &byte), 1);
        bytes[i] = (unsigned char)byte;
    }
}

static void make_schema(schema_of *s, const side *from, bool world, bool soa)
{
    uint32_t count = 0;
    uint32_t size = from->size;
    for (; count < FIELDS && from->fields[count].name; count++) {
        uint32_t end = from->fields[count].offset + from->fields[count].size;
        if (end > size) size = end;
    }
    uint8_t index_bits = from->index_bits ? from->index_bits : 8;
    uint8_t generation_bits = from->index_bits ? from->generation_bits : 8;
    read_bytes(from->defaults, s->defaults);
    s->thing = (weft_component_info){.name = "thing",
                                     .size = size,
                                     .soa = soa,
                                     .save = true,
                                     .field_count = count,
                                     .fields = from->fields,
                                     .defaults = s->defaults};
    s->schema = (weft_schema){.index_bits = index_bits,
                              .generation_bits = generation_bits,
                              .handle_bytes = index_bits + generation_bits > 16 ? 4 : 2,
                              .enum_count = sizeof enums_is / sizeof *enums_is,
                              .struct_count = world ? 7 : 5,
                              .extern_count = 1,
                              .component_count = 1,
                              .enums = world ? enums_is : enums_was,
                              .structs = world ? structs_is : structs_was,
                              .externs = externs,
                              .components = &s->thing};
}

// Rows of the component, in one column or one for each field.
typedef struct rows {
    const weft_component_info *info;
    void *columns[FIELDS];
} rows;

// Each column ends where its memory does, so that nothing behind its last row can be read.
static void open_rows(rows *r, const weft_component_info *info)
{
    *r = (rows){.info = info};
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t bytes = (size_t)ROWS * (info->soa ? info->fields[i].size : info->size);
        r->columns[i] = malloc(bytes);
        assert_true(r->columns[i] || bytes == 0);
        if (bytes != 0) memset(r->columns[i], 0xEE, bytes);
    }
}

static void close_rows(rows *r)
{
    for (uint32_t i = 0; i < FIELDS; i++) free(r->columns[i]);
    *r = (rows){.info = NULL};
}

static void copy_row(rows *r, uint32_t row, unsigned char value[VALUE_BYTES], bool out)
{
    const weft_component_info *info = r->info;
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        uint32_t size = info->soa ? info->fields[i].size : info->size;
        unsigned char *member = value + (info->soa ? info->fields[i].offset : 0);
        unsigned char *cell = (unsigned char *)r->columns[i] + (size_t)row * size;
        memcpy(out ? member : cell, out ? cell : member, size);
    }
}

static bool append(void *to, const void *bytes, size_t count)
{
    unsigned char **end = (unsigned char **)to;
    memcpy(*end, bytes, count);
    *end += count;
    return true;
}

// The bytes of a value as a save has them: other ones where numbers begin with their high bytes.
static void save_value(const schema_of *world, unsigned char value[VALUE_BYTES])
{
    unsigned char buffer[VALUE_BYTES * 8];
    unsigned char saved[VALUE_BYTES * 2];
    unsigned char *end = saved;
    const weft_plan plan = {.schema = &world->schema};
    const weft_world owner = {.plan = &plan};
    weft_saver saver = {.world = &owner, .buffer = buffer, .buffer_bytes = sizeof buffer};
    weft_sink sink = {.write = append, .to = &end, .piece_bytes = WEFT_PIECE_BYTES};
    weft_field fields[FIELDS]; // also of those that are not saved
    memcpy(fields, world->thing.fields, sizeof fields);
    for (uint32_t i = 0; i < FIELDS; i++) fields[i].save = true;
    weft_saved_values values = {
        .fields = fields,
        .field_count = world->thing.field_count,
        .size = world->thing.size,
        .count = 1,
        .rows = value,
    };
    weft_saver_values(&saver, &sink, &values);
    memcpy(value, saved, world->thing.size);
}

// ---- a case

typedef struct tried {
    const conversion_case *about;
    schema_of file;
    schema_of world;
    weft_heap heap;
    weft_scratch scratch;
    weft_matched matched;
    rows from;
    rows to;
} tried;

static void open_tried(tried *t, const conversion_case *about, bool was_soa, bool is_soa)
{
    *t = (tried){.about = about};
    make_schema(&t->file, &about->was, false, was_soa);
    make_schema(&t->world, &about->is, true, is_soa);
    assert_true(weft_heap_open(&t->heap, &(weft_memory){.user = NULL}));
    t->scratch = (weft_scratch){.heap = &t->heap};
    t->matched = (weft_matched){
        .schemas = {.file = &t->file.schema, .world = &t->world.schema, .scratch = &t->scratch}};
}

static void close_tried(tried *t)
{
    close_rows(&t->from);
    close_rows(&t->to);
    weft_scratch_free(&t->scratch);
    assert_int_equal(t->heap.bytes, 0);
}

static void expect_words(const tried *t)
{
    char words[WEFT_REFUSAL_BYTES];
    const char *field = t->about->field ? t->about->field : "x";
    const char *why = t->matched.schemas.why;
    snprintf(words, sizeof words, "field '%s' of component 'thing'%s", field, t->about->words);
    if (strncmp(why, words, strlen(words)) != 0) {
        fail_msg("%s: '%s' is not '%s'", t->about->name, why, words);
    }
}

static void expect_values(tried *t)
{
    unsigned char value[VALUE_BYTES] = {0};
    unsigned char expected[VALUE_BYTES];
    read_bytes(t->about->to, expected);
    copy_row(&t->to, BAD_ROW, value, true);
    if (WEFT_BIG_ENDIAN) save_value(&t->world, value);
    for (uint32_t i = 0; i < t->world.thing.size; i++) {
        if (value[i] == expected[i]) continue;
        fail_msg("%s: byte %u is 0x%02x, not 0x%02x", t->about->name, (unsigned)i, value[i],
                 expected[i]);
    }
}

// Converts the value as one of several rows, the others of which are zeros.
static void try_rows(tried *t, bool in_place)
{
    const weft_match *match = t->matched.components.values[0];
    unsigned char value[VALUE_BYTES];
    close_rows(&t->from);
    close_rows(&t->to);
    open_rows(&t->from, &t->file.thing);
    open_rows(&t->to, &t->world.thing);
    rows *start = in_place ? &t->to : &t->from;
    for (uint32_t row = 0; row < ROWS; row++) {
        read_bytes(row == BAD_ROW ? t->about->from : NULL, value);
        copy_row(start, row, value, false);
    }
    // From the second row on, so that where they begin is seen.
    weft_column_span from = {start->columns, 1};
    weft_column_span to = {t->to.columns, 1};
    weft_status status = weft_convert_rows(&t->matched.schemas, match, from, to, ROWS - 1);
    assert_int_equal(weft_convert_rows(&t->matched.schemas, match, from, to, 0), WEFT_OK);
    if (t->about->to) {
        if (status != WEFT_OK) fail_msg("%s: %s", t->about->name, t->matched.schemas.why);
        expect_values(t);
        return;
    }
    bool damaged = strstr(t->about->words, "contains an invalid ") != NULL;
    if (status != (damaged ? WEFT_BAD_FILE : WEFT_MISMATCH)) {
        fail_msg("%s: it is not refused so, but with status %d", t->about->name, status);
    }
    expect_words(t);
    assert_int_equal(t->matched.schemas.why_row, BAD_ROW - 1);
}

static void try_case(const conversion_case *about, bool was_soa, bool is_soa)
{
    static tried t;
    open_tried(&t, about, was_soa, is_soa);
    bool matched = weft_schemas_match(&t.matched);
    bool pairs = about->from != NULL;
    if (matched != pairs) fail_msg("%s: %s", about->name, t.matched.schemas.why);
    if (!pairs) expect_words(&t);
    if (pairs) try_rows(&t, false);
    if (pairs && t.matched.components.values[0]->fields.same) try_rows(&t, true);
    close_tried(&t);
}

static void test_values_come_to_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int layouts = 0; layouts < 4; layouts++) {
            try_case(&cases[i], (layouts & 1) != 0, (layouts & 2) != 0);
        }
    }
}

// ---- declarations

static const weft_component_info components_was[] = {
    {.name = "stays", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "gone", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "old", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "unsaved", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "tag", .storage = WEFT_STORAGE_TAG, .save = true},
};
static const weft_component_info components_is[] = {
    {.name = "new", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "tag", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "unsaved", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "fresh", .was = "old", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "stays", .was = "gone", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_singleton_info singletons_was[] = {
    {.name = "sky", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "sea", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_singleton_info singletons_is[] = {
    {.name = "sea", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "air", .was = "sky", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_event_info events_was[] = {
    {.name = "cry", .size = 4, .field_count = 1, .fields = pair_was}};
static const weft_event_info events_is[] = {
    {.name = "shout", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "call", .was = "cry", .size = 4, .field_count = 1, .fields = pair_was}};
static const weft_relation_info relations_was[] = {{.name = "holds"}, {.name = "follows"}};
static const weft_relation_info relations_is[] = {{.name = "carries", .was = "holds"}};

static const weft_schema declared_was = {.component_count = 5,
                                         .components = components_was,
                                         .singleton_count = 2,
                                         .singletons = singletons_was,
                                         .event_count = 1,
                                         .events = events_was,
                                         .relation_count = 2,
                                         .relations = relations_was};
static const weft_schema declared_is = {.component_count = 5,
                                        .components = components_is,
                                        .singleton_count = 2,
                                        .singletons = singletons_is,
                                        .event_count = 2,
                                        .events = events_is,
                                        .relation_count = 1,
                                        .relations = relations_is};

static void expect_kind(const weft_matched_kind *kind, const uint32_t *was, const char *valued)
{
    for (uint32_t i = 0; valued[i] != '\0'; i++) {
        assert_int_equal(kind->was[i], was[i]);
        if (was[i] != WEFT_NEVER) assert_int_equal(kind->now[was[i]], i);
        assert_int_equal(kind->values[i] != NULL, valued[i] == 'v');
    }
}

// Each is found by its name, or by the one it had before; some have no values to convert.
static void test_declarations_are_matched_by_their_names(void **state)
{
    (void)state;
    weft_heap heap;
    assert_true(weft_heap_open(&heap, &(weft_memory){.user = NULL}));
    weft_scratch scratch = {.heap = &heap};
    weft_matched m = {.schemas = {&declared_was, &declared_is, &scratch, .why_row = 0}};
    assert_true(weft_schemas_match(&m));
    expect_kind(&m.components, (const uint32_t[]){WEFT_NEVER, 4, 3, 2, 0}, "---vv");
    assert_int_equal(m.components.now[1], WEFT_NEVER);
    expect_kind(&m.singletons, (const uint32_t[]){1, 0}, "-v");
    expect_kind(&m.events, (const uint32_t[]){WEFT_NEVER, 0}, "-v");
    expect_kind(&m.relations, (const uint32_t[]){0}, "-");
    assert_int_equal(m.relations.now[1], WEFT_NEVER);
    weft_scratch_free(&scratch);
    assert_int_equal(heap.bytes, 0);
}

// ---- no memory

typedef struct failing {
    weft_memory hooks;
    uint32_t left; // allocations until they fail
} failing;

static void *allocate_some(void *user, size_t bytes)
{
    failing *f = (failing *)user;
    if (f->left == 0) return NULL;
    f->left--;
    return f->hooks.allocate(f->hooks.user, bytes);
}

static void free_some(void *user, void *memory, size_t bytes)
{
    const failing *f = (const failing *)user;
    f->hooks.free_(f->hooks.user, memory, bytes);
}

// In hard mode each array of the scratch is an allocation of its own.
static void test_without_memory_nothing_is_matched(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += 3) {
        bool matched = false;
        for (uint32_t left = 0; !matched; left++) {
            static tried t;
            failing f = {.left = left};
            open_tried(&t, &cases[i], false, false);
            f.hooks = t.heap.hooks;
            t.heap.hooks.allocate = allocate_some;
            t.heap.hooks.free_ = free_some;
            t.heap.hooks.user = &f;
            matched = weft_schemas_match(&t.matched) || !t.scratch.out_of_memory;
            assert_true(left != 0 || !matched);
            close_tried(&t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_come_to_what_the_table_says),
        cmocka_unit_test(test_declarations_are_matched_by_their_names),
        cmocka_unit_test(test_without_memory_nothing_is_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
