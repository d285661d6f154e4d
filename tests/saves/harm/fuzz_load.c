// For libFuzzer: loads any bytes as a save.
#include "mutate.h"
#include "trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static trial t;
    if (!t.w) trial_open(&t);
    if (trial_load(&t, data, size) == WEFT_OK) mutate_keep(data, size);
    return 0;
}
