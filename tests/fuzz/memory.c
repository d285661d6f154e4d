// Each block has a header of 64 bytes that stores its size, and ends at its last byte so that a
// sanitizer reports an access beyond it. Reserved address space cannot be accessed before it is
// committed.
//
// flags: hot
#define _DEFAULT_SOURCE // mmap, posix_memalign

#include "memory.h"

#include "../support/hook_memory.h"
#include "fail.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES BLOCK_ALIGN

struct reservation {
    reservation *next;
    unsigned char *base;
    size_t bytes;
    size_t committed;
};

static bool fails(memory *m)
{
    if (!m->armed) return false;
    if (m->fail_in > 0) {
        m->fail_in--;
        return false;
    }
    if (m->fired && !m->fail_on) return false;
    m->fired = true;
    m->failures++;
    return true;
}

static void *allocate(void *user, size_t bytes)
{
    memory *m = (memory *)user;
    if (bytes == 0) fail("a block of 0 bytes is allocated");
    void *block = fails(m) ? NULL : block_allocate(HEADER_BYTES + bytes);
    if (!block) return NULL;
    memset(block, 0xA5, HEADER_BYTES + bytes);
    memcpy(block, &bytes, sizeof bytes);
    m->bytes += bytes;
    m->blocks++;
    return (unsigned char *)block + HEADER_BYTES;
}

static void give_back(void *user, void *block, size_t bytes)
{
    memory *m = (memory *)user;
    unsigned char *start = (unsigned char *)block - HEADER_BYTES;
    size_t known;
    memcpy(&known, start, sizeof known);
    if (known != bytes) fail("a block of %zu bytes is given back as one of %zu", known, bytes);
    m->bytes -= bytes;
    m->blocks--;
    block_free(start);
}

static void *reserve(void *user, size_t bytes)
{
    memory *m = (memory *)user;
    if (m->no_reserve || fails(m)) return NULL;
    void *base = space_reserve(bytes);
    if (!base) return NULL;
    reservation *r = (reservation *)malloc(sizeof *r);
    if (!r) fail("no memory to test with");
    *r = (reservation){m->reservations, (unsigned char *)base, bytes, 0};
    m->reservations = r;
    return base;
}

static reservation *reservation_of(const memory *m, const void *part, size_t bytes)
{
    reservation *r = m->reservations;
    const unsigned char *at = (const unsigned char *)part;
    while (r && !(at >= r->base && at < r->base + r->bytes)) r = r->next;
    if (!r || at + bytes > r->base + r->bytes) fail("memory outside of reservations is committed");
    return r;
}

static bool commit(void *user, void *part, size_t bytes)
{
    memory *m = (memory *)user;
    reservation *r = reservation_of(m, part, bytes);
    if (fails(m)) {
        m->commit_failed = true;
        return false;
    }
    if (!space_commit(part, bytes)) return false;
    r->committed += bytes;
    m->bytes += bytes;
    return true;
}

static void decommit(void *user, void *part, size_t bytes)
{
    memory *m = (memory *)user;
    reservation *r = reservation_of(m, part, bytes);
    if (bytes > r->committed) fail("more is given back than was committed");
    if (!space_decommit(part, bytes)) {
        fail("the system takes no pages back");
    }
    r->committed -= bytes;
    m->bytes -= bytes;
}

static void release(void *user, void *base, size_t bytes)
{
    memory *m = (memory *)user;
    reservation **link = &m->reservations;
    while (*link && (*link)->base != base) link = &(*link)->next;
    reservation *r = *link;
    if (!r || r->bytes != bytes) fail("address space is released that was not reserved so");
    m->bytes -= r->committed;
    *link = r->next;
    space_release(base, bytes);
    free(r);
}

weft_memory memory_hooks(memory *m)
{
    return (weft_memory){allocate, give_back, reserve, commit, release, m};
}

weft_options memory_options(memory *m)
{
    return (weft_options){
        .memory = memory_hooks(m),
        .decommit = m->no_decommit ? NULL : decommit,
    };
}

void memory_arm(memory *m, uint32_t fail_in, bool fail_on)
{
    m->armed = true;
    m->fired = false;
    m->fail_in = fail_in;
    m->fail_on = fail_on;
}

bool memory_disarm(memory *m)
{
    bool fired = m->armed && m->fired;
    m->armed = false;
    return fired;
}

void memory_check_empty(const memory *m)
{
    if (m->blocks != 0 || m->bytes != 0 || m->reservations) {
        fail("%zu blocks, %zu bytes%s were not given back", m->blocks, m->bytes,
             m->reservations ? " and address space" : "");
    }
}
