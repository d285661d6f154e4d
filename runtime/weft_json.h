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
//   - A handle is "index:generation"; none is null, and so is one that no entity can have. Entities
//     come by ascending index.
//   - An enum is the name of its value; a string is a string; arrays and lists are arrays; structs
//     and externs are objects, and so is an array by an enum, by its values; a tag is true.
//   - Numbers come back with all their bits: integers are written in all digits (some readers of
//     JSON keep only 53 bits of them), floats in the fewest digits that read back. JSON has no
//     others, so these are strings: "nan" (of whatever sign and payload), "inf", "-inf".
//   - Bytes of a string that are no UTF-8 are written as \udc80 to \udcff, and read back as bytes.
//   - Integers are read however they are written, if exact (100, 100.0, 1e2). The members of an
//     object may come in any order, for example sorted by a tool, but each name only once.
//   - A relation is a list of [child, parent]. The links are attached in this order, each child as
//     the first one, which gives the lists of children that there were.
//   - An entity whose components are left out is read as one without any.
//   - All fields are written, those with save = false too. Unread events, the order of rows, change
//     bits, clocks and commands that are not applied yet are not: JSON is for tools, tests and
//     eyes, a save is for games.
//
// Hooks are called as for any structural change, entity by entity, for a world by ascending place
// in its text. Other entities that the text names live by then, and are children and parents, but
// may have nothing yet.
//
// A text that is refused is reported by colony_error with line, column (in bytes) and path:
//     3:44: entities[0].worker.skill[2]: is 101, and must be at most 100
// The world is then as it was, and so it is where memory ends; the calls below give the details.
// A sink or text that is NULL, and a number of a singleton or event that the schema does not have,
// are refused with WEFT_BAD_VALUE, and assert in debug builds. Neither direction recurses deeper
// than the structs of the schema, whatever the text.
#ifndef WEFT_JSON_H
#define WEFT_JSON_H

#include "world/world.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_JSON_FORMAT 1       // the version of the format, "weft" in the text
#define WEFT_JSON_NUMBER_MAX 128 // characters of a number that is read

// Receives the next piece of a text, which is not NUL-terminated. A status other than WEFT_OK ends
// the export, which returns it.
typedef weft_status (*weft_json_sink)(void *user, const char *text, size_t bytes);

// Writes {"id": …, "components": {…}, "parents": {"carried_by": …}} in one line without its end;
// "parents" is left out if there are none. Returns WEFT_DEAD, or the status of the sink. It takes
// no memory, and may be called while a phase runs.
weft_status weft_json_entity_write(weft_world *world, uint64_t handle, weft_json_sink sink,
                                   void *user);

// Writes a singleton, by its index in the schema, as an object in one line without its end. Returns
// the status of the sink. It takes no memory, and may be called while a phase runs.
weft_status weft_json_singleton_write(weft_world *world, uint32_t singleton, weft_json_sink sink,
                                      void *user);

// Writes the value of an event, a plain struct, likewise.
weft_status weft_json_event_write(weft_world *world, uint32_t event, const void *value,
                                  weft_json_sink sink, void *user);

// Writes the world, an entity a line. Returns the status of the sink. O(world), without memory.
// Unread events are left out: which systems have heard which of them is known to the schedule, and
// a text that is edited by hand could only get it wrong (heard twice, or never). Saves have them,
// and so has colony_hash. A value that is none, which a save refuses, is no reason not to write a
// text, which can be mended by hand: a bool is true unless it is 0, lists and strings end where
// their space does, and a number that the enum does not have is written as it is, which a read
// refuses with its place.
weft_status weft_json_world_write(weft_world *world, weft_json_sink sink, void *user);

// Gives a living entity the components of such a text; the id in it is not looked at. Names are
// those of the schema now: old names (`was`) are for saves, and refused here. Components
// that the text does not name stay as they are, and so do fields that are left out; in components
// that are new these have their defaults, and an rng is seeded. Handles are taken as they stand.
// Parents are read too: the entity becomes a child of one that it does not have yet, as attaching
// makes it, and a root where there is none; relations that the text does not name stay. It is a
// structural change, all of it or nothing. WEFT_BUSY, WEFT_DEAD; WEFT_BAD_VALUE: the text is wrong;
// WEFT_REFUSED: by excludes; WEFT_NO_MEMORY.
weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes);

// Judges such a text as that of an entity which has nothing yet, and changes nothing. It fails as
// weft_json_entity_read does, except for parents, which are not looked for.
weft_status weft_json_entity_judge(weft_world *world, const char *text, size_t bytes);

// Fills a world that has no entities. Those of the text get new handles, ascending as their ids,
// and all handles in the text are changed with them; handles of entities that are not in the text
// become none. Singletons that are not named stay as they are, fields that are left out have their
// defaults (a state whose text has another `now` than its first value asks for no other one, and no
// turn is due, unless the text says so), and entities that are no child in the relations have no
// parent. It fails as above, and with WEFT_REFUSED where there are entities, and WEFT_FULL. Where
// memory ends all entities are despawned again, and only handles have been used.
weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes);

WEFT_EXTERN_C_END

#endif
