// For libFuzzer: any text as an expression on a small world. A mistake lies within the text. An
// accepted expression returns each entity once, as many as it counts, and changes nothing.
#include "../json/random_world.h"
#include "fuzz.h"
#include "weft_reflect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTITIES 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held, const char *what)
{
    if (held) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static fuzz_world *made;
static uint64_t made_hash;

static fuzz_world *world(void)
{
    dice d = {7};
    if (made) return made;
    made = fuzz_open(NULL);
    random_world(fuzz_world_base(made), &d, ENTITIES, true);
    made_hash = fuzz_hash_exact(made);
    return made;
}

static void walk(weft_select *found)
{
    uint64_t count = weft_select_count(found);
    uint64_t n = 0;
    while (weft_select_next(found)) n++;
    require(n == count, "a walk has another number of entities than were counted");
    weft_select_rewind(found);
    require(weft_select_skip(found, count + 1) == count, "another number was skipped");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_world *w = world();
    char *text = (char *)malloc(size + 1); // so that a sanitizer sees what is read behind the end
    require(text != NULL, "no memory");
    if (size != 0) memcpy(text, data, size);
    text[size] = '\0';
    weft_select found = weft_select_begin(fuzz_world_base(w), text);
    if (found.status == WEFT_OK)
        walk(&found);
    else
        require(found.column <= strlen(text) + 1, "a mistake behind the text");
    weft_select_end(&found);
    require(fuzz_hash_exact(w) == made_hash, "a selection changed the world");
    free(text);
    return 0;
}
