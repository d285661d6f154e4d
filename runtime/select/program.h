// The expression of a selection as a program in postfix order: tests, and each operator after its
// operands.
//
//     a & (b | !c)      push a, if none jump to the end, push b, push c, not, or, and
//
// A program runs on words of bits, 64 rows at a time. It also runs once for a whole table, where
// the result of each test is none, some or all. Jumps skip operands that cannot change the result.
#ifndef WEFT_SELECT_PROGRAM_H
#define WEFT_SELECT_PROGRAM_H

#include "../query/query.h"
#include "../value/mistake.h"
#include "../value/numbers.h"

#define WEFT_SELECT_TEXT_MAX 4096u  // bytes of an expression
#define WEFT_SELECT_TESTS_MAX 64u   // tests in it, plus one for each list on the path to a value
#define WEFT_SELECT_DEPTH_MAX 64u   // of `!` and `(` inside each other
#define WEFT_SELECT_NUMBER_MAX 128u // characters of a number, as in JSON

#define WEFT_SELECT_AHEAD 1024u // handles that are found at once if all rows of a table pass

// Each test is pushed once. A `not` may follow each test and each binary operator. There is one
// binary operator less than tests, and each has a jump.
#define WEFT_SELECT_OPS (5u * WEFT_SELECT_TESTS_MAX)

typedef enum weft_select_kind {
    WEFT_SELECT_HAS,    // the row has a component
    WEFT_SELECT_CHILD,  // it has a parent
    WEFT_SELECT_ROOT,   // it has children and no parent
    WEFT_SELECT_LEAF,   // it has a parent and no children
    WEFT_SELECT_PARENT, // its parent is the entity `low`
    WEFT_SELECT_FROM,   // there is a link from it
    WEFT_SELECT_TO,     // there is a link to it
    WEFT_SELECT_WHOLE,  // a leaf of 1, 2, 4 or 8 bytes is low … low + high as unsigned numbers
    WEFT_SELECT_FLOAT,  // a leaf is a float that is in low … high and is not `hole`
    WEFT_SELECT_TEXT,   // a leaf is the string `text` of `low` bytes
    WEFT_SELECT_PART,   // a leaf is a string that contains `text` of `low` bytes
    WEFT_SELECT_ALIVE,  // a leaf is the handle of a living entity
} weft_select_kind;

typedef struct weft_select_test {
    weft_select_kind kind;
    bool negated;    // a leaf passes if the comparison fails; a row without the leaf still fails
    bool sparse;     // the component is sparse
    uint16_t of;     // component, relation, or kind of links
    uint16_t first;  // for a table component, the column of the leaf
    uint32_t offset; // of the leaf in a row of the column, or in the sparse value
    uint32_t bytes;  // of the leaf
    weft_number low;
    weft_number high;
    weft_number hole;
    const char *text;
    // The following members are valid for the table that the program is bound to.
    weft_table_match match;
    const unsigned char *cells; // the leaf of row 0
    size_t stride;              // bytes from there to the leaf of the next row
    const uint64_t *bits;       // of a tag or sparse component; NULL if all rows have it
    uint64_t link;              // for WEFT_SELECT_PARENT: the parent as links store it
} weft_select_test;

// Returns whether a test depends on the parent and children of an entity.
static inline bool weft_select_is_of_relation(const weft_select_test *test)
{
    return test->kind >= WEFT_SELECT_CHILD && test->kind <= WEFT_SELECT_PARENT;
}

// Returns whether a test depends on the links of an entity.
static inline bool weft_select_is_of_link(const weft_select_test *test)
{
    return test->kind == WEFT_SELECT_FROM || test->kind == WEFT_SELECT_TO;
}

// Returns whether a test depends on a component of an entity.
static inline bool weft_select_is_of_component(const weft_select_test *test)
{
    return !weft_select_is_of_relation(test) && !weft_select_is_of_link(test);
}

typedef enum weft_select_op_kind {
    WEFT_SELECT_PUSH, // test `at`
    WEFT_SELECT_NOT,
    WEFT_SELECT_AND,
    WEFT_SELECT_XOR,
    WEFT_SELECT_OR,
    WEFT_SELECT_IF_NONE, // jumps to op `at` if no row passes so far; the top of the stack stays
    WEFT_SELECT_IF_ALL,  // like IF_NONE, but jumps if all rows pass
} weft_select_op_kind;

typedef struct weft_select_op {
    uint16_t kind;
    uint16_t at;
} weft_select_op;

typedef struct weft_select_program {
    const weft_table *bound; // the table that the tests are bound to; NULL if there is none
    size_t bytes;            // of this struct and the strings after it
    uint32_t test_count;
    uint32_t op_count;
    weft_select_test tests[WEFT_SELECT_TESTS_MAX];
    weft_select_op ops[WEFT_SELECT_OPS];
    uint64_t handles[WEFT_SELECT_AHEAD]; // of the next entities that were found
    char *strings;                       // of tests; no more bytes than the text of the expression
} weft_select_program;

// The reason why a text is refused.
typedef struct weft_select_mistake {
    weft_status status;
    uint32_t column; // in bytes, from 1
    char why[WEFT_WHY_BYTES];
} weft_select_mistake;

#endif
