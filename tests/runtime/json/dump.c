// Writes a random world as JSON, and saves it if a file is given: `dump SEED [SAVE]`. Tests judge
// both with independent tools.
//
// program: middle: narrow: wide:
#include "fuzz.h"
#include "random_world.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: dump SEED [SAVE]\n");
        return 2;
    }
    dice d = {strtoull(argv[1], NULL, 10)};
    fuzz_world *w = fuzz_open(NULL);
    random_world(fuzz_world_base(w), &d, dice_below(&d, 60), true);
    json text = json_of_world(fuzz_world_base(w));
    bool written = fwrite(text.text, 1, text.bytes, stdout) == text.bytes && fflush(stdout) == 0;
    bool saved = argc == 2 || fuzz_save(w, argv[2]) == WEFT_OK;
    json_free(&text);
    fuzz_close(w);
    return written && saved ? 0 : 2;
}
