// Damaged saves, and saves by an attacker who knows the format.
//
// program: worlds byte_order
#define _DEFAULT_SOURCE

#include "before.h"
#include "crypt.h"
#include "filled.h"
#include "lived.h"
#include "parts.h"
#include "raw.h"
#include "taken.h"
#include "trial.h"
#include "values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    trial trial;
    unsigned char *bytes; // of a small save
    size_t count;
    unsigned char *copy; // space for it
    parts parts;
    taken taken; // all NULL if no part is tried
} rig;

// A world with something of everything, whose systems have run.
static void make_save(rig *r)
{
    dice d = {1};
    void *bytes;
    vault_world *w = vault_open(NULL);
    filled_spawn(vault_world_base(w), &d, 14);
    lived(w, &d);
    assert_int_equal(vault_save_memory(w, &bytes, &r->count), WEFT_OK);
    r->bytes = (unsigned char *)bytes;
    vault_close(w);
}

static int open_rig(void **state)
{
    static rig r;
    r = (rig){.count = 0};
    trial_open(&r.trial);
    make_save(&r);
    r.copy = (unsigned char *)malloc(r.count);
    *state = &r;
    return parts_find(&r.parts, r.bytes, r.count) ? 0 : 1;
}

// With a save from before the schema has changed.
static int open_rig_before(void **state)
{
    static rig r;
    dice d = {4};
    r = (rig){.count = 0};
    trial_open(&r.trial);
    r.bytes = before_save(&d, 14, &r.count);
    r.copy = (unsigned char *)malloc(r.count);
    *state = &r;
    return parts_find(&r.parts, r.bytes, r.count) ? 0 : 1;
}

// A trial of part `number`, which begins with the world that it was taken out of.
static rig *open_part(int number)
{
    static rig r;
    r = (rig){.count = 0};
    taken_make(&r.taken);
    r.count = r.taken.parts[number].count;
    r.bytes = (unsigned char *)malloc(r.count);
    memcpy(r.bytes, r.taken.parts[number].bytes, r.count);
    r.copy = (unsigned char *)malloc(r.count);
    trial_open_part(&r.trial, r.taken.start.bytes, r.taken.start.count);
    return &r;
}

static int open_rig_part(void **state)
{
    rig *r = open_part(0);
    *state = r;
    return parts_find(&r->parts, r->bytes, r->count) ? 0 : 1;
}

// With a part whose entities are away.
static int open_rig_away(void **state)
{
    rig *r = open_part(1);
    *state = r;
    return parts_find(&r->parts, r->bytes, r->count) ? 0 : 1;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    trial_close(&r->trial);
    free(r->bytes);
    free(r->copy);
    taken_free(&r->taken);
    return 0;
}

static void test_there_is_something_of_everything(void **state)
{
    static const char kinds[][5] = {"SCHM", "VERS", "ENTS", "AWAY", "TABL", "SPRS", "SING", "CLKS",
                                    "SWCH", "SEED", "EVNT", "RELA", "LINK", "MRKS", "RMVD", "END "};
    const rig *r = (const rig *)*state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < r->parts.count; i++) {
            found += memcmp(r->bytes + r->parts.items[i].at - 16, kinds[k], 4) == 0;
        }
        assert_true(found > 0);
    }
}

static void test_what_it_was_is_converted(void **state)
{
    rig *r = (rig *)*state;
    assert_int_equal(trial_load(&r->trial, r->bytes, r->count), WEFT_OK);
}

// As in test_dust.c, for values that are converted.
static void test_what_meant_nothing_is_converted_to_zeros(void **state)
{
    rig *r = (rig *)*state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        dice d = {seed};
        size_t count;
        crypt_world *w = crypt_open(NULL);
        filled_spawn(crypt_world_base(w), &d, 40);
        unsigned char *bytes = raw_save(crypt_world_base(w), 0xA5, &count);
        crypt_close(w);
        before_rename(bytes, count);
        assert_int_equal(vault_load_memory(r->trial.w, bytes, count), WEFT_OK);
        assert_int_equal(values_stray(vault_world_base(r->trial.w)), 0);
        free(bytes);
    }
}

