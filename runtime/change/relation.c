// Relations: linking and unlinking, walks, and despawning an entity with those below it.
#include "relation.h"

#include "../record/hook.h"
#include "../record/removals.h"
#include "../world/report.h"
#include "../world/rows.h"

// ------------------------------------------------------------------------------------------------
// Opening

// Says whether hooks hear of entities that end.
static bool tells_of_ends(const weft_plan *plan)
{
    bool tells = plan->on_despawn != NULL;
    for (uint32_t i = 0; i < plan->component_count; i++)
        tells |= plan->components[i].on_remove != NULL;
    return tells;
}

bool weft_relations_open(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    uint32_t count = schema->relation_count;
    uint32_t ending = 0;
    if (!weft_array_open(&world->heap, &world->relations, count, sizeof *world->relations)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        world->relations[i].ends = schema->relations[i].on_parent_despawn == WEFT_DESPAWN;
        ending += world->relations[i].ends;
    }
    bool meets = ending > 1 && tells_of_ends(world->plan);
    for (uint32_t i = 0; i < count; i++) {
        world->relations[i].meets = meets && world->relations[i].ends;
    }
    return true;
}

void weft_relations_close(weft_world *world)
{
    uint32_t count = world->plan->schema->relation_count;
    for (uint32_t i = 0; world->relations && i < count; i++) {
        weft_region_free(&world->heap, &world->relations[i].links);
        weft_region_free(&world->heap, &world->relations[i].met);
    }
    weft_free(&world->heap, world->relations, count * sizeof *world->relations);
}

#ifdef WEFT_HARD
void weft_relations_relocate(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        weft_region_relocate(&world->heap, &world->relations[i].links);
        weft_region_relocate(&world->heap, &world->relations[i].met);
    }
}
#endif

// ------------------------------------------------------------------------------------------------
// Links

// Returns the links of an index + 1.
static weft_link *link_at(const weft_relation *relation, uint32_t link)
{
    return &weft_links(relation)[link - 1];
}

// Takes an entity with a parent out of its parent's children; what is below it stays.
static void unlink_one(weft_world *world, weft_relation *relation, uint32_t child)
{
    weft_link *link = link_at(relation, child);
    uint32_t before = relation->rings ? weft_child_before(relation, child) : link->previous;
    if (before == 0) {
        link_at(relation, link->parent)->first_child = link->next;
    } else {
        link_at(relation, before)->next = link->next;
    }
    if (link->next != 0) {
        link_at(relation, link->next)->previous = link->previous;
    } else if (before != 0 && relation->rings) {
        uint32_t first = link_at(relation, link->parent)->first_child;
        link_at(relation, first)->previous = before;
    }
    link->parent = link->next = link->previous = 0;
    relation->attached--;
    relation->version++;
    world->attached--;
}

// Makes first children lead to the last ones, from now on.
static void make_rings(weft_relation *relation)
{
    for (uint32_t child = 1; child <= relation->capacity && !relation->rings; child++) {
        const weft_link *link = link_at(relation, child);
        if (link->parent == 0 || link->next != 0) continue;
        uint32_t first = link_at(relation, link->parent)->first_child;
        link_at(relation, first)->previous = child;
    }
    relation->rings = true;
}

// Makes a root a child of an entity, before one of its children; 0: behind all of them, for which
// there are rings. Inline, since a call more takes an attach a tenth of its time.
WEFT_ALWAYS_INLINE void link_before(weft_world *world, weft_relation *relation, uint32_t child,
                                    uint32_t parent, uint32_t next)
{
    weft_link *link = link_at(relation, child);
    weft_link *above = link_at(relation, parent);
    uint32_t first = above->first_child;
    link->parent = parent;
    link->next = next;
    if (next == first) {
        above->first_child = child;
        if (relation->rings)
            link->previous = first == 0 ? child : link_at(relation, first)->previous;
        if (first != 0) link_at(relation, first)->previous = child;
    } else {
        weft_link *behind = link_at(relation, next == 0 ? first : next);
        link->previous = behind->previous;
        behind->previous = child;
        link_at(relation, link->previous)->next = child;
    }
    relation->attached++;
    relation->version++;
    world->attached++;
}

// ------------------------------------------------------------------------------------------------
// Effects of links

