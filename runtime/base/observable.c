// Defines one of two symbols, depending on how the runtime was compiled: see observable.h.
#include "observable.h"

#ifdef WEFT_UNOBSERVED
const char weft_rebuild_all_with_WEFT_UNOBSERVED = 0;
#else
const char weft_rebuild_all_without_WEFT_UNOBSERVED = 0;
#endif
