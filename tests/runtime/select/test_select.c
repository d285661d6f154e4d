// Selections: the messages of refused expressions, what ends a walk, and the memory that they use.
//
// program: middle:middle narrow:narrow_texts wide:wide
// program: wide:byte_order
#include "fuzz.h"
#include "memory.h"
#include "select/reader.h"
#include "weft_reflect.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------
// Texts that are wrong

typedef struct wrong {
    const char *text;
    weft_status status;
    const char *words;
} wrong;

#define UNKNOWN WEFT_NOT_FOUND
#define WRONG WEFT_BAD_VALUE
#define NUMBER ": write a number such as 0.5 or -1e3"

static const wrong wrongs[] = {
    {"", WRONG, "column 1: the text ends where a name, '!' or '(' should be"},
    {" \n", WRONG, "column 3: the text ends where a name, '!' or '(' should be"},
    {"place &", WRONG, "column 8: the text ends where a name, '!' or '(' should be"},
    {"place && hot", WRONG, "column 8: a name, '!' or '(' should be here"},
    {"place hot", WRONG, "column 7: an operator should be here: & ^ |"},
    {"place)", WRONG, "column 6: an operator should be here: & ^ |"},
    {"(place", WRONG, "column 7: ')' or an operator should be here"},
    {"!(place & (hot | cold)", WRONG, "column 23: ')' or an operator should be here"},
    {"place & !", WRONG, "column 10: the text ends where a name, '!' or '(' should be"},
    {"$", WRONG, "column 1: a name, '!' or '(' should be here"},
    // names
    {"plaice", UNKNOWN,
     "column 1: there is no component or relation 'plaice', did you mean 'place'?"},
    {"place & !makred", UNKNOWN,
     "column 10: there is no component or relation 'makred', did you mean 'marked'?"},
    {"Part_Off", UNKNOWN,
     "column 1: there is no component or relation 'Part_Off', did you mean 'part_of'?"},
    {"xyzzy", UNKNOWN, "column 1: there is no component or relation 'xyzzy'"},
    {"weather.level > 1", WRONG, "column 1: 'weather' is a singleton, which belongs to no entity"},
    {"added(place)", WRONG,
     "column 1: what was added is known only to systems and queries of the schema"},
    {"place & changed(place)", WRONG,
     "column 9: what was changed is known only to systems and queries of the schema"},
    {"removed(place)", WRONG,
     "column 1: what was removed is known only to systems and queries of the schema"},
    {"root(place)", UNKNOWN,
     "column 6: there is no relation 'place': there is part_of, follows, owned_by"},
    {"leaf(part_off)", UNKNOWN,
     "column 6: there is no relation 'part_off', did you mean 'part_of'?"},
    {"root()", UNKNOWN, "column 6: a relation should be here: there is part_of, follows, owned_by"},
    {"leaf( ", UNKNOWN, "column 7: a relation should be here: there is part_of, follows, owned_by"},
    {"leaf(part_of", WRONG, "column 13: ')' should be here"},
    {"root", UNKNOWN, "column 1: there is no component or relation 'root', did you mean 'rooted'?"},
    {"leef(part_of)", UNKNOWN,
     "column 1: there is no component, relation or test 'leef', did you mean 'leaf'?"},
    {"leaf part_of", WRONG, "column 1: leaf(…) takes a relation in parentheses"},
    // paths
    {"place.z > 1", UNKNOWN, "column 7: 'place' has no field 'z': there is x, y"},
    {"place.", UNKNOWN, "column 7: a field of 'place' should be here: there is x, y"},
    {"place. > 1", UNKNOWN, "column 7: a field of 'place' should be here: there is x, y"},
    {"scalars.hug == 1", UNKNOWN, "column 9: 'scalars' has no field 'hug', did you mean 'huge'?"},
    {"scalars.q == 1", UNKNOWN,
     "column 9: 'scalars' has no field 'q': there is flag, small, signed_small, medium, "
     "signed_medium, large, …"},
    {"place == 1", WRONG, "column 7: names all of 'place': continue with .field"},
    {"place[1] == 1", WRONG, "column 6: names all of 'place': continue with .field"},
    {"hot == true", WRONG, "column 5: 'hot' is a tag: it has no value"},
    {"hot.on", WRONG, "column 4: 'hot' is a tag: it has no fields"},
    {"place.x", WRONG, "column 8: a comparison should be here: == != < <= > >="},
    {"place.x.y > 1", WRONG, "column 8: a comparison should be here: == != < <= > >="},
    {"grip.chain == none", WRONG, "column 11: names all of 'chain': continue with [index]"},
    {"grip.pack == none", WRONG, "column 10: names all of 'pack': continue with [index] or .count"},
    {"grip.pack.cuont > 1", WRONG,
     "column 10: names all of 'pack': continue with [index] or .count"},
    {"grip.chain.count > 1", WRONG, "column 11: names all of 'chain': continue with [index]"},
    {"grip.chain[3] == none", WRONG, "column 11: there is no [3] in 'chain', which has room for 3"},
    {"grip.pack[4294967296] == none", WRONG,
     "column 10: there is no [4294967296] in 'pack', which has room for 4"},
    {"grip.chain[] == none", WRONG, "column 11: '[]' is not an index: write [0], [1] and so on"},
    {"grip.chain[-1] == none", WRONG,
     "column 11: '[-1]' is not an index: write [0], [1] and so on"},
    {"grip.chain[1 == none", WRONG, "column 11: '[1' is not an index: write [0], [1] and so on"},
    {"grip.bond == 1", WRONG, "column 10: names all of 'bond': continue with .field"},
    {"grip.bond.wieght == 1", UNKNOWN,
     "column 11: 'bond' has no field 'wieght', did you mean 'weight'?"},
    {"grip.knots[1].at > 1", WRONG, "column 17: names all of 'point': continue with .field"},
    {"label.by_mood[angri] > 1", UNKNOWN,
     "column 15: enum 'mood' has no value 'angri', did you mean 'angry'?"},
    {"label.by_mood[xyz] > 1", UNKNOWN,
     "column 15: enum 'mood' has no value 'xyz': there is calm, glad, angry, afraid, asleep"},
    {"label.by_mood[] > 1", UNKNOWN,
     "column 15: a value of enum 'mood' should be here: there is calm, glad, angry, afraid, "
     "asleep"},
    {"label.by_mood[angry > 1", WRONG, "column 20: ']' should be here"},
    {"label.by_mood[1 > 1", WRONG, "column 14: '[1' is not an index: write [0], [1] and so on"},
    {"label.text[0] == \"a\"", WRONG, "column 11: a comparison should be here: == != < <= > >="},
    // comparisons
    {"place.x = 1", WRONG, "column 9: '=' is not a comparison: write == != < <= > or >="},
    {"place.x => 1", WRONG, "column 9: '=>' is not a comparison: write == != < <= > or >="},
    {"place.x === 1", WRONG, "column 9: '===' is not a comparison: write == != < <= > or >="},
    {"place.x ! 1", WRONG, "column 9: '!' is not a comparison: write == != < <= > or >="},
    {"place.x <> 1", WRONG, "column 9: '<>' is not a comparison: write == != < <= > or >="},
    {"scalars.flag < true", WRONG,
     "column 14: 'flag' is a bool, which has no order: write == or !="},
    {"scalars.mood > glad", WRONG,
     "column 14: 'mood' is an enum, which has no order: write == or !="},
    {"grip.holder >= none", WRONG,
     "column 13: 'holder' is a handle, which has no order: write == or !="},
    {"label.text < \"a\"", WRONG,
     "column 12: 'text' is a string, which has no order: write ==, !=, ~ or !~"},
    {"part_of < 1:1", WRONG, "column 9: a parent has no order: write == or !="},
    {"part_of > 1:1", WRONG, "column 9: a parent has no order: write == or !="},
    {"part_of ! hot", WRONG, "column 9: an operator should be here: & ^ |"},
    {"part_of = 1:1", WRONG, "column 9: '=' is not a comparison: write == != < <= > or >="},
    // numbers
    {"scalars.small > 256", WRONG,
     "column 17: 'small' is u8, which cannot hold 256: write a whole number"},
    {"scalars.small > 0.5", WRONG,
     "column 17: 'small' is u8, which cannot hold 0.5: write a whole number"},
    {"scalars.small > -1", WRONG,
     "column 17: 'small' is u8, which cannot hold -1: write a whole number"},
    {"scalars.small == inf", WRONG,
     "column 18: 'small' is u8, which cannot hold inf: write a whole number"},
    {"scalars.signed_huge > 9223372036854775808", WRONG,
     "column 23: 'signed_huge' is i64, which cannot hold 9223372036854775808: write a whole "
     "number"},
    {"grip.pack.count > 4.5", WRONG,
     "column 19: the count of 'pack' is u32, which cannot hold 4.5: write a whole number"},
    {"place.x > 1e39", WRONG, "column 11: 'x' is f32, which cannot hold 1e39" NUMBER},
    {"place.x > nan", WRONG, "column 11: nan has no order: write == or !="},
    {"place.x > place.y", WRONG, "column 11: 'x' is f32, which cannot hold place.y" NUMBER},
    {"place.x >", WRONG, "column 10: a number such as 0.5 or -1e3 should be here: 'x' is f32"},
    {"place.x > \"a\"", WRONG,
     "column 11: a number such as 0.5 or -1e3 should be here: 'x' is f32"},
    {"grip.pack.count ==", WRONG,
     "column 19: a whole number should be here: the count of 'pack' is u32"},
    {"place.x > .5", WRONG, "column 11: 'x' is f32, which cannot hold .5" NUMBER},
    {"place.x > 1.", WRONG, "column 11: 'x' is f32, which cannot hold 1." NUMBER},
    {"place.x > 1e", WRONG, "column 11: 'x' is f32, which cannot hold 1e" NUMBER},
    {"place.x > 0x10", WRONG, "column 11: 'x' is f32, which cannot hold 0x10" NUMBER},
    {"place.x > +1", WRONG, "column 11: 'x' is f32, which cannot hold +1" NUMBER},
    // other values
    {"scalars.flag == 1", WRONG,
     "column 17: 'flag' is bool, which cannot hold 1: write true or false"},
    {"scalars.mood == angri", UNKNOWN,
     "column 17: enum 'mood' has no value 'angri', did you mean 'angry'?"},
    {"scalars.mood == 3", UNKNOWN,
     "column 17: enum 'mood' has no value '3': there is calm, glad, angry, afraid, asleep"},
    {"scalars.mood ==", UNKNOWN,
     "column 16: a value of enum 'mood' should be here: there is calm, glad, angry, afraid, "
     "asleep"},
    {"label.text ~ new", WRONG, "column 14: 'text' is a string: write \"…\""},
    {"label.text !~ \"new", WRONG, "column 15: the string has no end"},
    {"label.text ~~ \"new\"", WRONG,
     "column 12: '~~' is not a comparison: write == != < <= > or >="},
    {"place.x ~ 1", WRONG, "column 9: 'x' is not a string: ~ and !~ look into strings"},
    {"place.x !~ \"1\"", WRONG, "column 9: 'x' is not a string: ~ and !~ look into strings"},
    {"label.text == new", WRONG, "column 15: 'text' is a string: write \"…\""},
    {"label.text == \"new", WRONG, "column 15: the string has no end"},
    {"label.text == \"new\\", WRONG, "column 15: the string has no end"},
    {"label.text == \"twelve bytes\"", WRONG,
     "column 15: the string has 12 bytes, and there is room for 11 in 'text'"},
    {"grip.holder == 12", WRONG,
     "column 16: '12' is not a handle: write index:generation, none or alive"},
    {"grip.holder == 1:0", WRONG,
     "column 16: '1:0' is not a handle: write index:generation, none or alive"},
    {"grip.holder == 1:1:1", WRONG,
     "column 16: '1:1:1' is not a handle: write index:generation, none or alive"},
    {"grip.holder == 99999999999999999999:1", WRONG,
     "column 16: '99999999999999999999:1' is not a handle: write index:generation, none or alive"},
    {"grip.holder == :1", WRONG,
     "column 16: ':1' is not a handle: write index:generation, none or alive"},
    {"grip.holder ==", WRONG,
     "column 15: a handle should be here: index:generation, none or alive"},
    {"part_of !=", WRONG, "column 11: a handle should be here: index:generation, none or alive"},
    {"part_of == nobody", WRONG,
     "column 12: 'nobody' is not a handle: write index:generation, none or alive"},
};

