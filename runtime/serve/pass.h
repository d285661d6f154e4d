// Who may ask: what a request shows of itself, and the judgement of it. It knows no sockets.
#ifndef WEFT_SERVE_PASS_H
#define WEFT_SERVE_PASS_H

#include "../json/scan.h"

#define SERVE_TOKEN_BYTES 33u // of a token, with its NUL
#define SERVE_HEAD_MAX 8192u  // bytes of the head of a request

// The parts of a request that decide, as they are written. No text: it has none.
typedef struct serve_pass {
    weft_scanned method;
    weft_scanned host;
    weft_scanned origin;
    weft_scanned authorization;
    weft_scanned upgrade;
    weft_scanned length;   // of the body
    weft_scanned encoding; // of it
    weft_scanned token;    // of the address
} serve_pass;

// Reads the head of a request of HTTP/1, up to and with its empty line. False: it is none, or has a
// part twice, or a character that heads do not have.
bool serve_pass_read(const char *head, size_t bytes, serve_pass *pass);

// Says why a request is refused by a server on this port with this token; NULL: it may go on. How
// long it takes does not depend on how much of the token is right.
const char *serve_pass_refusal(const serve_pass *pass, int port,
                               const char token[SERVE_TOKEN_BYTES]);

// Says why a request that may go on cannot be answered, and the status for that; NULL: it can. Its
// method is known then, and so is where its body ends, in digits alone.
const char *serve_pass_flaw(const serve_pass *pass, const char **status);

#endif
