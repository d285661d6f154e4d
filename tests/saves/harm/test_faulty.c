// A world with an invalid value is not saved. Each kind of invalid value, in each place, is refused
// by its name, the previous save stays, and the world can be saved after it is corrected.
//
// program: worlds
#include "faulty.h"
#include "faulty_row.h"
#include "folder.h"
#include "weft_json.h"
#include "world/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 200, WRONG = 163 }; // more than are written in one piece

static faulty_said said;
static bool speaks;

void faulty_say(const faulty_say_ctx *ctx, uint32_t count)
{
    (void)count;
    if (speaks) faulty_said_emit(ctx->emit_said, said);
}

void faulty_listen(const faulty_listen_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

// ---- what is wrong

typedef struct fault {
    const char *field;
    size_t offset;  // into the member
    uint32_t bytes; // of the number; 0: a string without its NUL
    uint64_t number;
    const char *path;
    const char *why;
} fault;

#define IN(member) offsetof(faulty_aos, member)
#define A_BOOL ", and a bool is 0 or 1: write false or true"
#define A_MOOD ", and enum 'mood' has values of 0 to 2: write one of these"

static const fault faults[] = {
    {"lit", 0, 1, 2, "lit", "is 2" A_BOOL},
    {"lit", 0, 1, 255, "lit", "is 255" A_BOOL},
    {"mood", 0, 1, 3, "mood", "is 3" A_MOOD},
    {"rank", 0, 2, 2, "rank", "is 2, and enum 'rank' has values of 0 to 1: write one of these"},
    {"rank", 0, 2, 256, "rank", "is 256, and enum 'rank' has values of 0 to 1: write one of these"},
    {"wide", 0, 4, 0x80000000u, "wide",
     "is 2147483648, and enum 'wide' has values of 0 to 3: write one of these"},
    {"text", 8, 0, 0, "text", "has no NUL in its 8 bytes: end it with one"},
    {"list", 0, 4, 4, "list.count", "is 4, and there is room for 3 items"},
    {"moods", 1, 1, 7, "moods[angry]", "is 7" A_BOOL},
    {"bundle", IN(bundle.spots[1].lit) - IN(bundle), 1, 3, "bundle.spots[1].lit", "is 3" A_BOOL},
    {"bundle", IN(bundle.spots[0].mood) - IN(bundle), 1, 99, "bundle.spots[0].mood",
     "is 99" A_MOOD},
    {"bundle", 5, 0, IN(bundle.text) - IN(bundle), "bundle.text",
     "has no NUL in its 5 bytes: end it with one"},
    {"spots", 0, 4, 0xFFFFFFFFu, "spots.count", "is 4294967295, and there is room for 2 items"},
    {"spots", IN(spots.items[1].mood) - IN(spots), 1, 3, "spots[1].mood", "is 3" A_MOOD},
    {"tile", offsetof(slab, kind), 1, 2, "tile.kind", "is 2" A_BOOL},
};

enum { FAULTS = sizeof faults / sizeof *faults };

static void write_fault(const fault *f, unsigned char *member)
{
    if (f->bytes == 0)
        memset(member + f->number, 'a', f->offset);
    else
        weft_bits_write(member + f->offset, f->bytes, f->number);
}

// ---- where it is

typedef enum place { IN_AOS, IN_SOA, IN_SPARSE, IN_SKY, IN_SAID, IN_REMOVED, PLACES } place;

static const char *const owners[PLACES] = {
    "component 'aos' of entity ",    "component 'soa' of entity ",
    "component 'sparse' of entity ", "singleton 'sky' ",
    "unread event 'said' (2 of 3) ", "removed component 'aos' of entity ",
};

typedef struct rig {
    faulty_world *w;
    faulty_entity e[ROWS];
    folder folder;
    content before;
    uint32_t logged;
} rig;

static const weft_field *field_of(const weft_schema *schema, place in, const char *name)
{
    const weft_component_info *aos = &schema->components[0];
    const weft_field *fields = aos[in == IN_SOA ? 1 : in == IN_SPARSE ? 2 : 0].fields;
    if (in == IN_SKY) fields = schema->singletons[0].fields;
    if (in == IN_SAID) fields = schema->events[0].fields;
    return &fields[weft_name_find(fields, sizeof *fields, aos->field_count, name)];
}

static unsigned char *row_member(faulty_world *w, faulty_entity e, uint32_t component,
                                 uint32_t field)
{
    weft_place at;
    const weft_world *base = faulty_world_base(w);
    assert_true(weft_find(&base->entities, base->plan->format, e.bits, &at));
    return (unsigned char *)(uintptr_t)weft_row_member(base->plan, base->tables.items[at.table],
                                                       at.row, component, field);
}

static unsigned char *member_of(rig *r, place in, const char *name)
{
    faulty_entity e = r->e[WRONG];
    const weft_field *field = field_of(faulty_schema(), in, name);
    const weft_field *soa = faulty_schema()->components[1].fields;
    switch (in) {
    case IN_SOA:
        return row_member(r->w, e, 1, (uint32_t)(field - soa));
    case IN_SPARSE:
        return (unsigned char *)faulty_sparse_edit(r->w, e) + field->offset;
    case IN_SKY:
        return (unsigned char *)faulty_sky_edit(r->w) + field->offset;
    case IN_SAID:
        return (unsigned char *)&said + field->offset;
    default:
        return (unsigned char *)faulty_aos_edit(r->w, e) + field->offset;
    }
}

// Whole lists, so that their items count.
static void fill(rig *r)
{
    faulty_aos aos = {.mood = FAULTY_MOOD_TIRED, .lit = true, .text = "seven a"};
    faulty_sparse sparse = {.spots.count = 2, .list.count = 3};
    aos.spots.count = 2;
    for (uint32_t i = 0; i < ROWS; i += 3) faulty_aos_set(r->w, r->e[i], aos);
    for (uint32_t i = 0; i < ROWS; i++) assert_true(faulty_sparse_set(r->w, r->e[i], sparse));
    faulty_aos_edit(r->w, r->e[WRONG])->spots.count = 2;
    faulty_soa_edit(r->w, r->e[WRONG]).spots->count = 2;
    faulty_sky_edit(r->w)->spots.count = 2;
    assert_true(faulty_many_set(r->w, r->e[0], (faulty_many){.flags[1] = true}));
    said = (faulty_said){.spots.count = 2};
}

static int open_rig(void **state)
{
    static rig r;
    folder_make(&r.folder);
    r.w = faulty_open(NULL);
    speaks = false;
    if (!r.w || !faulty_despawn(r.w, faulty_spawn(r.w))) return 1;
    if (faulty_row_spawn_many(r.w, ROWS, NULL, r.e) != ROWS) return 1;
    fill(&r);
    if (faulty_tick(r.w, 1000.0) != WEFT_OK) return 1; // removals are kept from here on
    *state = &r;
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    faulty_close(r->w);
    folder_remove(&r->folder);
    return 0;
}

// ---- saving

static void assert_words(const rig *r, place in, const fault *f)
{
    char words[512], entity[32] = "";
    const faulty_entity e = r->e[WRONG];
    if (in != IN_SKY && in != IN_SAID) {
        snprintf(entity, sizeof entity, "%u:%u ", (unsigned)(e.bits & 0xFFFFF),
                 (unsigned)(e.bits >> 20));
    }
    snprintf(words, sizeof words,
             "world 'faulty' is not saved, because no load would accept it: field '%s' of %s%s%s",
             f->path, owners[in], entity, f->why);
    assert_string_equal(faulty_error(r->w), words);
}

// Every way to save refuses the world, changes nothing of it, and leaves the file as it was.
static void assert_refused(rig *r, place in, const fault *f)
{
    void *bytes = r;
    size_t count = 1;
    static content now;
    uint64_t hash = faulty_hash_exact(r->w);
    assert_int_equal(faulty_save_memory(r->w, &bytes, &count), WEFT_BAD_VALUE);
    assert_null(bytes);
    assert_int_equal(count, 0);
    assert_words(r, in, f);
    assert_int_equal(faulty_save(r->w, r->folder.save), WEFT_BAD_VALUE);
    assert_words(r, in, f);
    assert_int_equal(faulty_save_begin(r->w, r->folder.save), WEFT_BAD_VALUE);
    assert_words(r, in, f);
    assert_int_equal(faulty_save_done(r->w), WEFT_NOT_FOUND);
    assert_true(faulty_hash_exact(r->w) == hash);
    content_read(&now, r->folder.save);
    assert_true(content_same(&now, &r->before));
    assert_int_equal(folder_count(&r->folder), 1);
}

static void assert_saved(rig *r)
{
    faulty_world *loaded = faulty_open(NULL);
    assert_int_equal(faulty_save(r->w, r->folder.save), WEFT_OK);
    content_read(&r->before, r->folder.save);
    assert_int_equal(faulty_save_begin(r->w, r->folder.save), WEFT_OK);
    assert_int_equal(faulty_save_wait(r->w), WEFT_OK);
    assert_int_equal(faulty_load(loaded, r->folder.save), WEFT_OK);
    assert_true(faulty_hash_exact(loaded) == faulty_hash_exact(r->w));
    faulty_close(loaded);
}

// Has three values be said, the second of them wrong.
static void say(rig *r, const fault *f)
{
    faulty_said sound = said;
    speaks = true;
    assert_int_equal(faulty_tick(r->w, 0.0), WEFT_OK);
    write_fault(f, member_of(r, IN_SAID, f->field));
    assert_int_equal(faulty_tick(r->w, 0.0), WEFT_OK);
    said = sound;
    assert_int_equal(faulty_tick(r->w, 0.0), WEFT_OK);
    speaks = false;
}

// Has the world be without the values that were said, and those that were removed.
static void end_of_logs(rig *r)
{
    assert_int_equal(faulty_tick(r->w, 1000.0), WEFT_OK);
}

static void test_fault(rig *r, place in, const fault *f)
{
    const faulty_aos sound = {.spots.count = 2};
    unsigned char kept[sizeof(faulty_aos)];
    unsigned char *member = member_of(r, in, f->field);
    size_t size = field_of(faulty_schema(), in, f->field)->size;
    memcpy(kept, member, size);
    if (in == IN_SAID)
        say(r, f);
    else
        write_fault(f, member);
    if (in == IN_REMOVED) assert_true(faulty_aos_remove(r->w, r->e[WRONG]));
    assert_refused(r, in, f);
    if (in == IN_REMOVED) assert_true(faulty_aos_set(r->w, r->e[WRONG], sound));
    if (in == IN_SAID || in == IN_REMOVED) end_of_logs(r);
    if (in < IN_SAID) memcpy(member, kept, size);
    assert_saved(r);
}

static void test_faults_in(void **state, place in)
{
    rig *r = (rig *)*state;
    assert_saved(r);
    for (int i = 0; i < FAULTS; i++) test_fault(r, in, &faults[i]);
}

static void test_no_save_of_a_fault_in_a_table(void **state)
{
    test_faults_in(state, IN_AOS);
}

static void test_no_save_of_a_fault_in_columns(void **state)
{
    test_faults_in(state, IN_SOA);
}

static void test_no_save_of_a_fault_in_a_sparse_component(void **state)
{
    test_faults_in(state, IN_SPARSE);
}

static void test_no_save_of_a_fault_in_a_singleton(void **state)
{
    test_faults_in(state, IN_SKY);
}

static void test_no_save_of_a_fault_in_an_unread_event(void **state)
{
    test_faults_in(state, IN_SAID);
}

static void test_no_save_of_a_fault_in_a_removed_value(void **state)
{
    test_faults_in(state, IN_REMOVED);
}

// ---- values of which every byte is written from where it lies

static const char *error_behind(rig *r, const char *words)
{
    void *bytes;
    size_t count;
    assert_int_equal(faulty_save_memory(r->w, &bytes, &count), WEFT_BAD_VALUE);
    const char *found = strstr(faulty_error(r->w), words);
    assert_non_null(found);
    return found + strlen(words);
}

static void test_whole_values_are_looked_at(void **state)
{
    rig *r = (rig *)*state;
    unsigned char *whole = row_member(r->w, r->e[WRONG], 3, 0);
    unsigned char *lone = row_member(r->w, r->e[ROWS - 1], 4, 0);
    unsigned char *many = row_member(r->w, r->e[0], 5, 0);
    whole[0] = 3;
    error_behind(r, "field 'mood' of component 'whole'");
    whole[0] = 0;
    whole[offsetof(faulty_whole, flags) + 2] = 2;
    error_behind(r, "field 'flags[2]' of component 'whole'");
    whole[offsetof(faulty_whole, flags) + 2] = 1;
    *lone = 128;
    error_behind(r, "field 'lit' of component 'lone'");
    *lone = 1;
    many[699] = 4;
    error_behind(r, "field 'flags[699]' of component 'many'");
    many[699] = 0;
    assert_saved(r);
}

// A load does not look at these either.
static void test_what_is_not_saved_or_may_be_anything_is_not_looked_at(void **state)
{
    rig *r = (rig *)*state;
    unsigned char *lost = (unsigned char *)faulty_lost_edit(r->w, r->e[WRONG]);
    unsigned char *sea = (unsigned char *)faulty_sea_edit(r->w);
    memset(lost, 0xFF, sizeof(faulty_lost));
    *sea = 2;
    *member_of(r, IN_AOS, "lost") = 2;
    *member_of(r, IN_SOA, "lost") = 2;
    *member_of(r, IN_SKY, "lost") = 2;
    memset(faulty_numbers_edit(r->w, r->e[WRONG]), 0xFF, sizeof(faulty_numbers));
    faulty_aos_edit(r->w, r->e[WRONG])->spots.count = 1;
    memset(&faulty_aos_edit(r->w, r->e[WRONG])->spots.items[1], 0xFF, sizeof(faulty_spot));
    faulty_world *loaded = faulty_open(NULL);
    assert_int_equal(faulty_save(r->w, r->folder.save), WEFT_OK);
    assert_int_equal(faulty_load(loaded, r->folder.save), WEFT_OK);
    faulty_close(loaded);
}

// A path that is longer than the words have space for loses its beginning.
static void test_the_end_of_a_long_path_is_told(void **state)
{
    rig *r = (rig *)*state;
    unsigned char *second_of_two = (unsigned char *)faulty_abyss_edit(r->w) + 1;
    *second_of_two = 2;
    error_behind(
        r,
        "and_another_one_that_is_as_long_and_lies_in_the_one_before_it[1]."
        "the_last_of_them_which_is_what_has_to_be_seen_of_such_a_path' of singleton 'abyss' is 2");
    *second_of_two = 1;
    assert_saved(r);
}

static void count_log(void *user, const char *line)
{
    rig *r = (rig *)user;
    if (strstr(line, "field 'lit' of singleton 'sky' is 2")) r->logged++;
}

static void test_the_log_is_told(void **state)
{
    rig *r = (rig *)*state;
    void *bytes;
    size_t count;
    faulty_world *w = faulty_open(&(weft_options){.log = count_log, .user = r});
    r->logged = 0;
    *(unsigned char *)faulty_sky_edit(w) = 2;
    assert_int_equal(faulty_save_memory(w, &bytes, &count), WEFT_BAD_VALUE);
    assert_int_equal(r->logged, 1);
    faulty_close(w);
}

// ---- JSON

typedef struct text {
    size_t bytes;
    char at[4096];
} text;

static weft_status add_text(void *user, const char *piece, size_t bytes)
{
    text *t = (text *)user;
    assert_true(t->bytes + bytes < sizeof t->at);
    memcpy(t->at + t->bytes, piece, bytes);
    t->bytes += bytes;
    t->at[t->bytes] = '\0';
    return WEFT_OK;
}

// A text is for people to read and to mend, so it is written whatever values are: what can be read
// again has no more items, bytes and truth than there are, and only the number of an enum is told.
static void test_as_json_it_is_written_and_names_what_is_wrong(void **state)
{
    rig *r = (rig *)*state;
    text t = {.bytes = 0};
    faulty_sky *sky = faulty_sky_edit(r->w);
    weft_world *base = faulty_world_base(r->w);
    weft_bits_write(&sky->lit, 1, 2);
    memset(sky->text, 'a', sizeof sky->text);
    sky->list.count = 99;
    assert_int_equal(weft_json_singleton_write(base, 0, add_text, &t), WEFT_OK);
    assert_non_null(strstr(t.at, "\"lit\": true"));
    assert_non_null(strstr(t.at, "\"text\": \"aaaaaaaa\""));
    assert_non_null(strstr(t.at, "\"list\": [0, 0, 0]"));
    t.bytes = 0;
    weft_bits_write(&sky->mood, 1, 9);
    assert_int_equal(weft_json_singleton_write(base, 0, add_text, &t), WEFT_OK);
    assert_non_null(strstr(t.at, "\"mood\": 9,"));
}

static void test_a_json_text_with_no_value_of_an_enum_is_refused_by_its_place(void **state)
{
    static const char refused[] = "{\"weft\": 1, \"world\": \"faulty\", "
                                  "\"singletons\": {\"sky\": {\"mood\": 9}}}";
    faulty_world *w = faulty_open(NULL);
    (void)state;
    assert_int_equal(weft_json_world_read(faulty_world_base(w), refused, sizeof refused - 1),
                     WEFT_BAD_VALUE);
    assert_non_null(strstr(faulty_error(w), "mood"));
    faulty_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_a_table, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_columns, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_a_sparse_component, open_rig,
                                        close_rig),
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_a_singleton, open_rig,
                                        close_rig),
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_an_unread_event, open_rig,
                                        close_rig),
        cmocka_unit_test_setup_teardown(test_no_save_of_a_fault_in_a_removed_value, open_rig,
                                        close_rig),
        cmocka_unit_test_setup_teardown(test_whole_values_are_looked_at, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_what_is_not_saved_or_may_be_anything_is_not_looked_at,
                                        open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_the_end_of_a_long_path_is_told, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_the_log_is_told, open_rig, close_rig),
        cmocka_unit_test_setup_teardown(test_as_json_it_is_written_and_names_what_is_wrong,
                                        open_rig, close_rig),
        cmocka_unit_test(test_a_json_text_with_no_value_of_an_enum_is_refused_by_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
