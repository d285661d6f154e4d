// Undoes the last despawn or removal.
#ifndef WEFT_SERVE_UNDO_H
#define WEFT_SERVE_UNDO_H

#include "rpc.h"

serve_method serve_undo;

#endif
