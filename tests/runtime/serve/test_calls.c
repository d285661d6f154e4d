// Wrong calls to the inspector: each member of the params of each method missing, unknown, given
// twice or of another type; invalid requests; and batches that are too long. None of them is
// carried out in part.
//
// program: worlds byte_order
#include "desk_test.h"

enum { INVALID_REQUEST = -32600, INVALID_PARAMS = -32602, PARSE_ERROR = -32700 };

// A value of JSON of each kind.
enum { STRING, NUMBER, FRACTION, NEGATIVE, TRUTH, NOTHING, ARRAY, OBJECT, KINDS };
static const char *const samples[KINDS] = {
    "\"x\"", "3", "0.5", "-1", "true", "null", "[1]", "{\"a\":1}",
};

#define BIT(kind) (1u << (kind))
#define COUNTS BIT(NUMBER)
#define NUMBERS (BIT(NUMBER) | BIT(FRACTION) | BIT(NEGATIVE))

typedef struct member {
    const char *name;
    const char *value; // that is right
    unsigned kinds;    // that it may be of
    bool needed;
} member;

// Each method, with the members that it takes. "1:1" is a clerk with a name, "2:1" one below it.
static const struct method {
    const char *name;
    member members[7];
} methods[] = {
    {"schema", {{.name = NULL}}},
    {"stats", {{.name = NULL}}},
    {"entities",
     {{"where", "\"person\"", BIT(STRING), false},
      {"sort", "\"person.id\"", BIT(STRING), false},
      {"descending", "true", BIT(TRUTH), false},
      {"offset", "0", COUNTS, false},
      {"limit", "5", COUNTS, false},
      {"columns", "[\"person.id\"]", BIT(ARRAY), false}}},
    {"map",
     {{"x", "\"person.age\"", BIT(STRING), true},
      {"y", "\"person.weight\"", BIT(STRING), true},
      {"where", "\"person\"", BIT(STRING), false},
      {"value", "\"person.mood\"", BIT(STRING), false},
      {"offset", "0", COUNTS, false},
      {"limit", "5", COUNTS, false},
      {"packed", "true", BIT(TRUTH), false}}},
    {"entity", {{"id", "\"1:1\"", BIT(STRING), true}}},
    {"gone", {{"id", "\"1:1\"", BIT(STRING), true}}},
    {"referrers", {{"id", "\"1:1\"", BIT(STRING), true}}},
    {"children",
     {{"relation", "\"under\"", BIT(STRING), true},
      {"id", "\"1:1\"", BIT(STRING), true},
      {"after", "\"2:1\"", BIT(STRING), false},
      {"limit", "5", COUNTS, false}}},
    {"children",
     {{"relation", "\"under\"", BIT(STRING), true},
      {"id", "\"1:1\"", BIT(STRING), true},
      {"before", "\"2:1\"", BIT(STRING), false}}},
    {"ancestors",
     {{"relation", "\"under\"", BIT(STRING), true}, {"id", "\"2:1\"", BIT(STRING), true}}},
    {"singleton", {{"name", "\"clock\"", BIT(STRING), true}}},
    {"systems", {{"count", "false", BIT(TRUTH), false}}},
    {"tables", {{.name = NULL}}},
    {"messages", {{"since", "0", COUNTS, false}}},
    {"events", {{"since", "0", COUNTS, false}}},
    {"remember", {{"where", "\"person\"", BIT(STRING), false}}},
    {"changes",
     {{"path", "\"person.id\"", BIT(STRING), false}, {"text", "\"clerk\"", BIT(STRING), false}}},
    {"set",
     {{"path", "\"person.age\"", BIT(STRING), true},
      {"value", "7", BIT(STRING) | NUMBERS | BIT(TRUTH) | BIT(NOTHING), true},
      {"id", "\"1:1\"", BIT(STRING), false}}},
    {"set",
     {{"path", "\"owes.sum\"", BIT(STRING), true},
      {"value", "7", BIT(STRING) | NUMBERS | BIT(TRUTH) | BIT(NOTHING), true},
      {"id", "\"1:1\"", BIT(STRING), false},
      {"to", "\"2:1\"", BIT(STRING), false}}},
    {"link",
     {{"id", "\"2:1\"", BIT(STRING), true},
      {"link", "\"owes\"", BIT(STRING), true},
      {"to", "\"1:1\"", BIT(STRING), true},
      {"value", "{\"sum\": 9}", BIT(OBJECT), false}}},
    {"unlink",
     {{"id", "\"1:1\"", BIT(STRING), true},
      {"link", "\"owes\"", BIT(STRING), true},
      {"to", "\"2:1\"", BIT(STRING), true}}},
    {"write",
     {{"id", "\"1:1\"", BIT(STRING), true},
      {"components", "{\"person\": {\"age\": 9}}", BIT(OBJECT), true}}},
    {"add", {{"id", "\"1:1\"", BIT(STRING), true}, {"component", "\"note\"", BIT(STRING), true}}},
    {"remove",
     {{"id", "\"1:1\"", BIT(STRING), true}, {"component", "\"note\"", BIT(STRING), true}}},
    {"spawn",
     {{"prefab", "\"clerk\"", BIT(STRING), false},
      {"components", "{\"person\": {\"age\": 9}}", BIT(OBJECT), false}}},
    {"spawn",
     {{"prefab", "\"cabinet\"", BIT(STRING), true},
      {"components", "{\"note\": {\"text\": \"elm\"}}", BIT(OBJECT), false},
      {"parts", "{\"owner\": {\"components\": {\"keen\": true}}}", BIT(OBJECT), false}}},
    {"attach",
     {{"id", "\"2:1\"", BIT(STRING), true},
      {"relation", "\"under\"", BIT(STRING), true},
      {"parent", "\"1:1\"", BIT(STRING), true}}},
    {"detach",
     {{"id", "\"2:1\"", BIT(STRING), true}, {"relation", "\"under\"", BIT(STRING), true}}},
    {"despawn", {{"id", "\"3:1\"", BIT(STRING), true}}},
    {"undo", {{"number", "4", COUNTS, true}}}, // the despawn
    {"bulk",
     {{"ids", "[\"1:1\", \"2:1\"]", BIT(ARRAY), true},
      {"change", "\"set\"", BIT(STRING), true},
      {"path", "\"person.age\"", BIT(STRING), true},
      {"value", "7", BIT(STRING) | NUMBERS | BIT(TRUTH) | BIT(NOTHING), true}}},
    {"bulk",
     {{"ids", "[\"1:1\", \"2:1\"]", BIT(ARRAY), true},
      {"change", "\"add\"", BIT(STRING), true},
      {"component", "\"note\"", BIT(STRING), true}}},
    {"switch", {{"system", "\"ring\"", BIT(STRING), true}, {"on", "true", BIT(TRUTH), false}}},
    {"pause", {{"paused", "false", BIT(TRUTH), false}}},
    {"speed", {{"speed", "2", NUMBERS, true}}},
    {"step", {{"ticks", "1", COUNTS, false}}},
    {"step", {{"phase", "\"work\"", BIT(STRING), false}}},
    {"watch", {{"on", "true", BIT(TRUTH), false}}},
    {"writes",
     {{"path", "\"person.age\"", BIT(STRING), true},
      {"id", "\"1:1\"", BIT(STRING), false},
      {"limit", "5", COUNTS, false},
      {"writer", "\"ring\"", BIT(STRING), false},
      {"by_size", "true", BIT(TRUTH), false},
      {"offset", "1", COUNTS, false},
      {"until", "9", COUNTS, false}}},
    {"sums",
     {{"path", "\"person.age\"", BIT(STRING), true},
      {"id", "\"1:1\"", BIT(STRING), false},
      {"ticks", "5", COUNTS, false}}},
    {"kept", {{.name = NULL}}},
    {"sources", {{.name = NULL}}},
    {"record", {{"ticks", "3", COUNTS, false}}},
    {"timeline", {{.name = NULL}}},
    {"series", {{"of", "\"person.age of 1:1\"", BIT(STRING), true}, {"since", "0", COUNTS, false}}},
    {"stops", {{.name = NULL}}},
    {"stop_at", {{"when", "\"event rang\"", BIT(STRING), true}, {"skip", "1", COUNTS, false}}},
    {"stop_set",
     {{"when", "\"event rang\"", BIT(STRING), true},
      {"on", "true", BIT(TRUTH), false},
      {"skip", "1", COUNTS, false}}},
    {"stop_forget", {{"when", "\"event rang\"", BIT(STRING), true}}},
};

