// Sprites are drawn as 16 x 16 letters. Each letter is a colour. Some colours depend on the season,
// for example those of leaves, and some on the coat, for example those of hair and roofs.
#include "sprite_pixels.h"

#include <stdbool.h>
#include <stddef.h>

// Rows that those who stand and those who walk have in common.
#define VILLAGER_UPPER                                                                             \
    ".....hhhhh......"                                                                             \
    "....hhhhhhh....."                                                                             \
    "....hsssssh....."                                                                             \
    "....hsxsxss....."                                                                             \
    ".....sssss......"                                                                             \
    ".....ssss......."                                                                             \
    "...ccccccccC...."                                                                             \
    "..ccccccccCCC..."
#define CHILD_UPPER                                                                                \
    "................"                                                                             \
    "................"                                                                             \
    "................"                                                                             \
    "....hhhhhhh....."                                                                             \
    "...hhhhhhhhh...."                                                                             \
    "...hhsssssshh..."                                                                             \
    "...hsxssxssh...."                                                                             \
    "....ssssssss...."                                                                             \
    ".....spppss....."

static const char *const PICTURES[SHEET_SPRITES] = {
    [COLONY_LOOK_SLEEPER] = "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            "..xxxxxxxxxxxxx."
                            ".xzzzccccccccccx"
                            ".xhsscccccccccCx"
                            ".xhsscccccccccCx"
                            ".xzzzCCCCCCCCCCx"
                            "..xxxxxxxxxxxxx."
                            "................",
    [COLONY_LOOK_SPROUT] = "................"
                           "................"
                           "...a........a..."
                           "..aa........aa.."
                           "...aA......aA..."
                           "....A.......A..."
                           "................"
                           ".......a........"
                           "......aa...a...."
                           ".......aA..aa..."
                           "..a.....A...A..."
                           "..aa.........A.."
                           "...A............"
                           ".......aa......."
                           "........A......."
                           "................",
    [COLONY_LOOK_GRAIN] = "..y...y...y...y."
                          ".yyy.yyy.yyy.yyy"
                          ".yYy.yYy.yYy.yYy"
                          "..y.y.y.y.y.y.y."
                          "..yyyyyyyyyyyyy."
                          "...yYy.yYy.yYy.."
                          ".y.yYyyyYyyyYyy."
                          "yyy.Y.yyY.yyY.yy"
                          "yYy.Y.yYy.yYy.Yy"
                          ".Yy.Y..Yy..Yy.Y."
                          ".Y..Y..Y.Y.Y..Y."
                          ".Y.YY..Y.Y.YY.Y."
                          ".YY.Y.YY.YYY..Y."
                          "..Y.Y..Y..Y..YY."
                          "..Y....Y..Y...Y."
                          "................",
    [COLONY_LOOK_SAPLING] = "................"
                            "................"
                            "................"
                            "................"
                            "................"
                            ".......gg......."
                            "......gGGf......"
                            ".....gGgGGG....."
                            ".....GGGGGD....."
                            "....gGfGGGGD...."
                            "....GGGGgGDD...."
                            ".....GDGGDD....."
                            "......DDDD......"
                            ".......bB......."
                            ".......bb......."
                            "................",
    [COLONY_LOOK_TREE] = ".....gggggG....."
                         "...ggggGgGGGD..."
                         "..ggGgfgGGGGGD.."
                         ".ggGgGGGGgGfGGD."
                         ".gGGGGgGGGGGGGD."
                         "ggfGgGGGGfGGGGDD"
                         "gGGGGGGGGGGgGGDD"
                         "gGGgGGGfGGGGGDDD"
                         "GGGGGGGGGGGDGGDD"
                         ".GGfGGgGGGDDGDD."
                         ".DGGGGGGDGGDDDD."
                         "..DDGGDDGDDDDD.."
                         "....DDDbBDDD...."
                         ".......bBx......"
                         ".......bBx......"
                         "......bbBbx.....",
    [COLONY_LOOK_CHILD] = CHILD_UPPER "...ccccccccCC..."
                                      "..sccccccccCCs.."
                                      "..s.ccccccCC.s.."
                                      "....ccccccCC...."
                                      ".....ll..ll....."
                                      ".....ll..ll....."
                                      ".....xx..xx.....",
    [COLONY_LOOK_VILLAGER] = VILLAGER_UPPER "..ccccccccCCC..."
                                            "..c.cccccCC.C..."
                                            "..s.cccccCC.s..."
                                            "....xxxxxxx....."
                                            "....llllll......"
                                            "....ll..ll......"
                                            "....ll..ll......"
                                            "...xxx..xxx.....",
    [COLONY_LOOK_BUNDLE] = "................"
                           "................"
                           "......tt........"
                           ".....x..x......."
                           "......xx........"
                           "....ttttttt....."
                           "...tttttttBt...."
                           "..tttttttttBt..."
                           "..ttttttttBBt..."
                           "..tttttttttBB..."
                           "..tttttttBBBB..."
                           "...tttttBBBB...."
                           "....BBBBBBB....."
                           "................"
                           "................"
                           "................",
    [COLONY_LOOK_SITE] = "................"
                         ".......tt......."
                         "......tBBt......"
                         ".....tB..Bt....."
                         "....tB....Bt...."
                         "...tB......Bt..."
                         "..tBBBBBBBBBBt.."
                         ".tB.b......b.Bt."
                         "..b.b......b.b.."
                         "..b.bppppp.b.b.."
                         "..b.pppppp.b.b.."
                         "..bpbBBBBB.bpb.."
                         "..pppppppp.ppp.."
                         "..bBbBBBBB.bBb.."
                         "..pppppppp.ppp.."
                         ".kkkkkkkkkkkkkk.",
    [COLONY_LOOK_HOUSE] = "...........kk..."
                          "....qqqqqqqkkq.."
                          "...qQqqQqqqkkqq."
                          "..qRRRRrRRRRRRrq"
                          ".qRRrRRRRRrRRRRq"
                          ".RRRRRRrRRRRRrRR"
                          ".RrRRRRRRRrRRRRR"
                          "RRRRRrRRRRRRRrRR"
                          "uuuuuuuuuuuuuuuu"
                          ".xwwwwwwwwwwwwx."
                          ".xwxxxwwwwxxxwx."
                          ".xwexewxxxexewx."
                          ".xwxxxwxddxxxwx."
                          ".xwexewxddexewx."
                          ".xwxxxwxdtxxxwx."
                          ".kkkkkkxddkkkkk.",
    [COLONY_LOOK_SAWMILL] = "................"
                            "...nnnnnnnnnnn.."
                            "..nKkkkkkkkkkkn."
                            ".nkkkKkkkkKkkkkn"
                            ".kkKkkkkKkkkkKkk"
                            "kkkkkKkkkkkKkkkk"
                            "uuuuuuuuuuuuuuuu"
                            ".xBBBBBBBBBBBBx."
                            ".xppppipipipppx."
                            ".xBBBiiiiiiiBBx."
                            ".xppiiikkkiiipx."
                            ".xexeiikxkiiBBx."
                            ".xxxpiiikiiippx."
                            ".xexebbbbbbbbBx."
                            "bbbbbbttbttbttbb"
                            "bttbttxttxttxttx",
    [COLONY_LOOK_BAKERY] = "..kkk..........."
                           "..kik..nnnnnnn.."
                           "..kikqnooooooon."
                           "..kkkooOoooOoonn"
                           "..kkkooooOooooon"
                           ".nooOooooooooOoo"
                           ".oooooOooooOoooo"
                           "ooooooooooooooOo"
                           "uuuuuuuuuuuuuuuu"
                           ".xwwwwwwwwwwwwx."
                           ".xwxxxxxxwwzzwx."
                           ".xwxeeeexwzoozx."
                           ".xwxeyyexwxddwx."
                           ".xwxxxxxxwxddwx."
                           ".xwwoooowwxdtwx."
                           ".kkkkkkkkkxddkk.",
    [COLONY_LOOK_STOREHOUSE] = "......nnnn......"
                               "....nnnBBnnn...."
                               "...nBBBBBbBBn..."
                               "..nBBbBBBBBBBn.."
                               ".nBBBBBBbBBBbBn."
                               ".BBbBBBBBBBBBBB."
                               "BBBBBBbBBBBbBBBB"
                               "uuuuuuuuuuuuuuuu"
                               ".tttttttttttttt."
                               ".tBxxxBBBBxxxBt."
                               ".txexextttxexext"
                               ".tBxxxbbbbxxxBt."
                               ".tttttbddbttttt."
                               ".tBBBBbddbBppBt."
                               ".ttyyybddbtppttt"
                               ".xyyyybddbpppppx",
    [SHEET_GLOW] = "......1111......"
                   "....11111111...."
                   "...1111111111..."
                   "..111122221111.."
                   ".11112222221111."
                   ".11122222222111."
                   "1112223333222111"
                   "1112233443322111"
                   "1112233443322111"
                   "1112223333222111"
                   ".11122222222111."
                   ".11112222221111."
                   "..111122221111.."
                   "...1111111111..."
                   "....11111111...."
                   "......1111......",
    [SHEET_HEART] = "................"
                    "..vvvv....vvvv.."
                    ".vVVVVv..vVVVVv."
                    "vVzzVVVvvVVVVVVv"
                    "vVzVVVVVVVVVVVVv"
                    "vVVVVVVVVVVVVVVv"
                    "vVVVVVVVVVVVVVVv"
                    "vVVVVVVVVVVVVVVv"
                    ".vVVVVVVVVVVVVv."
                    "..vVVVVVVVVVVv.."
                    "...vVVVVVVVVv..."
                    "....vVVVVVVv...."
                    ".....vVVVVv....."
                    "......vVVv......"
                    ".......vv......."
                    "................",
    [SHEET_SHADOW] = "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "................"
                     "....55555555...."
                     "..555566665555.."
                     ".55566666666555."
                     "..555566665555.."
                     "....55555555....",
    [SHEET_STEP] = VILLAGER_UPPER ".cc.cccccCC.CC.."
                                  ".s..cccccCC..s.."
                                  "....cccccCC....."
                                  "....xxxxxxx....."
                                  "....lllllll....."
                                  "...lll..lll....."
                                  "..xll....llx...."
                                  "..xx.....xx.....",
    [SHEET_CHILD_STEP] = CHILD_UPPER "..cccccccccCCC.."
                                     ".scccccccccCC.s."
                                     "....ccccccCC...."
                                     "....ccccccCC...."
                                     "....lll..lll...."
                                     "...ll......ll..."
                                     "...xx......xx...",
    [SHEET_PINE] = ".......mm......."
                   "......mnJj......"
                   "......nJJj......"
                   ".....mnJJJj....."
                   "....nnnJJJJj...."
                   ".....mJJJJj....."
                   "....mnnJJJJj...."
                   "...nnnJJJJJJj..."
                   "....mJJJJJJj...."
                   "...mnnnJJJJJj..."
                   "..nnnnJJJJJJJj.."
                   "...mmJJJJJJJj..."
                   "..mnnnJJJJJJJj.."
                   ".nnnJJJJJJJJJjj."
                   "....jjjbBjjjj..."
                   ".......bBx......",
    [SHEET_TALL_TREE] = "......gggG......"
                        ".....ggGgGD....."
                        "....ggGGGGGD...."
                        "....gGGfGGGD...."
                        "...ggGGGGgGDD..."
                        "...gGGGgGGGGD..."
                        "...gGfGGGGfGD..."
                        "..ggGGGGGGGGDD.."
                        "..gGGgGGfGGGDD.."
                        "..gGGGGGGGgGDD.."
                        "..GGGfGGGGGDDD.."
                        "...DGGGGDGDDD..."
                        "....DDDbBDDD...."
                        ".......bBx......"
                        ".......bBx......"
                        "......bbBbx.....",
    [SHEET_WOOD] = "................"
                   "................"
                   "................"
                   "................"
                   "................"
                   ".xxxxxxxxxxxxx.."
                   ".BBbBBBBbBBBbtt."
                   ".bBBBbBBBBbBtttt"
                   ".BBbBBBbBBBBtTtt"
                   ".bbbbbbbbbbbbtt."
                   ".BBBbBBBBbBBbtt."
                   ".BbBBBBbBBBbtttt"
                   ".BBBbBBBBBBBtTtt"
                   ".xbbbbbbbbbbbtt."
                   "................"
                   "................",
    [SHEET_SHEAF] = "................"
                    "..y..y..y.y..y.."
                    "...yyyyyyyyyy..."
                    "..yyYyyYyyYyyy.."
                    "...yyyyYyyyyy..."
                    "....yYyyyYyy...."
                    ".....yyYyyy....."
                    "......VVVVV....."
                    ".....vvvvvv....."
                    ".....yYyYyy....."
                    "....yYyYyYyy...."
                    "...yyYyyYyYyy..."
                    "...yYyYyyYyYy..."
                    "....Y.Y.Y.Y....."
                    "................"
                    "................",
    [SHEET_PLANKS] = "................"
                     "................"
                     "................"
                     "................"
                     "..tttttttttttt.."
                     ".tttttttttttttp."
                     ".ppppppppppppBx."
                     "xxxxxxxxxxxxxxx."
                     ".tttttttttttttp."
                     ".ppppppppppppBx."
                     "xxxxxxxxxxxxxxx."
                     ".tttttttttttttp."
                     ".ppppppppppppBx."
                     ".xxxxxxxxxxxxx.."
                     "................"
                     "................",
    [SHEET_LOAF] = "................"
                   "................"
                   "................"
                   "................"
                   ".....oooooo....."
                   "...ootooootoo..."
                   "..otooottoootoo."
                   ".oottooottooottO"
                   ".oootoooottooooO"
                   ".ooooooooooooooO"
                   ".oooooooooooooOO"
                   "..OOooooooooOOO."
                   "...OOOOOOOOOO..."
                   "................"
                   "................"
                   "................",
};

