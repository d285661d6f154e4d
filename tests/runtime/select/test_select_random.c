// Random expressions on random worlds, compared with an evaluation entity by entity through
// generated getters. The passing entities must be returned in the order of a generated query, as a
// whole, window by window, and counted.
//
// program: middle:middle narrow:narrow_texts wide:wide
// program: wide:byte_order
// flags: hot
#include "leaves.h"

#include "../json/random_world.h"
#include "memory.h"
#include "weft_reflect.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef WEFT_HARD
#define WORLDS 2
#else
#define WORLDS 28
#endif
#define EXPRESSIONS 250
#define WILD 150  // entities with random components
#define CROWD 330 // and those of one prefab, so that tables have several words of rows
#define NODES_MAX 40
#define TEXT_BYTES 8000

typedef enum node_kind { TEST, NOT, AND, XOR, OR } node_kind;
typedef enum comparison { EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST, ALIVE, DEAD } comparison;

static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "==", "!="};

// One of its first three is asked in a test.
typedef struct node {
    node_kind kind;
    const member *has;
    const leaf *of;
    const tree *by;
    bool bare;       // a bool, or a parent, without a comparison
    const char *end; // "root" or "leaf" of the tree; NULL: neither
    comparison how;
    seen with;
    char string[16];
    uint32_t left;
    uint32_t right;
} node;

typedef struct trial {
    fuzz_world *w;
    dice d;
    fuzz_entity everyone[WILD * 2 + CROWD];
    uint32_t count;
    node nodes[NODES_MAX];
    uint32_t node_count;
    char text[TEXT_BYTES];
    size_t length;
} trial;

// ------------------------------------------------------------------------------------------------
// Worlds

static void note_everyone(trial *t)
{
    fuzz_everyone_iter it = fuzz_everyone_begin(t->w);
    t->count = 0;
    while (fuzz_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) t->everyone[t->count++] = it.entities[i];
    }
}

// Few values, so that equal ones are met. In some worlds few have a fever, so that it is listed.
static void fill_crowd(trial *t)
{
    uint32_t feverish = dice_once_in(&t->d, 2) ? 3 : 20;
    fuzz_entity before = {0};
    for (uint32_t i = 0; i < CROWD; i++) {
        fuzz_walker value = fuzz_walker_defaults();
        value.place.x = (float)dice_below(&t->d, 4) * 0.1f;
        value.motion.dx = dice_once_in(&t->d, 9) ? NAN : (float)dice_below(&t->d, 3) - 1;
        value.scalars.mood = (fuzz_mood)dice_below(&t->d, 5);
        value.scalars.signed_small = (int8_t)(dice_below(&t->d, 5) - 2);
        fuzz_entity e = fuzz_walker_spawn(t->w, &value);
        if (dice_once_in(&t->d, 2)) fuzz_marked_remove(t->w, e);
        if (dice_once_in(&t->d, 5)) fuzz_hot_set(t->w, e);
        if (dice_once_in(&t->d, feverish))
            fuzz_fever_set(t->w, e, (fuzz_fever){value.place.x, before});
        if (dice_once_in(&t->d, 3)) fuzz_part_of_attach(t->w, e, before);
        before = e;
    }
}

static void open_world(trial *t, uint64_t seed, memory *m)
{
    weft_options options = {.memory = memory_hooks(m)};
    t->d.state = seed;
    t->w = fuzz_open(&options);
    random_world(fuzz_world_base(t->w), &t->d, WILD, true);
    if (seed % 4 != 0) fill_crowd(t);
    note_everyone(t);
}

// ------------------------------------------------------------------------------------------------
// Expressions

static bool has_order(leaf_kind kind)
{
    return kind <= LEAF_DOUBLE;
}

static fuzz_entity any_entity(trial *t)
{
    return t->everyone[dice_below(&t->d, t->count)];
}

