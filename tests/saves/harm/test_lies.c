// Handmade saves with correct checksums and one impossible statement. Each is refused for that
// reason, in words, and the same save without it is loaded.
//
// program: quick moving byte_order
#include "lies.h"
#include "save/bytes.h"
#include "trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int open_rig(void **state)
{
    static trial t;
    trial_open(&t);
    *state = &t;
    return 0;
}

static int close_rig(void **state)
{
    trial_close((trial *)*state);
    return 0;
}

static void expect(trial *t, const lies *told, weft_status status, const char *words)
{
    size_t count;
    const void *bytes = lies_save(told, &count);
    weft_status found = trial_load(t, bytes, count);
    if (found != status || (status != WEFT_OK && !strstr(vault_error(t->w), words))) {
        fail_msg("'%s' is not said: '%s'", words, found == WEFT_OK ? "" : vault_error(t->w));
    }
}

static void test_what_says_nothing_wrong_is_loaded(void **state)
{
    lies told = lies_none();
    expect((trial *)*state, &told, WEFT_OK, "");
    told.rumors = 12;
    told.marks = 2;
    expect((trial *)*state, &told, WEFT_OK, "");
}

static void test_a_later_format_is_not_known(void **state)
{
    lies told = lies_none();
    told.version = WEFT_SAVE_VERSION + 1;
    expect((trial *)*state, &told, WEFT_BAD_FILE,
           "the save has format 2, but only format 1 is known: a later Weft than ");
    told.version = 0;
    expect((trial *)*state, &told, WEFT_BAD_FILE,
           "the save has format 0, but only format 1 is known: an earlier Weft than ");
}

static void test_a_section_that_is_not_known_is_skipped_only_where_it_says_so(void **state)
{
    lies told = lies_none();
    told.strange = true;
    expect((trial *)*state, &told, WEFT_BAD_FILE,
           "the save has a section that only a later Weft knows");
    told.its_flags = WEFT_SECTION_SKIP;
    expect((trial *)*state, &told, WEFT_OK, "");
}

static void expect_versions(trial *t, const lies *told, weft_status status)
{
    char words[80];
    snprintf(words, sizeof words, " (Weft 7.12.3 wrote it, this is %d.%d.%d)", WEFT_VERSION_MAJOR,
             WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    expect(t, told, status, words);
}

static void test_what_is_refused_names_the_version_that_wrote_it(void **state)
{
    lies told = lies_none();
    told.weft = 71203;
    expect((trial *)*state, &told, WEFT_OK, "");
    told.strange = true;
    expect_versions((trial *)*state, &told, WEFT_BAD_FILE);
    told.strange = false;
    told.world = "bank";
    expect_versions((trial *)*state, &told, WEFT_MISMATCH);
}

static void test_this_version_is_not_named(void **state)
{
    lies told = lies_none();
    told.weft = WEFT_VERSION;
    told.world = "bank";
    expect((trial *)*state, &told, WEFT_MISMATCH, "the save is of world 'bank', not of 'vault'");
    assert_null(strstr(vault_error(((trial *)*state)->w), "wrote it"));
}

// Its names are no longer than those of a schema in the words about it, and text.
static void test_names_are_shown_as_text(void **state)
{
    lies told = lies_none();
    char name[400];
    told.world = "va\x1B[31mult\n\xFF";
    expect((trial *)*state, &told, WEFT_MISMATCH,
           "the save is of world 'va\\u001b[31mult\\u000a\\udcff', not of 'vault'");
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    told.world = name;
    expect((trial *)*state, &told, WEFT_MISMATCH, "aaa', not of 'vault'");
}

static void test_clocks_are_there_once(void **state)
{
    lies told = lies_none();
    told.clocks = 0;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "the save is damaged: ");
    told.clocks = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "the save is damaged: ");
}

static void test_as_many_are_off_as_it_says(void **state)
{
    lies told = lies_none();
    told.off = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "the save is damaged: its switches");
    told.off = UINT16_MAX + 1;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "the save is damaged: its switches");
}

// There is space for one more now, but not in the save.
static void test_a_list_has_no_more_than_its_capacity(void **state)
{
    lies told = lies_none();
    told.marks = 3;
    expect((trial *)*state, &told, WEFT_BAD_FILE,
           "field 'marks' of component 'motion' of entity 0:1 contains an invalid u8");
    told.marks_of_last = 2;
    told.marks = UINT32_MAX;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "'marks' of component 'motion' of entity 0:1 ");
    told.marks_of_last = 3;
    told.marks = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "'marks' of component 'motion' of entity 1:1 ");
    told.handles[1] = lies_handle(1) + (6u << 20);
    expect((trial *)*state, &told, WEFT_BAD_FILE, "'marks' of component 'motion' of entity 1:7 ");
}

