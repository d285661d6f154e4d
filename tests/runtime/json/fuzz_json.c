// For libFuzzer: reads any text into an empty world and onto an entity. A refused text changes
// nothing. An accepted text, written again, is read as an equal world.
#include "fuzz.h"
#include "random_world.h"
#include "weft_json.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held, const char *what)
{
    if (held) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void read_again(fuzz_world *from)
{
    fuzz_world *to = fuzz_open(NULL);
    json text = json_of_world(fuzz_world_base(from));
    weft_status status = weft_json_world_read(fuzz_world_base(to), text.text, text.bytes);
    require(status == WEFT_OK, fuzz_error(to));
    require(fuzz_hash(from) == fuzz_hash(to), "another world came back");
    json_free(&text);
    fuzz_close(to);
}

static void try_world(const char *text, size_t bytes)
{
    fuzz_world *w = fuzz_open(NULL);
    uint64_t before = fuzz_hash_exact(w);
    if (weft_json_world_read(fuzz_world_base(w), text, bytes) == WEFT_OK)
        read_again(w);
    else
        require(fuzz_hash_exact(w) == before, "a world was refused and changed");
    fuzz_close(w);
}

static void try_entity(const char *text, size_t bytes)
{
    fuzz_world *w = fuzz_open(NULL);
    fuzz_entity e = fuzz_ace_spawn(w, NULL);
    uint64_t before = fuzz_hash_exact(w);
    if (weft_json_entity_read(fuzz_world_base(w), e.bits, text, bytes) != WEFT_OK)
        require(fuzz_hash_exact(w) == before, "an entity was refused and changed");
    fuzz_close(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_world((const char *)data, size);
    try_entity((const char *)data, size);
    return 0;
}