static uint32_t count_members(const struct method *m)
{
    uint32_t count = 0;
    while (count < 7 && m->members[count].name) count++;
    return count;
}

// Writes the right params of a method, with member `odd` left out or given another value; after
// them a further text.
static const char *params_of(const struct method *m, uint32_t odd, const char *value,
                             const char *further)
{
    static char params[1024];
    size_t used = (size_t)snprintf(params, sizeof params, "{");
    const char *comma = "";
    for (uint32_t i = 0; i < count_members(m); i++) {
        const char *given = i == odd ? value : m->members[i].value;
        if (!given) continue;
        used += (size_t)snprintf(params + used, sizeof params - used, "%s\"%s\": %s", comma,
                                 m->members[i].name, given);
        comma = ", ";
    }
    snprintf(params + used, sizeof params - used, "%s%s}", *further ? comma : "", further);
    return params;
}

// What calls may change.
typedef struct trail {
    uint64_t hash;
    weft_serve_clock clock;
    uint64_t tick;
} trail;

static trail trail_of(const desk *d)
{
    return (trail){desk_hash_exact(d->world), *weft_inspector_time(d->inspector),
                   desk_stats(d->world).ticks};
}

static void assert_unchanged(const desk *d, trail before, const struct method *m)
{
    trail now = trail_of(d);
    if (now.hash != before.hash) fail_msg("%s has changed the world", m->name);
    assert_int_equal(now.tick, before.tick);
    assert_true(now.clock.paused == before.clock.paused);
    assert_true(now.clock.speed == before.clock.speed);
    if (strstr(call(d, "stats", "{}"), "\"edits\":0}") == NULL) fail_msg("%s", m->name);
}

