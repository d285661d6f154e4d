// The token of a server, new each time or kept in a file.
#ifndef WEFT_SERVE_TOKEN_H
#define WEFT_SERVE_TOKEN_H

#include "pass.h"
#include "rpc.h"

typedef struct serve_random {
    bool (*fill)(void *user, void *bytes, size_t count); // with random bytes; false on failure
    void *user;
} serve_random;

// Makes a token. If `file` is given, reads the token from it, or writes the new one to it with mode
// 0600 if there is no such file. Returns false after a report of the world: the file belongs to
// another user, others may read or write it, it contains something else, or it cannot be read or
// written.
bool serve_token_make(weft_world *world, const char *file, serve_random random,
                      char token[SERVE_TOKEN_BYTES]);

#endif
