// Runs a program for 64 rows at a time.
#include "rows.h"

#include "../value/fields.h"
#include "../world/links.h"
#include "../world/relation.h"
#include "../world/rows.h"

#include <string.h>

// ------------------------------------------------------------------------------------------------
// Leaves: returns which of `count` leaves, `stride` bytes apart, pass, ignoring `negated`

#define LEAVES(name, type, of, passes)                                                             \
    static uint64_t name(const weft_select_test *test, const unsigned char *at, size_t stride,     \
                         uint32_t count)                                                           \
    {                                                                                              \
        const type low = (type)test->low.of;                                                       \
        const type high = (type)test->high.of;                                                     \
        const type hole = (type)test->hole.of;                                                     \
        uint64_t bits = 0;                                                                         \
        (void)hole;                                                                                \
        for (uint32_t i = 0; i < count; i++, at += stride) {                                       \
            type leaf;                                                                             \
            memcpy(&leaf, at, sizeof leaf);                                                        \
            bits |= (uint64_t)(passes) << i;                                                       \
        }                                                                                          \
        return bits;                                                                               \
    }

#define WHOLE_LEAVES(name, type) LEAVES(name, type, u64, (type)(leaf - low) <= high)
#define FLOAT_LEAVES(name, type)                                                                   \
    LEAVES(name, type, f64, (leaf >= low) & (leaf <= high) & (leaf != hole))

WHOLE_LEAVES(u8_leaves, uint8_t)
WHOLE_LEAVES(u16_leaves, uint16_t)
WHOLE_LEAVES(u32_leaves, uint32_t)
WHOLE_LEAVES(u64_leaves, uint64_t)
FLOAT_LEAVES(f32_leaves, float)
FLOAT_LEAVES(f64_leaves, double)

static uint64_t text_leaves(const weft_select_test *test, const unsigned char *at, size_t stride,
                            uint32_t count)
{
    size_t length = (size_t)test->low.u64; // less than the bytes of the leaf
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++, at += stride) {
        bool equal = at[length] == '\0' && memcmp(at, test->text, length) == 0;
        bits |= (uint64_t)equal << i;
    }
    return bits;
}

static unsigned char lower_case(unsigned char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (unsigned char)(letter - 'A' + 'a') : letter;
}

// Returns whether a string contains the text of the test, without regard to the case of ASCII
// letters.
static bool contains_text(const weft_select_test *test, const unsigned char *at)
{
    const size_t length = (size_t)test->low.u64;
    const void *end = memchr(at, '\0', test->bytes);
    const size_t bytes = end ? (size_t)((const unsigned char *)end - at) : test->bytes;
    for (size_t from = 0; from + length <= bytes; from++) {
        size_t i = 0;
        while (i < length && lower_case(at[from + i]) == lower_case((unsigned char)test->text[i])) {
            i++;
        }
        if (i == length) return true;
    }
    return false;
}

static uint64_t part_leaves(const weft_select_test *test, const unsigned char *at, size_t stride,
                            uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++, at += stride) {
        bits |= (uint64_t)contains_text(test, at) << i;
    }
    return bits;
}

static uint64_t alive_leaves(const weft_world *world, const unsigned char *at, size_t stride,
                             uint32_t count)
{
    weft_format f = world->plan->format;
    weft_place place;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++, at += stride) {
        uint64_t handle = weft_handle_load(f, at, 0);
        bits |= (uint64_t)weft_find(&world->entities, f, handle, &place) << i;
    }
    return bits;
}

static uint64_t whole_leaves(const weft_select_test *test, const unsigned char *at, size_t stride,
                             uint32_t count)
{
    if (test->bytes == 1) return u8_leaves(test, at, stride, count);
    if (test->bytes == 2) return u16_leaves(test, at, stride, count);
    if (test->bytes == 4) return u32_leaves(test, at, stride, count);
    return u64_leaves(test, at, stride, count);
}

