// Compiles a text into a stop, using the words and mistakes of expressions.
#include "stop_read.h"

#include "../select/compare.h"
#include "../select/expression.h"
#include "../world/report.h"
#include "stop_change.h"

// Reads the comparison after a path. A bool can be a comparison by itself.
static bool read_comparison(weft_select_reader *r, weft_select_value *value)
{
    weft_select_comparison comparison = WEFT_SELECT_EQUAL;
    weft_select_skip_blanks(r);
    const char *place = r->at;
    if (value->leaf.type == WEFT_TYPE_BOOL && *place == '\0') {
        weft_select_compare_integer(value, WEFT_SELECT_EQUAL, (weft_number){.u64 = 1});
    } else if (!weft_select_read_comparison(r, &comparison) ||
               !weft_select_read_operand(r, place, value, comparison)) {
        return false;
    }
    weft_select_skip_blanks(r);
    return (*r->at == '\0' || WEFT_SELECT_REFUSE(r, r->at, "the text should end here")) &&
           weft_select_add_test(r, place, value->test);
}

// Reads the handle of a living entity.
static bool read_living(weft_select_reader *r, const weft_world *world, uint64_t *handle,
                        const char *otherwise)
{
    weft_select_skip_blanks(r);
    weft_select_word word = weft_select_next_operand(r);
    if (word.length == 0) {
        return WEFT_SELECT_REFUSE(r, word.text, "a handle should be here: index:generation");
    }
    if (!weft_select_read_handle(r, word, handle)) return false;
    if (weft_alive(&world->entities, world->plan->format, *handle)) return true;
    weft_value_refuse(r->mistake->why, "%.*s %s: write the handle of a living entity%s",
                      weft_word_shown(word.length), word.text,
                      weft_was_alive(world, *handle) ? "is no longer alive" : "was never alive",
                      otherwise);
    return weft_select_refuse_at(r, word.text, WEFT_DEAD);
}

// ------------------------------------------------------------------------------------------------
// The forms of a text

// Reads `event died`, after the first word.
static bool read_event(weft_select_reader *r, weft_stop *stop)
{
    weft_names events = weft_event_names(r->plan->schema);
    stop->kind = WEFT_STOP_EVENT;
    weft_select_skip_blanks(r);
    weft_select_word name = weft_select_next_name(r);
    uint32_t i = weft_names_find(&events, name.text, name.length);
    if (i == WEFT_NO_NAME) return weft_select_refuse_names(r, &events, 1, name);
    stop->event = (uint16_t)i;
    if (r->plan->events[i].stage_count == 0) {
        weft_value_refuse(r->mistake->why,
                          "no system emits '%.*s', or nobody hears it, so it cannot happen",
                          weft_word_shown(name.length), name.text);
        return weft_select_refuse_at(r, name.text, WEFT_REFUSED);
    }
    weft_select_skip_blanks(r);
    return *r->at == '\0' || WEFT_SELECT_REFUSE(r, r->at, "the text should end here");
}

// Reads `despawn of 9:4`, after the first two words.
static bool read_despawn(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    stop->kind = WEFT_STOP_DESPAWN;
    if (!read_living(r, world, &stop->handle, "")) return false;
    weft_select_skip_blanks(r);
    return *r->at == '\0' || WEFT_SELECT_REFUSE(r, r->at, "the text should end here");
}

// Reads the path of a value of a component or singleton, after its name.
static bool read_owned_value(weft_select_reader *r, weft_stop *stop, weft_select_value *value)
{
    value->test.kind = WEFT_SELECT_WHOLE;
    value->test.of = stop->owner.of;
    if (!weft_select_read_place(r, stop->owner, value)) return false;
    stop->leaf = value->leaf;
    return true;
}

// Reads a change or a comparison, after the value that it is about.
static bool read_condition(weft_select_reader *r, const weft_world *world, weft_stop *stop,
                           weft_select_value *value)
{
    if (!weft_stop_read_change(r, world, stop, value)) return false;
    return stop->change != WEFT_CHANGE_NONE || read_comparison(r, value);
}

static bool read_singleton(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    weft_select_value value = {.test = {.kind = WEFT_SELECT_WHOLE}};
    if (!read_owned_value(r, stop, &value)) return false;
    weft_select_reader after = *r;
    weft_select_skip_blanks(&after);
    const char *place = after.at;
    if (weft_select_accept_word(&after, "of")) {
        return WEFT_SELECT_REFUSE(r, place, "a singleton belongs to no entity");
    }
    return read_condition(r, world, stop, &value);
}