static desk open_filled(void)
{
    desk d = open_desk();
    for (int i = 0; i < 4; i++) {
        desk_clerk clerk = desk_clerk_defaults();
        snprintf(clerk.person.name, sizeof clerk.person.name, "clerk %d", i);
        desk_clerk_spawn(d.world, &clerk);
    }
    const uint64_t first = (uint64_t)1 << desk_schema()->index_bits;
    desk_under_attach(d.world, desk_entity_of(first | 2), desk_entity_of(first | 1));
    desk_owes_set(d.world, desk_entity_of(first | 1), desk_entity_of(first | 2),
                  desk_owes_defaults());
    return d;
}

static void params_of_another_kind_are_refused(void **state)
{
    (void)state;
    desk d = open_filled();
    const trail before = trail_of(&d);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct method *m = &methods[i];
        for (uint32_t k = 0; k < count_members(m); k++) {
            for (int kind = 0; kind < KINDS; kind++) {
                if ((m->members[k].kinds & BIT(kind)) != 0) continue;
                const char *params = params_of(m, k, samples[kind], "");
                assert_refused(call(&d, m->name, params), INVALID_PARAMS, m->members[k].name);
                assert_unchanged(&d, before, m);
            }
        }
    }
    close_desk(&d);
}

static void params_that_are_missing_unknown_or_there_twice_are_refused(void **state)
{
    (void)state;
    desk d = open_filled();
    const trail before = trail_of(&d);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct method *m = &methods[i];
        const uint32_t count = count_members(m);
        assert_refused(call(&d, m->name, params_of(m, count, NULL, "\"other\": 1")), INVALID_PARAMS,
                       "takes no");
        assert_refused(call(&d, m->name, params_of(m, count, NULL, "\"\\u0000\": 1")),
                       INVALID_PARAMS, "takes no");
        assert_unchanged(&d, before, m);
        for (uint32_t k = 0; k < count; k++) {
            char twice[128], escaped[128];
            const member *one = &m->members[k];
            if (one->needed) {
                assert_refused(call(&d, m->name, params_of(m, k, NULL, "")), INVALID_PARAMS,
                               "is missing");
            }
            snprintf(twice, sizeof twice, "\"%s\": %s", one->name, one->value);
            assert_refused(call(&d, m->name, params_of(m, count, NULL, twice)), INVALID_PARAMS,
                           "occurs twice");
            snprintf(escaped, sizeof escaped, "\"\\u%04x%s\": %s", (unsigned)one->name[0],
                     one->name + 1, one->value);
            assert_refused(call(&d, m->name, params_of(m, count, NULL, escaped)), INVALID_PARAMS,
                           "occurs twice");
            assert_unchanged(&d, before, m);
        }
    }
    close_desk(&d);
}

