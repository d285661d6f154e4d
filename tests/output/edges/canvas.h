// Resources of the game of typed.cpp. Two of them have one type under two names.
#ifndef CANVAS_H
#define CANVAS_H

typedef struct canvas {
    int drawn;
} canvas;

typedef struct other_canvas {
    int drawn;
} other_canvas;

#endif