static void mistakes_are_told_with_their_columns(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    uint32_t others = 0;
    fuzz_spawn(w);
    for (uint32_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        unsigned column = 0;
        weft_select found = weft_select_begin(fuzz_world_base(w), wrongs[i].text);
        if (strcmp(fuzz_error(w), wrongs[i].words) != 0) {
            others++;
            print_error("%s\n  is:     %s\n  wanted: %s\n", wrongs[i].text, fuzz_error(w),
                        wrongs[i].words);
            continue;
        }
        assert_int_equal(found.status, wrongs[i].status);
        assert_int_equal(sscanf(wrongs[i].words, "column %u:", &column), 1);
        assert_int_equal(found.column, column);
        assert_false(weft_select_next(&found));
        assert_int_equal(weft_select_skip(&found, 1), 0);
        assert_int_equal(weft_select_count(&found), 0);
        weft_select_rewind(&found);
        assert_false(weft_select_next(&found));
        weft_select_end(&found);
    }
    assert_int_equal(others, 0);
    fuzz_close(w);
}

static bool is_taken(fuzz_world *w, const char *text)
{
    weft_select found = weft_select_begin(fuzz_world_base(w), text);
    bool taken = found.status == WEFT_OK;
    weft_select_end(&found);
    return taken;
}

static void add(char *text, const char *more, uint32_t times)
{
    while (times-- != 0) strcat(text, more);
}

