// Saves and loads a million entities: 56 bytes of components each, in two tables with seven
// columns. The limit copies the components between seven arrays and one block. For files, the limit
// writes the bytes of a save that was made before.
//
//   save_memory, load_memory   over an earlier save, and into a world in warm memory
//   …_cold                     to and into memory fresh from the system
//   load_memory_again          into a world with default options that has been loaded before
//   save_file                  wall time; both flush a new file, rename it and flush the folder
//   save_file_processor        the same work, without the time that is spent waiting
//   load_changed               a save of the schema attic.toml, whose layout differs everywhere
#define _POSIX_C_SOURCE 200809L // fileno, fsync, open

#include "setup.h"

#include "attic_large.h"
#include "attic_small.h"
#include "save/bytes.h"
#include "vault_everybody.h"
#include "vault_large.h"
#include "vault_small.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH_BYTES 512

// The columns of both tables, in the order of the save.
typedef struct hoard {
    uint32_t n; // half of them with data
    vault_position *position[2];
    vault_velocity *velocity[2];
    vault_health *health[2];
    vault_data *data;
    unsigned char *block; // for all of it
    size_t bytes;
    void *save;
    size_t save_bytes;
    unsigned char *image; // as large as the save: what is written to files, and read from them
    void *attic;
    size_t attic_bytes;
    weft_options warm;
    const char *folder;
    char path[PATH_BYTES];
    char new_path[PATH_BYTES];
} hoard;

// -------------------------------------------------------------------------------------------------
// The data

static void open_hoard(hoard *h, uint32_t n)
{
    uint64_t seed = 3;
    uint32_t half = n / 2;
    *h = (hoard){.n = n, .data = bench_array(half * sizeof *h->data), .warm = bench_warm()};
    bench_values(h->data->v, (size_t)half * 12, 4);
    for (uint32_t k = 0; k < 2; k++) {
        h->position[k] = bench_array(half * sizeof *h->position[k]);
        h->velocity[k] = bench_array(half * sizeof *h->velocity[k]);
        h->health[k] = bench_array(half * sizeof *h->health[k]);
        bench_values(&h->position[k]->x, (size_t)half * 3, 5 + k);
        bench_values(&h->velocity[k]->x, (size_t)half * 3, 7 + k);
        for (uint32_t i = 0; i < half; i++) {
            h->health[k][i] = (vault_health){(int32_t)bench_value(&seed), 100};
        }
    }
    h->bytes = (size_t)half * (2 * 32 + sizeof *h->data);
    h->block = bench_array(h->bytes);
    h->folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    snprintf(h->path, sizeof h->path, "%s/weft-bench-%ld.save", h->folder, (long)getpid());
    snprintf(h->new_path, sizeof h->new_path, "%s/weft-bench-%ld.new", h->folder, (long)getpid());
}

static void close_hoard(hoard *h)
{
    uint32_t half = h->n / 2;
    bench_array_free(h->image, h->save_bytes);
    free(h->save);
    free(h->attic);
    bench_array_free(h->block, h->bytes);
    bench_array_free(h->data, half * sizeof *h->data);
    for (uint32_t k = 0; k < 2; k++) {
        bench_array_free(h->position[k], half * sizeof *h->position[k]);
        bench_array_free(h->velocity[k], half * sizeof *h->velocity[k]);
        bench_array_free(h->health[k], half * sizeof *h->health[k]);
    }
}

static uint64_t sum_rows(const vault_position *position, const vault_velocity *velocity,
                         const vault_health *health, const vault_data *data, uint32_t n)
{
    uint64_t sum = bench_sum(&position->x, n, 3) + 3 * bench_sum(&velocity->x, n, 3);
    for (uint32_t i = 0; i < n; i++) {
        sum += bench_part(i, (uint32_t)health[i].now) + 5 * bench_part(i, (uint32_t)health[i].max);
    }
    return data ? sum + 7 * bench_sum(data->v, n, 12) : sum;
}

static uint64_t sum_hoard(const hoard *h)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 2; k++) {
        sum += sum_rows(h->position[k], h->velocity[k], h->health[k], k ? h->data : NULL, h->n / 2);
    }
    return sum;
}

static uint64_t sum_vault(vault_world *w)
{
    uint64_t sum = 0;
    vault_everybody_iter it = vault_everybody_begin(w);
    while (vault_everybody_next(&it)) {
        sum += sum_rows(it.position, it.velocity, it.health, it.data, it.count);
    }
    return sum;
}

