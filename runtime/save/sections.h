// The sections of a save. Each has one file, with its writer beside its reader.
//
// A writer writes all sections of its kind. The sections are written in the order of the list in
// write.c, and read in that of the list in read.c: what refers to entities comes after them, and
// change bits after all rows and values.
#ifndef WEFT_SAVE_SECTIONS_H
#define WEFT_SAVE_SECTIONS_H

#include "loader.h"
#include "saver.h"

WEFT_EXTERN_C_BEGIN

// The body of a section with a schema, which `context` is; a game's tests write schemas alone.
void weft_write_schema(weft_sink *sink, const void *context);
void weft_saver_schema(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_schema(weft_loader *loader);

// Which indices are alive is known when the tables have been read; those left over must be the
// free ones and the retired ones.
void weft_saver_entities(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_entities(weft_loader *loader);
weft_status weft_loader_free_indices(weft_loader *loader);

void weft_saver_tables(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_tables(weft_loader *loader);

// Sparse stores are found before the tables, whose rows may need values of them. Those that are
// stores still are filled after the rows, with values in the slots that they had.
void weft_saver_stores(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_find_stores(weft_loader *loader);
weft_status weft_loader_stores(weft_loader *loader);

void weft_saver_singletons(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_singletons(weft_loader *loader);

// Clocks, and how far the world has come.
void weft_saver_clocks(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_clocks(weft_loader *loader);

// Values of events that a system has yet to hear.
void weft_saver_events(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_events(weft_loader *loader);

// The links of relations, in an order in which attaching child by child gives the same lists.
void weft_saver_relations(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_relations(weft_loader *loader);

// What readers of changes have yet to see. Change bits are numbered anew by every schema, so a save
// lists which of them each reader has.
void weft_saver_change_bits(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_change_bits(weft_loader *loader);

// What readers of removals have yet to see.
void weft_saver_removed(const weft_saver *saver, weft_sink *sink);
weft_status weft_loader_removed(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
