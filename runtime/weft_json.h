// JSON: reads and writes entities and whole worlds as text. A game that does not call these
// functions does not link them. `codegen jsonschema` writes the JSON Schema of a world.
//
//     { "weft": 1, "world": "burrow",
//       "singletons": { "weather": {"rain": 0.5, "day": 3} },
//       "entities": [
//         {"id": "12:3", "components": {"position": {"x": 1, "y": 2.5}, "asleep": true}}
//       ],
//       "relations": { "family": [["12:3", "7:1"]] },
//       "links": { "owes": [{"from": "12:3", "to": "7:1", "value": {"carrots": 3}}] } }
//
//   - A handle is the string "index:generation". The null handle is null, and so are bits that
//     cannot be a handle. Entities are written by ascending index.
//   - An enum is the name of its value. A string is a string. Arrays and lists are arrays. Structs
//     and externs are objects. An array that an enum numbers is an object too: its members are the
//     names of the enum's values. A tag is true.
//   - Numbers keep all their bits. Integers are written with all digits (some JSON readers keep
//     only 53 bits). Floats are written with the fewest digits that read back as the same float.
//     JSON has no infinity or NaN, so these are strings: "nan" (for every sign and payload), "inf",
//     "-inf".
//   - Bytes of a string that are not UTF-8 are written as \udc80 to \udcff and read back as the
//     same bytes.
//   - An integer can be written in any way that is exact (100, 100.0, 1e2). The members of an
//     object may be in any order, for example sorted by a tool, but a name must not occur twice.
//   - A relation is a list of [child, parent]. A reader attaches the links in this order, each
//     child as the first child of its parent. This restores the order of the children.
//   - An entity without "components" is read as an entity that has no components.
//   - Links are written by the index of `from`, and then of `to`. A bare link has no "value". Links
//     to entities that are away are left out, like these entities.
//   - All fields are written, including those with save = false. Unread events, the order of rows,
//     change bits, clocks, and commands that are not applied yet are not written. Use JSON for
//     tools, tests and inspection, and saves for games.
//
// Reading calls hooks as any structural change does, entity by entity. When a world is read, this
// happens in the order of the entities in the text. At that time all entities of the text are alive
// and attached, but those that follow in the text have no components yet. Links are added after all
// entities have their components.
//
// If a text is refused, burrow_error gives its line, column (in bytes) and path, for example:
//     3:44: entities[0].hunger.level: is 2, and must be at most 1
// If a call fails, even for lack of memory, the world is as it was before; weft_json_world_read
// lists the exceptions. A sink or text that is NULL, or the number of a singleton or event that the
// schema lacks, is refused with WEFT_BAD_VALUE and asserts in debug builds. Reading and writing
// recurse only as deep as the structs of the schema, whatever the text contains.
#ifndef WEFT_JSON_H
#define WEFT_JSON_H

#include "world/world.h"

WEFT_EXTERN_C_BEGIN

#define WEFT_JSON_FORMAT 1       // the version of the format, written as "weft"
#define WEFT_JSON_NUMBER_MAX 128 // the longest number that can be read, in characters

// Receives the next piece of a text. The piece is not NUL-terminated. If the sink returns a status
// other than WEFT_OK, writing stops and returns that status.
typedef weft_status (*weft_json_sink)(void *user, const char *text, size_t bytes);

// Writes {"id": …, "components": {…}, "parents": {"family": …}, "links": {"owes": […]}} as one line
// without a newline. "parents" is left out if the entity has no parent, and "links" if it has no
// links. Each link names only its other end: {"to": "7:1", "value": {…}} for a link from the entity
// or a symmetric one, {"from": "7:1", "value": {…}} for a link to it. Returns WEFT_DEAD if the
// entity is not alive, else the status of the sink. Allocates no memory, and can be called while a
// phase runs.
weft_status weft_json_entity_write(weft_world *world, uint64_t handle, weft_json_sink sink,
                                   void *user);

// Writes a singleton, given by its index in the schema, as an object in one line without a newline.
// Returns the status of the sink. Allocates no memory, and can be called while a phase runs.
weft_status weft_json_singleton_write(weft_world *world, uint32_t singleton, weft_json_sink sink,
                                      void *user);

// Like weft_json_singleton_write, but writes the value of an event, which is a plain struct.
weft_status weft_json_event_write(weft_world *world, uint32_t event, const void *value,
                                  weft_json_sink sink, void *user);

// Writes the world, one entity a line. Returns the status of the sink. O(world); allocates no
// memory.
//
// Unread events are left out because the schedule decides which system has heard which of them. A
// text edited by hand could not keep this right: a system would hear an event twice or never. Saves
// and burrow_hash include unread events.
//
// An invalid value, which a save refuses, is written so that it can be repaired by hand. A bool is
// true unless it is 0. Lists and strings end at their capacity. A number that is not a value of its
// enum is written as it is; reading it is refused with its line and column.
weft_status weft_json_world_write(weft_world *world, weft_json_sink sink, void *user);

// Sets components, parents and links of a living entity from a text as weft_json_entity_write makes
// it. The id in the text is ignored. Names are those of the current schema; old names (`was`) are for
// saves and are refused here.
//
// Components that the text does not name stay as they are, and so do fields that it leaves out. In
// a component that the entity does not have yet, missing fields take their defaults, and an rng is
// seeded. Handles in values are stored as they are written. For each relation that the text names,
// the entity is attached to the parent if it is not already its child, or detached if the text says
// null. Links that the text names are added, or their values are set. If the link exists, fields
// that the text leaves out stay. Links that it does not name stay too.
//
// This is one structural change: all of it happens, or nothing. Errors: WEFT_BUSY; WEFT_DEAD;
// WEFT_BAD_VALUE if the text is wrong; WEFT_REFUSED if a component excludes another;
// WEFT_NO_MEMORY.
weft_status weft_json_entity_read(weft_world *world, uint64_t handle, const char *text,
                                  size_t bytes);

// Checks a text as if it were read into an entity without components, and changes nothing. Fails
// like weft_json_entity_read, except that it does not check whether parents and other ends of links
// exist.
weft_status weft_json_entity_judge(weft_world *world, const char *text, size_t bytes);

// Fills a world that must have no entities. The entities of the text get new handles, in the order
// of their ids, and every handle in the text is translated to its new one. Handles of entities that
// the text does not contain become the null handle.
//
// Singletons that the text does not name stay as they are. Fields that it leaves out take their
// defaults. If the text sets `now` of a state to a value other than the first one, no other value
// is requested and no turn is due, unless the text sets them too. Entities that are no child in
// "relations" have no parent.
//
// Fails like weft_json_entity_read; also with WEFT_REFUSED if the world has entities, and with
// WEFT_FULL. If memory runs out, all new entities are despawned again, so the only difference is
// that handles have been used up.
weft_status weft_json_world_read(weft_world *world, const char *text, size_t bytes);

WEFT_EXTERN_C_END

#endif
