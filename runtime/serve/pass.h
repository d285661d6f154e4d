// Access: decides from the head of a request whether it is allowed. It knows no sockets.
#ifndef WEFT_SERVE_PASS_H
#define WEFT_SERVE_PASS_H

#include "../json/scan.h"

#define SERVE_TOKEN_BYTES 33u // of a token, with its NUL
#define SERVE_HEAD_MAX 8192u  // bytes of the head of a request

// The parts of a request that decide, as they are written. `text` is NULL if the request lacks the
// part.
typedef struct serve_pass {
    weft_scanned method;
    weft_scanned host;
    weft_scanned origin;
    weft_scanned authorization;
    weft_scanned upgrade;
    weft_scanned length;   // of the body
    weft_scanned encoding; // transfer encoding of the body
    weft_scanned token;    // from the address
} serve_pass;

// Reads the head of an HTTP/1 request, up to and including its empty line. Returns false if it is
// not one, if a part occurs twice, or if it contains an invalid character.
bool serve_pass_read(const char *head, size_t bytes, serve_pass *pass);

// Returns why a server on this port with this token refuses a request, or NULL if it is allowed.
// The time does not depend on how much of the token is right.
const char *serve_pass_refusal(const serve_pass *pass, int port,
                               const char token[SERVE_TOKEN_BYTES]);

// Returns why an allowed request cannot be answered, and the HTTP status for it, or NULL if it can.
// If so, its method is known, and the length of its body is given in digits.
const char *serve_pass_flaw(const serve_pass *pass, const char **status);

#endif