static void what_is_too_much_is_refused(void **state)
{
    (void)state;
    static char text[9000];
    fuzz_world *w = fuzz_open(NULL);
    add(text, "(", WEFT_SELECT_DEPTH_MAX);
    strcat(text, "hot");
    add(text, ")", WEFT_SELECT_DEPTH_MAX);
    assert_true(is_taken(w, text));
    memmove(text + 1, text, strlen(text) + 1);
    text[0] = '!';
    assert_false(is_taken(w, text));
    assert_string_equal(fuzz_error(w), "column 65: more than 64 nested '!' and '('");

    strcpy(text, "!(!hot ^ !cold)");
    add(text, " & !(!(!hot | !cold))", (WEFT_SELECT_TESTS_MAX - 2) / 2);
    assert_true(is_taken(w, text));
    strcat(text, " | hot");
    assert_false(is_taken(w, text));
    assert_non_null(strstr(fuzz_error(w), ": more than 64 tests"));
    strcpy(text, "hot");
    add(text, " & hot", WEFT_SELECT_TESTS_MAX - 2);
    strcat(text, " & grip.pack[1] == none"); // with one for the list
    assert_false(is_taken(w, text));
    assert_non_null(strstr(fuzz_error(w), ": more than 64 tests"));
    strcpy(text, "hot");
    add(text, " & hot", WEFT_SELECT_TESTS_MAX - 1);
    assert_true(is_taken(w, text));
    strcat(text, " & grip.pack[1] == none"); // not even that of the list fits
    assert_false(is_taken(w, text));
    assert_non_null(strstr(fuzz_error(w), ": more than 64 tests"));

    strcpy(text, "hot");
    add(text, " ", WEFT_SELECT_TEXT_MAX - 3);
    assert_true(is_taken(w, text));
    strcat(text, " ");
    assert_false(is_taken(w, text));
    assert_string_equal(fuzz_error(w), "the expression has 4097 bytes: at most 4096 are allowed");

    strcpy(text, "place.x > ");
    add(text, "1", 5000 - 1000);
    assert_false(is_taken(w, text));
    strcpy(text, "place.x.");
    add(text, "y", 3000);
    assert_false(is_taken(w, text));
    fuzz_close(w);
}