// So that the refusals above are for what is wrong, and nothing else.
static void right_params_are_taken(void **state)
{
    (void)state;
    desk d = open_filled();
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct method *m = &methods[i];
        const char *answer = call(&d, m->name, params_of(m, count_members(m), NULL, ""));
        if (strstr(answer, "nothing is watched") == NULL) assert_done(answer);
        for (uint32_t k = 0; k < count_members(m); k++) {
            if (m->members[k].needed || strcmp(m->name, "set") == 0) continue;
            answer = call(&d, m->name, params_of(m, k, NULL, ""));
            if (strstr(answer, "nothing is watched") == NULL) assert_done(answer);
        }
    }
    close_desk(&d);
}

static void further_mistakes_are_refused_before_anything_is_done(void **state)
{
    static const char *const wrong[][3] = {
        {"step", "{\"ticks\": 1, \"phase\": \"work\"}", "not both"},
        {"step", "{\"phase\": \"play\"}", "there is no phase"},
        {"step", "{\"ticks\": 0}", "'ticks' must be a number from 1"},
        {"speed", "{\"speed\": 0}", "'speed' must be a number from"},
        {"entities", "{\"columns\": [\"person.id\", 5]}", "'columns' are at most 16 strings"},
        {"entities", "{\"columns\": [\"person.id\", [\"person.id\"]]}", "'columns' are at most"},
        {"entities", "{\"columns\": [\"person\\u0000\"]}", "of less than 256 bytes without a NUL"},
        {"entities", "{\"where\": \"person\\u0000\"}", "of less than 4096 bytes without a NUL"},
        {"set", "{\"path\": \"person.name\", \"value\": \"a\\u0000b\", \"id\": \"1:1\"}",
         "'value' must be a string of less than 4096 bytes without a NUL"},
        {"spawn", "{\"prefab\": \"\"}", "a prefab should be here"},
        {"set", "{\"path\": \"clock.time\", \"value\": 2, \"id\": \"\"}", "'id' must be"},
        {"set", "{\"path\": \"clock.time\", \"value\": 2, \"id\": \"1:1\"}", "is a singleton"},
        {"set", "{\"path\": \"person.age\", \"value\": null, \"id\": \"1:1\"}", "person.age"},
        {"set", "{\"path\": \"person.age\", \"value\": \"4\", \"id\": \"1:1\"}", "person.age"},
        {"set", "{\"path\": \"person.age\", \"value\": true, \"id\": \"1:1\"}", "person.age"},
        {"set", "{\"path\": \"person.boss\", \"value\": 4, \"id\": \"1:1\"}", "person.boss"},
        {"set", "{\"path\": \"person.awake\", \"value\": \"\", \"id\": \"1:1\"}", "person.awake"},
        {"write", "{\"id\": \"1:1\", \"components\": {\"person\": {\"age\": \"4\"}}}", "age"},
        {"write", "{\"id\": \"1:1\", \"components\": {\"person\": {\"age\": 4, \"age\": 4}}}",
         "twice"},
        {"write", "{\"id\": \"1:1\", \"components\": {\"keen\": true, \"tired\": true}}",
         "excludes"},
        {"spawn", "{\"components\": {\"person\": {\"age\": \"4\"}}}", "age"},
        {"spawn", "{\"components\": {\"person\": 5}}", "person"},
        {"spawn", "{\"prefab\": \"clerk\", \"components\": {\"person\": {\"age\": 1e99}}}", "age"},
        {"spawn", "{\"prefab\": \"clerk\", \"components\": {\"nobody\": {}}}", "nobody"},
        {"spawn", "{\"components\": {\"keen\": true, \"tired\": true}}", "excludes"},
        {"attach", "{\"id\": \"1:1\", \"parent\": \"2:1\", \"relation\": \"under\"}", "under"},
        {"attach", "{\"id\": \"1:1\", \"parent\": \"9:9\", \"relation\": \"under\"}", "9:9"},
        {"link", "{\"id\": \"1:1\", \"to\": \"9:9\", \"link\": \"owes\"}", "9:9"},
        {"link", "{\"id\": \"9:9\", \"to\": \"1:1\", \"link\": \"owes\"}", "9:9"},
        {"link", "{\"id\": \"1:1\", \"to\": \"2:1\", \"link\": \"ows\"}", "did you mean 'owes'"},
        {"link",
         "{\"id\": \"1:1\", \"to\": \"2:1\", \"link\": \"owes\", \"value\": {\"sum\": 1001}}",
         "owes[0].value.sum: is 1001, and must be at most 1000"},
        {"link", "{\"id\": \"1:1\", \"to\": \"2:1\", \"link\": \"knows\", \"value\": {}}",
         "has no fields"},
        {"link", "{\"id\": \"1:1\", \"to\": \"2:1\\\"}]\", \"link\": \"owes\"}", "'to' must be"},
        {"unlink", "{\"id\": \"2:1\", \"to\": \"1:1\", \"link\": \"owes\"}",
         "there is no link 'owes' from entity 2:1 to entity 1:1"},
        {"set", "{\"id\": \"1:1\", \"to\": \"2:1\", \"path\": \"owes.sum\", \"value\": 1001}",
         "must be at most 1000"},
        {"set", "{\"id\": \"1:1\", \"to\": \"2:1\", \"path\": \"person.age\", \"value\": 1}",
         "there is no link 'person'"},
        {"set", "{\"id\": \"2:1\", \"to\": \"1:1\", \"path\": \"owes.sum\", \"value\": 1}",
         "there is no link 'owes' from"},
        {"set", "{\"to\": \"1:1\", \"path\": \"clock.time\", \"value\": 1}", "'to' needs 'id'"},
        {"bulk", "{\"ids\": [], \"change\": \"despawn\"}", "'ids' are 1 to 1000 handles"},
        {"bulk", "{\"ids\": [\"1:1\", 2], \"change\": \"despawn\"}", "'ids' are 1 to 1000"},
        {"bulk", "{\"ids\": [\"1:1\", \"1\"], \"change\": \"despawn\"}", "'ids' are 1 to 1000"},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"kill\"}", "'change' is "},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"set\", \"value\": 1}", "'path' is missing"},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"add\"}", "'component' is missing"},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"despawn\", \"component\": \"tired\"}",
         "'component' is not used to despawn"},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"remove\", \"component\": \"tierd\"}",
         "did you mean 'tired'"},
        {"bulk", "{\"ids\": [\"1:1\"], \"change\": \"set\", \"path\": \"persn.age\", \"value\": 1}",
         "did you mean 'person'"},
        {"children", "{\"relation\": \"under\", \"id\": \"1:1\", \"after\": \"3:1\"}",
         "3:1 is no longer a child of 1:1"},
        {"children",
         "{\"relation\": \"under\", \"id\": \"1:1\", \"after\": \"2:1\", \"before\": \"2:1\"}",
         "'after' or 'before', not both"},
        {"children", "{\"relation\": \"undr\", \"id\": \"1:1\"}", "did you mean 'under'"},
        {"children", "{\"relation\": \"under\", \"id\": \"1:9\"}", "entity 1:9 was never alive"},
        {"children", "{\"relation\": \"under\", \"id\": \"1:1\", \"limit\": 501}",
         "'limit' must be a number from 1 to 500"},
        {"ancestors", "{\"relation\": \"under\", \"id\": \"1:9\"}", "entity 1:9 was never alive"},
    };
    (void)state;
    desk d = open_filled();
    const trail before = trail_of(&d);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *answer = call(&d, wrong[i][0], wrong[i][1]);
        if (!strstr(answer, "\"error\":") || !strstr(answer, wrong[i][2])) {
            fail_msg("%s %s: %s", wrong[i][0], wrong[i][1], answer);
        }
        const struct method m = {wrong[i][1], {{.name = NULL}}};
        assert_unchanged(&d, before, &m);
    }
    close_desk(&d);
}