typedef struct paint {
    char letter;
    uint32_t rgba;
} paint;

static const paint PAINTS[] = {
    {'y', 0xe8c34aff}, {'Y', 0xb8922fff}, {'b', 0x5d4027ff}, {'B', 0x8a6238ff}, {'t', 0xd9b98aff},
    {'T', 0xa98250ff}, {'p', 0xb98b54ff}, {'w', 0xeadfc8ff}, {'e', 0x5f7fa0fe}, {'d', 0x4a331fff},
    {'k', 0x5c5f66ff}, {'K', 0x787c84ff}, {'i', 0xc3c7ccff}, {'s', 0xe8b890ff}, {'l', 0x3b3b46ff},
    {'z', 0xf6f2e8ff}, {'v', 0x7a1f38ff}, {'V', 0xe8506eff}, {'x', 0x33261dff}, {'u', 0x4a2f26ff},
    {'o', 0xd0803aff}, {'O', 0xa85f28ff}, {'J', 0x2f6b4aff}, {'j', 0x214d3aff}, {'1', 0xffd97a08},
    {'2', 0xffd97a18}, {'3', 0xffd97a2c}, {'4', 0xffe9a840}, {'5', 0x0a140a30}, {'6', 0x0a140a50},
};

typedef struct season_paint {
    char letter;
    uint32_t rgba[COLONY_SEASON_COUNT];
} season_paint;