// A value that some entity has, if one of a few that are asked has it, else one that is made up.
static seen any_value(trial *t, const leaf *of)
{
    static const double floats[] = {0.0, -0.0, 0.1, 1.0, -1e30, 5e-324};
    for (uint32_t tries = 0; tries < 20; tries++) {
        seen found = of->get(t->w, any_entity(t));
        if (found.there) return found;
    }
    seen made = {.there = true, .text = "bag"};
    made.f = floats[dice_below(&t->d, 5 + (of->kind == LEAF_DOUBLE))];
    if (of->kind == LEAF_SINGLE) made.f = (double)(float)made.f;
    made.u = of->kind == LEAF_HANDLE ? 0 : dice_below(&t->d, 2);
    made.i = (int64_t)dice_below(&t->d, 3) - 1;
    return made;
}

static void make_comparison(trial *t, node *n)
{
    n->with = any_value(t, n->of);
    n->how = (comparison)dice_below(&t->d, has_order(n->of->kind) ? 6 : 2);
    n->bare = n->of->kind == LEAF_BOOL && dice_once_in(&t->d, 2);
    if (isnan(n->with.f)) n->how = (comparison)dice_below(&t->d, 2);
    if (n->of->kind == LEAF_HANDLE && dice_once_in(&t->d, 3)) {
        n->how = dice_once_in(&t->d, 2) ? ALIVE : DEAD;
    }
    if (n->of->kind == LEAF_TEXT) {
        strcpy(n->string, n->with.text);
        n->with.text = n->string;
    }
}

static void make_test(trial *t, node *n)
{
    uint32_t kind = dice_below(&t->d, 8);
    n->kind = TEST;
    if (kind == 0) {
        n->by = &trees_there[dice_below(&t->d, tree_count)];
        n->bare = dice_once_in(&t->d, 3);
        n->how = dice_once_in(&t->d, 2) ? EQUAL : UNEQUAL;
        if (dice_once_in(&t->d, 3)) n->end = dice_once_in(&t->d, 2) ? "root" : "leaf";
        n->with.u = n->by->parent(t->w, any_entity(t)).bits;
        if (dice_once_in(&t->d, 5)) n->with.u = any_entity(t).bits;
    } else if (kind < 4) {
        n->has = &members_there[dice_below(&t->d, member_count)];
    } else {
        n->of = &leaves_there[dice_below(&t->d, leaf_count)];
        make_comparison(t, n);
    }
}

static uint32_t make(trial *t, uint32_t depth)
{
    uint32_t made = t->node_count++;
    node *n = &t->nodes[made];
    *n = (node){.kind = (node_kind)dice_below(&t->d, 5)};
    if (depth == 0 || n->kind == TEST || t->node_count > NODES_MAX - 4) {
        make_test(t, n);
        return made;
    }
    n->left = make(t, depth - 1);
    if (n->kind == NOT) return made;
    if (t->node_count >= NODES_MAX) {
        *n = t->nodes[n->left];
        return made;
    }
    n->right = make(t, depth - 1);
    return made;
}

// ------------------------------------------------------------------------------------------------
// Evaluated

#define COMPARED(a, how, b)                                                                        \
    ((how) == EQUAL     ? (a) == (b)                                                               \
     : (how) == UNEQUAL ? (a) != (b)                                                               \
     : (how) == LESS    ? (a) < (b)                                                                \
     : (how) == AT_MOST ? (a) <= (b)                                                               \
     : (how) == MORE    ? (a) > (b)                                                                \
                        : (a) >= (b))

static bool compares(const trial *t, const node *n, seen value)
{
    leaf_kind kind = n->of->kind;
    if (n->bare) return value.u != 0;
    if (n->how == ALIVE || n->how == DEAD) {
        return fuzz_alive(t->w, fuzz_entity_of(value.u)) == (n->how == ALIVE);
    }
    if (kind == LEAF_TEXT) return (strcmp(value.text, n->with.text) == 0) == (n->how == EQUAL);
    if (kind == LEAF_SIGNED) return COMPARED(value.i, n->how, n->with.i);
    if (kind != LEAF_SINGLE && kind != LEAF_DOUBLE) return COMPARED(value.u, n->how, n->with.u);
    if (isnan(n->with.f)) return isnan(value.f) == (n->how == EQUAL);
    return COMPARED(value.f, n->how, n->with.f);
}

