// Texts for the JSON reader: wrong texts with their messages, texts that are just right, and cut
// and damaged ones.
//
// program: middle:quick middle:middle narrow:narrow_texts wide:wide
// program: wide:byte_order
#include "json_world.h"
#include "random_world.h"
#include "weft_reflect.h"
#include "json/text.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------
// Texts that are wrong

#define ENTITY(components)                                                                         \
    "{\"weft\": 1, \"world\": \"fuzz\",\n \"entities\": [{\"id\": \"0:1\", \"components\": "       \
    "{" components "}}]}"

#define RELATIONS(relations)                                                                       \
    "{\"weft\": 1, \"world\": \"fuzz\", \"relations\": {\n" relations "},\n\"entities\": ["        \
    "{\"id\": \"0:1\", \"components\": {}}, {\"id\": \"1:1\", \"components\": {}}]}"

typedef struct wrong {
    const char *text;
    const char *words;
} wrong;

static const wrong wrongs[] = {
    {"", "1:1: expected '{', but the text ends"},
    {"[]", "1:1: expected '{', not '['"},
    {"\xEF\xBB\xBF{}", "1:1: expected '{'"},
    {"\x7F", "1:1: expected '{'"},
    {"~", "1:1: expected '{', not '~'"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{\"id\": \"00:1\"}]}",
     "2:21: entities[0]: '00:1' is not a handle: write index:generation"},
    {"{}", "1:2: it lacks 'weft'"},
    {"{\"weft\": 1}", "1:11: it lacks 'world'"},
    {"{\"weft\": 2}", "1:10: weft: format 2 is unknown: this Weft reads format 1"},
    {"{\"weft\": 10}", "1:10: weft: format 10 is unknown: this Weft reads format 1"},
    {"{\"world\": \"colony\"}", "1:11: world: this is a text of world 'colony', not of 'fuzz'"},
    {"{\"weft\": 1, \"weft\": 1}", "1:13: weft: it occurs twice"},
    {"{\"tick\": 1}",
     "1:2: there is no part 'tick': there is weft, world, singletons, entities, relations"},
    {"{\"weft\": 1,}", "1:12: expected a name in quotes, not '}'"},
    {"{\"weft\": 1 \"world\"", "1:12: expected ',' or '}', not '\"'"},
    {"{\"weft\" 1}", "1:9: expected ':', not '1'"},
    {"{\"weft\": 1, \"world\": \"fuzz\"} x", "1:30: there is more text after the end"},
    {"{\"weft\": 1, \"world\": \"fuzz\", \"singletons\": {\"tim\": {}}}",
     "1:45: singletons: there is no singleton 'tim': there is weather, tally"},
    {"{\"weft\": 1, \"world\": \"fuzz\", \"singletons\": {\"tally\": {},\n\"tally\": {}}}",
     "2:1: singletons.tally: it occurs twice"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{\"components\": {}}]}",
     "2:14: entities[0]: an entity lacks its 'id'"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{}]}",
     "2:14: entities[0]: an entity lacks its 'id'"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{\"id\": \"0:0\"}]}",
     "2:21: entities[0]: '0:0' is not a handle: write index:generation"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{\"id\": \"0:1\", \"components\": {}},\n"
     "{\"id\": \"0:1\", \"components\": {}}]}",
     "3:8: entity \"0:1\" occurs twice"},
    {"{\"weft\": 1, \"world\": \"fuzz\", \"entities\": [{\"id\": \"2:1\", \"components\": {}},\n"
     "{\"id\": \"0:1\", \"components\": {}}, {\"id\": \"2:1\", \"components\": {}}]}",
     "2:41: entity \"2:1\" occurs twice"},
    {ENTITY("\"plaice\": {}"),
     "2:44: entities[0]: there is no component 'plaice', did you mean 'place'?"},
    {ENTITY("\"place\": {}, \"place\": {}"), "2:57: entities[0].place: it occurs twice"},
    {ENTITY("\"place\": {\"x\": 1, \"y\": 2, \"x\": 1}"),
     "2:70: entities[0].place.x: it occurs twice"},
    {ENTITY("\"grip\": {\"bonds\": [{\"to\": null}, {\"to\": null, \"to\": null}]}"),
     "2:90: entities[0].grip.bonds[1].to: it occurs twice"},
    {ENTITY("\"place\": true"), "2:53: entities[0].place: expected '{', not 't'"},
    {ENTITY("\"place\": {\"z\": 1}"),
     "2:54: entities[0].place: 'place' has no field 'z': there is x, y"},
    {ENTITY("\"place\": {\"x\": \"1\"}"),
     "2:59: entities[0].place.x: is f32, which cannot hold the text '1'"},
    {ENTITY("\"place\": {\"x\": 1e39}"),
     "2:59: entities[0].place.x: is f32, which cannot hold 1e39"},
    {ENTITY("\"place\": {\"x\": 01}"), "2:59: entities[0].place.x: this is not a JSON number"},
    {ENTITY("\"place\": {\"x\": NaN}"), "2:59: entities[0].place.x: expected a number, not 'N'"},
    {ENTITY("\"keen\": false"), "2:52: entities[0].keen: a tag is true, or left out"},
    {ENTITY("\"keen\": 1"), "2:52: entities[0].keen: a tag is true, or left out"},
    {ENTITY("\"scalars\": {\"small\": 251}"),
     "2:65: entities[0].scalars.small: is 251, and must be at most 250"},
    {ENTITY("\"scalars\": {\"small\": 256}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 256"},
    {ENTITY("\"scalars\": {\"small\": 1.5}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 1.5"},
    {ENTITY("\"scalars\": {\"small\": 25e-1}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 25e-1"},
    {ENTITY("\"scalars\": {\"small\": 1.25E+1}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 1.25E+1"},
    {ENTITY("\"scalars\": {\"small\": 1e3}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 1e3"},
    {ENTITY("\"scalars\": {\"small\": 1e-99999999999}"),
     "2:65: entities[0].scalars.small: is u8, which cannot hold 1e-99999999999"},
    {ENTITY("\"scalars\": {\"huge\": 1e20}"),
     "2:64: entities[0].scalars.huge: is u64, which cannot hold 1e20"},
    {ENTITY("\"scalars\": {\"huge\": 1e99999999999}"),
     "2:64: entities[0].scalars.huge: is u64, which cannot hold 1e99999999999"},
    {ENTITY("\"scalars\": {\"huge\": -1}"),
     "2:64: entities[0].scalars.huge: is u64, which cannot hold -1"},
    {ENTITY("\"scalars\": {\"signed_small\": -101}"),
     "2:72: entities[0].scalars.signed_small: is -101, and must be at least -100"},
    {ENTITY("\"scalars\": {\"huge\": 18446744073709551616}"),
     "2:64: entities[0].scalars.huge: is u64, which cannot hold 18446744073709551616"},
    {ENTITY("\"scalars\": {\"signed_huge\": -9223372036854775809}"),
     "2:71: entities[0].scalars.signed_huge: is i64, which cannot hold -9223372036854775809"},
    {ENTITY("\"scalars\": {\"signed_medium\": -32769}"),
     "2:73: entities[0].scalars.signed_medium: is i16, which cannot hold -32769"},
    {ENTITY("\"scalars\": {\"signed_medium\": 32768}"),
     "2:73: entities[0].scalars.signed_medium: is i16, which cannot hold 32768"},
    {ENTITY("\"scalars\": {\"signed_large\": -2147483649}"),
     "2:72: entities[0].scalars.signed_large: is i32, which cannot hold -2147483649"},
    {ENTITY("\"scalars\": {\"flag\": 1}"),
     "2:64: entities[0].scalars.flag: expected true or false, not '1'"},
    {ENTITY("\"scalars\": {\"mood\": \"sad\"}"),
     "2:64: entities[0].scalars.mood: enum 'mood' has no value 'sad': there is calm, glad, angry, "
     "afraid, asleep"},
    {ENTITY("\"scalars\": {\"mood\": 1}"),
     "2:64: entities[0].scalars.mood: expected a string, not '1'"},
    {ENTITY("\"label\": {\"text\": \"twelve bytes\"}"),
     "2:62: entities[0].label.text: has 12 bytes, and there is room for 11"},
    {ENTITY("\"label\": {\"text\": \"\\u0000\"}"),
     "2:62: entities[0].label.text: a string cannot contain \\u0000"},
    {ENTITY("\"label\": {\"text\": \"\\ud83d\"}"),
     "2:62: entities[0].label.text: \\ud83d is half a character"},
    {ENTITY("\"label\": {\"text\": \"\\x\"}"),
     "2:62: entities[0].label.text: unknown escape in a string"},
    {ENTITY("\"label\": {\"text\": \"\x80\"}"),
     "2:62: entities[0].label.text: byte 0x80 in a string is not UTF-8"},
    {ENTITY("\"label\": {\"text\": \"\n\"}"),
     "2:62: entities[0].label.text: byte 0x0a in a string: write \\u000a"},
    {ENTITY("\"label\": {\"by_mood\": {\"sad\": 1}}"),
     "2:66: entities[0].label.by_mood: enum 'mood' has no value 'sad': there is calm, glad, angry, "
     "afraid, asleep"},
    {ENTITY("\"label\": {\"by_mood\": {\"glad\": 40000}}"),
     "2:74: entities[0].label.by_mood[glad]: is i16, which cannot hold 40000"},
    {ENTITY("\"label\": {\"by_mood\": [1, 2, 3, 4, 5]}"),
     "2:65: entities[0].label.by_mood: expected '{', not '['"},
    {ENTITY("\"label\": {\"codes\": [\"one\"]}"),
     "2:69: entities[0].label.codes: 1 items, but 'codes' has 2"},
    {ENTITY("\"label\": {\"codes\": [\"one\", \"two\", \"one\"]}"),
     "2:78: entities[0].label.codes[2]: there is room for 2 items"},
    {ENTITY("\"grip\": {\"bonds\": [{}, {\"to\": 3}]}"),
     "2:74: entities[0].grip.bonds[1].to: expected a string, not '3'"},
    {ENTITY("\"speck\": {\"v\": 1}, \"angry\": true"),
     "2:72: entities[0].angry: it cannot be combined with 'speck': one excludes the other"},
    {"{\"weft\": 1, \"world\": \"fuzz\",\n\"entities\": [{\"id\": \"0:1\", \"components\": {}, "
     "\"parents\": {}}]}",
     "2:46: entities[0]: there is no part 'parents': there is id, components"},
    {RELATIONS("\"near\": []"),
     "2:1: relations: there is no relation 'near': there is part_of, follows, owned_by"},
    {RELATIONS("\"part_of\": [], \"part_of\": []"), "2:16: relations.part_of: it occurs twice"},
    {RELATIONS("\"part_of\": [\"0:1\"]"), "2:13: relations.part_of[0]: expected '[', not '\"'"},
    {RELATIONS("\"part_of\": [[\"0:1\"]]"), "2:19: relations.part_of[0]: expected ',', not ']'"},
    {RELATIONS("\"part_of\": [[\"0:1\", null]]"),
     "2:21: relations.part_of[0]: expected a string, not 'n'"},
    {RELATIONS("\"part_of\": [[\"0:1\", \"0:2\"]]"),
     "2:21: relations.part_of[0]: \"0:2\" is not an entity in this text"},
    {RELATIONS("\"part_of\": [[\"7:1\", \"0:1\"]]"),
     "2:14: relations.part_of[0]: \"7:1\" is not an entity in this text"},
    {RELATIONS("\"part_of\": [[\"0:1\", \"1:1\"], [\"0:1\", \"1:1\"]]"),
     "2:30: relations.part_of[1]: \"0:1\" has a parent already"},
    {RELATIONS("\"part_of\": [[\"0:1\", \"0:1\"]]"),
     "2:21: relations.part_of[0]: \"0:1\" cannot be the parent: it is the child, or below it"},
    {RELATIONS("\"part_of\": [[\"0:1\", \"1:1\"], [\"1:1\", \"0:1\"]]"),
     "2:37: relations.part_of[1]: \"0:1\" cannot be the parent: it is the child, or below it"},
};

static void what_is_wrong_is_said_with_its_place_and_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        fuzz_world *w = fuzz_open(NULL);
        uint64_t before = fuzz_hash_exact(w);
        weft_status status = read_world(w, wrongs[i].text);
        assert_true(status == WEFT_BAD_VALUE || status == WEFT_REFUSED);
        assert_string_equal(fuzz_error(w), wrongs[i].words);
        assert_true(fuzz_hash_exact(w) == before);
        fuzz_close(w);
    }
}

// ------------------------------------------------------------------------------------------------
// Texts at the edge of what is right

// Reads components of an entity from memory that ends where the text does.
static weft_status read_components(fuzz_world *w, fuzz_entity e, const char *components)
{
    char text[512];
    size_t bytes = (size_t)snprintf(text, sizeof text, "{\"components\": {%s}}", components);
    assert_true(bytes < sizeof text);
    char *exact = (char *)malloc(bytes);
    memcpy(exact, text, bytes);
    weft_status status = weft_json_entity_read(base(w), e.bits, exact, bytes);
    free(exact);
    return status;
}

typedef struct string {
    const char *text;
    const char *means; // NULL: it is refused
} string;

static const string strings[] = {
    {"\x7F", "\x7F"},
    {"\x80", NULL},
    {"\xC1\xBF", NULL},
    {"\xC2\x80", "\xC2\x80"},
    {"\xC2\x7F", NULL},
    {"\xC2\xC0", NULL},
    {"\xDF\xBF", "\xDF\xBF"},
    {"\xE0\x9F\xBF", NULL},
    {"\xE0\xA0\x80", "\xE0\xA0\x80"},
    {"\xED\x9F\xBF", "\xED\x9F\xBF"},
    {"\xED\xA0\x80", NULL},
    {"\xEE\x80\x80", "\xEE\x80\x80"},
    {"\xEF\xBF\xBF", "\xEF\xBF\xBF"},
    {"\xF0\x8F\xBF\xBF", NULL},
    {"\xF0\x90\x80\x80", "\xF0\x90\x80\x80"},
    {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
    {"\xF4\x90\x80\x80", NULL},
    {"\xF5\x80\x80\x80", NULL},
    {"\\u0001", "\x01"},
    {"\\u007f", "\x7F"},
    {"\\u0080", "\xC2\x80"},
    {"\\u07fF", "\xDF\xBF"},
    {"\\u0800", "\xE0\xA0\x80"},
    {"\\ud7ff", "\xED\x9F\xBF"},
    {"\\ue000", "\xEE\x80\x80"},
    {"\\uFFFF", "\xEF\xBF\xBF"},
    {"\\ud800\\udc00", "\xF0\x90\x80\x80"},
    {"\\udbff\\udfff", "\xF4\x8F\xBF\xBF"},
    {"\\udc80", "\x80"}, // a byte that is no UTF-8
    {"\\udcff", "\xFF"},
    {"\\udc7f", NULL},
    {"\\udd00", NULL},
    {"\\ud800", NULL},
    {"\\ud800\\ud800", NULL},
    {"\\ud800\\ue000", NULL},
    {"\\udd00\\udc00", NULL},
    {"\\u00g0", NULL},
};

static void strings_are_right_to_the_last_byte(void **state)
{
    char label[80];
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const string *one = &strings[i];
        char wanted[sizeof((fuzz_label *)0)->text] = {0};
        snprintf(wanted, sizeof wanted, "%s", one->means ? one->means : "kept");
        fuzz_label_set(w, e, (fuzz_label){.text = "kept"});
        snprintf(label, sizeof label, "\"label\": {\"text\": \"%s\"}", one->text);
        weft_status status = read_components(w, e, label);
        if (status != (one->means ? WEFT_OK : WEFT_BAD_VALUE)) fail_msg("%s", label);
        assert_memory_equal(fuzz_label_get(w, e)->text, wanted, sizeof wanted);
    }
    fuzz_close(w);
}

static void a_text_may_end_anywhere(void **state)
{
    static const char *const cut[] = {"{\"components\": {\"label\": {\"text\": \"\\ud800\\",
                                      "{\"components\": {\"grip\": {\"holder\": nul",
                                      "{\"components\": {\"scalars\": {\"flag\": tru"};
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        size_t bytes = strlen(cut[i]);
        char *exact = (char *)malloc(bytes);
        memcpy(exact, cut[i], bytes);
        assert_int_equal(weft_json_entity_read(base(w), e.bits, exact, bytes), WEFT_BAD_VALUE);
        free(exact);
    }
    fuzz_close(w);
}

static void a_zero_may_have_a_sign(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    assert_int_equal(read_components(w, e, "\"scalars\": {\"huge\": -0, \"small\": -0.0e1}"),
                     WEFT_OK);
    assert_true(fuzz_scalars_get(w, e)->huge == 0 && fuzz_scalars_get(w, e)->small == 0);
    fuzz_close(w);
}

static void whitespace_of_each_kind_may_be_anywhere(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    assert_int_equal(read_world(w, "\t{\t\"weft\"\r:\t1\t,\n\"world\" :\r\n\"fuzz\"\t}\t\n \r"),
                     WEFT_OK);
    assert_int_equal(read_world(w, "\v{\"weft\": 1, \"world\": \"fuzz\"}"), WEFT_BAD_VALUE);
    fuzz_close(w);
}

// A handle of nobody in the text is none, also if there is nobody at all.
static void handles_of_a_text_without_entities_are_none(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    assert_int_equal(read_world(w, "{\"weft\": 1, \"world\": \"fuzz\", \"singletons\": "
                                   "{\"tally\": {\"sum\": 7, \"last\": \"0:1\"}}}"),
                     WEFT_OK);
    assert_int_equal(fuzz_tally_get(w)->sum, 7);
    assert_true(fuzz_tally_get(w)->last.bits == 0);
    fuzz_close(w);
}

static void a_parent_that_is_no_handle_changes_nothing(void **state)
{
    static const char five[] = "{\"parents\": {\"part_of\": 5}}";
    static const char none[] = "{\"parents\": {\"part_of\": null}}";
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity child = fuzz_spawn(w);
    fuzz_entity parent = fuzz_spawn(w);
    assert_true(fuzz_part_of_attach(w, child, parent));
    assert_int_equal(weft_json_entity_read(base(w), child.bits, five, strlen(five)),
                     WEFT_BAD_VALUE);
    assert_string_equal(fuzz_error(w), "1:25: part_of: expected a string, not '5'");
    assert_true(fuzz_part_of_parent(w, child).bits == parent.bits);
    assert_int_equal(weft_json_entity_read(base(w), child.bits, none, strlen(none)), WEFT_OK);
    assert_true(fuzz_part_of_parent(w, child).bits == 0);
    fuzz_close(w);
}

static void no_escape_is_a_nul(void **state)
{
    static const char text[] = "{\"components\": {\"label\": {\"text\": \"a\\\0b\"}}}";
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    assert_int_equal(weft_json_entity_read(base(w), e.bits, text, sizeof text - 1), WEFT_BAD_VALUE);
    assert_string_equal(fuzz_error(w), "1:35: label.text: unknown escape in a string");
    assert_null(fuzz_label_get(w, e));
    fuzz_close(w);
}

// Names of a schema may have 64 characters, so that the path of a value can be longer than what a
// message has space for.
static void a_long_path_is_cut(void **state)
{
    enum { DEEP = 4 };
    static const char name[] = "a_name_of_sixty_four_characters_which_is_the_most_that_there_is_";
    const char *const records[] = {name};
    char wanted[WEFT_JSON_PATH_BYTES + 1];
    char whole[DEEP * sizeof name];
    weft_json_walk walks[DEEP];
    (void)state;
    assert_int_equal(strlen(name), 64);
    snprintf(whole, sizeof whole, "%s.%s", name, name);
    memcpy(wanted, whole, sizeof wanted - 1);
    wanted[sizeof wanted - 1] = '\0';
    for (int i = 0; i < DEEP; i++) {
        walks[i] = (weft_json_walk){.names = WEFT_NAMES("field", NULL, records, 1)};
        walks[i].outer = i == 0 ? NULL : &walks[i - 1];
    }
    fuzz_world *w = fuzz_open(NULL);
    weft_json_reader in = {.world = base(w), .text = "", .walk = &walks[DEEP - 1]};
    assert_false(WEFT_JSON_WRONG(&in, "wrong"));
    assert_int_equal(in.status, WEFT_BAD_VALUE);
    assert_int_equal(strncmp(fuzz_error(w), "1:1: ", 5), 0);
    assert_memory_equal(fuzz_error(w) + 5, wanted, WEFT_JSON_PATH_BYTES);
    assert_string_equal(fuzz_error(w) + 5 + WEFT_JSON_PATH_BYTES, ": wrong");
    fuzz_close(w);
}

// Whatever was there: nothing of it is seen, nor left in memory.
static void what_is_read_leaves_nothing_of_what_was(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    fuzz_grip grip = {.bonds.count = 3};
    fuzz_label label = {.text = "a long text"};
    const fuzz_bond none = {0};
    for (int i = 0; i < 3; i++) grip.bonds.items[i].weight = 9;
    fuzz_grip_set(w, e, grip);
    fuzz_label_set(w, e, label);
    assert_int_equal(read_components(w, e,
                                     "\"grip\": {\"bonds\": [{}, {\"weight\": 2}]}, "
                                     "\"label\": {\"text\": \"ab\"}"),
                     WEFT_OK);
    const fuzz_grip *found = fuzz_grip_get(w, e);
    assert_int_equal(found->bonds.count, 2);
    assert_int_equal(found->bonds.items[0].weight, 0);
    assert_int_equal(found->bonds.items[1].weight, 2);
    assert_memory_equal(&found->bonds.items[2], &none, sizeof none);
    assert_memory_equal(fuzz_label_get(w, e)->text, "ab\0\0\0\0\0\0\0\0\0\0", 12);
    fuzz_close(w);
}

static void a_handle_has_no_more_bits_than_handles_have(void **state)
{
    char text[128];
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    uint64_t before = fuzz_hash_exact(w);
    const uint64_t most[] = {weft_index_mask(fuzz_entity_format),
                             weft_generation_max(fuzz_entity_format)};
    for (uint64_t beyond = 1; beyond < 12; beyond++) {
        for (int i = 0; i < 2; i++) {
            uint64_t index = i == 0 ? most[0] + beyond : 0;
            uint64_t generation = i == 1 ? most[1] + beyond : 1;
            snprintf(text, sizeof text,
                     "{\"entities\": [{\"id\": \"%" PRIu64 ":%" PRIu64 "\", \"components\": {}}],"
                     " \"weft\": 1, \"world\": \"fuzz\"}",
                     index, generation);
            assert_int_equal(read_world(w, text), WEFT_BAD_VALUE);
            assert_non_null(strstr(fuzz_error(w), "is not a handle: write index:generation"));
        }
    }
    assert_true(fuzz_hash_exact(w) == before);
    fuzz_close(w);
}

static void a_handle_by_name_has_64_bits_of_which_its_own_count(void **state)
{
    const uint32_t width =
        (uint32_t)fuzz_entity_format.index_bits + fuzz_entity_format.generation_bits;
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    uint64_t handle = e.bits;
    uint64_t found = 0;
    fuzz_grip_set(w, e, (fuzz_grip){.holder = {0}});
    assert_int_equal(weft_field_set(base(w), e.bits, "grip.holder", WEFT_TYPE_ENTITY, &handle, 8),
                     WEFT_OK);
    handle = width < 64 ? (uint64_t)1 << width : 0;
    assert_int_equal(weft_field_set(base(w), e.bits, "grip.holder", WEFT_TYPE_ENTITY, &handle, 8),
                     width < 64 ? WEFT_BAD_VALUE : WEFT_OK);
    assert_int_equal(weft_field_get(base(w), e.bits, "grip.holder", WEFT_TYPE_ENTITY, &found, 8),
                     WEFT_OK);
    assert_true(found == (width < 64 ? e.bits : 0));
    fuzz_close(w);
}

static void a_long_number_or_name_is_refused(void **state)
{
    char text[2048];
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    int length = snprintf(text, sizeof text, "{\"components\": {\"place\": {\"x\": 0.%0128d}}}", 0);
    assert_int_equal(weft_json_entity_read(base(w), e.bits, text, (size_t)length), WEFT_BAD_VALUE);
    assert_string_equal(fuzz_error(w), "1:32: place.x: a number of more than 128 characters");
    length = snprintf(text, sizeof text, "{\"components\": {\"place\": {\"x\": 0.%0126d}}}", 0);
    assert_int_equal(weft_json_entity_read(base(w), e.bits, text, (size_t)length), WEFT_OK);
    length = snprintf(text, sizeof text, "{\"components\": {\"%01000d\": {}}}", 0);
    assert_int_equal(weft_json_entity_read(base(w), e.bits, text, (size_t)length), WEFT_BAD_VALUE);
    assert_null(strchr(fuzz_error(w), '1' + 8));
    fuzz_close(w);
}

static void a_world_where_somebody_lives_is_left_alone(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_spawn(w);
    uint64_t before = fuzz_hash_exact(w);
    assert_int_equal(read_world(w, "{\"weft\": 1, \"world\": \"fuzz\"}"), WEFT_REFUSED);
    assert_string_equal(fuzz_error(w),
                        "a text is read into a world without entities, but this one has 1");
    assert_true(fuzz_hash_exact(w) == before);
    fuzz_despawn(w, e);
    assert_int_equal(weft_json_entity_read(base(w), e.bits, "{}", 2), WEFT_DEAD);
    assert_int_equal(read_world(w, "{\"weft\": 1, \"world\": \"fuzz\"}"), WEFT_OK);
    fuzz_close(w);
}

static void more_than_the_capacity_is_refused(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    const size_t n = base(w)->plan->max_entities + 1u;
    const size_t each = 48;
    if (n > 100000) { // the others have more capacity than is worth writing
        fuzz_close(w);
        return;
    }
    char *text = (char *)malloc(n * each + 64);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "{\"weft\": 1, \"world\": \"fuzz\", \"entities\": [");
    for (size_t i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "%s{\"id\": \"%zu:1\", \"components\": {}}",
                              i == 0 ? "" : ",", i);
    }
    sprintf(text + at, "]}");
    uint64_t before = fuzz_hash_exact(w);
    assert_int_equal(read_world(w, text), WEFT_FULL);
    assert_true(fuzz_hash_exact(w) == before);
    free(text);
    fuzz_close(w);
}

// Every text that is a beginning of a right one, or differs in a byte: it is refused and nothing
// changes, or read.
static void cut_and_damaged_texts_are_refused_or_read(void **state)
{
    (void)state;
    dice d = {11};
    fuzz_world *from = fuzz_open(NULL);
    random_world(base(from), &d, 6, true);
    json text = json_of_world(base(from));
    fuzz_world *w = fuzz_open(NULL);
    uint64_t before = fuzz_hash_exact(w);
    for (size_t bytes = 0; bytes + 2 < text.bytes; bytes++) {
        char *cut = (char *)malloc(bytes + 1); // as long as it is, so that a sanitizer sees the end
        assert_non_null(cut);
        memcpy(cut, text.text, bytes);
        assert_int_equal(weft_json_world_read(base(w), cut, bytes), WEFT_BAD_VALUE);
        free(cut);
    }
    assert_true(fuzz_hash_exact(w) == before);
    for (size_t i = 0; i < text.bytes; i++) {
        char was = text.text[i];
        text.text[i] = (char)(was ^ (1 << dice_below(&d, 8)));
        if (weft_json_world_read(base(w), text.text, text.bytes) != WEFT_OK) {
            assert_true(fuzz_hash_exact(w) == before);
        } else {
            fuzz_close(w);
            w = fuzz_open(NULL);
        }
        text.text[i] = was;
    }
    json_free(&text);
    fuzz_close(from);
    fuzz_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said_with_its_place_and_changes_nothing),
        cmocka_unit_test(strings_are_right_to_the_last_byte),
        cmocka_unit_test(a_text_may_end_anywhere),
        cmocka_unit_test(a_zero_may_have_a_sign),
        cmocka_unit_test(whitespace_of_each_kind_may_be_anywhere),
        cmocka_unit_test(handles_of_a_text_without_entities_are_none),
        cmocka_unit_test(a_parent_that_is_no_handle_changes_nothing),
        cmocka_unit_test(no_escape_is_a_nul),
        cmocka_unit_test(a_long_path_is_cut),
        cmocka_unit_test(what_is_read_leaves_nothing_of_what_was),
        cmocka_unit_test(a_handle_has_no_more_bits_than_handles_have),
        cmocka_unit_test(a_handle_by_name_has_64_bits_of_which_its_own_count),
        cmocka_unit_test(a_long_number_or_name_is_refused),
        cmocka_unit_test(a_world_where_somebody_lives_is_left_alone),
        cmocka_unit_test(more_than_the_capacity_is_refused),
        cmocka_unit_test(cut_and_damaged_texts_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
