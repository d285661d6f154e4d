// The name of the world is the first text of the first section.
#include "before.h"

#include "crypt.h"
#include "filled.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

void before_rename(unsigned char *bytes, size_t count)
{
    parts p;
    unsigned char *name = bytes + WEFT_SAVE_HEAD_BYTES + WEFT_SECTION_HEAD_BYTES + 8;
    if (!parts_find(&p, bytes, count) || strcmp((char *)name, "crypt") != 0) abort();
    memcpy(name, "vault", 5);
    parts_mend(&p, bytes, count);
}

unsigned char *before_save(dice *d, uint32_t n, size_t *count)
{
    void *bytes = NULL;
    crypt_world *w = crypt_open(NULL);
    if (!w) abort();
    filled_spawn(crypt_world_base(w), d, n);
    if (crypt_save_memory(w, &bytes, count) != WEFT_OK) abort();
    crypt_close(w);
    before_rename((unsigned char *)bytes, *count);
    return (unsigned char *)bytes;
}