// A later name is taken only if it differs in fewer letters than the nearest so far.
static void the_nearest_name_is_proposed(void **state)
{
    (void)state;
    static const char *const names[] = {"harbours", "harbour", "harbor", "harvest"};
    weft_nearest nearest = {NULL, 0};
    weft_names all = WEFT_NAMES("place", NULL, names, 4);
    weft_names third = WEFT_NAMES("place", NULL, names + 2, 1);
    weft_names_nearest(&nearest, &all, "harbou", 6);
    assert_string_equal(nearest.name, "harbour");
    assert_int_equal(nearest.letters, 1);
    weft_names_nearest(&nearest, &third, "harbou", 6); // as near as the first
    assert_string_equal(nearest.name, "harbour");
}

// A name is proposed as far as it fits, and nothing is written behind the message.
static void a_proposal_is_cut_where_the_message_ends(void **state)
{
    (void)state;
    enum { GUARD_BYTES = 64 };
    for (size_t begin = 0; begin < WEFT_WHY_BYTES; begin++) {
        struct {
            char why[WEFT_WHY_BYTES];
            char guard[GUARD_BYTES];
        } m = {.why = ""};
        const char *words = ", did you mean 'harbour_master'?";
        const size_t left = WEFT_WHY_BYTES - 1 - begin;
        memset(m.why, '.', begin);
        weft_name_hint(m.why, (weft_nearest){"harbour_master", 1}, NULL);
        const size_t length = strlen(m.why);
        assert_int_equal(length, begin + (strlen(words) < left ? strlen(words) : left));
        assert_memory_equal(m.why + begin, words, length - begin);
        for (uint32_t i = 0; i < GUARD_BYTES; i++) assert_int_equal(m.guard[i], 0);
    }
}

