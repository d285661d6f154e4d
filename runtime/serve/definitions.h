// Finds the lines of definitions in sources: of functions in C or C++, and of declarations in
// schemas. It looks at the text alone: it neither runs a preprocessor nor reads other files.
#ifndef WEFT_SERVE_DEFINITIONS_H
#define WEFT_SERVE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVE_CONDITIONS_MAX 64u // nested #if, whose braces are balanced

// A word in a text.
typedef struct serve_word {
    const char *text;
    size_t bytes;
} serve_word;

// Called for each function that a text defines outside of all braces: `name(...) {`. Comments,
// strings, preprocessor lines and the text within `#if 0` do not count. A function whose name a
// macro makes is not found.
typedef void serve_function_hook(void *user, serve_word name, uint32_t line);
void serve_find_functions(const char *text, size_t bytes, serve_function_hook *found, void *user);

// Called for each declaration of a schema: the line `[kind.name]`. Texts of several lines do not
// count.
typedef void serve_declared_hook(void *user, serve_word kind, serve_word name, uint32_t line);
void serve_find_declarations(const char *text, size_t bytes, serve_declared_hook *found,
                             void *user);

// Finds the name of the world that a schema declares: `name = "..."` after `[world]`. Returns
// whether there is one. A file that another schema imports has none.
bool serve_find_world(const char *text, size_t bytes, serve_word *name);

#endif
