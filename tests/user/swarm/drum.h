// The sounds of the game are beats, which are counted instead of played.
#ifndef DRUM_H
#define DRUM_H

typedef struct game_drum {
    unsigned beats, rolls;
    unsigned opened, open; // voices of foes, ever and now
} game_drum;

#endif
