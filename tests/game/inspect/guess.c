// Compares a token with a guess, of which the first `guess RIGHT LENGTH` characters are right, and
// prints whether it is taken. guess.py counts the instructions within serve_pass_refusal.
#include "pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    static const char token[SERVE_TOKEN_BYTES] = "0123456789abcdef0123456789abcdef";
    char guess[2 * SERVE_TOKEN_BYTES] = {0};
    if (count != 3) return 2;
    const size_t right = strtoul(arguments[1], NULL, 10);
    const size_t length = strtoul(arguments[2], NULL, 10);
    if (right > length || length >= sizeof guess) return 2;
    memset(guess, 'x', length);
    memcpy(guess, token, right < sizeof token ? right : sizeof token - 1);
    const serve_pass pass = {.host = {"127.0.0.1:80", 12}, .token = {guess, length}};
    const char *why = serve_pass_refusal(&pass, 80, token);
    puts(why ? "refused" : "taken");
    return 0;
}
