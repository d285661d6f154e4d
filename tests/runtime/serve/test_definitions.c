// The lines of definitions in sources: functions of C and C++ among comments, strings, preprocessor
// lines and calls; declarations of schemas; and texts that end anywhere.
//
// program: worlds byte_order
#include "serve/definitions.c" // no library of the tests has it

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The found definitions as text: "name:line ".
static char found[1024];

static void add_found(const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(found);
    va_start(arguments, format);
    vsnprintf(found + used, sizeof found - used, format, arguments);
    va_end(arguments);
}

static void on_function(void *user, serve_word name, uint32_t line)
{
    (void)user;
    add_found("%.*s:%u ", (int)name.bytes, name.text, (unsigned)line);
}

static void on_declaration(void *user, serve_word kind, serve_word name, uint32_t line)
{
    (void)user;
    add_found("%.*s.%.*s:%u ", (int)kind.bytes, kind.text, (int)name.bytes, name.text,
              (unsigned)line);
}

static const char *functions_of(const char *text)
{
    found[0] = '\0';
    serve_find_functions(text, strlen(text), on_function, NULL);
    return found;
}

static const char *declarations_of(const char *text)
{
    found[0] = '\0';
    serve_find_declarations(text, strlen(text), on_declaration, NULL);
    return found;
}

static const struct sample {
    const char *text;
    const char *expected;
} functions[] = {
    {"void walk(int a)\n{\n}\n", "walk:1 "},
    {"\n\nvoid\nwalk (const ctx *c,\n  int a) {}", "walk:4 "},
    // Neither a declaration, a call nor the name of a variable is a definition.
    {"void walk(int a);\nint b = walk(3);\nint walk[] = {1};\nstruct walk { int a; };", ""},
    {"void run(void)\n{\n    walk(1);\n    if (a) { b(); }\n}\nvoid walk(void) {}",
     "run:1 walk:6 "},
    {"static int a = 1;\nint (*walk)(int);\nvoid f(int (*g)(int)) {}", "f:3 "},
    {"__attribute__((cold)) void walk(void) {}\nALIGNED(8) int x = {1};", "walk:1 "},
    // Comments and strings.
    {"// void a(void) {\n/* void b(void) {\n*/ void walk(void) {}", "walk:3 "},
    {"void walk(int a /* { */, // (\n int b) /* } */ // )\n{}", "walk:1 "},
    {"// void a(void) \\\n {\nvoid walk(void) {}", "walk:3 "},
    {"const char *a = \"void b(void) {\";\nchar c = '{', d = '\\'', e = '\"';\nvoid walk(void) {}",
     "walk:3 "},
    {"const char *a = \"\\\n{\\\"{\";\nvoid walk(void) {}", "walk:3 "},
    {"const char *a = \"{ not closed\nvoid walk(void) {}", "walk:2 "},
    {"const auto a = R\"x(\")\" {)x\";\nauto b = u8R\"(\n{)\";\nvoid walk(void) {}", "walk:4 "},
    {"int a = 1'000'000;\nint b = 0x1'F;\nvoid walk(void) {}", "walk:3 "},
    // Preprocessor lines.
    {"#define DO(x) void x(void) {\n#define DO2 \\\n {\nvoid walk(void) {}", "walk:4 "},
    {"#ifdef A\nvoid walk(int a) {\n#else\nvoid walk(void) {\n#endif\n}\nvoid run(void) {}",
     "walk:2 walk:4 run:7 "},
    {"#if 0\nvoid a(void) {\n#if 1\n#endif\n#else\nvoid walk(void) {}\n#endif\nvoid run(void) {}",
     "walk:6 run:8 "},
    {"# if 0\n{\n# endif\nvoid walk(void) {}", "walk:4 "},
    {"#if 01\nvoid walk(void) {}\n#endif\n", "walk:2 "},
    {"#else\n#endif\n#endif\nvoid walk(void) {}", "walk:4 "},
    {"  /* c */ #define X {\nvoid walk(void) {}", "walk:2 "},
    // C++.
    {"extern \"C\" {\nvoid walk(void) {}\n}\nextern \"C\" void run(void) {}", "walk:2 run:4 "},
    {"namespace a {\nvoid walk(void) {}\n}\nvoid run(void) {}", "run:4 "},
    // A macro may make the name.
    {"SYSTEM(walk) {}\nSYSTEM(run)\nvoid walk(void) {}", "SYSTEM:1 walk:3 "},
    {"} } ) void walk(void) {}\r\nvoid run(void)\r\n{}\r\n", "walk:1 run:2 "},
    {"", ""},
};

