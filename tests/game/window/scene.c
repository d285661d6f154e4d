// The picture is painted into the renderer's memory and shown unchanged. Without a graphics card, a
// renderer would copy sprites one by one and scale the ground in each frame, which is slower.
#include "scene.h"

void scene_open(scene *s, SDL_Renderer *renderer)
{
    *s = (scene){.renderer = renderer};
}

void scene_close(scene *s)
{
    SDL_DestroyTexture(s->texture);
    *s = (scene){0};
}

// Creates a texture of the size of the camera. Returns false if that fails.
static bool make_texture(scene *s, const camera *c)
{
    int width = 0, height = 0;
    if (s->texture != NULL) SDL_QueryTexture(s->texture, NULL, NULL, &width, &height);
    if (width == c->width && height == c->height) return true;
    if (s->texture != NULL) SDL_DestroyTexture(s->texture);
    s->texture = SDL_CreateTexture(s->renderer, SDL_PIXELFORMAT_RGB888, SDL_TEXTUREACCESS_STREAMING,
                                   c->width, c->height);
    return s->texture != NULL;
}

void scene_draw(scene *s, viewer *v, colony_world *w, float seconds)
{
    const camera *c = &v->camera;
    void *pixels;
    int pitch;
    if (!make_texture(s, c) || SDL_LockTexture(s->texture, NULL, &pixels, &pitch) != 0) return;
    const canvas on = {.pixels = (uint32_t *)pixels,
                       .stride = (size_t)pitch / sizeof(uint32_t),
                       .width = c->width,
                       .height = c->height};
    viewer_paint(v, w, seconds, &on);
    SDL_UnlockTexture(s->texture);
    SDL_RenderCopy(s->renderer, s->texture, NULL, &(SDL_Rect){0, 0, c->width, c->height});
}
