// Memory hooks for tests of memory itself. They use those of the fixture (which fail on request,
// return memory filled with rubbish, and protect address space that is not committed) and record
// every call. A wrong release, or a commit without a reservation, fails the test at once.
#ifndef WATCHED_MEMORY_H
#define WATCHED_MEMORY_H

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define WATCHED_RESERVATIONS 64

typedef struct watched_reservation {
    unsigned char *base; // NULL: this place is free
    size_t bytes;
    bool *committed; // by page
} watched_reservation;

typedef struct watched_memory {
    fixture_memory inner;
    weft_memory hooks;  // of the fixture
    size_t reserve_max; // longer reservations are refused; 0: no limit
    size_t allocated;   // bytes now
    size_t committed;   // bytes now
    size_t commit_max;  // the longest commit so far
    uint32_t allocations;
    uint32_t reserves;      // those that came to be
    uint32_t commits_again; // pages committed a second time
    uint32_t poisoned;      // blocks that were full of 0xDD when they were freed
    watched_reservation reservations[WATCHED_RESERVATIONS];
} watched_memory;

static inline watched_reservation *watched_find(watched_memory *memory, const void *place)
{
    const unsigned char *at = (const unsigned char *)place;
    for (int i = 0; i < WATCHED_RESERVATIONS; i++) {
        watched_reservation *r = &memory->reservations[i];
        if (r->base && at >= r->base && at < r->base + r->bytes) return r;
    }
    fail_msg("not in any reservation");
    return NULL;
}

static inline void *watched_allocate(void *user, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    assert_int_not_equal(bytes, 0);
    void *block = memory->hooks.allocate(memory->hooks.user, bytes);
    if (!block) return NULL;
    memory->allocated += bytes;
    memory->allocations++;
    return block;
}

static inline void watched_free(void *user, void *block, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    const unsigned char *content = (const unsigned char *)block;
    bool poisoned = true;
    for (size_t i = 0; i < bytes && poisoned; i++) poisoned = content[i] == 0xDD;
    memory->poisoned += poisoned;
    assert_true(bytes <= memory->allocated);
    memory->allocated -= bytes;
    memory->hooks.free_(memory->hooks.user, block, bytes);
}

static inline void *watched_reserve(void *user, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    assert_int_equal(bytes % WEFT_PAGE_BYTES, 0);
    if (memory->reserve_max != 0 && bytes > memory->reserve_max) return NULL;
    void *base = memory->hooks.reserve(memory->hooks.user, bytes);
    if (!base) return NULL;
    watched_reservation *r = memory->reservations;
    while (r->base) r++;
    assert_true(r < memory->reservations + WATCHED_RESERVATIONS);
    bool *committed = (bool *)calloc(bytes / WEFT_PAGE_BYTES, sizeof(bool));
    assert_non_null(committed);
    *r = (watched_reservation){(unsigned char *)base, bytes, committed};
    memory->reserves++;
    return base;
}

static inline bool watched_commit(void *user, void *place, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    watched_reservation *r = watched_find(memory, place);
    size_t first = (size_t)((unsigned char *)place - r->base);
    assert_int_equal(first % WEFT_PAGE_BYTES, 0);
    assert_int_equal(bytes % WEFT_PAGE_BYTES, 0);
    assert_true(bytes != 0 && bytes <= r->bytes - first);
    if (!memory->hooks.commit(memory->hooks.user, place, bytes)) return false;
    if (bytes > memory->commit_max) memory->commit_max = bytes;
    for (size_t at = first; at < first + bytes; at += WEFT_PAGE_BYTES) {
        bool *committed = &r->committed[at / WEFT_PAGE_BYTES];
        memory->commits_again += *committed;
        memory->committed += *committed ? 0 : WEFT_PAGE_BYTES;
        *committed = true;
    }
    return true;
}

static inline void watched_decommit(void *user, void *place, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    watched_reservation *r = watched_find(memory, place);
    size_t first = (size_t)((unsigned char *)place - r->base);
    assert_int_equal(first % WEFT_PAGE_BYTES, 0);
    assert_int_equal(bytes % WEFT_PAGE_BYTES, 0);
    assert_true(bytes != 0 && bytes <= r->bytes - first);
    for (size_t at = first; at < first + bytes; at += WEFT_PAGE_BYTES) {
        assert_true(r->committed[at / WEFT_PAGE_BYTES]);
        r->committed[at / WEFT_PAGE_BYTES] = false;
        memory->committed -= WEFT_PAGE_BYTES;
    }
    fixture_decommit(memory->hooks.user, place, bytes);
}

static inline void watched_release(void *user, void *base, size_t bytes)
{
    watched_memory *memory = (watched_memory *)user;
    watched_reservation *r = watched_find(memory, base);
    assert_ptr_equal(base, r->base);
    assert_int_equal(bytes, r->bytes);
    for (size_t page = 0; page < bytes / WEFT_PAGE_BYTES; page++) {
        if (r->committed[page]) memory->committed -= WEFT_PAGE_BYTES;
    }
    free(r->committed);
    *r = (watched_reservation){NULL, 0, NULL};
    memory->hooks.release(memory->hooks.user, base, bytes);
}

// A heap on watched hooks. `memory` must not be moved. Set `inner` and reserve_max beforehand to
// let calls fail.
static inline weft_heap watched_heap(watched_memory *memory)
{
    weft_memory hooks = {watched_allocate, watched_free,    watched_reserve,
                         watched_commit,   watched_release, memory};
    weft_heap heap;
    memory->hooks = fixture_hooks(&memory->inner);
    weft_heap_open(&heap, &hooks);
    heap.decommit = watched_decommit;
    return heap;
}

// The book of the hooks and that of the heap agree, and no page was committed twice.
static inline void watched_check(const watched_memory *memory, const weft_heap *heap)
{
    assert_int_equal(heap->bytes, memory->allocated + memory->committed);
    assert_int_equal(memory->commits_again, 0);
}

// Everything was given back.
static inline void watched_check_empty(const watched_memory *memory, const weft_heap *heap)
{
    assert_int_equal(heap->bytes, 0);
    assert_int_equal(memory->allocated, 0);
    assert_int_equal(memory->committed, 0);
    assert_int_equal(memory->inner.held, 0);
}

#endif
