// State hashes: equal for equal worlds, on every machine.
//
// All that is hashed is a sequence of 64-bit words, absorbed one by one into a 64-bit h with the
// step of splitmix64 (Sebastiano Vigna, prng.di.unimi.it/splitmix64.c, public domain; its constants
// are David Stafford's Mix13). Arithmetic is modulo 2^64:
//
//     absorb(h, word)   x = (h ^ word) + 0x9e3779b97f4a7c15
//                       x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9
//                       x = (x ^ x >> 27) * 0x94d049bb133111eb
//                       return x ^ x >> 31
//
//     text(h, bytes)    h = absorb(h, number of bytes), then every 8 bytes as one little-endian
//                       word, the last one filled up with zeros
//
//     value(h, fields)  every leaf (value/fields.h) of the fields without save = false, in schema
//                       order:
//                       - a number, bool, enum or handle is one word: its bits as stored, as an
//                         unsigned integer of its size. So -1 in an i8 is 0xff; a float is its
//                         IEEE 754 bits: -0.0 is not 0.0, and one NaN is not another
//                       - a string is text(h, its bytes before the NUL)
//                       - a list is its count as one word, then its items
//                       - an array, struct or extern is its elements or fields, no more
//
//     hash = the sum of
//       for every living entity          absorb(1, handle)
//       for every component it has       value(absorb(text(2, name), handle), fields)
//           component with save = false  absorb(text(2, name), handle)
//           tag                          absorb(text(2, name), handle); save = false: nothing
//       for every singleton              value(text(3, name), fields); save = false: nothing
//       for every event with unread      h = absorb(text(7, name), how many unread), then in the
//       values                           order they were emitted h = value(h, fields), then for
//                                        each system that hears it, in the order they run, absorb
//                                        how many of them it has still to hear
//       for every child in a relation    absorb its handle, its parent's and that of its next
//                                        sibling, 0 without one, into text(8, name)
//       for every system that is off,    text(9, name)
//       if its switch is saved
//
// Handles are hashed as they are, dead ones in fields too. Names are those of the schema, without
// the world's prefix. Padding, bytes behind a NUL and items beyond a list's count are never read.
#ifndef WEFT_SAVE_HASH_H
#define WEFT_SAVE_HASH_H

#include "../world/world.h"

// Returns the hash of the state, as above. It leaves out values with save = false, tags with save =
// false, the order of rows, free indices, clocks, commands not yet applied (also those of hooks
// that wait beyond the limit of rounds). O(world).
uint64_t weft_world_hash(const weft_world *world);

// Returns the hash of the state and what decides the future beyond it. It leaves out the order of
// tables, since nothing depends on it, and commands not yet applied: flush first. O(world).
// `clocks`: those of the generated world's systems, `clock_count` doubles.
//
//     rows = the sum, for every table with rows, of
//         absorb(4, number of rows), then absorb each row's handle in row order
//     h = absorb(5, hash), then absorb in this order
//         rows
//         for every sparse component in schema order: how many have it, then their indices by slot
//         how many indices were handed out, then the generation of each: of a free one the next
//             it will have, of a retired one 0
//         how many indices are free, then each in the order of reuse
//         how many are retired
//         ticks done
//         the number of clocks, then the bits of each
uint64_t weft_world_hash_exact(const weft_world *world, const double *clocks, uint32_t clock_count);

#endif