// Returns what follows from the links of a relation; NULL: nothing does in this world.
static const weft_relation_plan *reaction_of(const weft_world *world, uint32_t relation)
{
    return world->plan->relations ? &world->plan->relations[relation] : NULL;
}

static uint64_t entity_handle(const weft_world *world, uint32_t entity)
{
    return weft_handle_of(&world->entities, world->plan->format, entity - 1);
}

static weft_table *table_with(const weft_world *world, uint32_t entity, uint32_t *row)
{
    weft_place at = weft_place_of(&world->entities, world->plan->format, entity - 1);
    *row = at.row;
    return world->tables.items[at.table];
}

// Makes space for a bit of an entity that is about to get it. False: no memory.
static bool tag_ready(weft_world *world, uint32_t entity, uint16_t tag)
{
    uint32_t row;
    return tag == WEFT_NONE ||
           weft_component_ready(world, table_with(world, entity, &row), tag, 1, entity - 1, 1);
}

WEFT_APART static bool tags_ready(weft_world *world, uint32_t relation, uint32_t child,
                                  uint32_t parent)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    const weft_relation *r = &world->relations[relation];
    return (link_at(r, child)->parent != 0 || tag_ready(world, child, plan->attached)) &&
           (link_at(r, parent)->first_child != 0 || tag_ready(world, parent, plan->parents));
}

// Writes the bit of an entity's row, which has space for it, and notes if it is lost.
static void write_tag(weft_world *world, uint32_t entity, uint16_t tag, bool on)
{
    uint32_t row;
    if (tag == WEFT_NONE) return;
    weft_table *table = table_with(world, entity, &row);
    if (weft_row_has(world->plan, table, row, tag) == on) return;
    if (!on) weft_removed_note(world, table, row, tag, WEFT_NONE);
    weft_component_write(world, table, row, tag, NULL, on);
}

static void tell_link(weft_world *world, weft_hook hook, uint32_t child, uint32_t parent)
{
    if (hook)
        weft_hook_call_link(world, hook, entity_handle(world, child), entity_handle(world, parent));
}

// Writes the bits that follow from a child's new parent; before = 0: it had none.
static void write_attached(weft_world *world, const weft_relation *r,
                           const weft_relation_plan *plan, uint32_t child, uint32_t before)
{
    uint32_t parent = link_at(r, child)->parent;
    uint32_t row;
    if (before == 0) {
        write_tag(world, child, plan->attached, true);
    } else {
        if (link_at(r, before)->first_child == 0) write_tag(world, before, plan->parents, false);
        if (plan->attached != WEFT_NONE) {
            const weft_table *table = table_with(world, child, &row);
            weft_row_changed(world->plan, table, row, plan->attached);
        }
    }
    write_tag(world, parent, plan->parents, true);
}

WEFT_APART static void detach_told(weft_world *world, uint32_t relation, uint32_t child)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    weft_relation *r = &world->relations[relation];
    uint32_t parent = link_at(r, child)->parent;
    tell_link(world, plan->on_detach, child, parent);
    unlink_one(world, r, child);
    write_tag(world, child, plan->attached, false);
    if (link_at(r, parent)->first_child == 0) write_tag(world, parent, plan->parents, false);
}

// Takes an entity with a parent out of its parent's children for good, with all that follows.
static inline void detach_one(weft_world *world, uint32_t relation, uint32_t child)
{
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        detach_told(world, relation, child);
    } else {
        unlink_one(world, &world->relations[relation], child);
    }
}

// Makes an entity a child of another one, before one of its children; 0: as the last of them, or,
// if `first`, as the first. What it needs is ready.
WEFT_ALWAYS_INLINE void relink_alone(weft_world *world, weft_relation *r, uint32_t child,
                                     uint32_t parent, uint32_t next, bool first)
{
    if (!first && next == 0) make_rings(r);
    if (link_at(r, child)->parent != 0) unlink_one(world, r, child);
    link_before(world, r, child, parent, first ? link_at(r, parent)->first_child : next);
}

