// Events as systems emit them.
#ifndef WEFT_SERVE_EVENTS_H
#define WEFT_SERVE_EVENTS_H

#include "rpc.h"

serve_method serve_events;

#endif
