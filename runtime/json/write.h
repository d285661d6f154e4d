// Entities with some of their links, and values of components outside of a world, for the inspector.
#ifndef WEFT_JSON_WRITE_H
#define WEFT_JSON_WRITE_H

#include "../weft_json.h"

// Like weft_json_entity_write, but writes at most `links` links of each kind in each direction.
weft_status weft_json_entity_some(weft_world *world, uint64_t handle, uint32_t links,
                                  weft_json_sink sink, void *user);

// Writes the plain struct of a component as the object that an entity in JSON has for it.
weft_status weft_json_component_value(weft_world *world, uint32_t component, const void *value,
                                      weft_json_sink sink, void *user);

#endif
