// Packed dots of the map: base64, and numbers beyond the range of floats.
//
// program: worlds byte_order
#include "desk_test.h"

#include "serve/text.h"

#include <math.h>

static void assert_base64(const char *bytes, const char *expected)
{
    serve_text text = {.limit = 4096};
    serve_add_base64(&text, (const unsigned char *)bytes, strlen(bytes));
    assert_int_equal(text.used, strlen(expected));
    assert_memory_equal(text.used != 0 ? text.bytes : "", expected, text.used);
    serve_free(&text);
}

static void test_base64(void **state)
{
    (void)state;
    assert_base64("", "");
    assert_base64("f", "Zg==");
    assert_base64("fo", "Zm8=");
    assert_base64("foo", "Zm9v");
    assert_base64("foob", "Zm9vYg==");
    assert_base64("fooba", "Zm9vYmE=");
    assert_base64("foobar", "Zm9vYmFy");
    assert_base64("\xff\xfe\xfb\xef\xbe", "//77774=");
}

// More digits than are collected before they are added.
static void test_long_base64(void **state)
{
    (void)state;
    char bytes[600 + 1], expected[800 + 1];
    for (int i = 0; i < 200; i++) {
        memcpy(bytes + 3 * i, "foo", 4);
        memcpy(expected + 4 * i, "Zm9v", 5);
    }
    assert_base64(bytes, expected);
}

static unsigned digit_of(char letter)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(DIGITS, letter);
    assert_non_null(at);
    return (unsigned)(at - DIGITS);
}

// Reads a number of the first dot: 0 to 4.
static float number_of(const char *answer, unsigned number)
{
    const char *dots = strstr(answer, "\"dots\":\"");
    uint32_t bits = 0;
    float single;
    assert_non_null(dots);
    dots += strlen("\"dots\":\"");
    for (unsigned i = 0; i < 32; i++) {                           // from the lowest bit
        const unsigned at = (4 * number + i / 8) * 8 + 7 - i % 8; // in the text, highest bit first
        bits |= (uint32_t)(digit_of(dots[at / 6]) >> (5 - at % 6) & 1) << i;
    }
    memcpy(&single, &bits, sizeof single);
    return single;
}

static void test_numbers_beyond_floats(void **state)
{
    (void)state;
    desk d = open_desk();
    static const struct {
        const char *set;
        float expected;
    } samples[] = {
        {"0.5", 0.5f},
        {"-3e38", -3e38f},
        {"1e300", 3.4028235e38f},
        {"-1e300", -3.4028235e38f},
    };
    char id[16];
    const char *spawned = call(&d, "spawn", "{\"prefab\":\"clerk\"}");
    const char *named = strstr(spawned, "\"id\":\"");
    assert_non_null(named);
    assert_int_equal(sscanf(named, "\"id\":\"%15[0-9:]", id), 1);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char params[200];
        snprintf(params, sizeof params, "{\"id\":\"%s\",\"path\":\"person.wealth\",\"value\":%s}",
                 id, samples[i].set);
        assert_done(call(&d, "set", params));
        const char *answer = call(&d, "map",
                                  "{\"x\":\"person.wealth\",\"y\":\"person.age\","
                                  "\"value\":\"person.wealth\",\"packed\":true,\"limit\":1}");
        assert_true(fabsf(number_of(answer, 2) / samples[i].expected - 1) < 1e-6f);
        assert_true(fabsf(number_of(answer, 4) / samples[i].expected - 1) < 1e-6f);
    }
    const char *lacking = call(&d, "map",
                               "{\"x\":\"person.wealth\",\"y\":\"person.age\",\"packed\":true,"
                               "\"limit\":1}");
    assert_true(isnan(number_of(lacking, 4)));
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_long_base64),
        cmocka_unit_test(test_numbers_beyond_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