static vault_world *fill_vault(const hoard *h)
{
    uint32_t half = h->n / 2;
    vault_world *w = vault_open(&h->warm);
    setup_require(w, "a vault");
    vault_small_rows small = vault_small_spawn_rows(w, half);
    vault_large_rows large = vault_large_spawn_rows(w, half);
    setup_require(small.count == half && large.count == half, "a full vault");
    memcpy(small.position, h->position[0], half * sizeof *small.position);
    memcpy(small.velocity, h->velocity[0], half * sizeof *small.velocity);
    memcpy(small.health, h->health[0], half * sizeof *small.health);
    memcpy(large.position, h->position[1], half * sizeof *large.position);
    memcpy(large.velocity, h->velocity[1], half * sizeof *large.velocity);
    memcpy(large.health, h->health[1], half * sizeof *large.health);
    memcpy(large.data, h->data, half * sizeof *large.data);
    return w;
}

// Sums up what is in a save, by loading it.
static uint64_t sum_save(const hoard *h, const void *bytes, size_t count)
{
    vault_world *w = vault_open(&h->warm);
    setup_require(w && vault_load_memory(w, bytes, count) == WEFT_OK, "a save");
    uint64_t sum = sum_vault(w);
    vault_close(w);
    return sum;
}

// Sums up the file, which is the save to the byte whichever side wrote it, and removes it.
static uint64_t sum_file(const hoard *h)
{
    FILE *file = fopen(h->path, "rb");
    setup_require(file && fread(h->image, 1, h->save_bytes, file) == h->save_bytes, "a file");
    setup_require(fgetc(file) == EOF && fclose(file) == 0, "the end of a file");
    setup_require(memcmp(h->image, h->save, h->save_bytes) == 0, "a file of the same bytes");
    remove(h->path);
    return sum_save(h, h->image, h->save_bytes);
}

// -------------------------------------------------------------------------------------------------
// The limits

static __attribute__((noinline)) void copy_out(const hoard *h, unsigned char *to)
{
    size_t half = h->n / 2;
    for (uint32_t k = 0; k < 2; k++) {
        memcpy(to, h->position[k], half * sizeof *h->position[k]);
        to += half * sizeof *h->position[k];
        memcpy(to, h->velocity[k], half * sizeof *h->velocity[k]);
        to += half * sizeof *h->velocity[k];
        memcpy(to, h->health[k], half * sizeof *h->health[k]);
        to += half * sizeof *h->health[k];
    }
    memcpy(to, h->data, half * sizeof *h->data);
}

static __attribute__((noinline)) void copy_in(const hoard *h, const unsigned char *from)
{
    size_t half = h->n / 2;
    for (uint32_t k = 0; k < 2; k++) {
        memcpy(h->position[k], from, half * sizeof *h->position[k]);
        from += half * sizeof *h->position[k];
        memcpy(h->velocity[k], from, half * sizeof *h->velocity[k]);
        from += half * sizeof *h->velocity[k];
        memcpy(h->health[k], from, half * sizeof *h->health[k]);
        from += half * sizeof *h->health[k];
    }
    memcpy(h->data, from, half * sizeof *h->data);
}

static double limit_save(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    double begun = bench_seconds();
    copy_out(h, h->block);
    double seconds = bench_seconds() - begun;
    copy_in(h, h->block);
    *checksum = sum_hoard(h);
    return seconds;
}

static double limit_save_cold(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    double begun = bench_seconds();
    unsigned char *block = (unsigned char *)malloc(h->bytes);
    setup_require(block, "a block");
    copy_out(h, block);
    double seconds = bench_seconds() - begun;
    copy_in(h, block);
    free(block);
    *checksum = sum_hoard(h);
    return seconds;
}

static double limit_load(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    double begun = bench_seconds();
    copy_in(h, h->block);
    double seconds = bench_seconds() - begun;
    *checksum = sum_hoard(h);
    return seconds;
}

static double limit_load_cold(void *state, uint64_t *checksum)
{
    hoard cold = *(const hoard *)state;
    size_t half = cold.n / 2;
    for (uint32_t k = 0; k < 2; k++) {
        cold.position[k] = bench_cold_array(half * sizeof *cold.position[k]);
        cold.velocity[k] = bench_cold_array(half * sizeof *cold.velocity[k]);
        cold.health[k] = bench_cold_array(half * sizeof *cold.health[k]);
    }
    cold.data = bench_cold_array(half * sizeof *cold.data);
    double seconds = limit_load(&cold, checksum);
    for (uint32_t k = 0; k < 2; k++) {
        bench_cold_array_free(cold.position[k], half * sizeof *cold.position[k]);
        bench_cold_array_free(cold.velocity[k], half * sizeof *cold.velocity[k]);
        bench_cold_array_free(cold.health[k], half * sizeof *cold.health[k]);
    }
    bench_cold_array_free(cold.data, half * sizeof *cold.data);
    return seconds;
}