// Reads `stock.amount[bread] of 9:4 < 0` up to the `of`, if the text has this form: the word `of`
// must follow a path. Otherwise reads nothing and returns false.
static bool is_of_entity(weft_select_reader *r, weft_stop *stop, weft_select_value *value)
{
    weft_select_mistake none = {WEFT_OK, 0, ""};
    weft_select_reader trial = *r;
    trial.mistake = &none;
    if (*trial.at == '.' && read_owned_value(&trial, stop, value) &&
        weft_select_accept_word(&trial, "of")) {
        trial.mistake = r->mistake;
        *r = trial;
        return true;
    }
    r->program->test_count = 0;
    r->program->op_count = 0;
    return false;
}

// Reads `stock.amount[bread] falls`, after the name, if the text has this form: a change of any
// entity. Otherwise sets no change, and reads nothing. Returns false if the text is refused.
static bool read_changes(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    weft_select_value value = {.test = {.kind = WEFT_SELECT_WHOLE}};
    weft_select_mistake none = {WEFT_OK, 0, ""};
    weft_select_reader trial = *r;
    trial.mistake = &none;
    const bool named = *trial.at == '.' && read_owned_value(&trial, stop, &value);
    trial.mistake = r->mistake;
    if (named && !weft_stop_read_change(&trial, world, stop, &value)) return false;
    if (stop->change == WEFT_CHANGE_NONE) {
        r->program->test_count = 0;
        r->program->op_count = 0;
        return true;
    }
    stop->kind = WEFT_STOP_CHANGE;
    if (world->observers.watching->ring) return true;
    return WEFT_SELECT_REFUSE(r, r->text,
                              "writes are not stored (weft_options.watch), so the "
                              "changes of one entity only can be awaited: write 'of' "
                              "and its handle");
}

static bool read_any(weft_select_reader *r, weft_stop *stop)
{
    stop->kind = WEFT_STOP_ANY;
    return weft_select_read(r->plan, r->text, r->program, r->mistake);
}

// Refuses a path whose owner does not exist.
static bool refuse_owner(weft_select_reader *r, weft_select_word name)
{
    weft_names names[] = {weft_component_names(r->plan->schema),
                          weft_singleton_names(r->plan->schema)};
    return weft_select_refuse_names(r, names, 2, name);
}

static bool read_forms(weft_select_reader *r, const weft_world *world, weft_stop *stop)
{
    weft_select_value value = {.test = {.kind = WEFT_SELECT_WHOLE}};
    weft_select_skip_blanks(r);
    weft_select_word name = weft_select_next_name(r);
    bool blank = *r->at == ' ';
    if (blank && weft_select_is_word(name, "event")) return read_event(r, stop);
    if (blank && weft_select_is_word(name, "despawn") && weft_select_accept_word(r, "of")) {
        return read_despawn(r, world, stop);
    }
    bool found = weft_owner_find(r->plan->schema, name.text, name.length, &stop->owner);
    if (!found && name.length != 0 && *r->at == '.') return refuse_owner(r, name);
    if (!found) return read_any(r, stop);
    if (stop->owner.singleton) return read_singleton(r, world, stop);
    if (!is_of_entity(r, stop, &value)) {
        if (!read_changes(r, world, stop)) return false;
        return stop->kind == WEFT_STOP_CHANGE || read_any(r, stop);
    }
    return read_living(r, world, &stop->handle, ", or leave it out to stop at any entity") &&
           read_condition(r, world, stop, &value);
}

bool weft_stop_read(weft_world *world, const char *text, weft_stop *stop)
{
    weft_select_mistake mistake = {WEFT_OK, 0, ""};
    const size_t length = strlen(text);
    const size_t bytes = sizeof(weft_select_program) + length + 1;
    if (length > WEFT_STOP_TEXT_MAX) {
        weft_report(world, WEFT_BAD_VALUE,
                    "the text of a stop has %zu bytes: at most %u are allowed", length,
                    WEFT_STOP_TEXT_MAX);
        return false;
    }
    memcpy(stop->text, text, length + 1);
    stop->program = (weft_select_program *)weft_allocate_zeroed(&world->heap, bytes);
    if (!stop->program) {
        weft_report(world, WEFT_NO_MEMORY, "no memory for another stop");
        return false;
    }
    stop->program->bytes = bytes;
    stop->program->strings = (char *)(stop->program + 1);
    weft_select_reader r = {.plan = world->plan,
                            .program = stop->program,
                            .mistake = &mistake,
                            .text = text,
                            .at = text,
                            .strings = stop->program->strings};
    if (read_forms(&r, world, stop)) return true;
    weft_stop_forget(world, stop);
    weft_report(world, mistake.status, "column %u: %s", (unsigned)mistake.column, mistake.why);
    return false;
}

void weft_stop_forget(weft_world *world, weft_stop *stop)
{
    if (stop->program) weft_free(&world->heap, stop->program, stop->program->bytes);
    weft_free(&world->heap, stop->passing, stop->passing_capacity * sizeof *stop->passing);
    stop->program = NULL;
    stop->passing = NULL;
}