static bool passes_test(const trial *t, const node *n, fuzz_entity e)
{
    if (n->has) return n->has->has(t->w, e);
    if (n->by) {
        uint64_t parent = n->by->parent(t->w, e).bits;
        bool has_children = !fuzz_is_none(n->by->first_child(t->w, e));
        if (n->end && *n->end == 'r') return parent == 0 && has_children;
        if (n->end) return parent != 0 && !has_children;
        return n->bare ? parent != 0 : (parent == n->with.u) == (n->how == EQUAL);
    }
    seen value = n->of->get(t->w, e);
    return value.there && compares(t, n, value);
}

static bool passes(const trial *t, uint32_t at, fuzz_entity e)
{
    const node *n = &t->nodes[at];
    if (n->kind == TEST) return passes_test(t, n, e);
    if (n->kind == NOT) return !passes(t, n->left, e);
    bool left = passes(t, n->left, e);
    bool right = passes(t, n->right, e);
    return n->kind == AND ? left && right : n->kind == OR ? left || right : left != right;
}

// ------------------------------------------------------------------------------------------------
// Written

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
write_text(trial *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->text + t->length, TEXT_BYTES - t->length, format, arguments);
    va_end(arguments);
    t->length += (size_t)length;
    assert_true(t->length < TEXT_BYTES);
}

static void write_handle(trial *t, uint64_t bits)
{
    weft_format f = fuzz_entity_format;
    uint64_t index = weft_handle_index(f, bits);
    if (bits == 0) {
        write_text(t, "none");
    } else {
        write_text(t, "%" PRIu64 ":%" PRIu64, index, bits >> f.index_bits);
    }
}

static void write_string(trial *t, const char *text)
{
    write_text(t, "\"");
    for (; *text != '\0'; text++) {
        write_text(t, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    write_text(t, "\"");
}

static void write_float(trial *t, double value, bool single)
{
    if (isnan(value)) {
        write_text(t, "nan");
    } else if (isinf(value)) {
        write_text(t, value < 0 ? "-inf" : "inf");
    } else {
        write_text(t, "%.*g", single ? 9 : 17, value);
    }
}

static void write_value(trial *t, const node *n)
{
    leaf_kind kind = n->of->kind;
    if (n->how >= ALIVE) {
        write_text(t, "alive");
    } else if (kind == LEAF_SINGLE || kind == LEAF_DOUBLE) {
        write_float(t, n->with.f, kind == LEAF_SINGLE);
    } else if (kind == LEAF_HANDLE) {
        write_handle(t, n->with.u);
    } else if (kind == LEAF_TEXT) {
        write_string(t, n->with.text);
    } else if (kind == LEAF_SIGNED) {
        write_text(t, "%" PRId64, n->with.i);
    } else if (kind == LEAF_UNSIGNED) {
        write_text(t, "%" PRIu64, n->with.u);
    } else if (kind == LEAF_BOOL) {
        write_text(t, n->with.u ? "true" : "false");
    } else {
        write_text(t, "%s", kind == LEAF_MOOD ? mood_names[n->with.u] : code_names[n->with.u]);
    }
}

static void write_test(trial *t, const node *n)
{
    const char *blank = dice_once_in(&t->d, 3) ? "" : " ";
    if (n->end) {
        write_text(t, "%s%s(%s%s)", n->end, blank, n->by->name, blank);
        return;
    }
    write_text(t, "%s", n->has ? n->has->name : n->by ? n->by->name : n->of->path);
    if (n->has || n->bare) return;
    write_text(t, "%s%s%s", blank, signs[n->how], blank);
    if (n->by) {
        write_handle(t, n->with.u);
    } else {
        write_value(t, n);
    }
}

// In parentheses where they are needed, and here and there besides.
static void write_node(trial *t, uint32_t at, node_kind around)
{
    static const char *const operators[] = {[AND] = "&", [XOR] = "^", [OR] = "|"};
    const node *n = &t->nodes[at];
    bool parted = n->kind > around || dice_once_in(&t->d, 6);
    if (parted) write_text(t, "(");
    if (n->kind == TEST) {
        write_test(t, n);
    } else if (n->kind == NOT) {
        write_text(t, "!");
        write_node(t, n->left, NOT);
    } else {
        write_node(t, n->left, n->kind);
        write_text(t, dice_once_in(&t->d, 4) ? "%s" : " %s ", operators[n->kind]);
        write_node(t, n->right, n->kind);
    }
    if (parted) write_text(t, ")");
}

// ------------------------------------------------------------------------------------------------
// Compared

static weft_select begin(const trial *t)
{
    weft_select found = weft_select_begin(fuzz_world_base(t->w), t->text);
    if (found.status != WEFT_OK) fail_msg("%s\n%s", t->text, fuzz_error(t->w));
    return found;
}

static void compare_walk(const trial *t, weft_select *found, const fuzz_entity *wanted,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!weft_select_next(found) || found->handle != wanted[i].bits) {
            fail_msg("%s\n%u of %u is another one", t->text, i, count);
        }
    }
    if (weft_select_next(found) || weft_select_next(found)) fail_msg("%s\nmore", t->text);
}

