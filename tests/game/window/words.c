// The text over the picture.
#include "show.h"

#include "colony.h"

#include <stdio.h>

enum { MARGIN = 10, HELP_GAP = 24, KEY_GAP = 6, PIECE_GAP = 16, PIECES_MAX = 3, PIECE_SPACE = 128 };

typedef struct help {
    const char *keys, *what;
} help;

static const help HELP[] = {
    {"drag, arrows", "move the map"}, {"wheel, + and -", "larger, smaller"},
    {"minimap", "move there"},        {"click", "who is that?"},
    {"f", "follow who was clicked"},  {"v", "all values of it"},
    {"space", "pause, and go on"},    {"right click", "who was clicked goes there"},
    {"b", "build a house there"},     {". and ,", "faster, slower"},
    {"i", "the inspector"},           {"F5, F9", "save, load"},
    {"F12", "keep a picture"},        {"F1", "these words"},
    {"Esc", "the menu, and out"},
};

// The keys of the menu.
static const help MENU[] = {{"Space", "plays"}, {"F1", "keys"}, {"F9", "loads"}, {"Esc", "leaves"}};
enum { MENU_ITEMS = sizeof MENU / sizeof *MENU };

static const SDL_Color WORDS = {245, 245, 240, 255}, KEYS = {255, 240, 120, 255};

static void draw_box(show *s, SDL_Rect box)
{
    SDL_SetRenderDrawBlendMode(s->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(s->renderer, 20, 22, 30, 216);
    SDL_RenderFillRect(s->renderer, &box);
}

static void draw_words(show *s, int x, int y, const char *words)
{
    int width = text_width(&s->text, words);
    draw_box(s, (SDL_Rect){x - MARGIN / 2, y, width + MARGIN, s->text.line});
    text_draw(&s->text, s->renderer, x, y, WORDS, words);
}

// Draws texts next to each other, and those that find no room in further lines. Returns the y below
// them.
static int draw_pieces(show *s, int space, char (*pieces)[PIECE_SPACE], int count)
{
    int x = MARGIN, y = MARGIN;
    for (int i = 0; i < count; i++) {
        const int width = text_width(&s->text, pieces[i]);
        if (x > MARGIN && x + width + MARGIN > space) {
            x = MARGIN;
            y += s->text.line;
        }
        draw_words(s, x, y, pieces[i]);
        x += width + MARGIN;
    }
    return y + s->text.line;
}

// Writes whom the camera follows. Returns false if it follows nobody.
static bool say_followed(const show *s, char *to, size_t space)
{
    const colony_person *person = colony_person_get(s->w, s->viewer.selected);
    if (!s->viewer.follows) return false;
    snprintf(to, space, "follows %s", person != NULL ? person->name : "it");
    return true;
}

static void draw_state(show *s)
{
    char pieces[PIECES_MAX][PIECE_SPACE];
    const colony_calendar *calendar = colony_calendar_get(s->w);
    const colony_ledger *ledger = colony_ledger_get(s->w);
    int minutes = (int)(calendar->hour * 60);
    snprintf(pieces[0], PIECE_SPACE, "day %u, %s, %02d:%02d   %gx%s", calendar->day,
             colony_season_name(calendar->season), minutes / 60, minutes % 60, s->speed,
             colony_pause_now(s->w) == COLONY_PAUSE_ON ? "   paused" : "");
    snprintf(pieces[1], PIECE_SPACE, "%u people, %u bread, %u houses", ledger->people,
             ledger->goods[COLONY_GOODS_BREAD], ledger->houses);
    const bool follows = say_followed(s, pieces[2], PIECE_SPACE);
    int y = draw_pieces(s, s->viewer.camera.width, pieces, follows ? PIECES_MAX : PIECES_MAX - 1);
    const char *news = colony_chronicle_get(s->w)->news;
    if (news[0]) draw_words(s, MARGIN, y, news);
}

static void draw_help(show *s)
{
    const int lines = sizeof HELP / sizeof *HELP;
    int keys = 0, what = 0; // the widest of each
    for (int i = 0; i < lines; i++) {
        keys = SDL_max(keys, text_width(&s->text, HELP[i].keys));
        what = SDL_max(what, text_width(&s->text, HELP[i].what));
    }
    const int width = keys + HELP_GAP + what;
    const int x = (s->width - width) / 2;
    const int y = (s->height - lines * s->text.line) / 2;
    draw_box(s, (SDL_Rect){x - MARGIN, y - MARGIN, width + 2 * MARGIN,
                           lines * s->text.line + 2 * MARGIN});
    for (int i = 0; i < lines; i++) {
        int at = y + i * s->text.line;
        text_draw(&s->text, s->renderer, x, at, WORDS, HELP[i].keys);
        text_draw(&s->text, s->renderer, x + keys + HELP_GAP, at, WORDS, HELP[i].what);
    }
}

static int menu_item_width(const show *s, const help *item)
{
    return text_width(&s->text, item->keys) + KEY_GAP + text_width(&s->text, item->what);
}

// Draws the menu as a bar of one line at the bottom of the map.
static void draw_menu(show *s, int y)
{
    int width = (MENU_ITEMS - 1) * PIECE_GAP;
    for (int i = 0; i < MENU_ITEMS; i++) width += menu_item_width(s, &MENU[i]);
    draw_box(s, (SDL_Rect){MARGIN / 2, y, width + MARGIN, s->text.line});
    int x = MARGIN;
    for (int i = 0; i < MENU_ITEMS; i++) {
        x += text_draw(&s->text, s->renderer, x, y, KEYS, MENU[i].keys) + KEY_GAP;
        x += text_draw(&s->text, s->renderer, x, y, WORDS, MENU[i].what) + PIECE_GAP;
    }
}

static void draw_foot(show *s)
{
    int y = s->height - MARGIN - s->text.line;
    if (colony_game_now(s->w) == COLONY_GAME_MENU) {
        draw_menu(s, y);
        y -= s->text.line;
    }
    if (s->said[0]) draw_words(s, MARGIN, y, s->said);
}

void show_words(show *s)
{
    SDL_RenderSetClipRect(s->renderer, &(SDL_Rect){0, 0, s->viewer.camera.width, s->height});
    draw_state(s);
    draw_foot(s);
    SDL_RenderSetClipRect(s->renderer, NULL);
    if (s->helps) draw_help(s);
}
