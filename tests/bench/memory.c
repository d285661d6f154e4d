// Allocates arrays for the limits and warm memory for worlds, and measures the memory of the
// process.
#define _GNU_SOURCE // MAP_ANONYMOUS, MAP_NORESERVE

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE_BYTES ((size_t)4096)
#define LINE_BYTES ((size_t)64)

static void *required(void *memory, size_t bytes)
{
    if (memory && memory != MAP_FAILED) return memory;
    fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
    exit(1);
}

static void *map(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    return required(mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), bytes);
}

// -------------------------------------------------------------------------------------------------
// Arrays

static void *touched_array(size_t bytes, bool in_large_pages)
{
    static unsigned arrays;
    size_t stagger = arrays++ * 5 * LINE_BYTES % PAGE_BYTES;
    unsigned char *base = (unsigned char *)map(bytes + PAGE_BYTES);
    if (in_large_pages) madvise(base, bytes + PAGE_BYTES, MADV_HUGEPAGE);
    memset(base + stagger, 0, bytes);
    return base + stagger;
}

void *bench_array(size_t bytes)
{
    return touched_array(bytes, false);
}

void *bench_array_in_large_pages(size_t bytes)
{
    return touched_array(bytes, true);
}

void bench_array_free(void *array, size_t bytes)
{
    size_t stagger = (uintptr_t)array % PAGE_BYTES;
    munmap((unsigned char *)array - stagger, bytes + PAGE_BYTES);
}

void *bench_cold_array(size_t bytes)
{
    return map(bytes);
}

void bench_cold_array_free(void *array, size_t bytes)
{
    munmap(array, bytes);
}

// -------------------------------------------------------------------------------------------------
// Warm memory: mappings are kept when they are released, and found again by their size

#define MAPPINGS_MAX 64
#define COMMITS_MAX 4096
#define LARGE_BYTES ((size_t)1 << 20)

typedef struct mapping {
    unsigned char *base;
    size_t bytes;
    bool block; // of the heap: what was in it is still there
    bool used;
} mapping;

typedef struct commit {
    unsigned char *base;
    size_t bytes;
} commit;

static mapping mappings[MAPPINGS_MAX];
static unsigned mapping_count;
static commit commits[COMMITS_MAX]; // of mappings in use: what a release has to clear
static unsigned commit_count;

static void *keep(size_t bytes, bool block)
{
    for (unsigned i = 0; i < mapping_count; i++) {
        mapping *m = &mappings[i];
        if (m->used || m->bytes != bytes || m->block != block) continue;
        m->used = true;
        return m->base;
    }
    if (mapping_count == MAPPINGS_MAX) return NULL;
    mappings[mapping_count] = (mapping){map(bytes), bytes, block, true};
    return mappings[mapping_count++].base;
}

static void give_back(const void *base)
{
    for (unsigned i = 0; i < mapping_count; i++) {
        if (mappings[i].base == base) mappings[i].used = false;
    }
}

// Large blocks are mappings too: the system would give fresh pages for each.
static void *warm_allocate(void *user, size_t bytes)
{
    (void)user;
    if (bytes >= LARGE_BYTES) return keep(bytes, true);
    return aligned_alloc(LINE_BYTES, (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
}

static void warm_free(void *user, void *memory, size_t bytes)
{
    (void)user;
    if (bytes >= LARGE_BYTES) {
        give_back(memory);
    } else {
        free(memory);
    }
}

static void *warm_reserve(void *user, size_t bytes)
{
    (void)user;
    return keep(bytes, false);
}

static bool warm_commit(void *user, void *memory, size_t bytes)
{
    (void)user;
    if (commit_count == COMMITS_MAX) return false;
    commits[commit_count++] = (commit){memory, bytes};
    return true;
}

static void warm_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    unsigned char *base = (unsigned char *)memory;
    for (unsigned i = 0; i < commit_count;) {
        if (commits[i].base >= base && commits[i].base < base + bytes) {
            memset(commits[i].base, 0, commits[i].bytes);
            commits[i] = commits[--commit_count];
        } else {
            i++;
        }
    }
    give_back(base);
}

weft_options bench_warm(void)
{
    return (weft_options){
        .memory = {warm_allocate, warm_free, warm_reserve, warm_commit, warm_release, NULL},
    };
}

// -------------------------------------------------------------------------------------------------
// The process

// The counters in statm lag behind by what each processor has not added yet; these do not.
size_t bench_resident_bytes(void)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    unsigned long kib = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "Anonymous: %lu kB", &kib) == 1) break;
    }
    if (file) fclose(file);
    return kib * (size_t)1024;
}

static void become_child(int output, const char *measure)
{
    char *const words[] = {(char *)(uintptr_t) "bench", (char *)(uintptr_t) "--measure",
                           (char *)(uintptr_t)measure, NULL};
    dup2(output, STDOUT_FILENO);
    execv("/proc/self/exe", words);
    _exit(1);
}

double bench_in_child(const char *measure)
{
    int ends[2];
    double value = NAN;
    if (pipe(ends) != 0) return NAN;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) become_child(ends[1], measure);
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    if (child < 0 || !said || fscanf(said, "%lf", &value) != 1) value = NAN;
    if (said) fclose(said);
    if (child > 0) waitpid(child, NULL, 0);
    return value;
}
