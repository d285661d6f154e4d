#include "definitions.h"

#include <string.h>

// A text that is read from its begin to its end. At the end, `peek` returns NUL.
typedef struct source_text {
    const char *at;
    const char *end;
    uint32_t line;
} source_text;

static char byte_at(const source_text *t, size_t ahead)
{
    return (size_t)(t->end - t->at) > ahead ? t->at[ahead] : '\0';
}

static void skip_bytes(source_text *t, size_t bytes)
{
    for (; bytes != 0 && t->at < t->end; bytes--) {
        if (*t->at++ == '\n') t->line++;
    }
}

static bool is_figure(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_of_word(char c)
{
    return is_letter(c) || is_figure(c);
}

static bool starts_with(const source_text *t, const char *words)
{
    const size_t bytes = strlen(words);
    return (size_t)(t->end - t->at) >= bytes && memcmp(t->at, words, bytes) == 0;
}

static bool is_word(serve_word word, const char *words)
{
    return word.bytes == strlen(words) && memcmp(word.text, words, word.bytes) == 0;
}

static serve_word take_word(source_text *t)
{
    serve_word word = {t->at, 0};
    while (is_of_word(byte_at(t, word.bytes))) word.bytes++;
    skip_bytes(t, word.bytes);
    return word;
}

static void skip_past(source_text *t, const char *words)
{
    while (t->at < t->end && !starts_with(t, words)) skip_bytes(t, 1);
    skip_bytes(t, strlen(words));
}

// Skips the end of a line that is continued by a backslash. Returns whether there was one.
static bool skip_continued(source_text *t)
{
    if (starts_with(t, "\\\n"))
        skip_bytes(t, 2);
    else if (starts_with(t, "\\\r\n"))
        skip_bytes(t, 3);
    else
        return false;
    return true;
}

static void skip_line(source_text *t)
{
    while (t->at < t->end && *t->at != '\n') {
        if (!skip_continued(t)) skip_bytes(t, 1);
    }
}

// Skips a comment. Returns whether there was one.
static bool skip_comment(source_text *t)
{
    if (starts_with(t, "//"))
        skip_line(t);
    else if (starts_with(t, "/*")) {
        skip_bytes(t, 2);
        skip_past(t, "*/");
    } else {
        return false;
    }
    return true;
}

// Skips a string or character, up to the end of its line if it is not closed.
static void skip_quoted(source_text *t)
{
    const char quote = *t->at;
    skip_bytes(t, 1);
    while (t->at < t->end && *t->at != quote && *t->at != '\n') {
        if (!skip_continued(t)) skip_bytes(t, *t->at == '\\' ? 2 : 1);
    }
    if (byte_at(t, 0) == quote) skip_bytes(t, 1);
}

// Skips a raw string of C++ after its prefix: "name(...)name".
static void skip_raw(source_text *t)
{
    skip_bytes(t, 1);
    const char *name = t->at;
    while (t->at < t->end && *t->at != '(' && *t->at != '\n') skip_bytes(t, 1);
    const size_t bytes = (size_t)(t->at - name);
    for (; t->at < t->end; skip_bytes(t, 1)) {
        if (*t->at != ')' || (size_t)(t->end - t->at) < bytes + 2) continue;
        if (memcmp(t->at + 1, name, bytes) == 0 && t->at[bytes + 1] == '"') break;
    }
    skip_bytes(t, bytes + 2);
}

// Skips a number, which may contain quotes: 1'000.
static void skip_number(source_text *t)
{
    while (is_of_word(byte_at(t, 0)) || byte_at(t, 0) == '.' ||
           (byte_at(t, 0) == '\'' && is_of_word(byte_at(t, 1)))) {
        skip_bytes(t, 1);
    }
}

// ------------------------------------------------------------------------------------------------
// Functions of C

// The place between the functions of a file.
typedef struct c_scan {
    source_text t;
    uint32_t braces;         // that are open
    uint32_t parens;         // that are open outside of all braces
    bool at_start;           // of a line: only blanks and comments were before
    bool is_after_extern;    // the last token is a string, as in `extern "C" {`
    serve_word candidate;    // the last word that parentheses followed; no bytes if none
    uint32_t candidate_line; // of this word
    bool is_closed;          // the parentheses of the candidate were the last token
    serve_word last;         // the last token, if it is a word
    uint32_t last_line;      // of it
    uint32_t conditions;     // nested #if
    uint32_t before[SERVE_CONDITIONS_MAX]; // open braces before each of them
} c_scan;

// Skips the text of `#if 0` up to its #else, #elif or #endif, which is read next.
static void skip_disabled(source_text *t)
{
    uint32_t nested = 0;
    while (t->at < t->end) {
        skip_line(t);
        skip_bytes(t, 1);
        source_text line = *t;
        while (byte_at(&line, 0) == ' ' || byte_at(&line, 0) == '\t') skip_bytes(&line, 1);
        if (byte_at(&line, 0) != '#') continue;
        skip_bytes(&line, 1);
        while (byte_at(&line, 0) == ' ' || byte_at(&line, 0) == '\t') skip_bytes(&line, 1);
        const serve_word name = take_word(&line);
        const bool begins = name.bytes >= 2 && memcmp(name.text, "if", 2) == 0;
        const bool ends = is_word(name, "endif");
        if (nested == 0 && (ends || is_word(name, "else") || is_word(name, "elif"))) return;
        if (begins) nested++;
        if (ends) nested--;
    }
}

// Reads a preprocessor line. Each branch of a condition begins with the braces that were open
// before it, because branches often open the same brace.
static void read_directive(c_scan *c)
{
    source_text *t = &c->t;
    skip_bytes(t, 1);
    while (byte_at(t, 0) == ' ' || byte_at(t, 0) == '\t') skip_bytes(t, 1);
    const serve_word name = take_word(t);
    const bool begins = name.bytes >= 2 && memcmp(name.text, "if", 2) == 0;
    const uint32_t inner = c->conditions < SERVE_CONDITIONS_MAX ? c->conditions : 0;
    if (begins) {
        if (c->conditions < SERVE_CONDITIONS_MAX) c->before[c->conditions] = c->braces;
        c->conditions++;
        while (byte_at(t, 0) == ' ' || byte_at(t, 0) == '\t') skip_bytes(t, 1);
        if (is_word(name, "if") && byte_at(t, 0) == '0' && !is_of_word(byte_at(t, 1))) {
            skip_disabled(t);
            c->at_start = true; // the line that ends it
            return;
        }
    } else if (is_word(name, "endif")) {
        if (c->conditions != 0) c->conditions--;
    } else if (is_word(name, "else") || is_word(name, "elif")) {
        if (inner != 0) c->braces = c->before[inner - 1];
    }
    skip_line(t);
}

static void open_brace(c_scan *c, serve_function_hook *found, void *user)
{
    if (c->is_after_extern) return; // `extern "C" {` contains definitions
    if (c->braces == 0 && c->is_closed) found(user, c->candidate, c->candidate_line);
    c->braces++;
}

static void close_brace(c_scan *c)
{
    if (c->braces != 0) c->braces--;
}

static void open_paren(c_scan *c)
{
    if (c->parens++ != 0) return;
    c->candidate = c->last;
    c->candidate_line = c->last_line;
}

// Reads a token of one character outside of all words and strings.
static void read_sign(c_scan *c, serve_function_hook *found, void *user)
{
    const char sign = *c->t.at;
    bool closed = false;
    if (sign == '{') {
        open_brace(c, found, user);
        c->parens = 0;
    } else if (sign == '}') {
        close_brace(c);
        c->parens = 0;
    } else if (c->braces == 0 && sign == '(') {
        open_paren(c);
    } else if (c->braces == 0 && sign == ')' && c->parens != 0) {
        closed = --c->parens == 0 && c->candidate.bytes != 0;
    }
    c->is_closed = closed;
    c->is_after_extern = false;
    c->last.bytes = 0;
    skip_bytes(&c->t, 1);
}

static void read_word(c_scan *c)
{
    const uint32_t line = c->t.line;
    const serve_word word = take_word(&c->t);
    c->is_closed = c->is_after_extern = false;
    c->last = word;
    c->last_line = line;
    if (byte_at(&c->t, 0) != '"' || word.text[word.bytes - 1] != 'R') return;
    if (word.bytes > 3) return; // the longest prefix of a raw string is u8R
    skip_raw(&c->t);
    c->last.bytes = 0;
}

static void read_token(c_scan *c, serve_function_hook *found, void *user)
{
    const char first = *c->t.at;
    const bool is_blank = first == ' ' || first == '\t' || first == '\n' || first == '\r';
    if (is_blank || skip_continued(&c->t)) {
        if (is_blank) skip_bytes(&c->t, 1);
        if (first == '\n') c->at_start = true;
        return;
    }
    if (skip_comment(&c->t)) return;
    const bool at_start = c->at_start;
    c->at_start = false;
    if (first == '#' && at_start) {
        read_directive(c);
    } else if (first == '"' || first == '\'') {
        skip_quoted(&c->t);
        c->is_after_extern = is_word(c->last, "extern");
        c->is_closed = false;
        c->last.bytes = 0;
    } else if (is_letter(first)) {
        read_word(c);
    } else if (is_figure(first)) {
        skip_number(&c->t);
        c->is_closed = c->is_after_extern = false;
        c->last.bytes = 0;
    } else {
        read_sign(c, found, user);
    }
}

void serve_find_functions(const char *text, size_t bytes, serve_function_hook *found, void *user)
{
    c_scan c = {.t = {text, text + bytes, 1}, .at_start = true};
    while (c.t.at < c.t.end) read_token(&c, found, user);
}

// ------------------------------------------------------------------------------------------------
// Declarations of schemas

static void skip_blanks(source_text *t)
{
    while (byte_at(t, 0) == ' ' || byte_at(t, 0) == '\t') skip_bytes(t, 1);
}

static bool is_of_key(char c)
{
    return is_of_word(c) || c == '-';
}

static serve_word take_key(source_text *t)
{
    skip_blanks(t);
    serve_word key = {t->at, 0};
    while (is_of_key(byte_at(t, key.bytes))) key.bytes++;
    skip_bytes(t, key.bytes);
    skip_blanks(t);
    return key;
}

// Reads the head of a table, `[kind.name]` or `[kind]`. Returns whether it is one; `name` has no
// bytes if it has only a kind.
static bool take_head(source_text *t, serve_word *kind, serve_word *name)
{
    *name = (serve_word){NULL, 0};
    if (byte_at(t, 0) != '[') return false;
    skip_bytes(t, 1);
    *kind = take_key(t);
    if (byte_at(t, 0) == '.') {
        skip_bytes(t, 1);
        *name = take_key(t);
        if (name->bytes == 0) return false;
    }
    return kind->bytes != 0 && byte_at(t, 0) == ']';
}

// Skips a string of TOML, which can be of several lines between three quotes.
static void skip_toml_string(source_text *t)
{
    const char *const three = *t->at == '"' ? "\"\"\"" : "'''";
    if (!starts_with(t, three)) {
        const bool escapes = *t->at == '"';
        const char quote = *t->at;
        skip_bytes(t, 1);
        while (t->at < t->end && *t->at != quote && *t->at != '\n') {
            skip_bytes(t, escapes && *t->at == '\\' ? 2 : 1);
        }
        if (byte_at(t, 0) == quote) skip_bytes(t, 1);
        return;
    }
    skip_bytes(t, 3);
    while (t->at < t->end && !starts_with(t, three)) {
        skip_bytes(t, three[0] == '"' && *t->at == '\\' ? 2 : 1);
    }
    skip_bytes(t, 3);
}

// Skips to the begin of the next line outside of strings, comments and the brackets of arrays.
static void skip_toml_line(source_text *t)
{
    uint32_t brackets = 0;
    while (t->at < t->end) {
        const char c = *t->at;
        if (c == '"' || c == '\'') {
            skip_toml_string(t);
            continue;
        }
        if (c == '#') {
            while (t->at < t->end && *t->at != '\n') skip_bytes(t, 1);
            continue;
        }
        if (c == '[') brackets++;
        if (c == ']' && brackets != 0) brackets--;
        skip_bytes(t, 1);
        if (c == '\n' && brackets == 0) return;
    }
}

void serve_find_declarations(const char *text, size_t bytes, serve_declared_hook *found, void *user)
{
    source_text t = {text, text + bytes, 1};
    for (; t.at < t.end; skip_toml_line(&t)) {
        serve_word kind, name;
        skip_blanks(&t);
        source_text head = t;
        if (take_head(&head, &kind, &name) && name.bytes != 0) found(user, kind, name, t.line);
    }
}

// Reads `name = "..."`. Returns whether it is that.
static bool take_world_name(source_text *t, serve_word *name)
{
    if (!is_word(take_key(t), "name") || byte_at(t, 0) != '=') return false;
    skip_bytes(t, 1);
    skip_blanks(t);
    if (byte_at(t, 0) != '"' && byte_at(t, 0) != '\'') return false;
    skip_bytes(t, 1);
    *name = take_word(t);
    return name->bytes != 0;
}

bool serve_find_world(const char *text, size_t bytes, serve_word *name)
{
    source_text t = {text, text + bytes, 1};
    bool in_world = false;
    for (; t.at < t.end; skip_toml_line(&t)) {
        serve_word kind, further;
        skip_blanks(&t);
        source_text head = t;
        if (take_head(&head, &kind, &further))
            in_world = further.bytes == 0 && is_word(kind, "world");
        else if (in_world && (head = t, take_world_name(&head, name)))
            return true;
    }
    return false;
}
