// The schema as JSON.
#ifndef WEFT_SERVE_SCHEMA_H
#define WEFT_SERVE_SCHEMA_H

#include "rpc.h"

serve_method serve_schema;

#endif
