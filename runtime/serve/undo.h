// Undoes the last despawn, removal or bulk edit.
#ifndef WEFT_SERVE_UNDO_H
#define WEFT_SERVE_UNDO_H

#include "rpc.h"

serve_method serve_undo;

#endif
