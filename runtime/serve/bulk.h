// One change of many entities.
#ifndef WEFT_SERVE_BULK_H
#define WEFT_SERVE_BULK_H

#include "rpc.h"

#define SERVE_BULK_MAX 1000u // entities of a call
#define SERVE_REASONS_MAX 8u // different refusals in an answer

serve_method serve_bulk;

#endif
