// Reads the components of a thing and their fields from the schema at run time.
#include "panel.h"

#include "colony_friends.h"
#include "colony_person.h"
#include "story.h"
#include "weft_reflect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_WIDTH_MAX = 330,
    PANEL_EDGE = 10,
    FIELD_INDENT = 14,
    PARAGRAPH_GAP = 8,
    SENTENCE_GAP = 4,
    PATH_SPACE = 160,
    LINE_SPACE = 256
};

static const SDL_Color TITLE = {255, 240, 120, 255}, PLAIN = {235, 235, 230, 255},
                       FAINT = {160, 166, 178, 255};

typedef struct panel {
    const text *text;
    SDL_Renderer *renderer;
    colony_world *w;
    colony_entity e;
    int x, y;       // of the next line
    int right, end; // of the panel
} panel;

static void line(panel *p, int indent, SDL_Color colour, const char *format, ...)
{
    char words[LINE_SPACE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (p->y + p->text->line > p->end) return;
    bool last = p->y + 2 * p->text->line > p->end; // there is no room for more lines
    text_draw(p->text, p->renderer, p->x + indent, p->y, colour, last ? "..." : words);
    p->y += p->text->line;
}

// Shows a person by name, any other entity by number.
static void show_entity(panel *p, const char *name, uint64_t bits)
{
    colony_entity e = colony_entity_of(bits);
    const colony_person *person = colony_person_get(p->w, e);
    if (bits == 0) {
        line(p, FIELD_INDENT, PLAIN, "%s: nobody", name);
    } else if (person != NULL) {
        line(p, FIELD_INDENT, PLAIN, "%s: %s", name, person->name);
    } else {
        const char *gone = colony_alive(p->w, e) ? "" : ", gone";
        line(p, FIELD_INDENT, PLAIN, "%s: no. %u%s", name,
             (unsigned)bits & ((1u << colony_entity_format.index_bits) - 1), gone);
    }
}

// Shows one value: a number with its unit, a name, or another entity.
static void show_value(panel *p, const char *path, const char *name, const weft_field *field)
{
    weft_world *base = colony_world_base(p->w);
    const uint64_t e = p->e.bits;
    char words[LINE_SPACE / 2];
    uint64_t bits;
    double number;
    if (field->type == WEFT_TYPE_ENTITY) {
        weft_status found = weft_field_get(base, e, path, WEFT_TYPE_ENTITY, &bits, sizeof bits);
        if (found == WEFT_OK) show_entity(p, name, bits);
    } else if (field->type == WEFT_TYPE_ENUM || field->type == WEFT_TYPE_CHAR) {
        weft_status found = weft_field_get(base, e, path, WEFT_TYPE_CHAR, words, sizeof words);
        if (found == WEFT_OK) line(p, FIELD_INDENT, PLAIN, "%s: %s", name, words);
    } else if (weft_field_get_number(base, e, path, &number) == WEFT_OK) {
        const char *space = field->unit[0] ? " " : "";
        line(p, FIELD_INDENT, PLAIN, "%s: %.4g%s%s", name, number, space, field->unit);
    }
}

static void show_fields(panel *p, const char *of, const weft_field *fields, uint32_t count);

// Shows an element; if it is a struct, its fields.
static void show_element(panel *p, const char *path, const char *name, const weft_field *field)
{
    const weft_schema *schema = colony_schema();
    if (field->type == WEFT_TYPE_STRUCT) {
        const weft_struct_info *of = &schema->structs[field->of];
        show_fields(p, path, of->fields, of->field_count);
    } else {
        show_value(p, path, name, field);
    }
}

// Returns how many elements a field has now.
static uint32_t elements(panel *p, const char *path, const weft_field *field)
{
    char count[PATH_SPACE + 8];
    double number;
    if (field->shape != WEFT_SHAPE_LIST) return field->count;
    snprintf(count, sizeof count, "%s.count", path);
    bool known =
        weft_field_get_number(colony_world_base(p->w), p->e.bits, count, &number) == WEFT_OK;
    return known ? (uint32_t)number : 0;
}

// Names an element by the value of the enum that the array is indexed by, else by its number.
static void name_element(char *to, size_t space, const char *path, const weft_field *field,
                         uint32_t k)
{
    if (field->by == 0) {
        snprintf(to, space, "%s[%u]", path, k);
    } else {
        snprintf(to, space, "%s[%s]", path, colony_schema()->enums[field->by - 1].values[k]);
    }
}

static void show_fields(panel *p, const char *of, const weft_field *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char path[PATH_SPACE], element[PATH_SPACE + 72];
        const weft_field *field = &fields[i];
        snprintf(path, sizeof path, "%s.%s", of, field->name);
        const char *name = path + strcspn(path, ".") + 1;
        if (field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_STRING) {
            show_element(p, path, name, field);
            continue;
        }
        uint32_t there = elements(p, path, field);
        for (uint32_t k = 0; k < there; k++) {
            name_element(element, sizeof element, path, field, k);
            show_element(p, element, element + (name - path), field);
        }
    }
}