static void test_every_truncation_is_refused(void **state)
{
    rig *r = (rig *)*state;
    for (size_t count = 0; count < r->count; count++) {
        assert_int_equal(trial_load(&r->trial, r->bytes, count), WEFT_BAD_FILE);
    }
    assert_int_equal(trial_load(&r->trial, r->bytes, r->count), WEFT_OK);
}

static void test_bytes_behind_the_end_are_refused(void **state)
{
    rig *r = (rig *)*state;
    unsigned char *longer = (unsigned char *)calloc(1, r->count + 16);
    memcpy(longer, r->bytes, r->count);
    for (size_t more = 1; more <= 16; more++) {
        assert_int_equal(trial_load(&r->trial, longer, r->count + more), WEFT_BAD_FILE);
        weft_little_write(longer + 16, 8, r->count + more); // the head says so too
        weft_checksum sum;
        weft_checksum_begin(&sum);
        weft_checksum_add(&sum, longer, WEFT_SAVE_HEAD_BYTES - 8);
        weft_little_write(longer + WEFT_SAVE_HEAD_BYTES - 8, 8, weft_checksum_end(&sum));
        assert_int_equal(trial_load(&r->trial, longer, r->count + more), WEFT_BAD_FILE);
    }
    free(longer);
}

// In hard mode, where a load moves every table for every row, only each 13th byte is changed.
#ifdef WEFT_HARD
enum { BYTES_APART = 13 };
#else
enum { BYTES_APART = 1 };
#endif

// Each byte is changed in one of three ways.
static void test_every_changed_byte_is_refused(void **state)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    rig *r = (rig *)*state;
    memcpy(r->copy, r->bytes, r->count);
    for (size_t at = 0; at < r->count; at += BYTES_APART) {
        r->copy[at] = r->bytes[at] ^ changes[at % sizeof changes];
        assert_int_equal(trial_load(&r->trial, r->copy, r->count), WEFT_BAD_FILE);
        r->copy[at] = r->bytes[at];
    }
}

// Every byte of every section is changed, and the checksums are right again.
static void test_a_changed_byte_with_the_right_checksum_does_no_harm(void **state)
{
    static const unsigned char changes[] = {0x01, 0x02, 0x10, 0x80, 0xFF};
    rig *r = (rig *)*state;
    uint32_t accepted = 0;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < r->parts.count; i++) {
        const part *p = &r->parts.items[i];
        for (size_t at = 0; at < p->count; at += BYTES_APART) {
            memcpy(r->copy, r->bytes, r->count);
            r->copy[p->at + at] ^= changes[(p->at + at / 8 + at % 8) % sizeof changes];
            parts_mend(&r->parts, r->copy, r->count);
            bool loaded = trial_load(&r->trial, r->copy, r->count) == WEFT_OK;
            accepted += loaded;
            refused += !loaded;
        }
    }
    assert_true(accepted > 100 / BYTES_APART && refused > 1000 / BYTES_APART);
}

// Every word that could be a count says that there is more than there is; TRIAL_BYTES bounds what a
// load may take for it.
static void test_counts_that_lie_take_no_memory(void **state)
{
    static const uint64_t counts[] = {1000,       65535,      65536,         1023,      1024,
                                      0xFFFFFFFF, 0x7FFFFFFF, 0x1FFFFFFFFFu, UINT64_MAX};
    rig *r = (rig *)*state;
    uint32_t number = 0;
    for (uint32_t i = 0; i < r->parts.count; i++) {
        const part *p = &r->parts.items[i];
        for (size_t at = p->at; at < p->at + p->count; at += 8) {
            if (weft_little_read(r->bytes + at, 8) > 1024) continue;
            memcpy(r->copy, r->bytes, r->count);
            weft_little_write(r->copy + at, 8, counts[number++ % 9]);
            parts_mend(&r->parts, r->copy, r->count);
            trial_load(&r->trial, r->copy, r->count);
        }
    }
    assert_true(number > 300);
}

// ------------------------------------------------------------------------------------------------
// Parts that are small in the file, and many times over

enum { FIELDS = 2500, TABLES = 4500, HOARD_BYTES = 1 << 20 };

static void write_no_entities(weft_sink *sink, const void *context)
{
    (void)context;
    for (int i = 0; i < 3; i++) weft_write_word(sink, 0);
}

