// A save of one world is equal, byte by byte, to world.save in this folder. A change of the format
// therefore cannot happen unnoticed.
//
// All machines of runtime/MACHINES.md write these bytes because a save is little-endian on each;
// the big-endian one runs this test as well. A save stores structs as the C compiler lays them out,
// and the schema has no struct that the compilers of these machines lay out in different ways.
//
// If you change the format on purpose, raise WEFT_SAVE_VERSION in runtime/save/bytes.h, so that no
// Weft reads what it does not understand, describe the change in runtime/save/SAVES.md, and renew
// the file by
//     build/asan/exact/test_exact --update
// The command alone is enough if exact.toml, this file or the version of Weft changes, or if you
// add a section that a Weft which does not know it skips or refuses by its letters.
//
// program: quick worlds released byte_order
// reads: world.save first.save part.save away.save
#include "exact.h"
#include "save/bytes.h"
#include "value/numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PATH "tests/saves/exact/world.save" // from the root, where ninja runs programs
#define FIRST_PATH "tests/saves/exact/first.save"
#define PART_PATH "tests/saves/exact/part.save"
#define AWAY_PATH "tests/saves/exact/away.save" // of the world without that part

enum { PEOPLE = 7, SAVE_BYTES_MAX = 1 << 16 };

// ---- what systems do

void exact_tell(const exact_tell_ctx *ctx, uint32_t count, const exact_shapes *shapes)
{
    for (uint32_t i = 0; i < count; i++) {
        exact_rumor rumor = {.kind = (uint8_t)(i + 1), .about = ctx->entities[i], .text = "psst"};
        rumor.text[4] = shapes[i].text[0];
        exact_rumor_emit(ctx->emit_rumor, rumor);
    }
}