static void flush_folder(const char *path)
{
    int folder = open(path, O_RDONLY);
    setup_require(folder >= 0 && fsync(folder) == 0 && close(folder) == 0, "a folder");
}

static double limit_file_by(const hoard *h, double (*seconds)(void), uint64_t *checksum)
{
    memcpy(h->image, h->save, h->save_bytes); // as near to the processor as a world just filled
    double begun = seconds();
    FILE *file = fopen(h->new_path, "wb");
    setup_require(file && fwrite(h->image, 1, h->save_bytes, file) == h->save_bytes, "a file");
    setup_require(fflush(file) == 0 && fsync(fileno(file)) == 0 && fclose(file) == 0, "a file");
    setup_require(rename(h->new_path, h->path) == 0, "a name");
    flush_folder(h->folder);
    double taken = seconds() - begun;
    *checksum = sum_file(h);
    return taken;
}

static double limit_file(void *state, uint64_t *checksum)
{
    return limit_file_by((const hoard *)state, bench_wall_seconds, checksum);
}

static double limit_file_processor(void *state, uint64_t *checksum)
{
    return limit_file_by((const hoard *)state, bench_seconds, checksum);
}

// -------------------------------------------------------------------------------------------------
// Weft

static double save_memory(const hoard *h, const weft_memory *memory, uint64_t *checksum)
{
    void *bytes;
    size_t count;
    vault_world *w = vault_open(&(weft_options){.memory = *memory});
    setup_require(w && vault_load_memory(w, h->save, h->save_bytes) == WEFT_OK, "a vault");
    double begun = bench_seconds();
    setup_require(vault_save_memory(w, &bytes, &count) == WEFT_OK, "saving");
    double seconds = bench_seconds() - begun;
    *checksum = sum_save(h, bytes, count);
    if (memory->free_) {
        memory->free_(memory->user, bytes, count);
    } else {
        free(bytes);
    }
    vault_close(w);
    return seconds;
}

static double weft_save(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    return save_memory(h, &h->warm.memory, checksum);
}

static double weft_save_cold(void *state, uint64_t *checksum)
{
    return save_memory((const hoard *)state, &(weft_memory){0}, checksum);
}

static double load_memory(const void *bytes, size_t count, const weft_options *options,
                          uint64_t *checksum)
{
    vault_world *w = vault_open(options);
    setup_require(w, "a world");
    double begun = bench_seconds();
    setup_require(vault_load_memory(w, bytes, count) == WEFT_OK, "loading");
    double seconds = bench_seconds() - begun;
    *checksum = sum_vault(w);
    vault_close(w);
    return seconds;
}

static double weft_load(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    return load_memory(h->save, h->save_bytes, &h->warm, checksum);
}

static double weft_load_cold(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    return load_memory(h->save, h->save_bytes, NULL, checksum);
}

// The world has been loaded before, as that of a game that goes back and forth in time.
static double weft_load_again(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    vault_world *w = vault_open(NULL);
    for (int i = 0; i < 2; i++) {
        setup_require(w && vault_load_memory(w, h->save, h->save_bytes) == WEFT_OK, "a vault");
    }
    double begun = bench_seconds();
    setup_require(vault_load_memory(w, h->save, h->save_bytes) == WEFT_OK, "loading");
    double seconds = bench_seconds() - begun;
    *checksum = sum_vault(w);
    vault_close(w);
    return seconds;
}

static double weft_load_changed(void *state, uint64_t *checksum)
{
    const hoard *h = (const hoard *)state;
    return load_memory(h->attic, h->attic_bytes, &h->warm, checksum);
}

static double weft_file_by(const hoard *h, double (*seconds)(void), uint64_t *checksum)
{
    vault_world *w = fill_vault(h);
    double begun = seconds();
    setup_require(vault_save(w, h->path) == WEFT_OK, "saving");
    double taken = seconds() - begun;
    vault_close(w);
    *checksum = sum_file(h);
    return taken;
}

static double weft_file(void *state, uint64_t *checksum)
{
    return weft_file_by((const hoard *)state, bench_wall_seconds, checksum);
}

