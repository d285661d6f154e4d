// The text over the picture.
#include "show.h"

#include "colony.h"
#include "panel.h"

#include <stdio.h>

enum { MARGIN = 10, HELP_GAP = 24 };

typedef struct help {
    const char *keys, *what;
} help;

static const help HELP[] = {
    {"drag, arrows", "move the map"},
    {"wheel, + and -", "larger, smaller"},
    {"click", "who is that?"},
    {"space", "pause, and go on"},
    {"right click", "who was clicked goes there"},
    {"b", "build a house there"},
    {". and ,", "faster, slower"},
    {"i", "the inspector"},
    {"F5, F9", "save, load"},
    {"F12", "keep a picture"},
    {"F1", "these words"},
    {"Esc", "the menu, and out"},
};

static const SDL_Color WORDS = {245, 245, 240, 255};

static void draw_box(show *s, SDL_Rect box)
{
    SDL_SetRenderDrawBlendMode(s->renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(s->renderer, 20, 22, 30, 200);
    SDL_RenderFillRect(s->renderer, &box);
}

static void draw_words(show *s, int x, int y, const char *words)
{
    int width = text_width(&s->text, words);
    draw_box(s, (SDL_Rect){x - MARGIN / 2, y, width + MARGIN, s->text.line});
    text_draw(&s->text, s->renderer, x, y, WORDS, words);
}

// Draws two texts in one line if there is room, otherwise in two lines. Returns the y below them.
static int draw_pieces(show *s, int space, const char *one, const char *other)
{
    char both[256];
    snprintf(both, sizeof both, "%s   %s", one, other);
    if (text_width(&s->text, both) + 2 * MARGIN <= space) {
        draw_words(s, MARGIN, MARGIN, both);
        return MARGIN + s->text.line;
    }
    draw_words(s, MARGIN, MARGIN, one);
    draw_words(s, MARGIN, MARGIN + s->text.line, other);
    return MARGIN + 2 * s->text.line;
}

static void draw_state(show *s)
{
    char when[96], what[128];
    const colony_calendar *calendar = colony_calendar_get(s->w);
    const colony_ledger *ledger = colony_ledger_get(s->w);
    int minutes = (int)(calendar->hour * 60);
    snprintf(when, sizeof when, "day %u, %s, %02d:%02d   %gx%s", calendar->day,
             colony_season_name(calendar->season), minutes / 60, minutes % 60, s->speed,
             colony_pause_now(s->w) == COLONY_PAUSE_ON ? "   paused" : "");
    snprintf(what, sizeof what, "%u people, %u bread, %u houses", ledger->people,
             ledger->goods[COLONY_GOODS_BREAD], ledger->houses);
    int space = s->camera.width - (show_has_panel(s) ? panel_width(s->camera.width) : 0);
    SDL_RenderSetClipRect(s->renderer, &(SDL_Rect){0, 0, space, s->camera.height});
    int y = draw_pieces(s, space, when, what);
    const char *news = colony_chronicle_get(s->w)->news;
    if (news[0]) draw_words(s, MARGIN, y, news);
    if (s->said[0]) draw_words(s, MARGIN, s->camera.height - MARGIN - s->text.line, s->said);
    SDL_RenderSetClipRect(s->renderer, NULL);
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
    const int x = (s->camera.width - width) / 2;
    const int y = (s->camera.height - lines * s->text.line) / 2;
    draw_box(s, (SDL_Rect){x - MARGIN, y - MARGIN, width + 2 * MARGIN,
                           lines * s->text.line + 2 * MARGIN});
    for (int i = 0; i < lines; i++) {
        int at = y + i * s->text.line;
        text_draw(&s->text, s->renderer, x, at, WORDS, HELP[i].keys);
        text_draw(&s->text, s->renderer, x + keys + HELP_GAP, at, WORDS, HELP[i].what);
    }
}

static void draw_menu(show *s)
{
    static const char *const LINES[] = {"The colony",   "",         "space: play",
                                        "F1: the keys", "F9: load", "Esc: leave"};
    const int lines = sizeof LINES / sizeof *LINES;
    const int y = (s->camera.height - lines * s->text.line) / 2;
    draw_box(s, (SDL_Rect){0, y - 4 * MARGIN, s->camera.width, lines * s->text.line + 8 * MARGIN});
    for (int i = 0; i < lines; i++) {
        int x = (s->camera.width - text_width(&s->text, LINES[i])) / 2;
        text_draw(&s->text, s->renderer, x, y + i * s->text.line, WORDS, LINES[i]);
    }
}

void show_words(show *s)
{
    draw_state(s);
    if (s->helps) {
        draw_help(s);
    } else if (colony_game_now(s->w) == COLONY_GAME_MENU) {
        draw_menu(s);
    }
}
