// A reason is cut where its buffer ends. A list of names is ended before that.
#include "mistake.h"

#include <stdarg.h>
#include <stdio.h>

#define NAMES_SHOWN 6u

bool weft_value_refuse(char why[WEFT_WHY_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, WEFT_WHY_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

void weft_name_hint(char why[WEFT_WHY_BYTES], weft_nearest nearest, const weft_names *names)
{
    size_t used = strlen(why);
    if (nearest.name) {
        snprintf(why + used, WEFT_WHY_BYTES - used, ", did you mean '%s'?", nearest.name);
        return;
    }
    for (uint32_t i = 0; names && i < names->count && i < NAMES_SHOWN; i++) {
        const char *name = weft_names_nth(names, i);
        if (used + strlen(name) + 8 > WEFT_WHY_BYTES) break;
        used += (size_t)snprintf(why + used, WEFT_WHY_BYTES - used, "%s%s",
                                 i == 0 ? ": there is " : ", ", name);
    }
    bool more = names && names->count > NAMES_SHOWN && used + 8 < WEFT_WHY_BYTES;
    if (more) strcpy(why + used, ", …");
}

// Writes for example "component, singleton or relation".
static void write_kinds(const weft_names *names, uint32_t count, char text[WEFT_WHY_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        used += (size_t)snprintf(text + used, WEFT_WHY_BYTES - used, "%s%s", before, names[i].kind);
    }
}

static void write_missing(char why[WEFT_WHY_BYTES], const weft_names *names, uint32_t count,
                          const char *word, size_t length)
{
    char kinds[WEFT_WHY_BYTES];
    const char *owner = names->owner;
    bool is_enum = owner && strcmp(names->kind, "value") == 0;
    write_kinds(names, count, kinds);
    if (length == 0 && !owner)
        weft_value_refuse(why, "%s %s should be here", kinds[0] == 'e' ? "an" : "a", kinds);
    else if (length == 0)
        weft_value_refuse(why, "a %s of %s'%s' should be here", kinds, is_enum ? "enum " : "",
                          owner);
    else if (!owner)
        weft_value_refuse(why, "there is no %s '%.*s'", kinds, weft_word_shown(length), word);
    else
        weft_value_refuse(why, "%s'%s' has no %s '%.*s'", is_enum ? "enum " : "", owner, kinds,
                          weft_word_shown(length), word);
}

bool weft_name_refuse(char why[WEFT_WHY_BYTES], const weft_names *names, uint32_t count,
                      const char *word, size_t length)
{
    weft_nearest nearest = {NULL, 0};
    for (uint32_t i = 0; i < count; i++) weft_names_nearest(&nearest, &names[i], word, length);
    write_missing(why, names, count, word, length);
    weft_name_hint(why, nearest, count == 1 ? names : NULL);
    return false;
}
