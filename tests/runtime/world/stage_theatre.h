// The requests of a test of states, inputs and resources to its systems, and their notes:
// weft_options.user points to a theatre.
#ifndef STAGE_THEATRE_H
#define STAGE_THEATRE_H

#include "stage.h"

#include <stdatomic.h>

enum {
    WISH,
    WISH_AGAIN,
    LISTEN_SLOWLY,
    BEGIN,
    FIGHT,
    MOURN,
    OBEY,
    SHINE,
    LOOK,
    REST,
    FINISH,
    TIDY,
    COUNT_HITS,
    SYSTEMS
};
enum { OBEYING, LISTENING, HEARERS, ORDERS_MAX = 5 };
enum { MENU = STAGE_GAME_MENU, PLAY = STAGE_GAME_PLAY, OVER = STAGE_GAME_OVER, NO_WISH = 9 };

typedef struct modelled {
    uint32_t game, game_next;
    bool again; // the value of `game` begins again
    uint32_t pause, pause_next;
    bool due[SYSTEMS];
    bool score_changed; // since the last turn of tidy
    bool off;           // finish
    uint32_t foes, guests;
    uint32_t score;
    uint32_t order[ORDERS_MAX]; // waiting
    uint32_t orders;
    uint32_t heard[HEARERS]; // of those
    double waited;           // of listen_slowly
    uint32_t sum[HEARERS];   // of the orders that each has heard, by their place in the turn
    uint32_t turns[SYSTEMS];
} modelled;

typedef struct theatre {
    stage_world *w;
    uint32_t wish[2], wish_pause; // what systems ask for in their turns, or NO_WISH
    atomic_uint turns[SYSTEMS];   // of systems with rows, those that they were called with
    uint32_t sum[HEARERS];        // as in the model
    struct lamp lamp;
    stage_house house;
    atomic_uint bad; // how many rows or turns saw a wrong state
    modelled m;
    uint64_t dice;
} theatre;

#endif
