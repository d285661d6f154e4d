#include "parts.h"

const weft_part_info *serve_part_of(const weft_plan *plan, const weft_tree *tree, uint32_t node,
                                    uint32_t *item)
{
    const weft_tree_part *above = &tree->parts[tree->parts[node].above];
    const weft_prefab_info *prefab = &plan->schema->prefabs[above->prefab];
    const uint32_t at = tree->parts[node].value - above->value;
    for (uint32_t i = 0; i < prefab->part_count; i++) {
        const weft_part_info *part = &prefab->parts[i];
        const uint32_t size = plan->prefabs[part->prefab].size;
        if (at < part->offset || at >= part->offset + part->count * size) continue;
        *item = (at - part->offset) / size;
        return part;
    }
    return NULL;
}

static void add_part(serve_text *out, const weft_schema *schema, const weft_part_info *part)
{
    serve_add_comma(out);
    serve_add(out, "{\"name\":");
    serve_add_string(out, part->name);
    if (part->doc[0] != '\0') {
        serve_add_name(out, "doc");
        serve_add_string(out, part->doc);
    }
    serve_add_name(out, "prefab");
    serve_add_string(out, schema->prefabs[part->prefab].name);
    serve_add_name(out, "by");
    serve_add_string(out, schema->relations[part->relation].name);
    serve_print(out, ",\"count\":%u}", (unsigned)part->count);
}

// Returns whether an entity of a tree has a part.
static bool has_part(const weft_plan *plan, const weft_tree *tree, uint32_t above,
                     const weft_part_info *part)
{
    uint32_t item;
    for (uint32_t i = above + 1; i < tree->part_count; i++) {
        if (tree->parts[i].above != above) continue;
        if (serve_part_of(plan, tree, i, &item) == part) return true;
    }
    return false;
}

// Returns whether an entity of a tree is the first of each part that it belongs to. Entities of one
// part leave out the same parts.
static bool is_first(const weft_plan *plan, const weft_tree *tree, uint32_t node)
{
    uint32_t item = 0;
    for (; node != 0 && item == 0; node = tree->parts[node].above) {
        serve_part_of(plan, tree, node, &item);
    }
    return item == 0;
}

// Adds the path of an entity of a tree with a dot after it; nothing for the root. Recurses as deep
// as parts are in parts.
static void add_path(serve_text *out, const weft_plan *plan, const weft_tree *tree, uint32_t node)
{
    uint32_t item;
    if (node == 0) return;
    add_path(out, plan, tree, tree->parts[node].above);
    serve_add(out, serve_part_of(plan, tree, node, &item)->name);
    serve_add(out, ".");
}

static void add_left_out(serve_text *out, const weft_plan *plan, const weft_tree *tree)
{
    for (uint32_t i = 1; i < tree->part_count; i++) {
        const weft_prefab_info *prefab = &plan->schema->prefabs[tree->parts[i].prefab];
        if (prefab->part_count == 0 || !is_first(plan, tree, i)) continue;
        for (uint32_t k = 0; k < prefab->part_count; k++) {
            if (has_part(plan, tree, i, &prefab->parts[k])) continue;
            serve_add_comma(out);
            serve_add(out, "\"");
            add_path(out, plan, tree, i);
            serve_add(out, prefab->parts[k].name);
            serve_add(out, "\"");
        }
    }
}

void serve_add_parts(serve_text *out, const weft_plan *plan, uint32_t prefab)
{
    const weft_prefab_info *info = &plan->schema->prefabs[prefab];
    if (info->part_count == 0) return;
    serve_add_name(out, "parts");
    serve_add(out, "[");
    for (uint32_t i = 0; i < info->part_count; i++) add_part(out, plan->schema, &info->parts[i]);
    serve_add(out, "]");
    serve_add_name(out, "left_out");
    serve_add(out, "[");
    add_left_out(out, plan, plan->prefabs[prefab].tree);
    serve_add(out, "]");
}