// Windows at random, with steps between what is skipped.
static void compare_windows(trial *t, weft_select *found, const fuzz_entity *wanted, uint32_t count)
{
    uint32_t at = 0;
    weft_select_rewind(found);
    while (at < count) {
        uint32_t n = dice_below(&t->d, dice_once_in(&t->d, 3) ? 200 : 5);
        uint64_t skipped = weft_select_skip(found, n);
        if (skipped != (n < count - at ? n : count - at)) fail_msg("%s\nskipped", t->text);
        at += (uint32_t)skipped;
        for (uint32_t steps = dice_below(&t->d, 70); steps != 0 && at < count; steps--, at++) {
            if (!weft_select_next(found) || found->handle != wanted[at].bits) {
                fail_msg("%s\nbehind %u of %u", t->text, at, count);
            }
        }
        if (weft_select_count(found) != count) fail_msg("%s\ncounted", t->text);
    }
    if (weft_select_next(found) || weft_select_skip(found, 1) != 0) fail_msg("%s\nmore", t->text);
}

static uint32_t try_expression(trial *t)
{
    fuzz_entity wanted[WILD * 2 + CROWD];
    uint32_t count = 0;
    t->node_count = 0;
    t->length = 0;
    make(t, 4);
    write_node(t, 0, OR);
    for (uint32_t i = 0; i < t->count; i++) {
        if (passes(t, 0, t->everyone[i])) wanted[count++] = t->everyone[i];
    }
    weft_select found = begin(t);
    compare_walk(t, &found, wanted, count);
    compare_windows(t, &found, wanted, count);
    weft_select_end(&found);
    return count;
}

static void entities_are_those_of_a_naive_evaluation(void **state)
{
    static trial t;
    uint32_t some = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        memory m = {0};
        open_world(&t, seed, &m);
        uint64_t hash = fuzz_hash_exact(t.w);
        for (uint32_t i = 0; i < EXPRESSIONS; i++) {
            uint32_t count = try_expression(&t);
            some += count != 0 && count != t.count;
        }
        assert_true(fuzz_hash_exact(t.w) == hash);
        fuzz_close(t.w);
        memory_check_empty(&m);
    }
    assert_true(some > WORLDS * EXPRESSIONS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_are_those_of_a_naive_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
