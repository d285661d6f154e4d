// What the game sounds like: beats are counted in place of being heard.
#ifndef DRUM_H
#define DRUM_H

typedef struct game_drum {
    unsigned beats, rolls;
} game_drum;

#endif