// Nothing follows from a link to the parent that an entity has: it only moves among its siblings.
WEFT_APART static void relink_told(weft_world *world, uint32_t relation, uint32_t child,
                                   uint32_t parent, uint32_t next, bool first)
{
    const weft_relation_plan *plan = &world->plan->relations[relation];
    weft_relation *r = &world->relations[relation];
    uint32_t before = link_at(r, child)->parent;
    bool other = before != parent;
    if (other && before != 0) tell_link(world, plan->on_detach, child, before);
    relink_alone(world, r, child, parent, next, first);
    if (other) write_attached(world, r, plan, child, before);
    weft_world_changed_in_place(world);
    if (other) tell_link(world, plan->on_attach, child, parent);
}

// Does so with all that follows from it.
WEFT_ALWAYS_INLINE void relink(weft_world *world, uint32_t relation, uint32_t child,
                               uint32_t parent, uint32_t next, bool first)
{
    if (WEFT_UNLIKELY(world->plan->relations != NULL)) {
        relink_told(world, relation, child, parent, next, first);
        return;
    }
    relink_alone(world, &world->relations[relation], child, parent, next, first);
    weft_world_changed_in_place(world);
}

void weft_hooks_links(weft_world *world, uint32_t index, bool attached)
{
    for (uint32_t i = 0; world->plan->relations && i < world->plan->schema->relation_count; i++) {
        const weft_relation_plan *plan = &world->plan->relations[i];
        const weft_relation *r = &world->relations[i];
        uint32_t parent = index < r->capacity ? weft_links(r)[index].parent : 0;
        if (parent == 0) continue;
        tell_link(world, attached ? plan->on_attach : plan->on_detach, index + 1, parent);
    }
}

void weft_hooks_all_links(weft_world *world, bool attached)
{
    bool any = world->hooks && world->plan->relations && world->attached != 0;
    for (uint32_t i = 0; any && i < world->entities.index_count; i++) {
        weft_hooks_links(world, i, attached);
    }
}

// ------------------------------------------------------------------------------------------------
// Memory

// Returns for how many indices there are links.
static uint32_t count_links(const weft_world *world, const weft_relation *relation)
{
    size_t capacity = relation->links.bytes / sizeof(weft_link);
    size_t limit = world->entities.index_limit;
    return (uint32_t)(capacity < limit ? capacity : limit);
}

static size_t met_bytes(size_t indices)
{
    return weft_round_up(indices, 64) / 8;
}

// Says whether an index has a parent or children.
static bool is_linked(const weft_link *link)
{
    return link->parent != 0 || link->first_child != 0;
}

bool weft_links_ready(weft_world *world, weft_relation *relation, uint32_t index)
{
    size_t limit = (size_t)world->entities.index_limit;
    if (index < relation->capacity) return true;
    if (!weft_region_grow(&world->heap, &relation->links, ((size_t)index + 1) * sizeof(weft_link),
                          limit * sizeof(weft_link))) {
        return false;
    }
    uint32_t capacity = count_links(world, relation);
    if (relation->meets &&
        !weft_region_grow(&world->heap, &relation->met, met_bytes(capacity), met_bytes(limit))) {
        return false;
    }
    relation->capacity = capacity;
    return true;
}

bool weft_relations_trim(weft_world *world)
{
    bool trimmed = true;
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        weft_relation *r = &world->relations[i];
        uint32_t kept = r->attached == 0 ? 0 : r->capacity;
        while (kept != 0 && !is_linked(link_at(r, kept))) kept--;
        trimmed = weft_region_trim(&world->heap, &r->links, kept * sizeof(weft_link)) && trimmed;
        r->capacity = count_links(world, r);
        trimmed = weft_region_trim(&world->heap, &r->met, met_bytes(r->capacity)) && trimmed;
    }
    return trimmed;
}

// Returns the entity behind `at` in a walk over `root` and all below it, and keeps *depth, which
// counts from the root. 0: the end.
static uint32_t next_below(const weft_relation *relation, uint32_t root, uint32_t at,
                           uint32_t *depth)
{
    const weft_link *link = link_at(relation, at);
    if (link->first_child != 0) {
        ++*depth;
        return link->first_child;
    }
    while (at != root && link->next == 0) {
        at = link->parent;
        link = link_at(relation, at);
        --*depth;
    }
    return at == root ? 0 : link->next;
}