static void links_are_added_edited_shown_and_removed(void **state)
{
    (void)state;
    desk d = open_filled();
    const desk_entity one = desk_entity_of(((uint64_t)1 << desk_schema()->index_bits) | 1);
    const desk_entity two = desk_entity_of(((uint64_t)1 << desk_schema()->index_bits) | 2);
    assert_done(call(&d, "link",
                     "{\"id\": \"2:1\", \"link\": \"owes\", \"to\": \"1:1\", "
                     "\"value\": {\"sum\": 5, \"note\": \"a \\\"b\\\"\", \"days\": [1, 2]}}"));
    assert_int_equal(desk_owes_get(d.world, two, one)->sum, 5);
    assert_string_equal(desk_owes_get(d.world, two, one)->note, "a \"b\"");
    assert_done(call(&d, "link",
                     "{\"id\": \"2:1\", \"link\": \"owes\", \"to\": \"1:1\", \"value\": "
                     "{\"who\": \"3:1\"}}"));
    assert_int_equal(desk_owes_get(d.world, two, one)->sum, 5); // was left out
    assert_done(call(
        &d, "set", "{\"id\": \"2:1\", \"to\": \"1:1\", \"path\": \"owes.days[1]\", \"value\": 9}"));
    assert_int_equal(desk_owes_get(d.world, two, one)->days.items[1], 9);
    assert_done(
        call(&d, "set",
             "{\"id\": \"2:1\", \"to\": \"1:1\", \"path\": \"owes.note\", \"value\": \"c\"}"));
    assert_done(call(&d, "link", "{\"id\": \"3:1\", \"link\": \"knows\", \"to\": \"1:1\"}"));
    const char *shown = call(&d, "entity", "{\"id\": \"1:1\"}");
    assert_non_null(strstr(
        shown, "\"links\": {\"owes\": [{\"to\": \"2:1\", \"value\": {\"sum\": 3, \"note\": \"\", "
               "\"days\": [], \"who\": null}}, {\"from\": \"2:1\", \"value\": {\"sum\": 5, "
               "\"note\": \"c\", \"days\": [1, 9], \"who\": \"3:1\"}}], "
               "\"knows\": [{\"to\": \"3:1\"}]}"));
    assert_non_null(strstr(shown, "\"link_counts\":{\"owes\":{\"from\":1,\"to\":1},"
                                  "\"knows\":{\"from\":1,\"to\":1}}"));
    assert_done(call(&d, "unlink", "{\"id\": \"1:1\", \"link\": \"knows\", \"to\": \"3:1\"}"));
    assert_int_equal(desk_knows_count(d.world), 0);
    assert_non_null(
        strstr(call(&d, "schema", "{}"),
               "\"links\":[{\"name\":\"owes\",\"doc\":\"How much one owes another.\","));
    close_desk(&d);
}