// Returns how many bytes of a text fit into one line, up to the end of a word or of the text's own
// line. A longer word is not divided.
static size_t fitting(const panel *p, const char *words)
{
    char part[LINE_SPACE];
    size_t fits = 0;
    for (size_t end = 0;; end++) {
        const bool is_end = words[end] == '\0' || words[end] == '\n';
        if (!is_end && words[end] != ' ') continue;
        snprintf(part, sizeof part, "%.*s", (int)end, words);
        if (fits != 0 && p->x + text_width(p->text, part) > p->right) return fits;
        fits = end;
        if (is_end) return fits;
    }
}

// Shows a text in as many lines as it needs.
static void paragraph(panel *p, SDL_Color colour, const char *words)
{
    while (*words != '\0') {
        size_t length = fitting(p, words);
        line(p, 0, colour, "%.*s", (int)length, words);
        words += length;
        if (*words == '\n') p->y += SENTENCE_GAP;
        if (*words != '\0') words++; // the blank or the end of the line
    }
}

static void show_story(panel *p)
{
    story told;
    story_tell(&told, p->w, p->e);
    if (told.title[0] != '\0') {
        paragraph(p, TITLE, told.title);
    } else {
        line(p, 0, TITLE, "no. %u", p->e.bits & ((1u << colony_entity_format.index_bits) - 1));
    }
    p->y += PARAGRAPH_GAP;
    paragraph(p, PLAIN, told.text);
}

static void show_friends(panel *p)
{
    if (colony_friends_count_from(p->w, p->e) != 0) line(p, 0, TITLE, "friends");
    colony_friends_from_iter it = colony_friends_from_begin(p->w, p->e);
    while (colony_friends_from_next(&it)) {
        const colony_person *person = colony_person_get(p->w, it.to);
        if (person == NULL) continue;
        line(p, FIELD_INDENT, PLAIN, "%s: %.0f%%", person->name, 100.0 * (double)it.value->warmth);
    }
}

int panel_width(int width)
{
    return SDL_min(PANEL_WIDTH_MAX, 2 * width / 5);
}

// Shows all components and their fields.
static void show_values(panel *p)
{
    const weft_schema *schema = colony_schema();
    show_friends(p);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *component = &schema->components[i];
        if (!weft_component_has_by_name(colony_world_base(p->w), p->e.bits, component->name)) {
            continue;
        }
        line(p, 0, TITLE, "%s", component->name);
        show_fields(p, component->name, component->fields, component->field_count);
    }
}

void panel_draw(const text *t, SDL_Renderer *renderer, colony_world *w, colony_entity e,
                SDL_Rect box, bool values)
{
    panel p = {.text = t,
               .renderer = renderer,
               .w = w,
               .e = e,
               .x = box.x + PANEL_EDGE,
               .y = PANEL_EDGE,
               .right = box.x + box.w - PANEL_EDGE,
               .end = box.h};
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_NONE);
    SDL_SetRenderDrawColor(renderer, 28, 31, 40, 255);
    SDL_RenderFillRect(renderer, &box);
    SDL_RenderSetClipRect(renderer, &box);
    show_story(&p);
    p.y += PARAGRAPH_GAP;
    paragraph(&p, FAINT,
              values ? "v hides the values" : "f follows   i inspects   v shows all values");
    p.y += PARAGRAPH_GAP;
    if (values) show_values(&p);
    SDL_RenderSetClipRect(renderer, NULL);
}
