// The server, compiled as on a machine without sockets.
#define WEFT_NO_SOCKETS
#include "serve/weft_serve.c"
