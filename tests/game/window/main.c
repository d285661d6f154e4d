// The colony in a window: the game of tests/game with a picture, a mouse and a clock of its own.
#include "colony.h"
#include "colony_person.h"
#include "ground.h"
#include "hours.h"
#include "options.h"
#include "panel.h"
#include "report.h"
#include "scene.h"
#include "text.h"
#include "weft_serve.h"
#include "world_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1152, HEIGHT = 720, TEXT_PIXELS = 14, MARGIN = 10, HELP_WIDTH = 260 };
enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_WRONG_USAGE = 2 };

static const double HOURS_A_SECOND = 1.0, SPEED_MIN = 0.25, SPEED_MAX = 64.0;
static const double FRAME_MAX = 0.1; // seconds: a window that was held goes on from there
static const float PAN_PIXELS = 60.0f, ZOOM = 1.15f;
static const char *const SAVE = "colony.save";

typedef struct help {
    const char *keys, *what;
} help;

static const help HELP[] = {
    {"drag, arrows", "move the map"},
    {"wheel, + and -", "larger, smaller"},
    {"click", "who is that?"},
    {"space", "pause"},
    {". and ,", "faster, slower"},
    {"i", "the inspector"},
    {"F5, F9", "save, load"},
    {"F12", "keep a picture"},
    {"F1", "these words"},
    {"Esc", "leave"},
};

typedef struct show {
    SDL_Window *window;
    SDL_Renderer *renderer;
    text text;
    scene scene;
    camera camera;
    colony_world *w;
    const char *save;
    colony_entity selected;
    double speed;
    bool paused, helps, over;
    bool dragged; // the button that is down has moved the map
    char said[160];
} show;

static weft_serve *server; // NULL: the inspector was not asked for yet

// Tells in the window what came of something, for as long as nothing else is said.
static void say(show *s, const char *what, bool fine)
{
    const char *why = fine ? "" : colony_error(s->w);
    snprintf(s->said, sizeof s->said, "%s%s%s", what, fine ? "" : ": ", why);
}

// ------------------------------------------------------------------------------------------------
// Keys and mouse

static void keep_picture(show *s)
{
    SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormat(0, s->camera.width, s->camera.height, 32,
                                                          SDL_PIXELFORMAT_ARGB8888);
    bool kept = picture != NULL &&
                SDL_RenderReadPixels(s->renderer, NULL, SDL_PIXELFORMAT_ARGB8888, picture->pixels,
                                     picture->pitch) == 0 &&
                SDL_SaveBMP(picture, "colony.bmp") == 0;
    SDL_FreeSurface(picture);
    snprintf(s->said, sizeof s->said, "%s", kept ? "the picture is in colony.bmp" : SDL_GetError());
}

static void load(show *s)
{
    bool fine = colony_load(s->w, s->save) == WEFT_OK;
    s->scene.drawn_tick = 0;
    say(s, fine ? "loaded" : "not loaded", fine);
}

static weft_status tick(void *user)
{
    return colony_tick((colony_world *)user, HOURS_A_TICK);
}

static void inspect(show *s)
{
    weft_serve_options wanted = {.writable = true, .tick = tick, .user = s->w};
    if (!server) server = weft_serve_open(colony_world_base(s->w), &wanted);
    if (!server) {
        say(s, "no inspector", false);
        return;
    }
    snprintf(s->said, sizeof s->said, "the inspector is at %s", weft_serve_url(server));
    printf("%s\n", weft_serve_url(server));
    fflush(stdout);
    SDL_OpenURL(weft_serve_url(server));
}

// Answers the inspector's pages, which may stop the time or change its speed, as keys do.
static void serve(show *s)
{
    if (!server) return;
    weft_serve_clock *clock = weft_serve_time(server);
    *clock = (weft_serve_clock){.paused = s->paused, .speed = s->speed};
    weft_serve_poll(server, 0);
    s->paused = clock->paused;
    s->speed = clock->speed;
}

static void pan(show *s, float x, float y)
{
    const colony_ground *ground = colony_ground_get(s->w);
    camera_pan(&s->camera, x, y, ground->width, ground->height);
}

static void zoom(show *s, float factor)
{
    int x, y;
    SDL_GetMouseState(&x, &y);
    camera_zoom(&s->camera, factor, (spot){(float)x, (float)y});
}