static void write_empty_table(weft_sink *sink, const void *context)
{
    (void)context;
    weft_write_word(sink, 0); // rows
    weft_write_word(sink, 1); // components
    weft_write_word(sink, 0);
    weft_write_word(sink, 0); // the component
}

static void write_nothing(weft_sink *sink, const void *context)
{
    (void)sink;
    (void)context;
}

static bool append(void *to, const void *bytes, size_t count)
{
    unsigned char **end = (unsigned char **)to;
    memcpy(*end, bytes, count);
    *end += count;
    return true;
}

// Tables without rows of a component that is an array for each of its many fields.
static void test_tables_of_nothing_take_no_memory(void **state)
{
    static weft_field fields[FIELDS];
    static unsigned char bytes[HOARD_BYTES];
    rig *r = (rig *)*state;
    unsigned char *end = bytes;
    for (uint32_t i = 0; i < FIELDS; i++) {
        fields[i] = (weft_field){.name = "f",
                                 .type = WEFT_TYPE_U8,
                                 .save = true,
                                 .size = 1,
                                 .element_size = 1,
                                 .count = 1};
    }
    weft_component_info hoard = {.name = "hoard",
                                 .soa = true,
                                 .save = true,
                                 .size = 1,
                                 .field_count = FIELDS,
                                 .fields = fields};
    weft_schema schema = {.name = "vault",
                          .index_bits = 20,
                          .generation_bits = 12,
                          .handle_bytes = 4,
                          .component_count = 1,
                          .components = &hoard};
    weft_sink sink = {.write = append, .to = &end, .piece_bytes = WEFT_PIECE_BYTES};
    weft_checksum_begin(&sink.sum);
    weft_write_word(&sink, WEFT_SAVE_MAGIC);
    weft_write_word(&sink, WEFT_SAVE_VERSION);
    for (int i = 0; i < 2; i++) weft_write_word(&sink, 0);
    weft_write_section(&sink, WEFT_SECTION_SCHEMA, 0, part_of_schema, &schema);
    weft_write_section(&sink, WEFT_SECTION_ENTITIES, 0, write_no_entities, NULL);
    for (int i = 0; i < TABLES; i++) {
        weft_write_section(&sink, WEFT_SECTION_TABLE, 0, write_empty_table, NULL);
    }
    weft_write_section(&sink, WEFT_SECTION_CLOCKS, 0, write_no_entities, NULL);
    weft_write_section(&sink, WEFT_SECTION_END, 0, write_nothing, NULL);
    parts_mend(&(parts){.count = 0}, bytes, (size_t)sink.bytes);
    assert_int_equal(trial_load(&r->trial, bytes, (size_t)sink.bytes), WEFT_OK);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
#define BEFORE(test)                                                                               \
    {                                                                                              \
#test "_before", test, open_rig_before, close_rig, NULL                                    \
    }
#define PART(test)                                                                                 \
    {                                                                                              \
#test "_part", test, open_rig_part, close_rig, NULL                                        \
    }
#define AWAY(test)                                                                                 \
    {                                                                                              \
#test "_away", test, open_rig_away, close_rig, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        RIG(test_there_is_something_of_everything),
        BEFORE(test_what_it_was_is_converted),
        RIG(test_what_meant_nothing_is_converted_to_zeros),
        RIG(test_every_truncation_is_refused),
        RIG(test_bytes_behind_the_end_are_refused),
        RIG(test_every_changed_byte_is_refused),
        RIG(test_a_changed_byte_with_the_right_checksum_does_no_harm),
        BEFORE(test_a_changed_byte_with_the_right_checksum_does_no_harm),
        RIG(test_counts_that_lie_take_no_memory),
        BEFORE(test_counts_that_lie_take_no_memory),
        PART(test_every_truncation_is_refused),
        PART(test_every_changed_byte_is_refused),
        PART(test_a_changed_byte_with_the_right_checksum_does_no_harm),
        AWAY(test_a_changed_byte_with_the_right_checksum_does_no_harm),
        PART(test_counts_that_lie_take_no_memory),
        AWAY(test_counts_that_lie_take_no_memory),
        RIG(test_tables_of_nothing_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
