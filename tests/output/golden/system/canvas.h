// A type of the game, which a system draws on.
#pragma once

struct canvas {
    int width;
};