static void key(show *s, SDL_Keycode code)
{
    switch (code) {
    case SDLK_ESCAPE:
        s->over = true;
        break;
    case SDLK_SPACE:
        s->paused = !s->paused;
        break;
    case SDLK_PERIOD:
        s->speed = SDL_min(s->speed * 2, SPEED_MAX);
        break;
    case SDLK_COMMA:
        s->speed = SDL_max(s->speed / 2, SPEED_MIN);
        break;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        zoom(s, ZOOM);
        break;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        zoom(s, 1 / ZOOM);
        break;
    case SDLK_LEFT:
        pan(s, PAN_PIXELS, 0);
        break;
    case SDLK_RIGHT:
        pan(s, -PAN_PIXELS, 0);
        break;
    case SDLK_UP:
        pan(s, 0, PAN_PIXELS);
        break;
    case SDLK_DOWN:
        pan(s, 0, -PAN_PIXELS);
        break;
    case SDLK_i:
        inspect(s);
        break;
    case SDLK_F1:
        s->helps = !s->helps;
        break;
    case SDLK_F5: {
        bool fine = colony_save(s->w, s->save) == WEFT_OK;
        say(s, fine ? "saved" : "not saved", fine);
        break;
    }
    case SDLK_F9:
        load(s);
        break;
    case SDLK_F12:
        keep_picture(s);
        break;
    default:
        break;
    }
}

static void mouse_up(show *s, const SDL_MouseButtonEvent *button)
{
    if (button->button != SDL_BUTTON_LEFT || s->dragged) return;
    spot pixel = {(float)button->x, (float)button->y};
    s->selected = sprites_at(&s->scene.sprites, s->w, &s->camera, pixel);
}

static void mouse_moved(show *s, const SDL_MouseMotionEvent *motion)
{
    if ((motion->state & SDL_BUTTON_LMASK) == 0) return;
    s->dragged = s->dragged || abs(motion->xrel) + abs(motion->yrel) > 1;
    if (s->dragged) pan(s, (float)motion->xrel, (float)motion->yrel);
}

static void handle(show *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        s->over = true;
        break;
    case SDL_KEYDOWN:
        key(s, event->key.keysym.sym);
        break;
    case SDL_MOUSEBUTTONDOWN:
        s->dragged = false;
        break;
    case SDL_MOUSEBUTTONUP:
        mouse_up(s, &event->button);
        break;
    case SDL_MOUSEMOTION:
        mouse_moved(s, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        zoom(s, event->wheel.y > 0 ? ZOOM : 1 / ZOOM);
        break;
    default:
        break;
    }
}

// ------------------------------------------------------------------------------------------------
// Pictures

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

static void draw_state(show *s)
{
    char words[256];
    const colony_calendar *calendar = colony_calendar_get(s->w);
    const colony_ledger *ledger = colony_ledger_get(s->w);
    int minutes = (int)(calendar->hour * 60);
    snprintf(words, sizeof words, "day %u, %s, %02d:%02d   %u people, %u bread, %u houses   %gx%s",
             calendar->day, colony_season_name(calendar->season), minutes / 60, minutes % 60,
             ledger->people, ledger->goods[COLONY_GOODS_BREAD], ledger->houses, s->speed,
             s->paused ? "   paused" : "");
    draw_words(s, MARGIN, MARGIN, words);
    draw_words(s, MARGIN, MARGIN + s->text.line, colony_chronicle_get(s->w)->news);
    if (s->said[0]) draw_words(s, MARGIN, s->camera.height - MARGIN - s->text.line, s->said);
}

static void draw_help(show *s)
{
    const int lines = sizeof HELP / sizeof *HELP;
    const int x = (s->camera.width - HELP_WIDTH) / 2;
    const int y = (s->camera.height - lines * s->text.line) / 2;
    draw_box(s, (SDL_Rect){x - MARGIN, y - MARGIN, HELP_WIDTH + 2 * MARGIN,
                           lines * s->text.line + 2 * MARGIN});
    for (int i = 0; i < lines; i++) {
        text_draw(&s->text, s->renderer, x, y + i * s->text.line, WORDS, HELP[i].keys);
        text_draw(&s->text, s->renderer, x + HELP_WIDTH / 2, y + i * s->text.line, WORDS,
                  HELP[i].what);
    }
}

