// Sprites are drawn as 8 x 8 letters. Each letter is a colour.
#include "sprite_pixels.h"

#include <stddef.h>

static const char *const PICTURES[SHEET_SPRITES][SPRITE_SIDE] = {
    [COLONY_LOOK_GROUND] = {"........", "........", "........", "........", "........", "........",
                            "........", "........"},
    [COLONY_LOOK_SLEEPER] = {"........", "......z.", "....z...", "........", "hscccccc", "sscccccc",
                             "hscccccc", "........"},
    [COLONY_LOOK_SPROUT] = {"........", "........", ".g....g.", ".gg..gg.", "..g..g..", "........",
                            "...gg...", "...g...."},
    [COLONY_LOOK_GRAIN] = {".y.y.y.y", ".y.y.y.y", "yyyyyyyy", ".y.y.y.y", ".Y.Y.Y.Y", ".Y.Y.Y.Y",
                           ".Y.Y.Y.Y", "........"},
    [COLONY_LOOK_SAPLING] = {"........", "........", "...G....", "..GgG...", ".GgGGG..", "..GGG...",
                             "...b....", "...b...."},
    [COLONY_LOOK_TREE] = {"..GGGG..", ".GgGGGG.", "GGgGGGGG", "GgGGGDGG", "GGGGGDDG", ".GGDDDG.",
                          "...bb...", "...bb..."},
    [COLONY_LOOK_CHILD] = {"........", "........", "..hhh...", "..sss...", ".ccccc..", "..ccc...",
                           "..l.l...", "........"},
    [COLONY_LOOK_VILLAGER] = {"..hhhh..", "..hssh..", "..ssss..", ".cccccc.", ".scccCs.",
                              "..cccC..", "..l..l..", "..l..l.."},
    [COLONY_LOOK_BUNDLE] = {"........", "........", "..bbbb..", ".bttttb.", ".btbbtb.", ".bttttb.",
                            "..bbbb..", "........"},
    [COLONY_LOOK_SITE] = {"b......b", "b.p..p.b", "bppppppb", "b.p..p.b", "b.p..p.b", "bppppppb",
                          "b.p..p.b", "bbbbbbbb"},
    [COLONY_LOOK_HOUSE] = {"...rr...", "..rrrr..", ".rRrrrr.", "rRRrrrrr", ".wwwwww.", ".wewwdw.",
                           ".wewwdw.", ".wwwwdw."},
    [COLONY_LOOK_SAWMILL] = {"..kkkk..", ".kkkkkk.", "kkkkkkkk", ".pppppp.", ".pwkkwp.", ".pkiikp.",
                             ".pwkkwp.", ".pppppp."},
    [COLONY_LOOK_BAKERY] = {".ki.....", ".k.oo...", ".koooo..", "oooooooo", ".wwwwww.", ".weewdw.",
                            ".weewdw.", ".wwwwdw."},
    [COLONY_LOOK_STOREHOUSE] = {"..bbbb..", ".bBBBBb.", "bBBBBBBb", "bbbbbbbb", ".tttttt.",
                                ".tbddbt.", ".tbddbt.", ".tbddbt."},
    [SHEET_GLOW] = {"..1111..", ".122221.", "12333321", "12344321", "12344321", "12333321",
                    ".122221.", "..1111.."},
    [SHEET_HEART] = {"........", ".vv..vv.", "vVVvvVVv", "vVVVVVVv", "vVVVVVVv", ".vVVVVv.",
                     "..vVVv..", "...vv..."},
};

typedef struct paint {
    char letter;
    uint32_t rgba;
} paint;

static const paint PAINTS[] = {
    {'g', 0x6fa83fff}, {'G', 0x3d7a35ff}, {'D', 0x2c5a2bff}, {'y', 0xe8c34aff}, {'Y', 0xb8922fff},
    {'b', 0x6b4a2bff}, {'B', 0x8a6238ff}, {'t', 0xc9a36bff}, {'p', 0xb98b54ff}, {'r', 0xb0483aff},
    {'R', 0xc9655aff}, {'w', 0xeadfc8ff}, {'e', 0x5f7fa0ff}, {'d', 0x4a331fff}, {'k', 0x5c5f66ff},
    {'i', 0xc3c7ccff}, {'o', 0xd0803aff}, {'h', 0x4b3626ff}, {'s', 0xe8b890ff}, {'l', 0x3b3b46ff},
    {'z', 0xffffffff}, {'v', 0x7a1f38ff}, {'V', 0xe8506eff}, {'1', 0xffd97a08}, {'2', 0xffd97a18},
    {'3', 0xffd97a2c}, {'4', 0xffe9a840},
};
static const uint32_t COATS[SHEET_COATS] = {0x3f6fb0ff, 0xa8443fff, 0x5f8f4fff, 0x8a5fa8ff};

// The shade of a coat is half as bright.
static uint32_t shaded(uint32_t rgba)
{
    return ((rgba >> 1) & 0x7f7f7f00u) | 0xffu;
}

static uint32_t colour(char letter, uint32_t coat)
{
    if (letter == 'c') return COATS[coat];
    if (letter == 'C') return shaded(COATS[coat]);
    for (size_t i = 0; i < sizeof PAINTS / sizeof *PAINTS; i++) {
        if (PAINTS[i].letter == letter) return PAINTS[i].rgba;
    }
    return 0;
}

void sprite_pixels(uint32_t *pixels, pixel_order order)
{
    for (uint32_t y = 0; y < SHEET_HEIGHT; y++) {
        for (uint32_t x = 0; x < SHEET_WIDTH; x++) {
            char letter = PICTURES[x / SPRITE_SIDE][y % SPRITE_SIDE][x % SPRITE_SIDE];
            pixels[y * SHEET_WIDTH + x] = pixel_of(order, colour(letter, y / SPRITE_SIDE));
        }
    }
}

uint32_t sprite_colour(const uint32_t *pixels, int sprite)
{
    uint32_t sum[3] = {0}, painted = 0;
    for (int i = 0; i < SPRITE_SIDE * SPRITE_SIDE; i++) {
        int x = sprite * SPRITE_SIDE + i % SPRITE_SIDE, y = i / SPRITE_SIDE;
        uint32_t pixel = pixels[y * SHEET_WIDTH + x];
        if (pixel == 0) continue;
        for (int k = 0; k < 3; k++) sum[k] += pixel >> 8 * k & 0xffu;
        painted++;
    }
    if (painted == 0) return 0;
    return 0xff000000u | sum[2] / painted << 16 | sum[1] / painted << 8 | sum[0] / painted;
}
