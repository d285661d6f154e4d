// Cutting the rows of a query: see parts.h.
#include "parts.h"

static uint32_t units_of(uint32_t rows, uint32_t unit_rows)
{
    return rows / unit_rows + (rows % unit_rows != 0);
}

// Decides how many units a part has: as many as spread the rows over all parts, unless parts would
// get too small.
static uint64_t units_each(const weft_query *query, uint32_t unit_rows, uint32_t most)
{
    uint64_t least = WEFT_PART_ROWS_MIN / unit_rows;
    uint64_t all = 0;
    for (uint32_t i = 0; i < query->count; i++) all += units_of(query->tables[i]->count, unit_rows);
    uint64_t each = (all + most - 1) / most;
    if (least == 0) least = 1;
    return each < least ? least : each;
}

uint32_t weft_parts_cut(const weft_query *query, uint32_t unit_rows, uint32_t most,
                        weft_part *parts)
{
    const uint64_t each = units_each(query, unit_rows, most);
    uint64_t space = 0; // units that the part at hand still takes
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        uint32_t rows = query->tables[i]->count;
        for (uint32_t row = 0; row < rows;) {
            if (space == 0) {
                parts[count] = (weft_part){count, i, row, i, row, NULL};
                count++;
                space = each;
            }
            uint64_t end = row + space * unit_rows;
            uint32_t left = units_of(rows - row, unit_rows);
            row = end < rows ? (uint32_t)end : rows;
            space -= left < space ? left : space;
            parts[count - 1].last_table = i;
            parts[count - 1].end_row = row;
        }
    }
    return count;
}
