// Writes a random world as JSON: `dump SEED`. For tests that judge it with tools that are not ours.
#include "fuzz.h"
#include "random_world.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: dump SEED\n");
        return 2;
    }
    dice d = {strtoull(argv[1], NULL, 10)};
    fuzz_world *w = fuzz_open(NULL);
    random_world(fuzz_world_base(w), &d, dice_below(&d, 60), true);
    json text = json_of_world(fuzz_world_base(w));
    bool written = fwrite(text.text, 1, text.bytes, stdout) == text.bytes && fflush(stdout) == 0;
    json_free(&text);
    fuzz_close(w);
    return written ? 0 : 2;
}
