// Entities that were despawned.
#ifndef WEFT_SERVE_GONE_H
#define WEFT_SERVE_GONE_H

#include "rpc.h"

serve_method serve_gone;

#endif
