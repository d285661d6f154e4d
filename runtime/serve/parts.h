// The parts of prefabs, as the inspector names them.
#ifndef WEFT_SERVE_PARTS_H
#define WEFT_SERVE_PARTS_H

#include "text.h"

#include "../world/world.h"

// Returns the part that an entity of a tree is, and its number among the entities of this part. The
// entity must not be the root.
const weft_part_info *serve_part_of(const weft_plan *plan, const weft_tree *tree, uint32_t node,
                                    uint32_t *item);

// Adds the parts of a prefab as a member of an object, if it has some. Adds the paths of parts of
// parts that it leaves out, as in "turret.flag".
void serve_add_parts(serve_text *out, const weft_plan *plan, uint32_t prefab);

#endif