static void test_no_more_is_unread_than_the_max_of_an_event(void **state)
{
    lies told = lies_none();
    told.rumors = 13;
    expect((trial *)*state, &told, WEFT_MISMATCH, "13 unread values of event 'rumor', whose max");
}

static void test_an_event_is_there_once(void **state)
{
    lies told = lies_none();
    told.events = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "an event is malformed");
}

static void test_nobody_has_heard_more_than_there_is(void **state)
{
    lies told = lies_none();
    told.unheard = told.rumors + 1;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "an event is malformed");
}

// `place` was sparse and is in tables now: rows look for their values by slot.
static void test_values_are_those_of_their_owners(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    size_t count;
    told.owners[0] = 1;
    told.owners[1] = 0;
    const void *bytes = lies_save(&told, &count);
    assert_int_equal(vault_load_memory(t->w, bytes, count), WEFT_OK);
    vault_entity first = {lies_handle(0)};
    vault_entity second = {lies_handle(1)};
    assert_true(vault_place_get(t->w, first)->x == 101);
    assert_true(vault_place_get(t->w, second)->x == 100);
}

static void test_a_sparse_value_is_of_one_who_has_it(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.owners[1] = 0;
    expect(t, &told, WEFT_BAD_FILE, "a sparse component has two values of an entity");
    told.owners[1] = LIES_ENTITIES + 1; // of an index that there is not
    expect(t, &told, WEFT_BAD_FILE, "a sparse component has two values of an entity");
    told.owners[1] = LIES_ENTITIES; // of no entity
    expect(t, &told, WEFT_BAD_FILE, "a sparse component lacks a value");
    told = lies_none();
    told.has = 1;
    expect(t, &told, WEFT_BAD_FILE, "a sparse component has more or fewer values than rows");
    told = lies_none();
    told.values = 1;
    expect(t, &told, WEFT_BAD_FILE, "a sparse component lacks a value");
}

static void test_a_row_is_of_one_who_can_live(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.handles[1] = told.handles[0];
    expect(t, &told, WEFT_BAD_FILE, "the handle of a row is invalid");
    told = lies_none();
    told.handles[1] = lies_handle(LIES_ENTITIES + 1); // of an index that there is not
    expect(t, &told, WEFT_BAD_FILE, "the handle of a row is invalid");
    told.handles[1] = 1; // of generation 0
    expect(t, &told, WEFT_BAD_FILE, "the handle of a row is invalid");
    told = lies_none();
    told.free = lies_handle(1);
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.free = LIES_ENTITIES; // of generation 0
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.free = lies_handle(LIES_ENTITIES + 1);
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told = lies_none();
    told.has |= 1u << LIES_ENTITIES;
    expect(t, &told, WEFT_BAD_FILE, "a table is malformed");
    told = lies_none();
    told.live = LIES_ENTITIES + 1;
    expect(t, &told, WEFT_BAD_FILE, "it has more or fewer rows than entities");
}

static void test_an_index_is_free_or_retired_once(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.frees = 2;
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told = lies_none();
    told.retired = 3;
    expect(t, &told, WEFT_OK, "");
    told.retired_first = LIES_ENTITIES + 2; // which retires as the second, too
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
    told.retired_first = LIES_ENTITIES; // which is free
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
    told.retired_first = 1; // which an entity has
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
    told.retired_first = LIES_ENTITIES + 4; // which there is not
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
    told.retired_first = UINT32_MAX;
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
}

// Two numbers are a row of free indices, however long: each must be one that there is.
static void test_a_row_of_free_indices_is_of_indices(void **state)
{
    trial *t = (trial *)*state;
    const uint32_t all = 1u << 20; // indices
    lies told = lies_none();
    told.has_row = true;
    told.row = 5;
    expect(t, &told, WEFT_OK, "");
    told.retired = 1; // of the second of the row
    expect(t, &told, WEFT_BAD_FILE, "a retired index is invalid");
    told.retired = 0;
    told.row = 0;
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.row = all - 1; // down to that of an entity
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.row = all - LIES_ENTITIES - 1; // to one below 0
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.free += LIES_ENTITIES;
    told.row = all - LIES_ENTITIES; // down to the first that no entity has
    expect(t, &told, WEFT_OK, "");
    told.free = (all - 1) | 2u << 20;
    told.row = 1; // beyond the last
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
    told.frees = 0; // the row has no first
    expect(t, &told, WEFT_BAD_FILE, "a free index is invalid");
}