static void test_functions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        assert_string_equal(functions_of(functions[i].text), functions[i].expected);
    }
}

static const struct sample declarations[] = {
    {"[world]\nname = \"a\"\n[component.b]\nfields = {}\n[ system . c-d ] # e\n",
     "component.b:3 system.c-d:5 "},
    {"[component.a.fields]\n[[component.b]]\n[component.]\n[c.d]", "c.d:4 "},
    {"doc = \"\"\"\n[component.a]\n\\\"\"\"\n[b.c]\n\"\"\"\n  [d.e]", "d.e:6 "},
    {"doc = '''\n[component.a]\n\\'''\n[d.e]", "d.e:4 "},
    {"doc = \"[a.b]\\\"\" # [c.d]\ndoc = 'x\\'\n[e.f]", "e.f:3 "},
    {"values = [\n  [\"a\"],\n  # ]\n[b.c],\n]\n[d.e]", "d.e:6 "},
    {"# [a.b]\r\n[c.d]\r\n", "c.d:2 "},
    {"", ""},
};

static void test_declarations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        assert_string_equal(declarations_of(declarations[i].text), declarations[i].expected);
    }
}

static void assert_world(const char *text, const char *expected)
{
    serve_word name = {NULL, 0};
    assert_int_equal(serve_find_world(text, strlen(text), &name), expected != NULL);
    if (!expected) return;
    assert_int_equal(name.bytes, strlen(expected));
    assert_memory_equal(name.text, expected, name.bytes);
}

static void test_worlds(void **state)
{
    (void)state;
    assert_world("[world]\nname = \"colony\"\n", "colony");
    assert_world("name = \"x\"\n[world] # here\nphases = [\"name\"]\n  name='colony'", "colony");
    assert_world("[world.a]\nname = \"x\"\n", NULL);
    assert_world("[world]\nphases = []\n[component.name]\nname = \"x\"\n", NULL);
    assert_world("", NULL);
}

// A text may end anywhere: inside of a comment, a string or a condition. The bytes are exactly
// allocated, so that sanitizers see any read beyond them.
static void test_texts_that_end_anywhere(void **state)
{
    (void)state;
    const size_t counts[] = {sizeof functions / sizeof *functions,
                             sizeof declarations / sizeof *declarations};
    const struct sample *const samples[] = {functions, declarations};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < counts[k]; i++) {
            for (size_t bytes = 0; bytes < strlen(samples[k][i].text); bytes++) {
                char *text = (char *)malloc(bytes + (bytes == 0));
                serve_word name;
                assert_non_null(text);
                memcpy(text, samples[k][i].text, bytes);
                found[0] = '\0';
                serve_find_functions(text, bytes, on_function, NULL);
                serve_find_declarations(text, bytes, on_declaration, NULL);
                serve_find_world(text, bytes, &name);
                free(text);
            }
        }
    }
}

// Conditions that are nested more deeply than is known must not write beyond their memory.
static void test_deep_conditions(void **state)
{
    (void)state;
    enum { DEEP = 3 * SERVE_CONDITIONS_MAX };
    static char text[DEEP * 16 + 64];
    text[0] = '\0';
    for (int i = 0; i < DEEP; i++) strcat(text, "#if 1\n{\n");
    for (int i = 0; i < DEEP; i++) strcat(text, "#endif\n");
    for (int i = 0; i < DEEP; i++) strcat(text, "}");
    strcat(text, "\nvoid walk(void) {}");
    char expected[32];
    snprintf(expected, sizeof expected, "walk:%d ", 3 * DEEP + 2);
    assert_string_equal(functions_of(text), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),       cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_worlds),          cmocka_unit_test(test_texts_that_end_anywhere),
        cmocka_unit_test(test_deep_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
