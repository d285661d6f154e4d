// For libFuzzer: calls to an inspector of two worlds. Each answer is JSON. Calls that only read,
// and refused calls, change nothing. Writing back a value that was shown is accepted and changes
// nothing.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem
#endif
#include "desk_insight.h"
#include "desk_test.h"
#include "fuzz.h"
#include "fuzz_insight.h"
#include "maker.h"
#include "random_world.h"
#include "json/scan.h"

#define CALLS_MAX 24
#define INDICES 24

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct subject {
    weft_world *base;
    weft_inspector *inspector;
    desk_world *desk; // or
    fuzz_world *fuzz;
    uint64_t hash; // of the world, before the last request
    const char *answer;
    size_t bytes;
} subject;

static uint64_t hash_of(const subject *s)
{
    return s->desk ? desk_hash_exact(s->desk) : fuzz_hash_exact(s->fuzz);
}

static void require(bool held, const subject *s, const char *request, const char *what)
{
    if (held) return;
    fprintf(stderr, "%s\nasked: %s\nanswer: %.4000s\n", what, request, s->answer);
    abort();
}

static void put(subject *s, const char *request)
{
    s->answer = weft_inspector_answer(s->inspector, request, strlen(request), &s->bytes);
    require(s->answer != NULL, s, request, "there is no answer");
    weft_scanned value;
    require(s->bytes == 0 || weft_scan_check(s->answer, s->bytes, &value), s, request,
            "the answer is no JSON");
    require(s->bytes <= WEFT_SERVE_ANSWER_MAX, s, request, "the answer is too long");
}

static bool writes(const char *method)
{
    static const char *const names[] = {"set",    "write",  "add",    "remove", "spawn", "despawn",
                                        "attach", "detach", "switch", "step",   "undo",  "bulk"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], method) == 0) return true;
    }
    return false;
}

static void try_request(subject *s, const maker *m)
{
    put(s, m->text);
    const uint64_t before = s->hash;
    s->hash = hash_of(s);
    if (!m->method || m->calls > 1) return;
    const bool refused = strstr(s->answer, "\"error\":{\"code\":") != NULL;
    const bool unchanged = s->hash == before;
    require(unchanged || (writes(m->method) && !refused), s, m->text,
            refused ? "a call was refused, and has changed the world"
                    : "a call that only looks has changed the world");
}

// ------------------------------------------------------------------------------------------------
// What is shown can be given back

static weft_scanned result_of(const subject *s)
{
    weft_scanned value;
    weft_scan_check(s->answer, s->bytes, &value);
    return weft_scan_member(value, "result");
}

// Gives the values of a path back to all who have it.
static void give_back_values(subject *s, maker *m)
{
    char path[256], request[8192];
    const char *at = NULL;
    m->used = 0;
    m->text[0] = '\0';
    maker_path(m);
    if (m->used >= sizeof path || !m->field) return;
    memcpy(path, m->text, m->used + 1);
    snprintf(request, sizeof request,
             "{\"id\":1,\"method\":\"entities\",\"params\":{\"limit\":50,\"columns\":[\"%s\"]}}",
             path);
    put(s, request);
    char *kept = (char *)malloc(s->bytes);
    memcpy(kept, s->answer, s->bytes);
    weft_scanned all;
    weft_scan_check(kept, s->bytes, &all);
    weft_scanned rows = weft_scan_member(weft_scan_member(all, "result"), "rows");
    for (weft_scanned row = weft_scan_next(rows, &at); row.bytes != 0;
         row = weft_scan_next(rows, &at)) {
        const char *first = NULL;
        weft_scanned id = weft_scan_member(row, "id");
        weft_scanned value = weft_scan_next(weft_scan_member(row, "values"), &first);
        if (value.bytes > 4000 || memmem(value.text, value.bytes, "\\ufffd", 6)) continue;
        if (weft_scan_kind(value) == 'n' && m->field->type != WEFT_TYPE_ENTITY) continue;
        snprintf(request, sizeof request,
                 "{\"id\":1,\"method\":\"set\",\"params\":{\"id\":%.*s,\"path\":\"%s\","
                 "\"value\":%.*s}}",
                 (int)id.bytes, id.text, path, (int)value.bytes, value.text);
        put(s, request);
        require(hash_of(s) == s->hash, s, request, "a value that was given back is another");
        const bool odd = strstr(s->answer, "\"error\"") != NULL;
        require(!odd || weft_scan_kind(value) == 'n', s, request, "a value is not taken back");
    }
    free(kept);
}

// Gives the components of entities back to them.
static void give_back_entities(subject *s)
{
    static char request[65536];
    for (uint32_t i = 0; i < INDICES; i++) {
        snprintf(request, sizeof request,
                 "{\"id\":1,\"method\":\"entity\",\"params\":{\"id\":\"%u:1\"}}", i);
        put(s, request);
        weft_scanned components = weft_scan_member(result_of(s), "components");
        if (components.bytes == 0 || components.bytes > sizeof request - 200 ||
            memmem(components.text, components.bytes, "\\ufffd", 6)) {
            continue;
        }
        snprintf(request, sizeof request,
                 "{\"id\":1,\"method\":\"write\",\"params\":{\"id\":\"%u:1\",\"components\":%.*s}}",
                 i, (int)components.bytes, components.text);
        put(s, request);
        require(strstr(s->answer, "\"error\"") == NULL, s, request, "components are not taken");
        require(hash_of(s) == s->hash, s, request, "components that were given back are others");
    }
}

// ------------------------------------------------------------------------------------------------
// The worlds

static weft_status run_tick(void *user)
{
    return desk_tick((desk_world *)user, 1.0);
}

static weft_status run_phase(void *user, uint32_t number)
{
    desk_world *w = (desk_world *)user;
    return number == 0 ? desk_run_work(w, 1.0) : desk_run_rest(w, 1.0);
}

static void be_silent(void *user, const char *line)
{
    (void)user;
    (void)line;
}

static subject open_subject(bool of_desk, uint8_t seed)
{
    subject s = {.answer = ""};
    weft_serve_options options = {.writable = true};
    weft_options how = {.log = be_silent};
    if (of_desk) {
        s.desk = desk_open(&how);
        s.base = desk_world_base(s.desk);
        options.tick = run_tick;
        options.phase = run_phase;
        options.user = s.desk;
        options.insight = desk_insight();
        for (uint32_t i = 0; i < 8; i++) desk_clerk_spawn(s.desk, NULL);
    } else {
        dice d = {seed};
        s.fuzz = fuzz_open(&how);
        s.base = fuzz_world_base(s.fuzz);
        options.insight = fuzz_insight();
        random_world(s.base, &d, 12, false);
    }
    s.hash = hash_of(&s);
    s.inspector = weft_inspector_open(s.base, &options);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static maker m;
    if (size < 2) return 0;
    subject s = open_subject(data[0] & 1, data[1]);
    m.schema = s.desk ? desk_schema() : fuzz_schema();
    m.at = data + 2;
    m.end = data + size;
    for (int i = 0; i < CALLS_MAX && m.at != m.end; i++) {
        maker_request(&m);
        try_request(&s, &m);
        if (data[0] & 2) give_back_values(&s, &m);
    }
    if (data[0] & 4) give_back_entities(&s);
    weft_inspector_close(s.inspector);
    if (s.desk)
        desk_close(s.desk);
    else
        fuzz_close(s.fuzz);
    return 0;
}
