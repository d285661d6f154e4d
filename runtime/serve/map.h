// The map: two numbers of many entities, and a third one for their colour.
#ifndef WEFT_SERVE_MAP_H
#define WEFT_SERVE_MAP_H

#include "rpc.h"

serve_method serve_map;

#endif
