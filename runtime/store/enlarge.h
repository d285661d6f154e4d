// Large pages for what has grown row by row. Growing commits small pages, since the first touch of
// a large one takes longer than a spawn may. Once a table is large, full pages of its columns and
// of the records of its world are replaced step by step between ticks. Neither pointers nor values
// change.
#ifndef WEFT_ENLARGE_H
#define WEFT_ENLARGE_H

#include "tables.h"

// Notes that a table has grown, which gets large pages if it is large. Without memory it gets none.
void weft_tables_grew(weft_tables *tables, weft_heap *heap, weft_table *table);

// These take a step towards the next large page (weft_heap_enlarge) of a table in a reservation, of
// any of the large tables, or of the records. Pages that share small ones with another column, or
// have yet to fill, stay small. False: there is none to take.
bool weft_table_enlarge(weft_heap *heap, weft_table *table);
bool weft_tables_enlarge(weft_tables *tables, weft_heap *heap);
bool weft_entities_enlarge(weft_entities *entities, weft_heap *heap);

#endif
