// Loans are stored in a growing list of rows and in a few ranges.
#include "loans.h"

#define LENT_LEAST 64u
#define NUMBER_LAST (UINT32_MAX - 2u) // the largest number of a loan
#define STAYS (UINT32_MAX - 1u)       // replaces the number of a loan that has ended but must stay

static bool is_lending(const weft_world *world)
{
    return world->loans.version == weft_version(world);
}

// ------------------------------------------------------------------------------------------------
// Lending

// Clears the owners of ended loans. Loans of singletons outlast structural changes.
static void forget_owners(weft_world *world)
{
    const uint32_t components = world->plan->schema->component_count;
    weft_loans *loans = &world->loans;
    bool ended = loans->version == WEFT_LENT_NOTHING;
    for (uint32_t i = 0; i < loans->words; i++) {
        uint32_t left = components < i * 64 ? 0 : components - i * 64;
        loans->owners[i] &= ended ? 0 : ~weft_bits_low(left < 64 ? left : 64);
    }
}

// Clears loans from before the last structural change or phase.
static void begin_lending(weft_world *world)
{
    weft_loans *loans = &world->loans;
    size_t flags = (size_t)world->plan->change_set_count + world->plan->flag_count;
    if (loans->version == WEFT_LENT_NOTHING && loans->flags) memset(loans->flags, 0, flags);
    if (loans->owners) forget_owners(world);
    loans->version = weft_version(world);
    loans->next = loans->rows;
    loans->limit = loans->capacity != 0 ? loans->rows + loans->capacity : NULL;
    loans->all = false;
    memset(loans->lent, 0, sizeof loans->lent);
}

// Grows the list of rows. Returns false if there is no memory or the list has its maximum size.
static bool grow_rows(weft_world *world)
{
    weft_loans *loans = &world->loans;
    const size_t row_bytes = sizeof(weft_lent_row);
    uint32_t capacity = loans->capacity == 0 ? LENT_LEAST : 2 * loans->capacity;
    if (loans->all || capacity > WEFT_ROWS_LENT_MAX) return false;
    weft_lent_row *rows = (weft_lent_row *)weft_allocate(&world->heap, capacity * row_bytes);
    if (!rows) return false;
    if (loans->capacity != 0) memcpy(rows, loans->rows, loans->capacity * row_bytes);
    weft_free(&world->heap, loans->rows, loans->capacity * row_bytes);
    loans->next = rows + loans->capacity;
    loans->limit = rows + capacity;
    loans->rows = rows;
    loans->capacity = capacity;
    return true;
}

void weft_loans_more(weft_world *world)
{
    weft_loans *loans = &world->loans;
    if (!is_lending(world)) begin_lending(world);
    if (loans->next != loans->limit || grow_rows(world)) return;
    loans->all = true; // this includes the rows of the list
    loans->next = loans->capacity != 0 ? loans->rows : &loans->spare;
    loans->limit = loans->next + (loans->capacity != 0 ? loans->capacity : 1);
}

// Returns whether another range contains each row of a range.
static bool covers(const weft_loans *loans, uint32_t place, uint32_t other)
{
    const weft_lent_rows *range = &loans->ranges[place];
    const weft_lent_rows *by = &loans->ranges[other];
    if (by->table != range->table || (by->sets && by->sets != range->sets)) return false;
    if (by->masked) {
        size_t bytes = weft_bits_words(by->count) * sizeof(uint64_t);
        return range->masked && by->first == range->first && by->count == range->count &&
               memcmp(loans->masks[place].words, loans->masks[other].words, bytes) == 0;
    }
    return by->first <= range->first && range->count <= by->count &&
           range->first - by->first <= by->count - range->count;
}

