// Changes of values, components and entities.
#ifndef WEFT_SERVE_EDIT_H
#define WEFT_SERVE_EDIT_H

#include "rpc.h"

serve_method serve_set, serve_write, serve_add_component, serve_remove, serve_spawn, serve_despawn,
    serve_attach, serve_detach, serve_link, serve_unlink;

#endif
