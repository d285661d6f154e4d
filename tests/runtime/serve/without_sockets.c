// The server as on a machine that has no sockets.
#define WEFT_NO_SOCKETS
#include "serve/weft_serve.c"
