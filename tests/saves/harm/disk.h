// A disk that fails on request. The linker puts it between the runtime and the C library (`--wrap`
// in harm.ninja). Nothing in the runtime knows of it.
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum disk_harm {
    DISK_FAILS,              // with an error
    DISK_DOES_NOTHING,       // it has read or written 0 bytes
    DISK_NAMES_OTHER_DEVICE, // lstat finds a file with the number of another device
    DISK_NAMES_OTHER_FILE,   // or with another number: the name was taken in between
    DISK_KILLS_BEFORE,       // the process is killed before it
    DISK_KILLS_BEHIND,
} disk_harm;

// Decides what becomes of the calls that follow. All zero: they work.
typedef struct disk {
    const char *call; // the one that is harmed, "fsync"; NULL: none; "": whichever
    unsigned turn;    // which one of those, counted from 1
    disk_harm harm;
    int error;    // errno
    bool on;      // all after it fail as well, whatever they are
    bool each;    // all after it fail as well, of that name
    size_t piece; // so many bytes are read or written at once, at most; 0: all
    size_t space; // bytes until the disk is full; 0: no end
} disk;

// Tells what has become of them.
typedef struct disk_seen {
    bool fired;      // the call was reached
    bool renamed;    // a file took the name of another
    int open;        // descriptors that were not closed
    unsigned writes; // that took something
    // What was done with a file that is written, in order: w written (however often in a row), s
    // flushed to the disk, c closed, n given another's name; f a folder flushed.
    char order[16];
} disk_seen;

// From now on the disk does so; a NULL: it works. What was seen before is forgotten.
void disk_begin(const disk *d);
disk_seen disk_end(void);

#endif
