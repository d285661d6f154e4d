// Two worlds on two threads, each with its inspector: what one is asked does not reach the answers
// of the other.
//
// program: worlds threads
#define _POSIX_C_SOURCE 200809L // strdup
#include "desk_test.h"

#include "desk_insight.h"
#include "weft_insight.h"

#include <pthread.h>

enum { ROUNDS = 400, PEOPLE = 30, REQUESTS = 5 };

typedef struct asker {
    int64_t age; // of the youngest
    const char *requests[REQUESTS];
    uint32_t others; // answers that differ from the first ones
} asker;

static desk open_people(int64_t age)
{
    desk d = open_desk();
    weft_watch(desk_world_base(d.world), desk_insight(), 1000);
    for (int i = 0; i < PEOPLE; i++) {
        const desk_entity one = desk_spawn(d.world);
        desk_person_set(d.world, one, (desk_person){.age = age + i, .wealth = (double)(age * i)});
    }
    return d;
}

// Asks again and again. In a world that nothing changes, each answer is always the same.
static void *ask_often(void *user)
{
    asker *a = (asker *)user;
    char *first[REQUESTS] = {NULL};
    desk d = open_people(a->age);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < REQUESTS; i++) {
            size_t bytes;
            const char *request = a->requests[i];
            const char *answer =
                weft_inspector_answer(d.inspector, request, strlen(request), &bytes);
            if (!answer)
                a->others++;
            else if (!first[i])
                first[i] = strdup(answer);
            else if (strcmp(first[i], answer) != 0)
                a->others++;
        }
    }
    for (int i = 0; i < REQUESTS; i++) free(first[i]);
    close_desk(&d);
    return NULL;
}

static void inspectors_on_two_threads_do_not_share_answers(void **state)
{
    (void)state;
    asker askers[2] = {
        {.age = 100,
         .requests =
             {
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities\",\"params\":{\"where\":"
                 "\"person.age > 3\",\"columns\":[\"person.age\",\"person.name\"]}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"map\",\"params\":{\"x\":\"person."
                 "age\","
                 "\"y\":\"person.wealth\",\"packed\":true}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"sums\",\"params\":{\"path\":"
                 "\"person\"}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"series\",\"params\":{\"of\":\"mean of "
                 "person.age\"}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"bulk\",\"params\":{\"change\":"
                 "\"remove\","
                 "\"component\":\"tired\",\"ids\":[\"900:1\",\"901:1\"]}}",
             }},
        {.age = 200,
         .requests =
             {
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"entities\",\"params\":{\"columns\":["
                 "\"person.wealth\"]}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"map\",\"params\":{\"x\":\"person."
                 "wealth\","
                 "\"y\":\"person.age\",\"value\":\"lamp\"}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"sums\",\"params\":{\"path\":\"clock\"}"
                 "}",
                 "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"series\",\"params\":{\"of\":\"count "
                 "of "
                 "person\"}}",
                 "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"bulk\",\"params\":{\"change\":\"set\","
                 "\"path\":\"person.age\",\"value\":1,\"ids\":[\"950:1\"]}}",
             }},
    };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(askers[i].others, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inspectors_on_two_threads_do_not_share_answers),
    };
    return cmocka_run_group_tests_name("two_threads", tests, NULL, NULL);
}