// It says that it has no more of them than there are entities, but has no handles for them.
static void test_a_table_has_a_handle_for_each_row(void **state)
{
    lies told = lies_none();
    told.live = 40;
    told.rows = 40;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "a table is malformed");
}

static void test_a_singleton_has_the_bytes_that_its_schema_says(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.singleton = LIES_EMPTY;
    expect(t, &told, WEFT_OK, "");
    told.its_words = 1;
    expect(t, &told, WEFT_BAD_FILE, "a singleton is malformed");
    told.its_words = 0;
    told.singleton = LIES_UNSAVED;
    expect(t, &told, WEFT_BAD_FILE, "a singleton is malformed");
}

static void test_a_seed_is_one_word(void **state)
{
    lies told = lies_none();
    told.seed_words = 1;
    expect((trial *)*state, &told, WEFT_OK, "");
    told.seed_words = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "its seed is malformed");
}

// What a reader watched and no reader can watch now is forgotten: the world has no tags of
// relations.
static void test_tags_of_relations_that_are_not_watched_are_forgotten(void **state)
{
    for (uint32_t number = 0; number < 4; number++) { // the last of which there is not
        lies told = lies_none();
        told.watched = LIES_COMPONENTS - 1 + number;
        expect((trial *)*state, &told, WEFT_OK, "");
    }
}

static void test_a_save_ends_once_and_there(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.ends = 0;
    expect(t, &told, WEFT_BAD_FILE, "its end is missing");
    told.ends = 2;
    expect(t, &told, WEFT_BAD_FILE, "its end is missing");
    told.ends = 1;
    told.goes_on = true;
    expect(t, &told, WEFT_BAD_FILE, "its end is missing");
}

static void test_a_link_is_between_two_who_live(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.child = LIES_ENTITIES + 1; // there is no such index
    expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
    told.child = LIES_ENTITIES; // it is free
    expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
    told.child = told.parent;
    expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
    told = lies_none();
    told.links = 2;
    expect(t, &told, WEFT_BAD_FILE, "an entity has two parents");
}

// Whatever space records have: what is behind it is not looked at.
static void test_a_link_is_of_indices_that_there_are(void **state)
{
    trial *t = (trial *)*state;
    for (uint32_t retired = 0; retired < 32; retired++) {
        lies told = lies_none();
        told.retired = retired;
        expect(t, &told, WEFT_OK, "");
        told.child = LIES_ENTITIES + 1 + retired;
        expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
        told.parent = told.child;
        told.child = 1;
        expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
    }
}

// ------------------------------------------------------------------------------------------------
// Links with values

static void test_links_are_loaded(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    size_t count;
    const void *bytes = lies_save(&told, &count);
    assert_int_equal(vault_load_memory(t->w, bytes, count), WEFT_OK);
    vault_entity first = {lies_handle(0)};
    vault_entity second = {lies_handle(1)};
    assert_int_equal(vault_owes_count(t->w), LIES_LINKS);
    assert_int_equal(vault_owes_get(t->w, first, first)->gold, 7);
    assert_int_equal(vault_owes_get(t->w, first, second)->gold, 8);
    assert_int_equal(vault_owes_get(t->w, second, first)->gold, 9);
    assert_int_equal(vault_flush(t->w), WEFT_OK);
    told.link_sections = 0;
    expect(t, &told, WEFT_OK, "");
}

static void test_links_are_between_two_who_live(void **state)
{
    trial *t = (trial *)*state;
    static const uint32_t missing[] = {LIES_ENTITIES, LIES_ENTITIES + 1, 1u << 20, UINT32_MAX};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        lies told = lies_none();
        told.link_from[2] = missing[i];
        expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
        told = lies_none();
        told.link_to[1] = missing[i];
        expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
    }
}

static void test_links_are_in_their_order(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.link_to[1] = 0; // twice
    expect(t, &told, WEFT_BAD_FILE, "links are not in their order");
    told.link_to[0] = 1;
    expect(t, &told, WEFT_BAD_FILE, "links are not in their order");
    told = lies_none();
    told.link_from[1] = 1;
    told.link_from[2] = 0;
    expect(t, &told, WEFT_BAD_FILE, "links are not in their order");
}