// Says whether an entity is another or below it. One walk goes up from the first, another through
// all below the second, in turns, and the shorter one decides.
static bool is_below(const weft_relation *relation, uint32_t below, uint32_t above)
{
    uint32_t up = below;
    uint32_t down = above;
    uint32_t depth = 0;
    while (up != 0 && down != 0) {
        if (up == above || down == below) return true;
        up = link_at(relation, up)->parent;
        down = next_below(relation, above, down, &depth);
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Attaching and detaching

weft_status weft_link_ready(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    weft_format f = world->plan->format;
    weft_relation *r = &world->relations[relation];
    uint32_t below = weft_handle_index(f, child);
    uint32_t above = weft_handle_index(f, parent);
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at) ||
        !weft_find(&world->entities, f, parent, &at)) {
        return WEFT_DEAD;
    }
    if (!weft_links_ready(world, r, below > above ? below : above)) return WEFT_NO_MEMORY;
    if (is_below(r, above + 1, below + 1)) return WEFT_REFUSED;
    if (WEFT_UNLIKELY(world->plan->relations != NULL) &&
        !tags_ready(world, relation, below + 1, above + 1)) {
        return WEFT_NO_MEMORY;
    }
    return WEFT_OK;
}

weft_status weft_link_ready_in(weft_world *world, uint32_t relation, uint64_t child,
                               uint64_t parent, weft_table *table)
{
    weft_status status = weft_link_ready(world, relation, child, parent);
    if (status != WEFT_OK) return status;
    if (!table) return WEFT_NO_MEMORY;
    const weft_relation_plan *plan = reaction_of(world, relation);
    if (!plan || plan->attached == WEFT_NONE) return WEFT_OK;
    uint32_t column = weft_bitset_column(world->plan, &world->plan->components[plan->attached]);
    bool opened = weft_bitset_open(&world->heap, world->plan, table, column);
    return opened ? WEFT_OK : WEFT_NO_MEMORY;
}

// Makes an entity a child of another, whatever it was before: its first one, else its last.
WEFT_ALWAYS_INLINE weft_status link_child(weft_world *world, uint32_t relation, uint64_t child,
                                          uint64_t parent, bool first)
{
    weft_format f = world->plan->format;
    uint32_t below = weft_handle_index(f, child) + 1;
    uint32_t above = weft_handle_index(f, parent) + 1;
    weft_status status = weft_link_ready(world, relation, child, parent);
    if (status == WEFT_OK) relink(world, relation, below, above, 0, first);
    return status;
}

void weft_link_place(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    const weft_relation_plan *plan = reaction_of(world, relation);
    weft_format f = world->plan->format;
    uint32_t below = weft_handle_index(f, child) + 1;
    uint32_t above = weft_handle_index(f, parent) + 1;
    relink(world, relation, below, above, 0, !plan || !plan->append);
}

weft_status weft_link_attach(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    return link_child(world, relation, child, parent, true);
}

weft_status weft_link_append(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    return link_child(world, relation, child, parent, false);
}

weft_status weft_link_insert_before(weft_world *world, uint32_t relation, uint64_t child,
                                    uint64_t sibling)
{
    weft_format f = world->plan->format;
    uint32_t one = weft_handle_index(f, child) + 1;
    uint32_t next = weft_handle_index(f, sibling) + 1;
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at) ||
        !weft_find(&world->entities, f, sibling, &at)) {
        return WEFT_DEAD;
    }
    if (child == sibling) return WEFT_REFUSED;
    uint64_t parent = weft_parent(world, f, relation, sibling);
    if (parent == 0) return WEFT_NOT_FOUND;
    weft_status status = weft_link_ready(world, relation, child, parent);
    uint32_t above = weft_handle_index(f, parent) + 1;
    if (status == WEFT_OK) relink(world, relation, one, above, next, false);
    return status;
}

weft_status weft_link_detach(weft_world *world, uint32_t relation, uint64_t child)
{
    weft_format f = world->plan->format;
    weft_relation *r = &world->relations[relation];
    uint32_t index = weft_handle_index(f, child);
    weft_place at;
    if (!weft_find(&world->entities, f, child, &at)) return WEFT_DEAD;
    if (index >= r->capacity || weft_links(r)[index].parent == 0) return WEFT_NOT_FOUND;
    detach_one(world, relation, index + 1);
    weft_world_changed_in_place(world);
    return WEFT_OK;
}