void exact_rest(const exact_rest_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

void exact_listen(const exact_listen_ctx *ctx, uint32_t count)
{
    (void)ctx;
    (void)count;
}

// ---- the world

static void add_numbers(exact_world *w, exact_entity e, uint32_t i)
{
    exact_numbers numbers = {
        .f = -0.1 * i,
        .u = UINT64_MAX - i,
        .i = INT64_MIN + i,
        .f32 = 1.5f * (float)i,
        .u32 = 0x01020304u + i,
        .i32 = -70000 - (int32_t)i,
        .u16 = (uint16_t)(0x0506 + i),
        .i16 = (int16_t)(-300 - (int32_t)i),
        .u8 = (uint8_t)(200 + i),
        .i8 = (int8_t)(-100 + (int32_t)i),
        .yes = i % 2 == 0,
        .rest = {(uint8_t)i, 1, 2},
    };
    assert_true(exact_numbers_set(w, e, numbers));
}

static void add_shapes(exact_world *w, exact_entity e, uint32_t i, exact_entity other)
{
    exact_shapes shapes = {
        .to = other,
        .mood = (exact_mood)(i % 3),
        .code = (exact_code)(i % 2),
        .one = {.kind = 7, .at = 0x0A0B0C0Du, .worn = true},
        .tile = {.height = 3, .hidden = 0xFFFFFFFFu, .width = 0x0102, .kind = 9},
        .text = "name of ",
        .ends = {other, e, {0}},
        .moods = {.count = 3, .items = {2, 0, 1, 2, 2}},
        .shorts = {.count = 1, .items = {-2, -3, -4}},
        .bonds = {.count = 1, .items = {{.to = e, .mood = 1, .since = 9}, {.to = e}}},
        .pair = {{.at = i}, {.kind = 1, .at = ~i}},
        .lost = 77,
    };
    shapes.text[8] = (char)('a' + i);
    assert_true(exact_shapes_set(w, e, shapes));
}

static void add_motion(exact_world *w, exact_entity e, uint32_t i)
{
    exact_motion motion = {
        .far = 1e100 * i,
        .dx = -0.25f,
        .text = "to",
        .notes = {.count = i % 4, .items = {1, 0x0203, 4}},
        .one = {.kind = 1, .at = i, .worn = false},
        .lost = 5,
    };
    assert_true(exact_motion_set(w, e, motion));
}

static void add_rare(exact_world *w, exact_entity e, uint32_t i, exact_entity other)
{
    assert_true(exact_fever_set(w, e, (exact_fever){-5 - (int32_t)i, (uint8_t)i, other}));
    if (i % 2 == 0) assert_true(exact_ghost_set(w, e, (exact_ghost){8}));
    if (i % 3 != 0) assert_true(exact_marked_set(w, e));
    if (i % 3 != 1) assert_true(exact_hidden_set(w, e));
}

// Indices that are free, and one whose generations are used up.
// Of all who live at the end, also of those who are taken out.
static void add_links(exact_world *w, const exact_entity *e)
{
    for (uint32_t i = 0; i < PEOPLE; i++) {
        exact_owes owes = {.since = 0x0102030405060708u + i, .to = e[i], .note = "ab", .lost = {9}};
        for (uint32_t k = 0; k < i % 3; k++) {
            assert_true(exact_owes_dues_push(&owes.dues, (uint16_t)(300 * i + k)));
        }
        assert_true(exact_owes_set(w, e[i], e[(i + 1) % PEOPLE], owes));
        assert_true(exact_owes_set(w, e[i], e[i / 2], owes));
        assert_true(exact_knows_set(w, e[i], e[(i + 4) % PEOPLE]));
    }
    assert_true(exact_owes_remove(w, e[2], e[1]));
}

static void use_up(exact_world *w)
{
    exact_entity some[3];
    for (int i = 0; i < 3; i++) some[i] = exact_spawn(w);
    for (int i = 0; i < 3; i++) assert_true(exact_despawn(w, some[i]));
    for (int i = 0; i < 5; i++) assert_true(exact_despawn(w, exact_spawn(w)));
    assert_true(exact_stats(w).indices_retired != 0);
}

static exact_world *make_world(void)
{
    exact_entity e[PEOPLE];
    exact_world *w = exact_open(&(weft_options){.seed = 0x0102030405060708u});
    assert_non_null(w);
    for (uint32_t i = 0; i < PEOPLE; i++) e[i] = exact_spawn(w);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        exact_entity other = e[(i + 3) % PEOPLE];
        if (i != 2) add_numbers(w, e[i], i);
        if (i < 5) add_shapes(w, e[i], i, other);
        if (i > 3) add_motion(w, e[i], i);
        if (i % 2 == 1) assert_true(exact_bulk_set(w, e[i], (exact_bulk){{1, 2, 3}}));
        if (i != 4) add_rare(w, e[PEOPLE - 1 - i], i, other);
        if (i != 0) assert_true(exact_carried_by_attach(w, e[i], e[i / 2]));
        if (i > 4) assert_true(exact_follows_attach(w, e[0], e[i]));
    }
    add_links(w, e);
    *exact_sky_edit(w) = (exact_sky){.days = 1u << 20,
                                     .wind = 0.1f,
                                     .list = {.count = 1, .items = {{1, 2, true}, {3, 4, true}}},
                                     .text = "up"};
    exact_tally_edit(w)->sum = 9;
    use_up(w);
    assert_int_equal(exact_tick(w, 1000.0), WEFT_OK);
    assert_int_equal(exact_tick(w, 0.5), WEFT_OK);
    assert_true(exact_fever_remove(w, e[0]) && exact_motion_remove(w, e[5]));
    assert_true(exact_despawn(w, e[6]) && exact_despawn(w, e[3]));
    assert_true(exact_rest_switch(w, false));
    exact_numbers_edit(w, e[1])->u8++;
    exact_shapes_edit(w, e[4])->code = 0;
    return w;
}

// ---- the file

typedef struct save {
    unsigned char *bytes;
    size_t count;
} save;

static save save_of(exact_world *w)
{
    void *bytes;
    save s;
    assert_int_equal(exact_save_memory(w, &bytes, &s.count), WEFT_OK);
    s.bytes = (unsigned char *)bytes;
    return s;
}

