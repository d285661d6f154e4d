// Windows of selections, single entities, and singletons.
#ifndef WEFT_SERVE_ENTITIES_H
#define WEFT_SERVE_ENTITIES_H

#include "rpc.h"

serve_method serve_entities, serve_entity, serve_singleton;

#endif
