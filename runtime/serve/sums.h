// Sums of writes.
#ifndef WEFT_SERVE_SUMS_H
#define WEFT_SERVE_SUMS_H

#include "rpc.h"

serve_method serve_sums;

#endif