// They lead from the lower index to the higher.
static void test_symmetric_links_have_one_direction(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.link_kind = LIES_BEARS;
    told.link_words = 0;
    expect(t, &told, WEFT_BAD_FILE, "links are not in their order"); // has 1 to 0
    told.link_count = 2;
    expect(t, &told, WEFT_OK, "");
}

static void test_links_are_of_a_saved_kind(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.link_words = 0;
    told.link_kind = LIES_LOST;
    expect(t, &told, WEFT_OK, "");
    told.link_kind = LIES_UNSAVED_LINK;
    expect(t, &told, WEFT_BAD_FILE, "links are of no kind of the save");
    told.link_kind = LIES_LINK_KINDS;
    expect(t, &told, WEFT_BAD_FILE, "links are of no kind of the save");
    told.link_kind = UINT32_MAX;
    expect(t, &told, WEFT_BAD_FILE, "links are of no kind of the save");
}

// Also if the world has no such kind, so that a save is not sound by chance.
static void test_links_that_are_lost_are_checked_too(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.link_words = 0;
    told.link_kind = LIES_LOST;
    told.link_to[2] = LIES_ENTITIES;
    expect(t, &told, WEFT_BAD_FILE, "a link refers to a missing entity");
}

static void test_a_kind_of_links_has_one_section(void **state)
{
    lies told = lies_none();
    told.link_sections = 2;
    expect((trial *)*state, &told, WEFT_BAD_FILE, "links of a kind occur twice");
}

static void test_links_have_as_many_ends_and_values_as_they_say(void **state)
{
    trial *t = (trial *)*state;
    static const uint64_t counts[] = {LIES_LINKS + 2, UINT32_MAX, UINT64_MAX / 8, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        lies told = lies_none();
        told.link_count = counts[i];
        expect(t, &told, WEFT_BAD_FILE, "links are malformed");
    }
    lies told = lies_none();
    for (told.link_words = 0; told.link_words < 4; told.link_words++) {
        if (told.link_words == 2) continue;
        expect(t, &told, WEFT_BAD_FILE, "links are malformed");
    }
    told = lies_none();
    told.link_padding = 1;
    expect(t, &told, WEFT_BAD_FILE, "links are malformed");
    told = lies_none();
    told.link_count = 1; // its values are for two
    expect(t, &told, WEFT_BAD_FILE, "links are malformed");
}

static void test_the_values_of_links_are_as_their_schema_says(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.gold.type = WEFT_TYPE_BOOL; // which is one byte
    expect(t, &told, WEFT_BAD_FILE, "schema");
    told = lies_none();
    told.gold.offset = 4; // behind its struct
    expect(t, &told, WEFT_BAD_FILE, "schema");
    told = lies_none();
    told.owes.size = 0;
    expect(t, &told, WEFT_BAD_FILE, "schema");
    told.owes.size = UINT32_MAX;
    expect(t, &told, WEFT_BAD_FILE, "schema");
}

// ------------------------------------------------------------------------------------------------
// Schemas that make no sense

static void expect_nonsense(trial *t, const lies *told)
{
    expect(t, told, WEFT_BAD_FILE, "its schema is invalid");
}

static void test_handles_have_bits_and_space_for_them(void **state)
{
    static const struct {
        uint8_t index_bits, generation_bits, handle_bytes;
    } wrong[] = {{0, 12, 4},  {33, 12, 8}, {20, 0, 4}, {20, 33, 8},
                 {20, 13, 4}, {20, 12, 3}, {4, 4, 1},  {20, 12, 16}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lies told = lies_none();
        told.index_bits = wrong[i].index_bits;
        told.generation_bits = wrong[i].generation_bits;
        told.handle_bytes = wrong[i].handle_bytes;
        expect_nonsense((trial *)*state, &told);
    }
}