// Spring, summer, autumn and winter, when snow lies on trees and roofs.
static const season_paint SEASON_PAINTS[] = {
    {'g', {0x8cc455ff, 0x6fa83fff, 0xe3a03cff, 0xf4f7faff}}, // leaves
    {'G', {0x56993fff, 0x3d7a35ff, 0xc4682cff, 0xc9d2daff}},
    {'D', {0x3b7337ff, 0x2c5a2bff, 0x8e4326ff, 0x86796cff}},
    {'f', {0xf6bcd2ff, 0x5d963aff, 0xd8452fff, 0xffffffff}}, // blossoms and fruit
    {'m', {0x4a8a5cff, 0x42805aff, 0x3f7a55ff, 0xe4ecf2ff}}, // the light side of a pine
    {'a', {0x9ccf58ff, 0x7fb845ff, 0xb8ac4aff, 0xdfe6eaff}}, // sprouts
    {'A', {0x6fa83fff, 0x5a9338ff, 0x8c7f38ff, 0xa9b3a5ff}},
};
static const uint32_t SNOW = 0xf4f7faff;

typedef struct coat {
    uint32_t cloth, hair, roof, tile;
} coat;

static const coat COATS[SHEET_COATS] = {
    {0x3f6fb0ff, 0x4b3626ff, 0xc25a48ff, 0xa2443aff},
    {0xb8483fff, 0xc08a3cff, 0x8e6f9aff, 0x735880ff},
    {0x5f8f4fff, 0x8c3f22ff, 0xc9984aff, 0xa87a36ff},
    {0x8a5fa8ff, 0x26222aff, 0x5f86a0ff, 0x4a6c86ff},
};