static uint64_t leaves(const weft_world *world, const weft_select_test *test,
                       const unsigned char *at, size_t stride, uint32_t count)
{
    if (test->kind == WEFT_SELECT_WHOLE) return whole_leaves(test, at, stride, count);
    if (test->kind == WEFT_SELECT_TEXT) return text_leaves(test, at, stride, count);
    if (test->kind == WEFT_SELECT_PART) return part_leaves(test, at, stride, count);
    if (test->kind == WEFT_SELECT_ALIVE) return alive_leaves(world, at, stride, count);
    return test->bytes == sizeof(float) ? f32_leaves(test, at, stride, count)
                                        : f64_leaves(test, at, stride, count);
}

// Returns whether one leaf passes, without the loops for many. Numbers are compared in the widest
// type.
static bool passes_leaf(const weft_world *world, const weft_select_test *test,
                        const unsigned char *at)
{
    float f32;
    double f64;
    if (test->kind == WEFT_SELECT_WHOLE) {
        uint64_t above = weft_bits_read(at, test->bytes) - test->low.u64;
        return (above & UINT64_MAX >> (64 - test->bytes * 8)) <= test->high.u64;
    }
    if (test->kind != WEFT_SELECT_FLOAT) return leaves(world, test, at, 0, 1) != 0;
    if (test->bytes == sizeof f32) {
        memcpy(&f32, at, sizeof f32);
        f64 = (double)f32;
    } else {
        memcpy(&f64, at, sizeof f64);
    }
    return f64 >= test->low.f64 && f64 <= test->high.f64 && f64 != test->hole.f64;
}

bool weft_select_passes(const weft_world *world, const weft_select_test *test, const void *value)
{
    return passes_leaf(world, test, (const unsigned char *)value) != test->negated;
}

// ------------------------------------------------------------------------------------------------
// 64 rows, or fewer at the end of a table

// Returns the index of the entity in row `i` of the range.
static uint32_t index_of(const weft_select_rows *rows, uint32_t i)
{
    weft_format f = rows->world->plan->format;
    const void *handles = weft_column(rows->table, 0);
    return weft_handle_index(f, weft_handle_load(f, handles, weft_select_row(rows, i)));
}

static bool passes_link(const weft_select_test *test, weft_node link)
{
    if (test->kind == WEFT_SELECT_CHILD) return link.parent != 0;
    if (test->kind == WEFT_SELECT_ROOT) return link.parent == 0 && link.first_child != 0;
    if (test->kind == WEFT_SELECT_LEAF) return link.parent != 0 && link.first_child == 0;
    return link.parent == test->link;
}

static uint64_t test_links(const weft_select_rows *rows, const weft_select_test *test)
{
    const weft_relation *relation = &rows->world->relations[test->of];
    const weft_node *links = weft_nodes(relation);
    const weft_node none = {0, 0, 0, 0};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t index = index_of(rows, i);
        bool passes = passes_link(test, index < relation->capacity ? links[index] : none);
        bits |= (uint64_t)passes << i;
    }
    return bits;
}

static uint64_t test_ends(const weft_select_rows *rows, const weft_select_test *test)
{
    const weft_links *links = &rows->world->links[test->of];
    const bool from = test->kind == WEFT_SELECT_FROM || links->symmetric;
    const bool to = test->kind == WEFT_SELECT_TO || links->symmetric;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t index = index_of(rows, i);
        bool passes = (from && weft_adjacent_of(&links->from, index).count != 0) ||
                      (to && weft_adjacent_of(&links->to, index).count != 0);
        bits |= (uint64_t)passes << i;
    }
    return bits;
}

