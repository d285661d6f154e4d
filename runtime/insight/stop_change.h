// Stops on changes: "falls by more than 10", "written by fetch".
#ifndef WEFT_INSIGHT_STOP_CHANGE_H
#define WEFT_INSIGHT_STOP_CHANGE_H

#include "../select/path.h"
#include "awaited.h"

// Reads the change after a path: `changes`, `rises`, `falls by more than 10`, each perhaps followed
// by `written by fetch`, or only that. Sets `stop->change`, which stays WEFT_CHANGE_NONE if the next
// word begins no change. Returns false if the text is refused.
bool weft_stop_read_change(weft_select_reader *r, const weft_world *world, weft_stop *stop,
                           const weft_select_value *value);

// Return whether a writer has made the change that a stop waits for, and if so, set the write for
// the hook: to the value of one entity or singleton, or to that of any entity.
bool weft_stop_look_at_change(const weft_world *world, weft_stop *stop, weft_write *write);
bool weft_stop_look_at_changes(const weft_world *world, const weft_stop *stop, weft_write *write);

#endif