static void draw(show *s)
{
    if (!colony_alive(s->w, s->selected)) s->selected = COLONY_NONE;
    scene_draw(&s->scene, s->w, &s->camera, s->selected);
    draw_state(s);
    if (!colony_is_none(s->selected)) {
        panel_draw(&s->text, s->renderer, s->w, s->selected, s->camera.width, s->camera.height);
    }
    if (s->helps) draw_help(s);
    SDL_RenderPresent(s->renderer);
}

// ------------------------------------------------------------------------------------------------
// Time

// Returns the seconds since this was asked last, at most FRAME_MAX.
static double seconds_passed(uint64_t *before)
{
    uint64_t now = SDL_GetPerformanceCounter();
    double seconds = (double)(now - *before) / (double)SDL_GetPerformanceFrequency();
    *before = now;
    return SDL_min(seconds, FRAME_MAX);
}

static bool run(show *s)
{
    uint64_t before = SDL_GetPerformanceCounter();
    while (!s->over) {
        SDL_Event event;
        while (SDL_PollEvent(&event)) handle(s, &event);
        SDL_GetRendererOutputSize(s->renderer, &s->camera.width, &s->camera.height);
        serve(s);
        double hours = seconds_passed(&before) * HOURS_A_SECOND * s->speed;
        if (!s->paused && colony_advance(s->w, hours) != WEFT_OK) return false;
        draw(s);
    }
    return true;
}

static bool open_window(show *s)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    s->window = SDL_CreateWindow("The colony", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 WIDTH, HEIGHT, SDL_WINDOW_RESIZABLE);
    if (s->window == NULL) return false;
    s->renderer = SDL_CreateRenderer(s->window, -1, SDL_RENDERER_PRESENTVSYNC);
    return s->renderer != NULL && text_open(&s->text, s->renderer, SHOW_FONT, TEXT_PIXELS) &&
           scene_open(&s->scene, s->renderer, s->w);
}

static void close_window(show *s)
{
    scene_close(&s->scene);
    text_close(&s->text);
    SDL_DestroyRenderer(s->renderer);
    SDL_DestroyWindow(s->window);
    SDL_Quit();
}

static void log_line(void *user, const char *line)
{
    (void)user; // the names that are borne
    if (server) weft_serve_log(server, line);
}

static int play(colony_world *w, const options *wanted)
{
    show s = {.w = w, .speed = 1, .save = wanted->save ? wanted->save : SAVE};
    bool opened = open_window(&s);
    if (!opened) fprintf(stderr, "show: no window: %s\n", SDL_GetError());
    bool played = opened;
    if (opened) {
        const colony_ground *ground = colony_ground_get(w);
        SDL_GetRendererOutputSize(s.renderer, &s.camera.width, &s.camera.height);
        camera_fit(&s.camera, ground->width, ground->height);
        snprintf(s.said, sizeof s.said, "F1 shows the keys");
        played = run(&s);
        if (!played) fprintf(stderr, "show: %s\n", colony_error(w));
        report_summary(w, colony_stats(w).ticks);
    }
    weft_serve_close(server);
    server = NULL;
    close_window(&s);
    return played ? EXIT_FINE : EXIT_FAILED;
}

int main(int count, char **arguments)
{
    options wanted;
    switch (options_read(&wanted, count, arguments)) {
    case OPTIONS_HELP:
        options_print_help();
        return EXIT_FINE;
    case OPTIONS_WRONG:
        return EXIT_WRONG_USAGE;
    case OPTIONS_RUN:
        break;
    }
    static names borne; // large for a stack
    colony_world *w = colony_open(
        &(weft_options){.workers = (uint32_t)wanted.workers, .user = &borne, .log = log_line});
    bool begun = w != NULL && (wanted.load ? colony_load(w, wanted.load) == WEFT_OK
                                           : world_setup(w, &borne, &wanted));
    if (!begun) fprintf(stderr, "show: %s\n", w ? colony_error(w) : "no memory for a world");
    int code = begun ? play(w, &wanted) : EXIT_FAILED;
    colony_close(w);
    return code;
}
