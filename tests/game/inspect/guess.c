// Compares a token with a guess whose first characters are right (`guess RIGHT LENGTH`), and prints
// whether it is accepted. guess.py counts the instructions within serve_pass_refusal. `guess PORT
// HOST ORIGIN` sends the right token to a server on that port.
#include "pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char TOKEN[SERVE_TOKEN_BYTES] = "0123456789abcdef0123456789abcdef";

static int judge(const serve_pass *pass, int port)
{
    puts(serve_pass_refusal(pass, port, TOKEN) ? "refused" : "taken");
    return 0;
}

int main(int count, char **arguments)
{
    char guess[2 * SERVE_TOKEN_BYTES] = {0};
    if (count == 4) {
        const serve_pass pass = {.host = {arguments[2], strlen(arguments[2])},
                                 .origin = {arguments[3], strlen(arguments[3])},
                                 .token = {TOKEN, sizeof TOKEN - 1}};
        return judge(&pass, atoi(arguments[1]));
    }
    if (count != 3) return 2;
    const size_t right = strtoul(arguments[1], NULL, 10);
    const size_t length = strtoul(arguments[2], NULL, 10);
    if (right > length || length >= sizeof guess) return 2;
    memset(guess, 'x', length);
    memcpy(guess, TOKEN, right < sizeof TOKEN ? right : sizeof TOKEN - 1);
    const serve_pass pass = {.host = {"127.0.0.1:80", 12}, .token = {guess, length}};
    return judge(&pass, 80);
}