static double weft_file_processor(void *state, uint64_t *checksum)
{
    return weft_file_by((const hoard *)state, bench_seconds, checksum);
}

// -------------------------------------------------------------------------------------------------
// The save from before

static void fill_attic(const hoard *h, attic_world *w)
{
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t k = i >= h->n / 2;
        uint32_t at = i - k * (h->n / 2);
        const vault_position *p = &h->position[k][at];
        const vault_velocity *v = &h->velocity[k][at];
        const vault_health *a = &h->health[k][at];
        attic_large value = {
            .position = {.x = (double)p->x, .y = (double)p->y, .z = (double)p->z},
            .velocity = {v->x, v->y, v->z},
            .health = {.now = (int16_t)a->now, .max = (int16_t)a->max},
        };
        if (k) memcpy(value.data.v, h->data[at].v, sizeof h->data[at].v);
        attic_small small = {value.position, value.velocity, value.health};
        attic_entity e = k ? attic_large_spawn(w, &value) : attic_small_spawn(w, &small);
        setup_require(!attic_is_none(e), "an entity");
    }
}

// A program can have one world of a name: the save gets the name of the other, and the checksum
// that goes with it. Its first section is the schema, whose first text is the name.
static void rename_world(unsigned char *save)
{
    weft_checksum sum;
    unsigned char *section = save + WEFT_SAVE_HEAD_BYTES;
    uint64_t bytes = weft_little_read(section + WEFT_WORD_BYTES, WEFT_WORD_BYTES);
    size_t end = WEFT_SECTION_HEAD_BYTES + (size_t)bytes;
    unsigned char *name = section + WEFT_SECTION_HEAD_BYTES + WEFT_WORD_BYTES;
    setup_require(memcmp(name, "attic", sizeof "attic") == 0, "the name of a world");
    memcpy(name, "vault", sizeof "vault");
    weft_checksum_begin(&sum);
    weft_checksum_add(&sum, section, end);
    weft_little_write(section + end, WEFT_WORD_BYTES, weft_checksum_end(&sum));
}

static void make_saves(hoard *h)
{
    void *bytes;
    vault_world *vault = fill_vault(h);
    attic_world *attic = attic_open(NULL);
    setup_require(attic, "a world");
    setup_require(vault_save_memory(vault, &bytes, &h->save_bytes) == WEFT_OK, "saving");
    h->save = malloc(h->save_bytes);
    setup_require(h->save, "a save");
    memcpy(h->save, bytes, h->save_bytes);
    h->warm.memory.free_(h->warm.memory.user, bytes, h->save_bytes);
    vault_close(vault);
    fill_attic(h, attic);
    setup_require(attic_save_memory(attic, &h->attic, &h->attic_bytes) == WEFT_OK, "saving");
    attic_close(attic);
    rename_world((unsigned char *)h->attic);
}

static void compare(hoard *h, const char *workload, bench_side weft, bench_side limit,
                    double ratio_max, double ns_max)
{
    bench_compare((bench_comparison){
        .workload = workload,
        .n = h->n,
        .items = h->n,
        .weft = weft,
        .limit = limit,
        .state = h,
        .ratio_max = ratio_max,
        .ns_max = ns_max,
    });
}

void bench_saves(void)
{
    const double changed_bytes_per_second = 300e6; // of components, as they are after it
    hoard h;
    if (!bench_wanted("save_memory save_memory_cold save_file save_file_processor load_memory "
                      "load_memory_cold load_memory_again "
                      "load_changed"))
        return;
    open_hoard(&h, 1000000);
    make_saves(&h);
    h.image = bench_array(h.save_bytes);
    copy_out(&h, h.block);
    compare(&h, "save_memory", weft_save, limit_save, 2, 0);
    compare(&h, "save_memory_cold", weft_save_cold, limit_save_cold, 2, 0);
    compare(&h, "save_file", weft_file, limit_file, 1.25, 0);
    compare(&h, "save_file_processor", weft_file_processor, limit_file_processor, 1.25, 0);
    compare(&h, "load_memory", weft_load, limit_load, 2.5, 0);
    compare(&h, "load_memory_cold", weft_load_cold, limit_load_cold, 2.5, 0);
    compare(&h, "load_memory_again", weft_load_again, limit_load, 2.5, 0);
    compare(&h, "load_changed", weft_load_changed, limit_load, 0,
            1e9 * (double)h.bytes / h.n / changed_bytes_per_second);
    close_hoard(&h);
}
