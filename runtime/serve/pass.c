#include "pass.h"

#include "weft_serve_options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// ------------------------------------------------------------------------------------------------
// The decision

static bool is_text(weft_scanned value, const char *text)
{
    return value.bytes == strlen(text) && memcmp(value.text, text, value.bytes) == 0;
}

// Returns whether a value is the name of this server after a scheme: "127.0.0.1:port" or
// "localhost:port". Browsers leave out the port of http.
static bool is_own_name(weft_scanned value, const char *scheme, int port)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char own[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s%s:%d", scheme, names[i], port);
        if (is_text(value, own)) return true;
        snprintf(own, sizeof own, "%s%s", scheme, names[i]);
        if (port == 80 && is_text(value, own)) return true;
    }
    return false;
}

// Compares all characters of the token, whatever the guess is. `differs` is volatile, so that no
// compiler ends the loop early.
static bool is_token(weft_scanned guess, const char token[SERVE_TOKEN_BYTES])
{
    const size_t length = SERVE_TOKEN_BYTES - 1;
    char padded[SERVE_TOKEN_BYTES] = {0};
    volatile unsigned differs = guess.bytes != length;
    if (guess.bytes != 0) memcpy(padded, guess.text, guess.bytes < length ? guess.bytes : length);
    for (size_t i = 0; i < length; i++) differs |= (unsigned char)(padded[i] ^ token[i]);
    return differs == 0;
}

static bool has_token(const serve_pass *pass, const char token[SERVE_TOKEN_BYTES])
{
    static const char scheme[] = "Bearer ";
    const size_t length = sizeof scheme - 1;
    weft_scanned bearer = pass->authorization;
    if (!bearer.text) return is_token(pass->token, token);
    if (bearer.bytes < length || memcmp(bearer.text, scheme, length) != 0) return false;
    return is_token((weft_scanned){bearer.text + length, bearer.bytes - length}, token);
}

const char *serve_pass_refusal(const serve_pass *pass, int port,
                               const char token[SERVE_TOKEN_BYTES])
{
    weft_scanned upgrade = pass->upgrade;
    if (!is_own_name(pass->host, "", port)) {
        return "the server only answers to 127.0.0.1 and localhost";
    }
    if (pass->origin.text && !is_own_name(pass->origin, "http://", port)) {
        return "requests from other pages are refused";
    }
    if (!has_token(pass, token)) {
        return "open the address that the game has printed: it contains a token";
    }
    if (upgrade.text && (upgrade.bytes != 9 || strncasecmp(upgrade.text, "websocket", 9) != 0)) {
        return "the server speaks HTTP/1.1 and WebSocket";
    }
    return NULL;
}

// Reads the length of a body. A length above the limit is returned as limit + 1. Returns false if
// it is not digits.
static bool read_length(weft_scanned digits, size_t *length)
{
    *length = 0;
    for (size_t i = 0; i < digits.bytes; i++) {
        if (digits.text[i] < '0' || digits.text[i] > '9') return false;
        *length = *length * 10 + (size_t)(digits.text[i] - '0');
        if (*length > WEFT_SERVE_REQUEST_MAX) *length = WEFT_SERVE_REQUEST_MAX + 1;
    }
    return digits.bytes != 0;
}

static const char *set_status(const char **status, const char *is, const char *why)
{
    *status = is;
    return why;
}

const char *serve_pass_flaw(const serve_pass *pass, const char **status)
{
    const bool posts = is_text(pass->method, "POST");
    size_t length = 0;
    if (!posts && !is_text(pass->method, "GET")) {
        return set_status(status, "405 Method Not Allowed", "only GET and POST are allowed");
    }
    if (pass->encoding.text || (posts && !pass->length.text)) {
        return set_status(status, "411 Length Required", "a POST needs the length of its body");
    }
    if (pass->length.text && !read_length(pass->length, &length)) {
        return set_status(status, "400 Bad Request", "the length of the body is not a number");
    }
    if (!posts && length != 0) {
        return set_status(status, "400 Bad Request", "only a POST has a body");
    }
    if (length > WEFT_SERVE_REQUEST_MAX) {
        return set_status(status, "413 Payload Too Large", "the request is too long");
    }
    if (posts && pass->upgrade.text) {
        return set_status(status, "403 Forbidden", "only a GET becomes a WebSocket");
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// Heads of requests

// Stores a part. Returns false if it occurs twice.
static bool take_part(weft_scanned *into, weft_scanned value)
{
    if (into->text) return false;
    *into = value;
    return true;
}

// Reads the token from the arguments of an address, "a=1&token=…".
static bool read_arguments(const char *at, const char *end, serve_pass *pass)
{
    static const char name[] = "token=";
    const size_t length = sizeof name - 1;
    while (at < end) {
        const char *next = (const char *)memchr(at, '&', (size_t)(end - at));
        if (!next) next = end;
        if ((size_t)(next - at) >= length && memcmp(at, name, length) == 0 &&
            !take_part(&pass->token, (weft_scanned){at + length, (size_t)(next - at) - length})) {
            return false;
        }
        at = next + 1;
    }
    return true;
}

// Reads "GET /address?arguments HTTP/1.1".
static bool read_first_line(const char *at, const char *end, serve_pass *pass)
{
    const char *address = (const char *)memchr(at, ' ', (size_t)(end - at));
    if (!address || address == at || *++address != '/') return false;
    const char *version = (const char *)memchr(address, ' ', (size_t)(end - address));
    pass->method = (weft_scanned){at, (size_t)(address - 1 - at)};
    if (!version || end - version != 9 || memcmp(version, " HTTP/1.", 8) != 0) return false;
    const char *arguments = (const char *)memchr(address, '?', (size_t)(version - address));
    return !arguments || read_arguments(arguments + 1, version, pass);
}

// Reads "Name: value".
static bool read_line(const char *at, const char *end, serve_pass *pass)
{
    const struct {
        const char *name;
        weft_scanned *part;
    } parts[] = {{"host", &pass->host},
                 {"origin", &pass->origin},
                 {"authorization", &pass->authorization},
                 {"upgrade", &pass->upgrade},
                 {"content-length", &pass->length},
                 {"transfer-encoding", &pass->encoding}};
    const char *colon = (const char *)memchr(at, ':', (size_t)(end - at));
    if (!colon || colon == at || *at == ' ' || *at == '\t') return false;
    const size_t length = (size_t)(colon - at);
    const char *value = colon + 1;
    while (value != end && (*value == ' ' || *value == '\t')) value++;
    while (end != value && (end[-1] == ' ' || end[-1] == '\t')) end--;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strlen(parts[i].name) != length || strncasecmp(at, parts[i].name, length) != 0)
            continue;
        return take_part(parts[i].part, (weft_scanned){value, (size_t)(end - value)});
    }
    return true;
}

// Returns the end of a line, before its CR and LF, or NULL if the line contains another control
// character.
static const char *line_end(const char *at, const char *end)
{
    for (; at != end; at++) {
        if ((unsigned char)*at >= ' ' || *at == '\t') continue;
        return *at == '\r' && at + 1 != end && at[1] == '\n' ? at : NULL;
    }
    return NULL;
}

bool serve_pass_read(const char *head, size_t bytes, serve_pass *pass)
{
    const char *end = head + bytes;
    const char *line = line_end(head, end);
    *pass = (serve_pass){.host = {NULL, 0}};
    if (!line || !read_first_line(head, line, pass)) return false;
    for (;;) {
        const char *at = line + 2;
        line = line_end(at, end);
        if (!line) return false;
        if (line == at) return line + 2 == end;
        if (!read_line(at, line, pass)) return false;
    }
}
