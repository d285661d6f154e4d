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

// Decides the fate of the following calls. All zero: they work.
typedef struct disk {
    const char *call; // the harmed call, "fsync"; NULL: no call; "": any
    unsigned turn;    // which one of those, counted from 1
    disk_harm harm;
    int error;    // errno
    bool on;      // all later calls of any kind fail as well
    bool each;    // all after it fail as well, of that name
    size_t piece; // at most this many bytes are read or written at once; 0: all
    size_t space; // bytes until the disk is full; 0: no end
} disk;

// What happened to the calls.
typedef struct disk_seen {
    bool fired;      // the call was reached
    bool renamed;    // a file took the name of another
    int open;        // descriptors that were not closed
    unsigned writes; // that took something
    // The calls for a file that is written, in order: w written (once for any number in a row), s
    // flushed to the disk, c closed, n renamed; f a folder flushed.
    char order[16];
} disk_seen;

// Makes the disk behave like `d` from now on; with NULL it works. Forgets earlier calls.
void disk_begin(const disk *d);
disk_seen disk_end(void);

#endif