// Says whether an attach would be allowed now. What is yet to be spawned has no links.
static bool may_attach(const weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    weft_format f = world->plan->format;
    const weft_relation *r = &world->relations[relation];
    uint32_t below = weft_handle_index(f, child);
    uint32_t above = weft_handle_index(f, parent);
    weft_place at;
    if (weft_handle_is_ahead(&world->entities, f, parent)) return true;
    if (!weft_find(&world->entities, f, parent, &at) || child == parent) return false;
    return below >= r->capacity || above >= r->capacity || !is_below(r, above + 1, below + 1);
}

bool weft_command_attach(weft_commands *commands, weft_command_kind kind, uint16_t relation,
                         uint64_t child, const void *value, size_t bytes)
{
    uint64_t parent;
    weft_command *c = weft_command_append(commands, kind, relation, child, bytes);
    if (!c) return false;
    memcpy(&parent, value, sizeof parent);
    memcpy(weft_command_value(c), value, bytes);
    if (may_attach(commands->world, relation, child, parent)) c->role = WEFT_ROLE_IN_TIME;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Reads

uint32_t weft_child_count(const weft_world *world, uint32_t relation, uint64_t handle)
{
    uint32_t child = weft_link_of(world, world->plan->format, relation, handle).first_child;
    uint32_t count = 0;
    for (; child != 0; count++) child = link_at(&world->relations[relation], child)->next;
    return count;
}

uint32_t weft_depth(const weft_world *world, uint32_t relation, uint64_t handle)
{
    uint32_t above = weft_link_of(world, world->plan->format, relation, handle).parent;
    uint32_t depth = 0;
    for (; above != 0; depth++) above = link_at(&world->relations[relation], above)->parent;
    return depth;
}

weft_walk weft_walk_begin(const weft_world *world, uint32_t relation, uint64_t root)
{
    weft_format f = world->plan->format;
    weft_place at;
    return (weft_walk){
        .world = world,
        .relation = relation,
        .version = weft_version(world),
        .root = weft_find(&world->entities, f, root, &at) ? weft_handle_index(f, root) + 1 : 0,
    };
}

uint64_t weft_walk_next(weft_walk *walk)
{
    const weft_world *world = walk->world;
    const weft_relation *relation = &world->relations[walk->relation];
    WEFT_ASSERT(walk->version, ==, weft_version(world),
                "a walk over a relation was used after a structural change");
    if (walk->root == 0) return 0;
    if (walk->version != weft_version(world)) {
        weft_report_stale(world, "a walk over a relation");
        return 0;
    }
    if (walk->at == 0) {
        walk->at = walk->root;
    } else {
        bool linked = walk->root <= relation->capacity; // else nothing is below it
        walk->at = linked ? next_below(relation, walk->root, walk->at, &walk->depth) : 0;
    }
    if (walk->at == 0) walk->root = 0;
    return weft_linked(world, world->plan->format, walk->at);
}

// ------------------------------------------------------------------------------------------------
// Hooks are told of all that will end before any of it does, of children before their parents. An
// entity below two others is told of where it is met first. Bits say by which relation that was;
// where one relation alone ends children no entity is met twice, and no bits are kept.

static uint64_t *met_word(const weft_relation *relation, uint32_t entity)
{
    return (uint64_t *)(void *)relation->met.base + (entity - 1) / 64;
}

static uint64_t met_bit(uint32_t entity)
{
    return (uint64_t)1 << ((entity - 1) % 64);
}

// Returns the relation by which an entity was met; the number of relations: by none.
static uint32_t way_to(const weft_world *world, uint32_t entity)
{
    uint32_t count = world->plan->schema->relation_count;
    for (uint32_t i = 0; i < count; i++) {
        const weft_relation *r = &world->relations[i];
        if (r->meets && entity <= r->capacity && *met_word(r, entity) & met_bit(entity)) return i;
    }
    return count;
}

static void write_met(const weft_relation *relation, uint32_t entity, bool met)
{
    if (!relation->meets || entity > relation->capacity) return;
    uint64_t *word = met_word(relation, entity);
    *word = met ? *word | met_bit(entity) : *word & ~met_bit(entity);
}

// Forgets the way to an entity that ends.
static void forget_met(const weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        write_met(&world->relations[i], entity, false);
    }
}

