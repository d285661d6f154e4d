// A world as the bytes of a save: a head, and all sections in their order.
#include "whole.h"

#include "sections.h"

static void write_nothing(weft_sink *sink, const void *context)
{
    (void)sink;
    (void)context;
}

static void write_end(const weft_saver *saver, weft_sink *sink)
{
    weft_write_section(sink, WEFT_SECTION_END, 0, write_nothing, saver);
}

void weft_saver_write(const weft_saver *saver, uint64_t bytes, weft_sink *sink)
{
    static void (*const sections[])(const weft_saver *saver, weft_sink *sink) = {
        weft_saver_schema,     weft_saver_entities,    weft_saver_tables, weft_saver_stores,
        weft_saver_singletons, weft_saver_clocks,      weft_saver_events, weft_saver_relations,
        weft_saver_removed,    weft_saver_change_bits, write_end,
    };
    weft_checksum_begin(&sink->sum);
    weft_write_word(sink, WEFT_SAVE_MAGIC);
    weft_write_word(sink, WEFT_SAVE_VERSION);
    weft_write_word(sink, bytes);
    weft_write_word(sink, weft_checksum_end(&sink->sum));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) sections[i](saver, sink);
}

uint64_t weft_saver_count(const weft_saver *saver)
{
    weft_sink counter = {.write = NULL};
    weft_saver_write(saver, 0, &counter);
    return counter.bytes;
}
