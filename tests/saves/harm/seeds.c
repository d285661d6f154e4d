// Writes saves into a folder, from which a fuzzer begins: of growing worlds, by the current schema
// and by the earlier one, and parts of one world.
#include "before.h"
#include "filled.h"
#include "lived.h"
#include "taken.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 10 };

static void require(bool held, const char *what)
{
    if (held) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void write_now(const char *path, uint32_t seed)
{
    dice d = {seed};
    vault_world *w = vault_open(NULL);
    filled_spawn(vault_world_base(w), &d, seed * 3);
    lived(w, &d);
    require(vault_save(w, path) == WEFT_OK, vault_error(w));
    vault_close(w);
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0, path);
}

static void write_before(const char *path, uint32_t seed)
{
    size_t count;
    dice d = {seed};
    unsigned char *bytes = before_save(&d, seed * 3, &count);
    write_bytes(path, bytes, count);
    free(bytes);
}

int main(int argc, char **argv)
{
    char path[512];
    taken parts;
    require(argc == 2, "usage: seeds FOLDER");
    for (uint32_t i = 0; i < SEEDS; i++) {
        snprintf(path, sizeof path, "%s/now%u", argv[1], (unsigned)i);
        write_now(path, i);
        snprintf(path, sizeof path, "%s/before%u", argv[1], (unsigned)i);
        write_before(path, i);
    }
    taken_make(&parts);
    for (uint32_t i = 0; i < TAKEN_PARTS; i++) {
        snprintf(path, sizeof path, "%s/part%u", argv[1], (unsigned)i);
        write_bytes(path, parts.parts[i].bytes, parts.parts[i].count);
    }
    taken_free(&parts);
    return 0;
}
