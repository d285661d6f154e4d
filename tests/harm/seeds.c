// Writes saves to begin with: NAME0, NAME1 … of worlds that grow, by whichever schema of the vault
// this was compiled with. LIVED: their systems have run.
#include "filled.h"

#ifdef LIVED
#include "lived.h"
#endif

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char path[512];
    int count = argc == 3 ? atoi(argv[2]) : 0;
    for (int i = 0; i < count; i++) {
        dice d = {(uint64_t)i};
        vault_world *w = vault_open(NULL);
        filled_spawn(vault_world_base(w), &d, (uint32_t)i * 3);
#ifdef LIVED
        lived(w, &d);
#endif
        snprintf(path, sizeof path, "%s%d", argv[1], i);
        if (vault_save(w, path) != WEFT_OK) {
            fprintf(stderr, "%s\n", vault_error(w));
            return 1;
        }
        vault_close(w);
    }
    if (count == 0) fprintf(stderr, "usage: seeds NAME COUNT\n");
    return count == 0;
}
