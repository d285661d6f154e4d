// Loads a save of the colony and writes it as JSON, without playing: `export SAVE`.
#include "colony.h"
#include "weft_json.h"

#include <stdio.h>
#include <stdlib.h>

static weft_status print(void *user, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, (FILE *)user) == bytes ? WEFT_OK : WEFT_IO;
}

int main(int argc, char **argv)
{
    colony_world *w = colony_open(NULL);
    if (argc != 2 || !w) return EXIT_FAILURE;
    bool good = colony_load(w, argv[1]) == WEFT_OK &&
                weft_json_world_write(colony_world_base(w), print, stdout) == WEFT_OK;
    if (!good) fprintf(stderr, "%s\n", colony_error(w));
    colony_close(w);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