static void test_a_field_lies_in_its_struct_and_holds_what_it_says(void **state)
{
    static const struct {
        size_t word; // of weft_field
        uint32_t value;
    } wrong[] = {
        {offsetof(weft_field, offset), 1},       {offsetof(weft_field, offset), 1u << 20},
        {offsetof(weft_field, size), 9},         {offsetof(weft_field, size), 5},
        {offsetof(weft_field, element_size), 0}, {offsetof(weft_field, element_size), 2},
        {offsetof(weft_field, items_offset), 3}, {offsetof(weft_field, items_offset), 7},
        {offsetof(weft_field, count), 0},        {offsetof(weft_field, count), 5},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lies told = lies_none();
        memcpy((char *)&told.field + wrong[i].word, &wrong[i].value, sizeof wrong[i].value);
        expect_nonsense((trial *)*state, &told);
    }
}

static void test_a_field_is_of_a_type_there_is(void **state)
{
    static const weft_type inner[] = {WEFT_TYPE_ENUM, WEFT_TYPE_STRUCT, WEFT_TYPE_EXTERN};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        lies told = lies_none();
        told.field.type = inner[i]; // of which the save has none
        expect_nonsense((trial *)*state, &told);
    }
    lies told = lies_none();
    told.field.type = WEFT_TYPE_CHAR; // only strings are of those
    expect_nonsense((trial *)*state, &told);
    told.field.type = WEFT_TYPE_U16;
    expect_nonsense((trial *)*state, &told);
    told = lies_none();
    told.field.shape = WEFT_SHAPE_STRING; // and strings of nothing else
    told.field.items_offset = 0;
    told.field.count = told.field.size;
    expect_nonsense((trial *)*state, &told);
    told.field.shape = WEFT_SHAPE_ONE; // of several
    expect_nonsense((trial *)*state, &told);
}

static void test_a_component_is_stored_as_it_can_be(void **state)
{
    trial *t = (trial *)*state;
    lies told = lies_none();
    told.motion.storage = WEFT_STORAGE_TAG; // with fields
    expect_nonsense(t, &told);
    told = lies_none();
    told.motion.size = 0;
    expect_nonsense(t, &told);
    told = lies_none();
    told.motion.field_count = 0;
    expect_nonsense(t, &told);
    told = lies_none();
    told.motion.storage = WEFT_STORAGE_SPARSE;
    told.motion.soa = true;
    expect_nonsense(t, &told);
    told = lies_none();
    told.rumor_size = 0;
    expect_nonsense(t, &told);
    told.rumor_size = 1; // and its field takes two
    expect_nonsense(t, &told);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_what_says_nothing_wrong_is_loaded),
        RIG(test_a_later_format_is_not_known),
        RIG(test_a_section_that_is_not_known_is_skipped_only_where_it_says_so),
        RIG(test_what_is_refused_names_the_version_that_wrote_it),
        RIG(test_this_version_is_not_named),
        RIG(test_names_are_shown_as_text),
        RIG(test_clocks_are_there_once),
        RIG(test_as_many_are_off_as_it_says),
        RIG(test_a_list_has_no_more_than_its_capacity),
        RIG(test_no_more_is_unread_than_the_max_of_an_event),
        RIG(test_an_event_is_there_once),
        RIG(test_nobody_has_heard_more_than_there_is),
        RIG(test_values_are_those_of_their_owners),
        RIG(test_a_sparse_value_is_of_one_who_has_it),
        RIG(test_a_row_is_of_one_who_can_live),
        RIG(test_an_index_is_free_or_retired_once),
        RIG(test_a_row_of_free_indices_is_of_indices),
        RIG(test_a_table_has_a_handle_for_each_row),
        RIG(test_a_singleton_has_the_bytes_that_its_schema_says),
        RIG(test_a_seed_is_one_word),
        RIG(test_tags_of_relations_that_are_not_watched_are_forgotten),
        RIG(test_a_save_ends_once_and_there),
        RIG(test_a_link_is_between_two_who_live),
        RIG(test_a_link_is_of_indices_that_there_are),
        RIG(test_links_are_loaded),
        RIG(test_links_are_between_two_who_live),
        RIG(test_links_are_in_their_order),
        RIG(test_symmetric_links_have_one_direction),
        RIG(test_links_are_of_a_saved_kind),
        RIG(test_links_that_are_lost_are_checked_too),
        RIG(test_a_kind_of_links_has_one_section),
        RIG(test_links_have_as_many_ends_and_values_as_they_say),
        RIG(test_the_values_of_links_are_as_their_schema_says),
        RIG(test_handles_have_bits_and_space_for_them),
        RIG(test_a_field_lies_in_its_struct_and_holds_what_it_says),
        RIG(test_a_field_is_of_a_type_there_is),
        RIG(test_a_component_is_stored_as_it_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
