// State hashes: equal for equal worlds, on every machine.
//
// A hash is computed from a sequence of 64-bit words. Each word is absorbed into a 64-bit h by the
// step of splitmix64 (Sebastiano Vigna, prng.di.unimi.it/splitmix64.c, public domain; its constants
// are David Stafford's Mix13). Arithmetic is modulo 2^64:
//
//     absorb(h, word)   x = (h ^ word) + 0x9e3779b97f4a7c15
//                       x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9
//                       x = (x ^ x >> 27) * 0x94d049bb133111eb
//                       return x ^ x >> 31
//
//     text(h, bytes)    h = absorb(h, number of bytes), then every 8 bytes as one little-endian
//                       word; the last one is padded with zeros
//
//     value(h, fields)  every leaf (value/fields.h) of the fields without save = false, in schema
//                       order:
//                       - a number, bool, enum or handle is one word: its stored bits as an
//                         unsigned integer of its size. So -1 in an i8 is 0xff. A float is its
//                         IEEE 754 bits, so -0.0 differs from 0.0, and NaNs differ by their bits
//                       - a string is text(h, its bytes before the NUL)
//                       - a list is its count as one word, then its items
//                       - an array, struct or extern is its elements or fields, nothing else
//
//     hash = the sum of
//       for every living entity          absorb(1, handle)
//       for each of its components       value(absorb(text(2, name), handle), fields)
//           component with save = false  absorb(text(2, name), handle)
//           tag                          absorb(text(2, name), handle); 0 if save = false
//       for every singleton              value(text(3, name), fields); 0 if save = false
//       for every event with unheard     h = absorb(text(7, name), number of unheard values), then
//       values                           in the order they were emitted h = value(h, fields), then
//                                        for each system that hears the event, in the order they
//                                        run, absorb how many of the values it has not heard yet
//       for every child in a relation    absorb its handle, its parent's, and that of its next
//                                        sibling (0 for the last child), into text(8, name)
//       for every system that is off,    text(9, name)
//       if its switch is saved
//       for every entity that is away    absorb(10, handle)
//       for every link                   absorb the handle of `from`, then that of `to`, into
//                                        text(11, name), then value(h, fields). A symmetric link
//                                        is one from the lower index to the higher; 0 if
//                                        save = false
//
// Handles are hashed as stored, including dead handles in fields. Names are those of the schema,
// without the world's prefix. Padding, bytes after a NUL and items beyond a list's count are never
// read.
#ifndef WEFT_SAVE_HASH_H
#define WEFT_SAVE_HASH_H

#include "../world/world.h"

// Returns the hash of the state as defined above. It does not depend on values with save = false,
// tags with save = false, the order of rows, free indices, clocks, or commands that are not applied
// yet (including commands of hooks that wait because the limit of rounds was reached). O(world).
uint64_t weft_world_hash(const weft_world *world);

// Returns a hash of the state and of everything else that influences the future. It does not depend
// on the order of tables, because the future does not, nor on commands that are not applied yet:
// flush first. `clocks` are the `clock_count` clocks of the generated world's systems. O(world).
//
//     rows = the sum, for every table with rows, of
//         absorb(4, number of rows), then absorb each row's handle in row order
//     h = absorb(5, hash), then absorb in this order
//         rows
//         for every sparse component in schema order: its number of values, then the index of the
//             owner of each, by slot
//         the number of indices handed out, then the generation of each; for a free index, the
//             generation that it will have next; for a retired one, 0
//         the number of free indices, then each in the order of reuse
//         the number of retired indices
//         if there are readers of changes: the sum, for every table with rows, of their change bits
//         for every change set that a reader uses: 1 if it is recording changes, else 0
//         for every reader: its flags of singletons, as in absorb_flags()
//         for every log of removals: its number of entries, then the handle and value of each
//         for every event with listeners: its unheard values, as in hash, and for each of its
//             hearers, listeners included, how many it has not heard yet
//         ticks done
//         the seed, if the schema contains an rng
//         the number of clocks, then the bits of each
uint64_t weft_world_hash_exact(const weft_world *world, const double *clocks, uint32_t clock_count);

#endif
