// Heads and checksums, as SAVES.md describes them.
#include "parts.h"

bool parts_find(parts *p, const unsigned char *bytes, size_t count)
{
    size_t at = WEFT_SAVE_HEAD_BYTES;
    p->count = 0;
    if (count < at || weft_little_read(bytes, 8) != WEFT_SAVE_MAGIC) return false;
    while (at != count) {
        if (p->count == PARTS_MAX || count - at < part_bytes(0)) return false;
        uint64_t body = weft_little_read(bytes + at + 8, 8);
        if (body % 8 != 0 || body > count - at - part_bytes(0)) return false;
        p->items[p->count++] = (part){
            .kind = (uint32_t)weft_little_read(bytes + at, 4),
            .flags = (uint32_t)weft_little_read(bytes + at + 4, 4),
            .at = at + WEFT_SECTION_HEAD_BYTES,
            .count = (size_t)body,
        };
        at += part_bytes((size_t)body);
    }
    return true;
}

static void write_sum(unsigned char *bytes, size_t from, size_t to)
{
    weft_checksum sum;
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, bytes + from, to - from);
    weft_little_write(bytes + to, 8, weft_checksum_end(&sum));
}

void parts_mend(const parts *p, unsigned char *bytes, size_t count)
{
    weft_little_write(bytes + 16, 8, count);
    write_sum(bytes, 0, WEFT_SAVE_HEAD_BYTES - 8);
    for (uint32_t i = 0; i < p->count; i++) {
        const part *item = &p->items[i];
        weft_little_write(bytes + item->at - 8, 8, item->count);
        write_sum(bytes, item->at - WEFT_SECTION_HEAD_BYTES, item->at + item->count);
    }
}