// Names of the schema are listed as far as they fit, and no ellipsis is cut in the middle.
static void a_list_of_names_ends_where_the_message_does(void **state)
{
    (void)state;
    const char *const words[] = {"ab", "cd", "ef", "gh", "ij", "kl", "mn"};
    const weft_names names = WEFT_NAMES("place", NULL, words, 7);
    for (size_t begin = 0; begin < WEFT_WHY_BYTES; begin++) {
        char why[WEFT_WHY_BYTES] = "";
        memset(why, '.', begin);
        weft_name_hint(why, (weft_nearest){NULL, 0}, &names);
        const size_t length = strlen(why);
        assert_in_range(length, begin, WEFT_WHY_BYTES - 1);
        const char *listed = why + begin;
        const char *whole = ": there is ab, cd, ef, gh, ij, kl, …";
        const char *ellipsis = strstr(listed, ", …");
        size_t same = ellipsis ? (size_t)(ellipsis - listed) : strlen(listed);
        assert_memory_equal(listed, whole, same);
        if (ellipsis) assert_string_equal(ellipsis, ", …");
        if (begin + strlen(whole) + 8 < WEFT_WHY_BYTES) assert_string_equal(listed, whole);
    }
}

// ------------------------------------------------------------------------------------------------
// Rows that pass

static uint64_t count(fuzz_world *w, const char *text)
{
    weft_select found = weft_select_begin(fuzz_world_base(w), text);
    if (found.status != WEFT_OK) fail_msg("%s: %s", text, fuzz_error(w));
    uint64_t passing = weft_select_count(&found);
    weft_select_end(&found);
    return passing;
}

static void a_value_that_is_not_there_passes_no_test(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_spawn(w);
    fuzz_entity e = fuzz_rock_spawn(w, NULL); // at -2
    assert_int_equal(count(w, "place.x == -2"), 1);
    assert_int_equal(count(w, "place.x != -2"), 0);
    assert_int_equal(count(w, "!(place.x == 3)"), 2);
    assert_int_equal(count(w, "place.x != 3"), 1);
    assert_int_equal(count(w, "fever.left != 3"), 0);
    assert_true(fuzz_label_set(w, e, (fuzz_label){.moods = {1, {FUZZ_MOOD_GLAD}}}));
    assert_int_equal(count(w, "label.moods[0] == glad"), 1);
    assert_int_equal(count(w, "label.moods[1] == calm"), 0);
    assert_int_equal(count(w, "label.moods[1] != glad"), 0);
    assert_int_equal(count(w, "!(label.moods[1] == calm) & label"), 1);
    assert_int_equal(count(w, "label.text == \"\""), 1);
    fuzz_close(w);
}

static void parents_are_compared_by_handle(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity child = fuzz_spawn(w);
    fuzz_entity parent = fuzz_spawn(w);
    assert_int_equal(count(w, "part_of == 1:1"), 0); // nobody is attached
    assert_int_equal(count(w, "part_of != 1:1"), 2);
    assert_true(fuzz_part_of_attach(w, child, parent));
    assert_int_equal(count(w, "part_of == 1:1"), 1);
    assert_int_equal(count(w, "part_of == alive"), 1);
    assert_int_equal(count(w, "part_of != alive"), 1);
    assert_int_equal(count(w, "part_of == none"), 1);
    fuzz_entity dead = fuzz_spawn(w);
    fuzz_despawn(w, dead);
    assert_int_equal(count(w, "part_of == 2:1"),
                     0); // the parent is not alive, though others are attached
    assert_int_equal(count(w, "part_of != 2:1"), 2);
    fuzz_close(w);
}