static uint64_t test_sparse(const weft_select_rows *rows, const weft_select_test *test,
                            uint64_t present)
{
    const weft_world *world = rows->world;
    const weft_sparse *store = &world->sparse[world->plan->components[test->of].sparse];
    uint64_t bits = 0;
    while (present != 0) {
        uint32_t i = weft_bits_pop(&present);
        const void *value = weft_sparse_find(store, index_of(rows, i));
        const unsigned char *leaf = (const unsigned char *)value + test->offset;
        bits |= (uint64_t)passes_leaf(world, test, leaf) << i;
    }
    return bits;
}

// Returns the bits of the rows in a bitset.
static uint64_t bits_of(const weft_select_rows *rows, const uint64_t *bitset)
{
    uint64_t bits = 0;
    if (!rows->listed) return bitset[rows->first / 64];
    for (uint32_t i = 0; i < rows->count; i++) {
        bits |= (bitset[rows->listed[i] / 64] >> (rows->listed[i] % 64) & 1u) << i;
    }
    return bits;
}

static uint64_t test_cells(const weft_select_rows *rows, const weft_select_test *test)
{
    uint64_t bits = 0;
    if (!rows->listed) {
        return leaves(rows->world, test, test->cells + rows->first * test->stride, test->stride,
                      rows->count);
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        const unsigned char *leaf = test->cells + rows->listed[i] * test->stride;
        bits |= (uint64_t)passes_leaf(rows->world, test, leaf) << i;
    }
    return bits;
}

static uint64_t run_test(const weft_select_rows *rows, const weft_select_test *test)
{
    if (test->match == WEFT_MATCH_NONE) return 0;
    if (test->match == WEFT_MATCH_ALL) return ~(uint64_t)0;
    uint64_t present = test->bits ? bits_of(rows, test->bits) : ~(uint64_t)0;
    if (test->kind == WEFT_SELECT_HAS) return present;
    if (weft_select_is_of_relation(test)) return test_links(rows, test);
    if (weft_select_is_of_link(test)) return test_ends(rows, test);
    uint64_t bits = test->sparse ? test_sparse(rows, test, present) : test_cells(rows, test);
    return (test->negated ? ~bits : bits) & present;
}

// Runs the first test for listed rows. They have its component, and `values` contains its values.
static uint64_t run_listed(const weft_select_rows *rows, const weft_select_test *test)
{
    uint64_t bits = 0;
    if (test->kind == WEFT_SELECT_HAS) return ~bits;
    for (uint32_t i = 0; i < rows->count; i++) {
        const unsigned char *leaf = (const unsigned char *)rows->values[i] + test->offset;
        bits |= (uint64_t)passes_leaf(rows->world, test, leaf) << i;
    }
    return test->negated ? ~bits : bits;
}

uint64_t weft_select_run(const weft_select_rows *rows, const weft_select_program *program)
{
    uint64_t stack[WEFT_SELECT_TESTS_MAX];
    uint32_t top = 0;
    // The first op of every program pushes the first test.
    stack[0] = rows->listed ? run_listed(rows, program->tests) : run_test(rows, program->tests);
    for (uint32_t at = 1; at < program->op_count; at++) {
        weft_select_op op = program->ops[at];
        switch ((weft_select_op_kind)op.kind) {
        case WEFT_SELECT_PUSH:
            stack[++top] = run_test(rows, &program->tests[op.at]);
            break;
        case WEFT_SELECT_NOT:
            stack[top] = ~stack[top];
            break;
        case WEFT_SELECT_AND:
            top--;
            stack[top] &= stack[top + 1];
            break;
        case WEFT_SELECT_XOR:
            top--;
            stack[top] ^= stack[top + 1];
            break;
        case WEFT_SELECT_OR:
            top--;
            stack[top] |= stack[top + 1];
            break;
        case WEFT_SELECT_IF_NONE:
            if (stack[top] == 0) at = op.at - 1u;
            break;
        case WEFT_SELECT_IF_ALL:
            if (~stack[top] == 0) at = op.at - 1u;
            break;
        }
    }
    return stack[0] & weft_bits_low(rows->count);
}