// Frees a position for another range. If another range covers the old one, that range stays until
// all loans end. Otherwise everything counts as lent.
static void vacate(weft_loans *loans, uint32_t place)
{
    if (loans->lent[place] == 0) return;
    for (uint32_t i = 0; i < WEFT_RANGES_LENT; i++) {
        if (i == place || loans->lent[i] == 0 || !covers(loans, place, i)) continue;
        loans->ranges[i].stays = true;
        return;
    }
    loans->all = true;
}

uint32_t weft_rows_lent(weft_world *world, uint32_t loan, const weft_lent_rows *rows)
{
    weft_loans *loans = &world->loans;
    if (!is_lending(world)) begin_lending(world);
    weft_rows_returned(world, loan);
    if (loan == WEFT_LENDS || loans->lent[loan % WEFT_RANGES_LENT] != 0) {
        loans->numbers = loans->numbers % NUMBER_LAST + 1;
        loan = loans->numbers;
    }
    const uint32_t place = loan % WEFT_RANGES_LENT;
    vacate(loans, place);
    loans->ranges[place] = *rows;
    loans->lent[place] = loan;
    return loan;
}

uint64_t *weft_rows_mask(weft_world *world, uint32_t loan, uint32_t words)
{
    const uint32_t place = loan % WEFT_RANGES_LENT;
    weft_lent_mask *mask = &world->loans.masks[place];
    if (words > mask->capacity) {
        weft_free(&world->heap, mask->words, mask->capacity * sizeof *mask->words);
        mask->words = (uint64_t *)weft_allocate(&world->heap, words * sizeof *mask->words);
        mask->capacity = mask->words ? words : 0;
    }
    world->loans.ranges[place].masked = mask->words != NULL;
    world->loans.all |= !mask->words;
    if (mask->words) memset(mask->words, 0, words * sizeof *mask->words);
    return mask->words;
}

void weft_rows_returned(weft_world *world, uint32_t loan)
{
    if (!weft_rows_are_lent(world, loan)) return;
    const uint32_t place = loan % WEFT_RANGES_LENT;
    world->loans.lent[place] = world->loans.ranges[place].stays ? STAYS : 0;
}

void weft_flag_lent(weft_world *world, uint32_t change_set)
{
    if (world->loans.version == WEFT_LENT_NOTHING) begin_lending(world);
    world->loans.flags[change_set] = true;
    world->changes.flags[change_set] = ~(uint64_t)0;
}

bool weft_owners_open(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    weft_loans *loans = &world->loans;
    loans->words = weft_bits_words(schema->component_count + schema->singleton_count);
    return weft_array_open(&world->heap, &loans->owners, loans->words, sizeof *loans->owners);
}

void weft_owners_close(weft_world *world)
{
    weft_loans *loans = &world->loans;
    weft_free(&world->heap, loans->owners, loans->words * sizeof *loans->owners);
    loans->owners = NULL;
}

uint64_t *weft_owners_lend(weft_world *world)
{
    if (!is_lending(world)) begin_lending(world);
    return world->loans.owners;
}

const uint64_t *weft_owners_lent(weft_world *world)
{
    return world->loans.version == WEFT_LENT_NOTHING ? NULL : weft_owners_lend(world);
}

void weft_loans_free(weft_world *world)
{
    weft_loans *loans = &world->loans;
    weft_free(&world->heap, loans->rows, loans->capacity * sizeof *loans->rows);
    loans->next = loans->limit = loans->rows = NULL;
    loans->capacity = 0;
    for (uint32_t i = 0; i < WEFT_RANGES_LENT; i++) {
        weft_lent_mask *mask = &loans->masks[i];
        weft_free(&world->heap, mask->words, mask->capacity * sizeof *mask->words);
        *mask = (weft_lent_mask){NULL, 0};
    }
}

// ------------------------------------------------------------------------------------------------
// Marks that stay

// Returns whether a range lends values whose changes are collected in a change set.
static bool lends_value(const weft_world *world, const weft_lent_rows *range, uint32_t change_set)
{
    uint32_t component = world->plan->change_set_components[change_set];
    if (!range->sets) {
        return component != WEFT_NONE && world->plan->components[component].changed == change_set;
    }
    for (uint32_t i = 0; i < range->set_count; i++) {
        if (range->sets[i] == change_set) return true;
    }
    return false;
}