static save read_file(const char *path)
{
    save s = {malloc(SAVE_BYTES_MAX), 0};
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be opened: run this from the root of the repository", path);
    s.count = fread(s.bytes, 1, SAVE_BYTES_MAX, file);
    fclose(file);
    return s;
}

// Takes two entities out of the world, with those that they carry. Returns the part.
static save take_part(exact_world *w)
{
    save s;
    void *bytes;
    exact_entity set[2];
    uint32_t count = 0;
    const exact_part_options options = {.away = true, .carried_by = true};
    for (uint32_t index = 1; count < 2; index++) {
        exact_entity e = exact_entity_of(index | (uint64_t)1 << exact_schema()->index_bits);
        if (exact_alive(w, e)) set[count++] = e;
    }
    assert_int_equal(exact_part_save_memory(w, set, 2, &options, &bytes, &s.count), WEFT_OK);
    s.bytes = (unsigned char *)bytes;
    return s;
}

static bool update_file(const char *path, save s)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(s.bytes, 1, s.count, file) == s.count;
    if (!file || fclose(file) != 0 || !written) return false;
    printf("%s has %zu bytes now\n", path, s.count);
    free(s.bytes);
    return true;
}

static int update_files(void)
{
    exact_world *w = make_world();
    bool updated = update_file(PATH, save_of(w)) && update_file(PART_PATH, take_part(w)) &&
                   update_file(AWAY_PATH, save_of(w));
    exact_close(w);
    return updated ? 0 : 1;
}

static void assert_same(save a, save b)
{
    size_t at = 0;
    while (at < a.count && at < b.count && a.bytes[at] == b.bytes[at]) at++;
    if (at == a.count && at == b.count) return;
    fail_msg("the save is another one from byte %zu on (%zu and %zu bytes). If the format was "
             "meant to change, raise WEFT_SAVE_VERSION in runtime/save/bytes.h, which is %u, and "
             "tell of it in SAVES.md; then renew the file by this program with --update",
             at, a.count, b.count, WEFT_SAVE_VERSION);
}

// ---- tests

static void test_a_world_is_saved_to_the_byte(void **state)
{
    (void)state;
    exact_world *w = make_world();
    save known = read_file(PATH);
    save s = save_of(w);
    assert_same(s, known);
    free(known.bytes);
    free(s.bytes);
    exact_close(w);
}

static void test_the_file_is_that_world(void **state)
{
    (void)state;
    exact_world *w = make_world();
    exact_world *loaded = exact_open(NULL);
    save known = read_file(PATH);
    assert_int_equal(exact_load_memory(loaded, known.bytes, known.count), WEFT_OK);
    assert_true(exact_hash_exact(loaded) == exact_hash_exact(w));
    save again = save_of(loaded);
    assert_same(again, known);
    free(known.bytes);
    free(again.bytes);
    exact_close(w);
    exact_close(loaded);
}

static void test_a_part_and_who_is_away_are_saved_to_the_byte(void **state)
{
    (void)state;
    exact_world *w = make_world();
    uint64_t hash = exact_hash(w);
    save known = read_file(PART_PATH);
    save part = take_part(w);
    assert_same(part, known);
    save away = read_file(AWAY_PATH);
    save s = save_of(w);
    assert_same(s, away);
    exact_world *loaded = exact_open(NULL);
    assert_int_equal(exact_load_memory(loaded, away.bytes, away.count), WEFT_OK);
    assert_true(exact_hash_exact(loaded) == exact_hash_exact(w));
    assert_int_equal(exact_part_load_memory(loaded, known.bytes, known.count, NULL, NULL), WEFT_OK);
    assert_true(exact_hash(loaded) == hash);
    free(known.bytes);
    free(part.bytes);
    free(away.bytes);
    free(s.bytes);
    exact_close(w);
    exact_close(loaded);
}