static void a_string_is_found_by_a_part_of_it(void **state)
{
    (void)state;
    static const char *const texts[] = {"Ann", "Joanna", "anna b", "", "12345678901", "\xc3\xa4nn"};
    static const struct {
        const char *where;
        uint64_t count;
    } cases[] = {
        {"label.text ~ \"ann\"", 3},    {"label.text ~ \"ANN\"", 3},
        {"label.text ~ \"anna\"", 2},   {"label.text ~ \" \"", 1},
        {"label.text ~ \"nn\"", 4},     {"label.text ~ \"\xc3\xa4\"", 1},
        {"label.text ~ \"01\"", 1},     {"label.text ~ \"12345678901\"", 1},
        {"label.text ~ \"bb\"", 0},     {"label.text ~ \"\"", 6},
        {"label.text !~ \"ann\"", 3},   {"label.text ~ \"a\" & !(label.text ~ \"b\")", 2},
        {"!(label.text ~ \"ann\")", 4}, // one entity has no text
    };
    fuzz_world *w = fuzz_open(NULL);
    fuzz_spawn(w);
    for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fuzz_label label = {.text = ""};
        memcpy(label.text, texts[i], strlen(texts[i]));
        fuzz_label_set(w, fuzz_spawn(w), label);
    }
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(count(w, cases[i].where), cases[i].count);
    }
    fuzz_close(w);
}

static void not_a_number_is_found_by_name(void **state)
{
    (void)state;
    static const float values[] = {-1.0f, -0.0f, 0.0f, 0.8f, 1e30f};
    fuzz_world *w = fuzz_open(NULL);
    for (uint32_t i = 0; i < 5; i++) fuzz_place_set(w, fuzz_spawn(w), (fuzz_place){values[i], 0});
    float nan = strtof("nan", NULL);
    float inf = strtof("inf", NULL);
    fuzz_place_set(w, fuzz_spawn(w), (fuzz_place){nan, 0});
    fuzz_place_set(w, fuzz_spawn(w), (fuzz_place){inf, 0});
    fuzz_place_set(w, fuzz_spawn(w), (fuzz_place){-inf, 0});
    assert_int_equal(count(w, "place.x == nan"), 1);
    assert_int_equal(count(w, "place.x != nan"), 7);
    assert_int_equal(count(w, "place.x != 0"), 6);
    assert_int_equal(count(w, "place.x == 0.8"), 1); // as the nearest float
    assert_int_equal(count(w, "place.x > 0"), 3);
    assert_int_equal(count(w, "place.x >= 0"), 5);
    assert_int_equal(count(w, "place.x < 0"), 2);
    assert_int_equal(count(w, "place.x == inf"), 1);
    assert_int_equal(count(w, "place.x < inf"), 6);
    assert_int_equal(count(w, "place.x > -inf"), 6);
    assert_int_equal(count(w, "place.x > inf"), 0);
    assert_int_equal(count(w, "place.x <= 1e30 & place.x > 1e29"), 1);
    fuzz_close(w);
}

static void the_locale_has_no_say(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_place_set(w, fuzz_spawn(w), (fuzz_place){0.5f, 0});
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) setlocale(LC_NUMERIC, "C");
    assert_int_equal(count(w, "place.x == 0.5"), 1);
    setlocale(LC_NUMERIC, "C");
    fuzz_close(w);
}

// ------------------------------------------------------------------------------------------------
// Walks

static void seed_U1_entities_come_as_queries_have_them(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    for (uint32_t i = 0; i < 150; i++) {
        fuzz_entity e = i % 3 == 0 ? fuzz_walker_spawn(w, NULL) : fuzz_rock_spawn(w, NULL);
        if (i % 7 == 0) assert_true(fuzz_marked_remove(w, e) == (i % 3 == 0));
    }
    weft_select found = weft_select_begin(fuzz_world_base(w), "motion & place & !marked");
    fuzz_movers_iter it = fuzz_movers_begin(w);
    while (fuzz_movers_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            assert_true(weft_select_next(&found));
            assert_true(found.handle == it.entities[i].bits);
        }
    }
    assert_false(weft_select_next(&found));
    weft_select_end(&found);
    weft_select_end(&found);
    fuzz_close(w);
}