// The shade of a coat is about three quarters as bright.
static uint32_t shaded(uint32_t rgba)
{
    return (rgba >> 1 & 0x7f7f7f00u) + (rgba >> 2 & 0x3f3f3f00u) + 0xffu;
}

static uint32_t coat_colour(char letter, const coat *wears, colony_season season)
{
    const bool snow = season == COLONY_SEASON_WINTER;
    switch (letter) {
    case 'c':
        return wears->cloth;
    case 'C':
        return shaded(wears->cloth);
    case 'h':
        return wears->hair;
    case 'R':
        return wears->roof;
    case 'r':
        return wears->tile;
    case 'q':
        return snow ? SNOW : wears->roof;
    case 'Q':
        return snow ? SNOW : wears->tile;
    default:
        return 0;
    }
}

// Returns the letter of the roof or leaves below the snow.
static char under_snow(int picture)
{
    switch (picture) {
    case COLONY_LOOK_SAWMILL:
        return 'K';
    case COLONY_LOOK_BAKERY:
        return 'o';
    case COLONY_LOOK_STOREHOUSE:
        return 'B';
    default:
        return 'm';
    }
}

static uint32_t colour(int picture, char letter, uint32_t row, colony_season season)
{
    if (letter == 'n' && season == COLONY_SEASON_WINTER) return SNOW;
    if (letter == 'n') letter = under_snow(picture);
    for (size_t i = 0; i < sizeof PAINTS / sizeof *PAINTS; i++) {
        if (PAINTS[i].letter == letter) return PAINTS[i].rgba;
    }
    for (size_t i = 0; i < sizeof SEASON_PAINTS / sizeof *SEASON_PAINTS; i++) {
        if (SEASON_PAINTS[i].letter == letter) return SEASON_PAINTS[i].rgba[season];
    }
    return coat_colour(letter, &COATS[row], season);
}

static char letter_of(uint32_t picture, uint32_t x, uint32_t y)
{
    const char *letters = PICTURES[picture];
    return letters != NULL ? letters[y * SPRITE_SIDE + x] : '.';
}

void sprite_pixels(uint32_t *pixels, pixel_order order, colony_season season)
{
    for (uint32_t y = 0; y < SHEET_HEIGHT; y++) {
        for (uint32_t x = 0; x < SHEET_WIDTH; x++) {
            const uint32_t picture = x / SPRITE_SIDE;
            char letter = letter_of(picture, x % SPRITE_SIDE, y % SPRITE_SIDE);
            uint32_t rgba = colour((int)picture, letter, y / SPRITE_SIDE, season);
            pixels[y * SHEET_WIDTH + x] = pixel_of(order, rgba);
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