static bool has_kind(save s, const char kind[5])
{
    size_t at = WEFT_SAVE_HEAD_BYTES;
    while (at < s.count && memcmp(s.bytes + at, kind, 4) != 0) {
        at += WEFT_SECTION_HEAD_BYTES + WEFT_WORD_BYTES +
              (size_t)weft_little_read(s.bytes + at + 8, 8);
    }
    return at < s.count;
}

static void test_there_is_a_section_of_every_kind(void **state)
{
    static const char kinds[][5] = {"SCHM", "VERS", "ENTS", "TABL", "SPRS", "SING", "CLKS", "SWCH",
                                    "SEED", "EVNT", "RELA", "LINK", "MRKS", "RMVD", "END "};
    (void)state;
    save known = read_file(PATH);
    save part = read_file(PART_PATH);
    save away = read_file(AWAY_PATH);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        assert_true(has_kind(known, kinds[k]));
    }
    assert_true(has_kind(part, "PART") && has_kind(away, "AWAY"));
    free(known.bytes);
    free(part.bytes);
    free(away.bytes);
}

static void assert_refused(exact_world *w, save s, const char *words)
{
    assert_int_equal(exact_load_memory(w, s.bytes, s.count), WEFT_BAD_FILE);
    if (!strstr(exact_error(w), words)) fail_msg("%s", exact_error(w));
}

// The file was written by the Weft of that day. It has today's number, and a checksum by another
// rule in its head.
static void test_an_unknown_head_names_who_may_have_written_it(void **state)
{
    (void)state;
    exact_world *w = exact_open(NULL);
    save first = read_file(FIRST_PATH);
    assert_refused(w, first, "a Weft of 2026-11-21, before 1.0.0, wrote the save");
    first.bytes[16] ^= 1;
    assert_refused(w, first, "the save is damaged: its head has changed");
    save known = read_file(PATH);
    known.bytes[24] ^= 1; // of the checksum
    assert_refused(w, known, "the save is damaged: its head has changed");
    for (unsigned char format = 2; format != 0; format = (unsigned char)(format * 2)) {
        known.bytes[8] = format;
        assert_refused(w, known, "the save is damaged, or another Weft than 1.");
    }
    free(first.bytes);
    free(known.bytes);
    exact_close(w);
}

static void see_types(bool seen[][WEFT_SHAPE_STRING + 1], const weft_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) seen[fields[i].type][fields[i].shape] = true;
}

// A type that is added to Weft is missed here.
static void test_there_is_a_field_of_every_type_and_shape(void **state)
{
    (void)state;
    const weft_schema *schema = exact_schema();
    bool seen[32][WEFT_SHAPE_STRING + 1] = {{false}};
    for (uint32_t i = 0; i < schema->component_count; i++) {
        see_types(seen, schema->components[i].fields, schema->components[i].field_count);
    }
    for (uint32_t type = 0; type < 32; type++) {
        bool any = false;
        for (uint32_t shape = 0; shape <= WEFT_SHAPE_STRING; shape++) any |= seen[type][shape];
        assert_true(any == (strcmp(weft_type_name((weft_type)type), "no type") != 0));
    }
    for (uint32_t shape = 0; shape <= WEFT_SHAPE_STRING; shape++) {
        assert_true(seen[WEFT_TYPE_STRUCT][shape] || shape == WEFT_SHAPE_STRING);
        assert_true(seen[WEFT_TYPE_CHAR][shape] == (shape == WEFT_SHAPE_STRING));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_world_is_saved_to_the_byte),
        cmocka_unit_test(test_the_file_is_that_world),
        cmocka_unit_test(test_a_part_and_who_is_away_are_saved_to_the_byte),
        cmocka_unit_test(test_there_is_a_section_of_every_kind),
        cmocka_unit_test(test_an_unknown_head_names_who_may_have_written_it),
        cmocka_unit_test(test_there_is_a_field_of_every_type_and_shape),
    };
    if (argc > 1 && strcmp(argv[1], "--update") == 0) return update_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