// Words of rows without a tag are passed over, however many lie before a row that has it.
static void a_tag_is_found_behind_any_number_of_rows(void **state)
{
    (void)state;
    enum { ROCKS = 400 };
    static const uint32_t rows[] = {0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 256, 383, 384, 399};
    fuzz_entity rocks[ROCKS];
    fuzz_world *w = fuzz_open(NULL);
    assert_int_equal(fuzz_rock_spawn_many(w, ROCKS, NULL, rocks), ROCKS);
    for (uint32_t i = 0; i < ROCKS; i++) fuzz_marked_remove(w, rocks[i]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = i; k < sizeof rows / sizeof *rows; k++) {
            assert_true(fuzz_marked_set(w, rocks[rows[i]]) && fuzz_marked_set(w, rocks[rows[k]]));
            weft_select found = weft_select_begin(fuzz_world_base(w), "marked & place");
            assert_true(weft_select_next(&found));
            assert_true(found.handle == rocks[rows[i]].bits);
            assert_int_equal(weft_select_next(&found), k != i);
            assert_true(k == i || found.handle == rocks[rows[k]].bits);
            weft_select_end(&found);
            assert_int_equal(count(w, "marked"), k == i ? 1 : 2);
            fuzz_marked_remove(w, rocks[rows[i]]);
            fuzz_marked_remove(w, rocks[rows[k]]);
        }
    }
    fuzz_close(w);
}

static void values_may_be_set_on_the_way(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    for (uint32_t i = 0; i < 200; i++) fuzz_rock_spawn(w, NULL);
    weft_select found = weft_select_begin(fuzz_world_base(w), "place.x == -2");
    uint32_t n = 0;
    for (; weft_select_next(&found); n++) {
        weft_field_set_number(fuzz_world_base(w), found.handle, "place.x", 1);
    }
    assert_int_equal(n, 200);
    assert_int_equal(weft_select_count(&found), 0);
    weft_select_end(&found);
    fuzz_close(w);
}

static void a_selection_goes_on_after_changes_when_it_is_rewound(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    weft_select found = weft_select_begin(fuzz_world_base(w), "speck.v == 9 | follows");
    assert_false(weft_select_next(&found));
    fuzz_entity e = fuzz_rock_spawn(w, NULL);
    assert_int_equal(weft_select_count(&found), 1);
    weft_select_rewind(&found);
    assert_true(weft_select_next(&found));
    assert_true(found.handle == e.bits);
    fuzz_despawn(w, e);
    fuzz_entity parent = fuzz_spawn(w);
    fuzz_entity child = fuzz_spawn(w);
    assert_true(fuzz_follows_attach(w, child, parent));
    weft_select_rewind(&found);
    assert_int_equal(weft_select_skip(&found, 0), 0);
    assert_true(weft_select_next(&found));
    assert_true(found.handle == child.bits);
    assert_false(weft_select_next(&found));
    weft_select_end(&found);
    fuzz_close(w);
}

#ifdef NDEBUG
static void a_stale_walk_ends_and_is_reported(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    for (uint32_t i = 0; i < 3; i++) fuzz_rock_spawn(w, NULL);
    weft_select found = weft_select_begin(fuzz_world_base(w), "place");
    assert_true(weft_select_next(&found));
    fuzz_rock_spawn(w, NULL);
    assert_false(weft_select_next(&found));
    assert_string_equal(fuzz_error(w),
                        "a selection was used after a structural change, and ended there: begin it "
                        "anew, or change by commands what it goes over");
    assert_int_equal(weft_select_skip(&found, 2), 0);
    weft_select_rewind(&found);
    assert_int_equal(weft_select_skip(&found, 3), 3);
    assert_true(weft_select_next(&found));
    weft_select_end(&found);
    fuzz_close(w);
}

