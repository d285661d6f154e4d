// The server: connections, allowed requests, and answers that are being sent. libwebsockets
// implements HTTP and WebSocket; it is polled, and calls `on_event` during weft_serve_poll.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for libwebsockets.h
#endif
#include "weft_serve.h"

#include "answer.h"
#include "door.h"
#include "folder.h"
#include "linger.h"
#include "page.h"
#include "state.h"
#include "token.h"

#include "../world/report.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Time between two looks at the sockets: while no page is open, and while one is, or was just
// requested.
#define IDLE_SECONDS 0.1
#define BUSY_SECONDS 0.01
#define AWAKE_SECONDS 2.0      // how long the server is busy after any new connection
#define GONE_SECONDS 60.0      // after the last admission: then only pages that stay are connected
#define TOGETHER_SECONDS 0.005 // longest wait for the admitted ones, before new ones are checked
#define FETCH_SECONDS 30       // how long an HTTP client may take to fetch its answer
#define HEADER_BYTES 2048u
#define SEND_BYTES (1u << 20) // passed to a socket at once; the default of 4,096 takes many polls

// An answer that waits to be sent.
typedef struct answer {
    struct answer *next;
    serve_text text;
    size_t sent;
} answer;

// A connection: of a page or program that stays, or for one HTTP request. It begins as zeros.
typedef struct client {
    serve_text request; // the bytes received so far
    answer *first;      // the waiting answers
    answer *last;
    size_t waiting; // bytes of these
    bool counted;   // it stays, so it counts in `clients`
    bool page;      // the page must be sent
    bool told;      // its answer was sent
    double until;   // when waiting for an HTTP client ends; 0 while its request may continue
} client;

struct weft_serve {
    serve_state state;
    struct lws_context *context;
    struct lws_vhost *host;
    lws_sorted_usec_list_t alarm; // wakes a poll that waits
    double next;                  // time of the next look at the sockets
    double entered;               // time when the last connection was let in
    uint32_t clients;
    serve_door door;
    serve_linger linger;
    char url[96];
};

// ------------------------------------------------------------------------------------------------
// Answers

static void drop_first(client *one)
{
    answer *sent = one->first;
    one->first = sent->next;
    if (!one->first) one->last = NULL;
    one->waiting -= sent->text.used;
    serve_free(&sent->text);
    free(sent);
}

static void forget_client(weft_serve *server, client *one)
{
    while (one->first) drop_first(one);
    serve_free(&one->request);
    if (one->counted) server->clients--;
    one->counted = false;
}

// Answers the received request. There may be no answer. Returns false if there is no memory, or too
// many answers wait.
static bool answer_request(weft_serve *server, client *one)
{
    answer *made = (answer *)calloc(1, sizeof *made);
    if (!made) return false;
    made->text.head = LWS_PRE;
    made->text.limit = WEFT_SERVE_ANSWER_MAX + LWS_PRE;
    serve_answer(&server->state, one->request.bytes, one->request.used, &made->text);
    serve_free(&one->request);
    if (made->text.used <= made->text.head || made->text.failed) {
        bool fine = !made->text.failed;
        serve_free(&made->text);
        free(made);
        return fine;
    }
    if (one->last)
        one->last->next = made;
    else
        one->first = made;
    one->last = made;
    one->waiting += made->text.used;
    return one->waiting <= WEFT_SERVE_WAITING_MAX;
}

// Adds a piece of a request. Returns false if the request is too long.
static bool add_piece(client *one, const void *piece, size_t bytes)
{
    one->request.limit = WEFT_SERVE_REQUEST_MAX;
    serve_add_bytes(&one->request, (const char *)piece, bytes);
    return !one->request.failed;
}

// ------------------------------------------------------------------------------------------------
// WebSocket

static int on_piece(weft_serve *server, struct lws *wsi, client *one, const void *piece,
                    size_t bytes)
{
    if (!add_piece(one, piece, bytes)) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) != 0) return 0;
    if (!answer_request(server, one)) return -1;
    if (one->first) lws_callback_on_writable(wsi);
    return 0;
}

static int on_writable(struct lws *wsi, client *one)
{
    if (!one->first) return 0;
    serve_text *text = &one->first->text;
    size_t bytes = text->used - text->head;
    int written = lws_write(wsi, (unsigned char *)text->bytes + text->head, bytes, LWS_WRITE_TEXT);
    drop_first(one);
    if (written < (int)bytes) return -1;
    if (one->first) lws_callback_on_writable(wsi);
    return 0;
}

// ------------------------------------------------------------------------------------------------
// HTTP

static int add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                      unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at, end);
}

