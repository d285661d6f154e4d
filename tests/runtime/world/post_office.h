// Data that the systems of the post and its tests exchange: weft_options.user points to one.
#ifndef POST_OFFICE_H
#define POST_OFFICE_H

#include "post.h"

#define POST_LETTERS 256u // more than a reader may have to hear at once

// The letters that a system heard in its last turn.
typedef struct post_heard {
    uint32_t calls;
    uint32_t count;
    post_letter letters[POST_LETTERS];
    bool differed; // a later call of the turn saw others than the first
} post_heard;

typedef struct post_office {
    post_heard early, answer, late, in_vain, slow;
    bool spawn;            // `write` spawns a companion and writes about it
    post_entity companion; // whose handle `write` was given: good in commands and events only
} post_office;

#endif
