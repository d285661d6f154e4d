// Masks for a component that is the same for all rows of a table, and an out-of-line step.
#include "cursor.h"

#define EIGHT(word) word, word, word, word, word, word, word, word

const uint64_t weft_no_rows[WEFT_MASK_WORDS] = {0};

const uint64_t weft_all_rows[WEFT_MASK_WORDS] = {
    EIGHT(UINT64_MAX), EIGHT(UINT64_MAX), EIGHT(UINT64_MAX), EIGHT(UINT64_MAX),
    EIGHT(UINT64_MAX), EIGHT(UINT64_MAX), EIGHT(UINT64_MAX), EIGHT(UINT64_MAX),
};

WEFT_STATIC_ASSERT(WEFT_MASK_WORDS == 8 * 8, "weft_all_rows has a one for every row");

bool weft_next_run_apart(weft_cursor *c, weft_match_table match, weft_filter filter,
                         uint32_t rows_max)
{
    return weft_next_run(c, match, filter, rows_max);
}
