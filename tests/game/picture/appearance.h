// How a thing of the colony is shown: which picture, and which marks.
#ifndef APPEARANCE_H
#define APPEARANCE_H

#include "camera.h"
#include "colony_sights.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct appearance {
    uint8_t picture; // on the sheet
    uint8_t bubble;  // over a person, on the sheet; 0 if the person has no bubble
    bool inhabited;  // somebody lives in the house, or the workshop is at work
} appearance;

// Returns how a row of the query is shown at a spot.
appearance appearance_of(const colony_world *w, const colony_sights_iter *it, uint32_t i, spot at);

#endif