static void a_selection_waits_until_a_phase_is_over(void **state)
{
    (void)state;
    fuzz_world *w = fuzz_open(NULL);
    fuzz_world_base(w)->now.running = 1;
    weft_select found = weft_select_begin(fuzz_world_base(w), "place");
    assert_int_equal(found.status, WEFT_BUSY);
    assert_int_equal(found.column, 0);
    assert_false(weft_select_next(&found));
    assert_string_equal(fuzz_error(w), "phase 'early' runs: weft_select_begin has to wait until "
                                       "that is over");
    fuzz_world_base(w)->now.running = 0;
    weft_select_end(&found);
    fuzz_close(w);
}
#endif

// ------------------------------------------------------------------------------------------------
// Memory

static void it_takes_one_block_or_says_that_there_is_none(void **state)
{
    (void)state;
    memory m = {0};
    weft_options options = {.memory = memory_hooks(&m)};
    fuzz_world *w = fuzz_open(&options);
    fuzz_entity e = fuzz_rock_spawn(w, NULL);
    fuzz_fever_set(w, e, (fuzz_fever){1, e});
    size_t before = m.blocks;
    memory_arm(&m, 0, false);
    weft_select found = weft_select_begin(fuzz_world_base(w), "fever.left == 1");
    assert_true(memory_disarm(&m));
    assert_int_equal(found.status, WEFT_NO_MEMORY);
    assert_int_equal(found.column, 0);
    assert_string_equal(fuzz_error(w), "no memory for an expression");
    assert_false(weft_select_next(&found));
    weft_select_end(&found);
    memory_arm(&m, 1, true); // nothing but the one block
    found = weft_select_begin(fuzz_world_base(w), "fever.left == 1 & label.text != \"x\" | fever");
    assert_int_equal(m.blocks, before + 1);
    assert_int_equal(weft_select_count(&found), 1);
    assert_true(weft_select_next(&found));
    assert_false(weft_select_next(&found));
    assert_false(memory_disarm(&m));
    weft_select_end(&found);
    assert_int_equal(m.blocks, before);
    fuzz_close(w);
    memory_check_empty(&m);
}

// Without memory for a list of the sparse rows all rows are looked at. The walk goes on with the
// list when there is memory, behind the last row that is listed.
static void a_walk_goes_on_with_a_list_that_was_made_late(void **state)
{
    (void)state;
    memory m = {0};
    weft_options options = {.memory = memory_hooks(&m)};
    fuzz_world *w = fuzz_open(&options);
    fuzz_entity ill = FUZZ_NONE;
    for (uint32_t i = 0; i < 300; i++) {
        fuzz_entity e = fuzz_rock_spawn(w, NULL);
        if (i == 5) ill = e;
    }
    fuzz_fever_set(w, ill, (fuzz_fever){1, ill});
    weft_select found = weft_select_begin(fuzz_world_base(w), "fever");
    memory_arm(&m, 0, true);
    assert_true(weft_select_next(&found));
    assert_true(memory_disarm(&m));
    assert_true(found.handle == ill.bits);
    assert_false(weft_select_next(&found));
    assert_int_equal(weft_select_count(&found), 1);
    weft_select_end(&found);
    fuzz_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told_with_their_columns),
        cmocka_unit_test(what_is_too_much_is_refused),
        cmocka_unit_test(the_nearest_name_is_proposed),
        cmocka_unit_test(a_proposal_is_cut_where_the_message_ends),
        cmocka_unit_test(a_list_of_names_ends_where_the_message_does),
        cmocka_unit_test(a_value_that_is_not_there_passes_no_test),
        cmocka_unit_test(parents_are_compared_by_handle),
        cmocka_unit_test(a_string_is_found_by_a_part_of_it),
        cmocka_unit_test(not_a_number_is_found_by_name),
        cmocka_unit_test(the_locale_has_no_say),
        cmocka_unit_test(seed_U1_entities_come_as_queries_have_them),
        cmocka_unit_test(a_tag_is_found_behind_any_number_of_rows),
        cmocka_unit_test(values_may_be_set_on_the_way),
        cmocka_unit_test(a_selection_goes_on_after_changes_when_it_is_rewound),
#ifdef NDEBUG
        cmocka_unit_test(a_stale_walk_ends_and_is_reported),
        cmocka_unit_test(a_selection_waits_until_a_phase_is_over),
#endif
        cmocka_unit_test(it_takes_one_block_or_says_that_there_is_none),
        cmocka_unit_test(a_walk_goes_on_with_a_list_that_was_made_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
