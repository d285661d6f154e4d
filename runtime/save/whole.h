// A whole save: all sections of a world, written and read in order.
#ifndef WEFT_SAVE_WHOLE_H
#define WEFT_SAVE_WHOLE_H

#include "loader.h"
#include "saver.h"

// Bytes of the whole save, which its head states.
uint64_t weft_saver_count(const weft_saver *saver);

// Writes the whole save, of so many bytes. The sink knows whether that failed.
void weft_saver_write(const weft_saver *saver, uint64_t bytes, weft_sink *sink);

// Reads all of a save into loader->into.
bool weft_loader_read(weft_loader *loader, const void *bytes, size_t count);

#endif
