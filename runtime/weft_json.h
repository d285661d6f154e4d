// JSON: entities and whole worlds as text, out and in. A game that does not call it does not link
// it; codegen's `jsonschema` writes the JSON Schema of what a world looks like.
//
//     { "weft": 1, "world": "colony",
//       "singletons": { "calendar": {"day": 3, "hour": 7.5} },
//       "entities": [
//         {"id": "12:3", "components": {"position": {"x": 1, "y": 2.5}, "selected": true}}
//       ],
//       "relations": { "carried_by": [["12:3", "7:1"]] } }
//
//   - A handle is "index:generation", none is null. Entities come by ascending index.
//   - An enum is the name of its value; a string is a string; arrays and lists are arrays; structs
//     and externs are objects; a tag is true.
//   - Numbers read back as the same bits: integers in all their digits (some readers of JSON keep
//     only 53 bits of them), floats in as few digits as tell them apart. JSON has no others, so
//     these are strings: "nan" (of whatever sign and payload), "inf", "-inf".
//   - Bytes of a string that are no UTF-8 are written as \udc80 to \udcff, and read back as bytes.
//   - Integers are read however they are written, if exact (100, 100.0, 1e2). A name that is there
//     twice is wrong.
//   - A relation is a list of [child, parent]: attached in this order, each as the first child,
//     they give the same lists of children.
//   - All fields are there, those with save = false too. Unread events are not, nor order of rows,
//     marks or clocks: it is for tools, tests and people, a save is for games.
//
// Hooks are called as for any structural change, entity by entity, for a world by ascending place
// in its text: others that it names live by then, and are children and parents, but may have
// nothing yet.
//
// What is wrong with a text is said by colony_error with line, column (in bytes) and path:
//     3:44: entities[0].worker.skill[2]: 101 is not at most 100
// A text that is refused, or that there is no memory for, leaves the world as it was; in detail
// below. Neither direction recurses deeper than the structs of the schema, whatever the text.
#ifndef WEFT_JSON_H
#define WEFT_JSON_H

#include "world/world.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_JSON_FORMAT 1       // the version of the format, "weft" in the text
#define WEFT_JSON_NUMBER_MAX 128 // characters of a number that is read

// Takes the next piece of a text, not NUL-terminated; a status other than WEFT_OK ends the export,
// which returns it.
typedef weft_status (*weft_json_sink)(void *user, const char *text, size_t bytes);

// Writes {"id": …, "components": {…}, "parents": {"carried_by": …}}, in one line without its end;
// "parents" only if it has some. WEFT_DEAD, or what the sink says. Takes no memory; also while a
// phase runs.
weft_status weft_json_entity_write(weft_world *world, uint64_t handle, weft_json_sink sink,
                                   void *user);

// Writes the world, an entity a line. What the sink says. O(world), takes no memory. Not unread
// events: who has heard which of them is between them and the systems of the schedule, which a text
// that people edit could only get wrong (heard twice, or never); colony_hash has them, and saves
// do.
weft_status weft_json_world_write(weft_world *world, weft_json_sink sink, void *user);

// Gives a living entity the components of such a text; its id is not looked at. Components that the
// text does not name stay as they are, and so do fields that are left out; in components that are
// new these have their defaults. Handles are taken as they stand. So are parents: it becomes the
// first child of one that it does not have yet, and with none a root; relations that the text does
// not name stay. A structural change, all of it or nothing. WEFT_BUSY, WEFT_DEAD, WEFT_BAD_VALUE:
// the text is wrong; WEFT_REFUSED: by excludes; WEFT_NO_MEMORY.
weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes);

// Fills a world in which nobody lives. Entities get new handles, ascending as their ids, and all
// handles in the text are changed with them; those of nobody in the text become none. Singletons
// that are not named stay as they are; fields that are left out have their defaults; who is no
// child in the relations has no parent. As above, and WEFT_REFUSED: somebody lives here; WEFT_FULL.
// Where there is no memory nobody lives here afterwards either, but handles have been used.
weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes);

WEFT_EXTERN_C_END

#endif
