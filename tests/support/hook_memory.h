// Memory for the hooks of tests: blocks at multiples of 64, and address space that is reserved,
// committed in parts and released, as the runtime does by itself on POSIX and on Windows. Other
// machines cannot reserve any. The including file must define _DEFAULT_SOURCE.
#ifndef HOOK_MEMORY_H
#define HOOK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__wasm__)
#define HAS_ADDRESS_SPACE 0
#else
#define HAS_ADDRESS_SPACE 1
#endif

#if defined(_WIN32)
#include <windows.h>
#elif HAS_ADDRESS_SPACE
#include <sys/mman.h>
#endif

#define BLOCK_ALIGN 64u

static inline void *block_allocate(size_t bytes)
{
#if defined(_WIN32)
    return _aligned_malloc(bytes, BLOCK_ALIGN);
#else
    void *block;
    return posix_memalign(&block, BLOCK_ALIGN, bytes) == 0 ? block : NULL;
#endif
}

static inline void block_free(void *block)
{
#if defined(_WIN32)
    _aligned_free(block);
#else
    free(block);
#endif
}

static inline void *space_reserve(size_t bytes)
{
#if defined(_WIN32)
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
#elif !HAS_ADDRESS_SPACE
    (void)bytes;
    return NULL;
#else
    void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
#endif
}

static inline bool space_commit(void *part, size_t bytes)
{
#if defined(_WIN32)
    return VirtualAlloc(part, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
#elif !HAS_ADDRESS_SPACE
    (void)part;
    (void)bytes;
    return false;
#else
    return mprotect(part, bytes, PROT_READ | PROT_WRITE) == 0;
#endif
}

// The part cannot be accessed until it is committed again.
static inline bool space_decommit(void *part, size_t bytes)
{
#if defined(_WIN32)
    return VirtualFree(part, bytes, MEM_DECOMMIT);
#elif !HAS_ADDRESS_SPACE
    (void)part;
    (void)bytes;
    return false;
#else
    return mprotect(part, bytes, PROT_NONE) == 0 && madvise(part, bytes, MADV_DONTNEED) == 0;
#endif
}

static inline void space_release(void *base, size_t bytes)
{
#if defined(_WIN32)
    (void)bytes;
    VirtualFree(base, 0, MEM_RELEASE);
#elif !HAS_ADDRESS_SPACE
    (void)base;
    (void)bytes;
#else
    munmap(base, bytes);
#endif
}

#endif