// Writes the head of an answer. The body follows when the connection is writable.
static int write_head(struct lws *wsi, unsigned status, const char *type, size_t bytes)
{
    unsigned char buffer[LWS_PRE + HEADER_BYTES];
    unsigned char *start = buffer + LWS_PRE;
    unsigned char *at = start;
    unsigned char *end = buffer + sizeof buffer - 1;
    if (lws_add_http_common_headers(wsi, status, type, bytes, &at, end) ||
        add_header(wsi, "connection:", "close", &at, end) ||
        add_header(wsi, "cache-control:", "no-store", &at, end) ||
        add_header(wsi, "content-security-policy:", serve_page_policy, &at, end) ||
        add_header(wsi, "referrer-policy:", "no-referrer", &at, end) ||
        add_header(wsi, "x-content-type-options:", "nosniff", &at, end) ||
        lws_finalize_write_http_header(wsi, start, &at, end)) {
        return -1;
    }
    lws_callback_on_writable(wsi);
    return 0;
}

// Ends a connection whose answer was sent. Returns -1, so that libwebsockets forgets it. Because
// libwebsockets closes its socket at once, a copy of the socket lingers.
static int let_linger(weft_serve *server, struct lws *wsi)
{
    serve_linger_add(&server->linger, lws_get_socket_fd(wsi), serve_now());
    return -1;
}

static int refuse_http(weft_serve *server, struct lws *wsi, unsigned status, const char *why)
{
    lws_return_http_status(wsi, status, why);
    return let_linger(server, wsi);
}

// The request is complete. A connection has one request: later ones are never answered, because the
// door has checked only this one, and libwebsockets mixes up requests that arrive before an answer.
// If more bytes arrive, it reports the end again and forgets the time that is left. Returns -1 if
// no time is left.
static int await_fetching(struct lws *wsi, client *one)
{
    const double now = serve_now();
    if (one->until == 0) one->until = now + FETCH_SECONDS;
    if (now >= one->until) return -1;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, (int)(one->until - now) + 1);
    return 0;
}