// An entity with many links is shown with the first of them, and with their number.
static void a_hub_is_shown_in_part(void **state)
{
    (void)state;
    enum { MANY = 3000, SHOWN = 100 };
    desk d = open_filled();
    const desk_entity one = desk_entity_of(((uint64_t)1 << desk_schema()->index_bits) | 1);
    for (uint32_t i = 0; i < MANY; i++) {
        desk_owes_set(d.world, one, desk_clerk_spawn(d.world, NULL), desk_owes_defaults());
    }
    const char *shown = call(&d, "entity", "{\"id\": \"1:1\"}");
    assert_int_equal(count_of(shown, "\"sum\""), SHOWN);
    assert_non_null(strstr(shown, "\"link_counts\":{\"owes\":{\"from\":3001,\"to\":0}}"));
    close_desk(&d);
}

static void requests_that_are_none_are_refused(void **state)
{
    static const char *const wrong[] = {
        "{}",
        "5",
        "\"spawn\"",
        "null",
        "{\"method\": 5, \"id\": 1}",
        "{\"method\": \"spawn\", \"id\": [1]}",
        "{\"method\": \"spawn\", \"id\": {}}",
        "{\"method\": \"spawn\", \"id\": true}",
        "{\"method\": \"spawn\", \"id\": 1, \"params\": []}",
        "{\"method\": \"spawn\", \"id\": 1, \"params\": null}",
        "{\"method\": \"spawn\", \"id\": 1, \"parms\": {}}",
        "{\"method\": \"stats\", \"id\": 1, \"method\": \"spawn\"}",
        "{\"method\": \"spawn\", \"id\": 1, \"\\u0069d\": 2}",
        "{\"method\": \"spawn\", \"id\": 1, \"params\": {}, \"params\": {}}",
        "{\"jsonrpc\": \"1.0\", \"method\": \"spawn\", \"id\": 1}",
        "{\"jsonrpc\": 2.0, \"method\": \"spawn\", \"id\": 1}",
        "{\"jsonrpc\": \"2.0\", \"jsonrpc\": \"2.0\", \"method\": \"spawn\", \"id\": 1}",
        "{\"method\": \"spawn\\u0000\", \"id\": 1}",
        "[]",
        "[1]",
        "[[{\"method\": \"spawn\", \"id\": 1}]]",
    };
    (void)state;
    desk d = open_filled();
    const uint64_t before = desk_hash_exact(d.world);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_refused(ask(&d, wrong[i]), INVALID_REQUEST, "\"id\":null");
        if (desk_hash_exact(d.world) != before) fail_msg("%s has done something", wrong[i]);
    }
    assert_refused(ask(&d, "{\"method\": \"spawn\", \"id\": 1"), PARSE_ERROR, "not JSON");
    assert_refused(ask(&d, "{\"method\": \"spawn\", \"id\": 1} 5"), PARSE_ERROR, "not JSON");
    assert_true(desk_hash_exact(d.world) == before);
    close_desk(&d);
}

