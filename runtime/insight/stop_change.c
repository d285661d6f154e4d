// A stop on a change compares a value with its last evaluation. A stop on the changes of any entity
// has no such value for each of them. It reads the writes that the ring has stored for the writer.
#include "stop_change.h"

#include "../record/hook.h"
#include "../select/expression.h"
#include "../value/fields.h"
#include "../value/text.h"
#include "last_writes.h"
#include "stop_words.h"

// ------------------------------------------------------------------------------------------------
// Reading

// Reads the size of a change, after `rises` or `falls`.
static bool read_size(weft_select_reader *r, weft_stop *stop)
{
    char digits[WEFT_NUMBER_LENGTH_MAX + 1];
    weft_number number;
    if (!weft_select_accept_word(r, "by")) return true;
    weft_select_skip_blanks(r);
    const char *place = r->at;
    if (!weft_select_accept_word(r, "more") || !weft_select_accept_word(r, "than")) {
        return WEFT_SELECT_REFUSE(r, place, "'more than' and a number should be here");
    }
    weft_select_skip_blanks(r);
    place = r->at;
    const weft_select_word word = weft_select_next_operand(r);
    const size_t length = weft_number_length(word.text, word.length, true);
    if (length == 0 || length != word.length || length > WEFT_NUMBER_LENGTH_MAX ||
        *word.text == '-') {
        return WEFT_SELECT_REFUSE(r, place, "a number of at least 0 should be here, such as 10");
    }
    memcpy(digits, word.text, length);
    digits[length] = '\0';
    if (!weft_number_from_text(WEFT_FLOAT, (uint32_t)sizeof number.f64, digits, &number)) {
        return WEFT_SELECT_REFUSE(r, place, "the number is too large");
    }
    stop->by = number.f64;
    return true;
}

// Refuses a system that cannot write the value of a stop.
static bool can_write(weft_select_reader *r, const weft_world *world, const weft_stop *stop,
                      weft_select_word name, uint32_t system)
{
    const weft_watching *w = world->observers.watching;
    const weft_system_info *info = &r->plan->schema->systems[system];
    const uint64_t *set = w->written + (size_t)system * w->set_words;
    if (info->commands || stop->owner.relation || weft_stop_is_about(world, stop, set)) return true;
    return WEFT_SELECT_REFUSE(r, name.text, "by the schema '%s' does not write '%s'", info->name,
                              weft_owner_name(r->plan->schema, stop->owner));
}

// Reads the name of a writer, after `written by`.
static bool read_writer(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    const weft_schema *schema = r->plan->schema;
    weft_names systems = WEFT_NAMES("system", NULL, schema->systems, schema->system_count);
    weft_select_skip_blanks(r);
    if (weft_select_accept_word(r, "the")) {
        weft_select_skip_blanks(r);
        const char *place = r->at;
        if (weft_select_accept_word(r, "hooks")) stop->by_writer = WEFT_HOOKS_WRITE;
        if (weft_select_accept_word(r, "game")) stop->by_writer = WEFT_GAME_WRITES;
        return stop->by_writer || WEFT_SELECT_REFUSE(r, place, "'game' or 'hooks' should be here");
    }
    weft_select_word name = weft_select_next_name(r);
    if (name.length == 0) {
        return WEFT_SELECT_REFUSE(r, name.text,
                                  "a system, 'the game', 'the hooks' or 'load' should be here");
    }
    const uint32_t system = weft_names_find(&systems, name.text, name.length);
    if (system != WEFT_NO_NAME) stop->by_writer = schema->systems[system].name;
    if (system != WEFT_NO_NAME) return can_write(r, world, stop, name, system);
    if (weft_select_is_word(name, WEFT_LOAD_WRITES)) stop->by_writer = WEFT_LOAD_WRITES;
    return stop->by_writer || weft_select_refuse_names(r, &systems, 1, name);
}

static bool read_written_by(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    weft_select_skip_blanks(r);
    const char *place = r->at;
    if (!weft_select_accept_word(r, "written")) return true;
    if (stop->change == WEFT_CHANGE_NONE) stop->change = WEFT_CHANGE_ANY;
    weft_select_skip_blanks(r);
    place = r->at;
    if (!weft_select_accept_word(r, "by")) {
        return WEFT_SELECT_REFUSE(r, place, "'by' and a system should be here");
    }
    return read_writer(r, world, stop);
}