// Returns the child that is told of after one of a relation (0: the first of all) and was not met
// yet, and its relation. 0: there is none.
static uint32_t next_to_tell(const weft_world *world, uint32_t top, uint32_t parent, uint32_t child,
                             uint32_t *relation)
{
    uint32_t count = world->plan->schema->relation_count;
    for (; *relation < count; ++*relation, child = 0) {
        const weft_relation *r = &world->relations[*relation];
        if (!r->ends || parent > r->capacity) continue;
        uint32_t next = child != 0 ? link_at(r, child)->next : link_at(r, parent)->first_child;
        while (next != 0 && r->meets && (next == top || way_to(world, next) != count)) {
            next = link_at(r, next)->next;
        }
        if (next != 0) return next;
    }
    return 0;
}

// Returns the relation by which the walk came to an entity below its top.
static uint32_t came_by(const weft_world *world, uint32_t entity)
{
    uint32_t relation = way_to(world, entity);
    if (relation != world->plan->schema->relation_count) return relation;
    for (relation = 0; !world->relations[relation].ends;) relation++;
    return relation;
}

static void tell_below(weft_world *world, uint32_t top)
{
    uint32_t at = top;
    uint32_t told = 0; // the child of `at` from which the walk came back
    uint32_t relation = 0;
    for (;;) {
        uint32_t child = next_to_tell(world, top, at, told, &relation);
        if (child != 0) {
            write_met(&world->relations[relation], child, true);
            at = child;
            told = relation = 0;
            continue;
        }
        weft_hooks_despawning(world, weft_place_of(&world->entities, world->plan->format, at - 1));
        if (at == top) return;
        told = at;
        relation = came_by(world, told);
        at = link_at(&world->relations[relation], told)->parent;
    }
}

// ------------------------------------------------------------------------------------------------
// Despawning
//
// An entity that is about to end is taken out of the children of all its parents at once, so none
// is met twice, not even where relations together form a circle. Its links to siblings are free
// then and lead back: `next` to the entity under which it was met, `previous` to the relation by
// which that one was met.

// Takes an entity out of the children of its parents in all relations.
static void unlink_all(weft_world *world, uint32_t entity)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (entity <= r->capacity && link_at(r, entity)->parent != 0) detach_one(world, i, entity);
    }
}

// Returns a child that has to end before its parent, and the relation that says so. 0: none is
// left.
static uint32_t child_to_end(const weft_world *world, uint32_t parent, uint32_t *relation)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (!r->ends || parent > r->capacity) continue;
        *relation = i;
        if (link_at(r, parent)->first_child != 0) return link_at(r, parent)->first_child;
    }
    return 0;
}

// Makes roots of the children that outlive an entity.
static void release_children(weft_world *world, uint32_t parent)
{
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        const weft_relation *r = &world->relations[i];
        if (parent > r->capacity) continue;
        while (link_at(r, parent)->first_child != 0) {
            detach_one(world, i, link_at(r, parent)->first_child);
        }
    }
}

// Ends an entity that has no children to end.
static void end_one(weft_world *world, uint32_t entity)
{
    weft_format f = world->plan->format;
    weft_place at = weft_place_of(&world->entities, f, entity - 1);
    if (world->attached != 0) release_children(world, entity);
    weft_despawn_at(world, weft_handle_of(&world->entities, f, entity - 1), at);
}

// Ends all below an entity that has to end before it.
static void end_below(weft_world *world, uint32_t top)
{
    uint32_t at = top;
    uint32_t met_by = 0; // the relation by which `at` was met
    unlink_all(world, at);
    for (;;) {
        uint32_t relation = 0;
        uint32_t child = child_to_end(world, at, &relation);
        if (child == 0 && at == top) return;
        weft_link *back;
        if (child != 0) {
            unlink_all(world, child);
            back = link_at(&world->relations[relation], child);
            back->next = at;
            back->previous = met_by;
            at = child;
            met_by = relation;
        } else {
            uint32_t ended = at;
            back = link_at(&world->relations[met_by], at);
            at = back->next;
            met_by = back->previous;
            back->next = back->previous = 0;
            if (world->hooks) forget_met(world, ended);
            end_one(world, ended);
        }
    }
}

void weft_despawn_whole(weft_world *world, uint64_t handle)
{
    uint32_t entity = weft_handle_index(world->plan->format, handle) + 1;
    if (WEFT_UNLIKELY(world->hooks != NULL)) tell_below(world, entity);
    if (world->attached != 0) end_below(world, entity);
    end_one(world, entity);
}