// Lists the positions of a table's ranges that lend such values. Returns their number.
static uint32_t list_ranges(const weft_world *world, const weft_table *table, uint32_t change_set,
                            uint32_t *places)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WEFT_RANGES_LENT; i++) {
        const weft_lent_rows *range = &world->loans.ranges[i];
        if (world->loans.lent[i] == 0 || range->table != table) continue;
        if (lends_value(world, range, change_set)) places[count++] = i;
    }
    return count;
}

// Returns which of the 64 rows from `first` a range lends.
static uint64_t rows_in(const weft_loans *loans, uint32_t place, uint32_t first)
{
    const weft_lent_rows *range = &loans->ranges[place];
    uint32_t end = range->first + range->count;
    if (end <= first || range->first >= first + 64) return 0;
    if (range->masked) return loans->masks[place].words[(first - range->first) / 64];
    uint64_t below_end = weft_bits_low(end - first < 64 ? end - first : 64);
    return range->first <= first ? below_end : below_end & ~(uint64_t)0 << (range->first - first);
}

// Clears a change set except for its marks in ranges.
static void clear_outside(const weft_loans *loans, const weft_table *table, uint32_t slot,
                          const uint32_t *places, uint32_t count)
{
    const weft_change_bits *bits = &table->change_bits;
    for (uint64_t row = 0; row < table->count; row += WEFT_CHANGE_ROWS) {
        uint64_t *summary = weft_change_bits_summary(bits, (uint32_t)row) + slot;
        uint64_t *words = weft_change_bits_block(bits, (uint32_t)row) + slot;
        for (uint64_t blocks = *summary; blocks != 0;) {
            uint32_t block = weft_bits_pop(&blocks);
            uint64_t *word = words + (size_t)block * bits->set_count;
            uint64_t kept = 0;
            for (uint32_t i = 0; i < count; i++) {
                kept |= rows_in(loans, places[i], (uint32_t)row + block * 64);
            }
            *word &= kept;
            if (*word == 0) *summary &= ~((uint64_t)1 << block);
        }
    }
}

void weft_loans_clear(const weft_world *world, const weft_table *table, uint32_t change_set)
{
    uint32_t places[WEFT_RANGES_LENT];
    uint32_t slot = table->change_bits.slots[change_set];
    uint32_t count = 0;
    if (is_lending(world)) {
        if (world->loans.all) return;
        count = list_ranges(world, table, change_set, places);
    }
    if (count == 0) {
        weft_change_bits_clear(&table->change_bits, slot, table->count);
    } else {
        clear_outside(&world->loans, table, slot, places, count);
    }
}

bool weft_mark_stays(const weft_world *world, const weft_table *table, uint32_t row,
                     uint32_t change_set)
{
    uint32_t places[WEFT_RANGES_LENT];
    if (!is_lending(world)) return false;
    bool stays = world->loans.all;
    uint32_t count = list_ranges(world, table, change_set, places);
    for (uint32_t i = 0; i < count; i++) {
        stays |= (rows_in(&world->loans, places[i], row & ~63u) >> (row % 64) & 1u) != 0;
    }
    return stays;
}

void weft_loans_mark(const weft_world *world, uint32_t change_set)
{
    const weft_loans *loans = &world->loans;
    if (change_set >= world->plan->change_set_count) {
        bool lent = loans->version != WEFT_LENT_NOTHING && loans->flags[change_set];
        if (lent) world->changes.flags[change_set] = ~(uint64_t)0;
        return;
    }
    if (!is_lending(world) || loans->all) return;
    for (const weft_lent_row *one = loans->rows; one != loans->next; one++) {
        if (one->change_set == change_set) weft_row_mark(one->table, one->row, change_set);
    }
}