static int on_request(weft_serve *server, struct lws *wsi, client *one, const char *path)
{
    bool post = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0;
    if (post && strcmp(path, "/rpc") == 0) return 0; // the body follows
    if (post || strcmp(path, "/") != 0) {
        return refuse_http(server, wsi, HTTP_STATUS_NOT_FOUND, "only / and /rpc exist");
    }
    await_fetching(wsi, one);
    one->page = true;
    return write_head(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8", serve_page_bytes);
}

static int on_body_end(weft_serve *server, struct lws *wsi, client *one)
{
    const bool again = one->until != 0;
    if (await_fetching(wsi, one) != 0) return -1;
    if (again) return 0;
    if (!answer_request(server, one)) return -1;
    size_t bytes = one->first ? one->first->text.used - one->first->text.head : 0;
    return write_head(wsi, one->first ? HTTP_STATUS_OK : HTTP_STATUS_NO_CONTENT, "application/json",
                      bytes);
}

static int on_http_writable(weft_serve *server, struct lws *wsi, client *one)
{
    int written = 0;
    size_t bytes = 0;
    if (one->told) return let_linger(server, wsi); // all of it was sent
    if (one->page) {
        bytes = serve_page_bytes;
        unsigned char *copy = (unsigned char *)malloc(LWS_PRE + bytes);
        if (!copy) return -1;
        memcpy(copy + LWS_PRE, serve_page, bytes);
        written = lws_write(wsi, copy + LWS_PRE, bytes, LWS_WRITE_HTTP_FINAL);
        free(copy);
        one->page = false;
    } else if (one->first) {
        serve_text *text = &one->first->text;
        bytes = text->used - text->head;
        written =
            lws_write(wsi, (unsigned char *)text->bytes + text->head, bytes, LWS_WRITE_HTTP_FINAL);
        drop_first(one);
    }
    one->told = true;
    if (written < (int)bytes) return -1;
    if (!lws_partial_buffered(wsi)) return let_linger(server, wsi);
    lws_callback_on_writable(wsi);
    return 0;
}

// ------------------------------------------------------------------------------------------------
// Events

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t bytes)
{
    weft_serve *server = (weft_serve *)lws_context_user(lws_get_context(wsi));
    client *one = (client *)user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return server->clients < WEFT_SERVE_CLIENTS_MAX ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        memset(one, 0, sizeof *one);
        one->counted = true;
        server->clients++;
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return on_piece(server, wsi, one, in, bytes);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(wsi, one);
    case LWS_CALLBACK_HTTP:
        return on_request(server, wsi, one, (const char *)in);
    case LWS_CALLBACK_HTTP_BODY:
        return add_piece(one, in, bytes) ? 0 : -1;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_body_end(server, wsi, one);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return on_http_writable(server, wsi, one);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        if (one) forget_client(server, one);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols PROTOCOLS[] = {
    {"weft-rpc", on_event, sizeof(client), 0, 0, NULL, SEND_BYTES},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// A page that sends nothing is asked for a sign of life, and then disconnected.
static const lws_retry_bo_t PATIENCE = {
    .secs_since_valid_ping = 20,
    .secs_since_valid_hangup = 40,
};

// ------------------------------------------------------------------------------------------------
// The calls of a game

static bool open_context(weft_serve *server)
{
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = PROTOCOLS;
    info.user = server;
    info.gid = -1;
    info.uid = -1;
    info.vhost_name = "weft";
    info.fd_limit_per_thread = WEFT_SERVE_CLIENTS_MAX + 16;
    info.max_http_header_data = SERVE_HEAD_MAX;
    info.timeout_secs = 10;
    info.retry_and_idle_policy = &PATIENCE;
    info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6;
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (server->context) server->host = lws_create_vhost(server->context, &info);
    return server->host != NULL;
}

static bool fill_random(void *user, void *bytes, size_t count)
{
    return lws_get_random((struct lws_context *)user, bytes, count) == count;
}

static bool make_token(weft_serve *server, const weft_serve_options *options)
{
    const serve_random random = {fill_random, server->context};
    const char *file = options ? options->token_file : NULL;
    if (!serve_token_make(server->state.world, file, random, server->door.token)) return false;
    snprintf(server->url, sizeof server->url, "http://127.0.0.1:%d/?token=%s", server->door.port,
             server->door.token);
    return true;
}

// Listens on a port. Returns false after reporting why that is impossible.
static bool open_door(weft_serve *server, unsigned port)
{
    errno = 0;
    if (serve_door_open(&server->door, (uint16_t)port) && open_context(server)) return true;
    if (errno == EADDRINUSE) {
        weft_report(server->state.world, WEFT_IO,
                    "port %u is in use: another program listens there", port);
    } else {
        weft_report(server->state.world, WEFT_IO, "no server can listen on port %u of this machine",
                    port);
    }
    return false;
}

weft_serve *weft_serve_open(weft_world *world, const weft_serve_options *options)
{
    if (!WEFT_GIVEN(world, world, "weft_serve_open")) return NULL;
    weft_serve *server = (weft_serve *)calloc(1, sizeof *server);
    if (!server) {
        weft_report(world, WEFT_NO_MEMORY, "no memory for a server");
        return NULL;
    }
    server->door.wire = -1;
    server->door.came = server->entered = -GONE_SECONDS;
    serve_state_open(&server->state, world, options);
    server->state.files = &serve_folder_files;
    if (open_door(server, options ? options->port : 0) && make_token(server, options)) {
        return server;
    }
    weft_serve_close(server);
    return NULL;
}

void weft_serve_close(weft_serve *server)
{
    if (!server) return;
    if (server->context) lws_context_destroy(server->context);
    serve_linger_close(&server->linger);
    serve_door_close(&server->door);
    serve_state_close(&server->state);
    free(server);
}

const char *weft_serve_url(const weft_serve *server)
{
    return IS_GIVEN(server) ? server->url : "";
}

static void on_alarm(lws_sorted_usec_list_t *alarm)
{
    (void)alarm; // its only purpose is to wake the poll
}

// Lets a connection in. It is closed if there is no space.
static void let_in(void *user, int wire)
{
    weft_serve *server = (weft_serve *)user;
    server->entered = serve_now();
    lws_adopt_socket_vhost(server->host, wire);
}

static void serve_all(weft_serve *server, double seconds)
{
    if (seconds > 0) {
        if (seconds > TOGETHER_SECONDS) seconds = TOGETHER_SECONDS;
        lws_sul_schedule(server->context, 0, &server->alarm, on_alarm, (lws_usec_t)(seconds * 1e6));
    }
    lws_service(server->context, seconds > 0 ? 0 : -1);
}

void weft_serve_poll(weft_serve *server, double seconds)
{
    double now = serve_now();
    bool waits = seconds > 0;
    if (!IS_GIVEN(server)) return;
    serve_state_poll(&server->state, now);
    if (!waits && now < server->next) return;
    serve_linger_poll(&server->linger, now);
    serve_door_poll(&server->door, now, let_in, server);
    if (server->clients != 0 || now - server->entered < GONE_SECONDS) {
        serve_all(server, waits ? seconds : 0);
    } else if (waits) {
        serve_door_wait(&server->door, now, seconds);
    }
    bool awake = server->clients != 0 || now - server->door.came < AWAKE_SECONDS;
    server->next = now + (awake ? BUSY_SECONDS : IDLE_SECONDS);
}

uint32_t weft_serve_clients(const weft_serve *server)
{
    return IS_GIVEN(server) ? server->clients : 0;
}

weft_serve_clock *weft_serve_time(weft_serve *server)
{
    return IS_GIVEN(server) ? &server->state.clock : NULL;
}

double weft_serve_seconds(const weft_serve *server, double seconds)
{
    return IS_GIVEN(server) ? serve_state_seconds(&server->state, seconds) : 0;
}

void weft_serve_log(weft_serve *server, const char *line)
{
    if (IS_GIVEN(server) && IS_GIVEN(line)) serve_state_log(&server->state, line);
}