bool weft_stop_read_change(weft_select_reader *r, const weft_world *world, weft_stop *stop,
                           const weft_select_value *value)
{
    weft_select_skip_blanks(r);
    const char *place = r->at;
    if (weft_select_accept_word(r, "changes"))
        stop->change = WEFT_CHANGE_ANY;
    else if (weft_select_accept_word(r, "rises"))
        stop->change = WEFT_CHANGE_RISES;
    else if (weft_select_accept_word(r, "falls"))
        stop->change = WEFT_CHANGE_FALLS;
    bool sized = stop->change == WEFT_CHANGE_RISES || stop->change == WEFT_CHANGE_FALLS;
    if (sized && !weft_type_is_number(value->leaf.type)) {
        return WEFT_SELECT_REFUSE(r, place, "only numbers rise and fall: write 'changes'");
    }
    if (sized && !read_size(r, stop)) return false;
    if (!read_written_by(r, world, stop)) return false;
    if (stop->change == WEFT_CHANGE_NONE) return true;
    weft_select_skip_blanks(r);
    return (*r->at == '\0' || WEFT_SELECT_REFUSE(r, r->at, "the text should end here")) &&
           weft_select_add_test(r, place, value->test);
}

// ------------------------------------------------------------------------------------------------
// Evaluating

// Returns whether the current writer is the one that a stop waits for. "The game" is every writer
// outside of systems, hooks and loads, such as a call.
static bool is_by_writer(const weft_world *world, const weft_stop *stop)
{
    const weft_schema *schema = world->plan->schema;
    const char *writer = world->observers.watching->writer;
    if (!stop->by_writer) return true;
    if (writer && strcmp(writer, stop->by_writer) == 0) return true;
    if (strcmp(stop->by_writer, WEFT_GAME_WRITES) != 0) return false;
    return !writer ||
           (strcmp(writer, WEFT_HOOKS_WRITE) != 0 && strcmp(writer, WEFT_LOAD_WRITES) != 0 &&
            weft_word_find(schema->systems, sizeof *schema->systems, schema->system_count, writer,
                           strlen(writer)) == WEFT_NO_NAME);
}

// Returns whether a number has changed far enough, in the right direction.
static bool is_far_enough(const weft_stop *stop, double change)
{
    if (stop->change == WEFT_CHANGE_RISES) return change > stop->by;
    return stop->change != WEFT_CHANGE_FALLS || -change > stop->by;
}

// Copies the value as far as a stop keeps it, and returns a checksum of all its bytes.
static uint64_t keep_value(weft_stop *stop, const unsigned char *value)
{
    const weft_select_test *test = weft_stop_test(stop);
    const bool text = stop->leaf.type == WEFT_TYPE_CHAR;
    const uint32_t bytes = text ? weft_string_bytes(stop->leaf.field, value) : test->bytes;
    uint64_t sum = bytes;
    for (uint32_t i = 0; i < bytes; i++) sum = (sum ^ value[i]) * 0x100000001B3u;
    memset(stop->last, 0, sizeof stop->last);
    memcpy(stop->last, value, bytes < WEFT_KEPT_BYTES ? bytes : WEFT_KEPT_BYTES);
    return sum;
}

bool weft_stop_look_at_change(const weft_world *world, weft_stop *stop, weft_write *write)
{
    const weft_schema *schema = world->plan->schema;
    const weft_select_test *test = weft_stop_test(stop);
    const unsigned char *plain = weft_stop_value(world, stop);
    const weft_field_list of = weft_owner_fields(schema, stop->owner);
    unsigned char before[sizeof stop->last];
    const bool was_there = stop->there;
    const uint64_t sum_before = stop->checksum;
    memcpy(before, stop->last, sizeof before);
    stop->there = plain && weft_leaf_exists(schema, of, plain, test->offset);
    if (!stop->there) return false;
    stop->checksum = keep_value(stop, plain + test->offset);
    const bool same =
        stop->checksum == sum_before && memcmp(before, stop->last, sizeof before) == 0;
    if (!was_there || same || !is_by_writer(world, stop)) return false;
    *write = weft_stop_value_write(world, stop, before);
    return is_far_enough(stop, write->change);
}

bool weft_stop_look_at_changes(const weft_world *world, const weft_stop *stop, weft_write *write)
{
    const weft_select_test *test = weft_stop_test(stop);
    const weft_ring *ring = world->observers.watching->ring;
    const weft_written *w;
    bool found = false;
    if (!ring || !is_by_writer(world, stop)) return false;
    const weft_wanted_writes of = {.owner = stop->owner,
                                   .of_any = true,
                                   .first = test->offset,
                                   .end = test->offset + test->bytes,
                                   .oldest = ring->before};
    weft_ring_walk walk = weft_ring_walk_back(ring);
    while ((w = weft_ring_next(&walk, &of))) {
        const bool value = w->kind == WEFT_WRITE_VALUE && w->before_bytes && w->after_bytes;
        if (!value || !is_far_enough(stop, weft_write_change(world, stop->owner, w))) continue;
        found = true;
        *write = weft_write_of(world, &walk, w);
    }
    return found;
}
