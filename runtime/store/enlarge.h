// Large pages for memory that has grown row by row. Growing commits small pages, because the first
// touch of a large page takes longer than a spawn may. Once a table is large, full pages of its
// columns, and of the records of its world, are replaced step by step between ticks. Pointers and
// values do not change.
#ifndef WEFT_ENLARGE_H
#define WEFT_ENLARGE_H

#include "tables.h"

// Notes that a table has grown. If it is large, its pages will be enlarged, unless there is no
// memory.
void weft_tables_grew(weft_tables *tables, weft_heap *heap, weft_table *table);

// Take one step towards the next large page (weft_heap_enlarge) of a table in a reservation, of any
// large table, or of the records. Pages that a column shares with another, or that are not full
// yet, stay small. Return false if there is no page to enlarge.
bool weft_table_enlarge(weft_heap *heap, weft_table *table);
bool weft_tables_enlarge(weft_tables *tables, weft_heap *heap);
bool weft_entities_enlarge(weft_entities *entities, weft_heap *heap);

#endif