// Writes a batch of so many calls.
static const char *batch_of(uint32_t count, const char *one)
{
    static char text[16384];
    size_t used = (size_t)snprintf(text, sizeof text, "[");
    for (uint32_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ", ", one);
    }
    snprintf(text + used, sizeof text - used, "]");
    return text;
}

static void a_batch_is_carried_out_whole_or_not_at_all(void **state)
{
    (void)state;
    desk d = open_filled();
    const char *one = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"spawn\", \"params\": {}}";
    const char *silent = "{\"jsonrpc\": \"2.0\", \"method\": \"spawn\"}";
    for (uint32_t count = 65; count < 140; count += 37) {
        const uint64_t before = desk_hash_exact(d.world);
        const char *answer = ask(&d, batch_of(count, one));
        assert_refused(answer, INVALID_REQUEST, "1 to 64");
        assert_int_equal(count_of(answer, "\"error\":"), 1);
        assert_refused(ask(&d, batch_of(count, silent)), INVALID_REQUEST, "1 to 64");
        assert_true(desk_hash_exact(d.world) == before);
    }
    const uint64_t entities = desk_stats(d.world).entities;
    assert_int_equal(count_of(ask(&d, batch_of(64, one)), "\"result\":"), 64);
    assert_string_equal(ask(&d, batch_of(64, silent)), "");
    assert_int_equal(desk_stats(d.world).entities, entities + 128);
    close_desk(&d);
}

static void the_schema_has_docs_of_values(void **state)
{
    (void)state;
    desk d = open_desk();
    const char *answer = call(&d, "schema", "{}");
    assert_non_null(strstr(answer, "\"values\":[\"menu\",\"play\",\"over\"],"
                                   "\"docs\":[\"\",\"\",\"Shows the \\\"score\\\".\"]}"));
    assert_non_null(strstr(answer, "\"values\":[\"calm\",\"glad\",\"angry\"]}"));
    close_desk(&d);

    const weft_schema *schema = desk_schema();
    for (uint32_t i = 0; i < schema->enum_count; i++) {
        const weft_enum_info *one = &schema->enums[i];
        if (strcmp(one->name, "game") != 0) {
            assert_null(one->docs);
            continue;
        }
        assert_string_equal(one->docs[DESK_GAME_PLAY], "");
        assert_string_equal(one->docs[DESK_GAME_OVER], "Shows the \"score\".");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_has_docs_of_values),
        cmocka_unit_test(params_of_another_kind_are_refused),
        cmocka_unit_test(params_that_are_missing_unknown_or_there_twice_are_refused),
        cmocka_unit_test(right_params_are_taken),
        cmocka_unit_test(further_mistakes_are_refused_before_anything_is_done),
        cmocka_unit_test(links_are_added_edited_shown_and_removed),
        cmocka_unit_test(a_hub_is_shown_in_part),
        cmocka_unit_test(requests_that_are_none_are_refused),
        cmocka_unit_test(a_batch_is_carried_out_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
