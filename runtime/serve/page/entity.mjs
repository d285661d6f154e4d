// One entity with everything it contains, and singletons.
import { card, missing } from "./cards.mjs";
import { chart_at } from "./charts.mjs";
import { chooser, h, keep_focus, link } from "./dom.mjs";
import { name_in } from "./fields.mjs";
import { act, call } from "./link.mjs";
import { links_view } from "./links.mjs";
import { act_at, refusal } from "./problem.mjs";
import { stop_address, stop_at } from "./stops.mjs";
import { watch_offer } from "./watch.mjs";
import { known_since, writes_of } from "./writers.mjs";
import { fields_view, is_typed, shape_of } from "./values.mjs";

const LOW = 0.7; // of the window; anything that begins below is scrolled into view
const LARGE_BYTES = 16384; // a larger singleton is only read on request

/** Shows an entity. `opened` is a component or relation whose writers are shown at once. */
export function entity_view(app, id, opened) {
  const { schema } = app;
  const write = app.stats.writable;
  const top = h("div", { className: "row" });
  const name = h("strong", { id: "name" });
  const cards = h("div", { className: "cards", id: "components" });
  const tree = h("div");
  const linked = links_view(app, id, (entity) => name_in(schema, entity.components), () => refresh());
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  let shape = "";
  let links = "";
  let sought = false; // whether those writers were scrolled into view
  let gone = ""; // what is shown after it was despawned
  let updates = new Map();
  let written = new Map(); // the views of the writes of components, by name
  const written_links = new Map(); // the same for relations
  let open = new Set([opened]); // components whose writers are shown

  /** Changes the entity. A refusal is shown beside the input or button `at`. */
  async function change(at, method, params) {
    if (await act_at(at, method, { id, ...params })) await refresh();
  }

  async function set_value(path, value) {
    const words = await refusal("set", { id, path, value });
    await refresh();
    return words;
  }

  function component_card(name, value) {
    const component = schema.component.get(name);
    const button = write
      ? h("button", { className: "danger", title: `remove ${name}`, "aria-label": `remove ${name}`, onclick: (event) => change(event.currentTarget, "remove", { component: name }) }, "remove")
      : null;
    let body = h("span", { className: "hint" }, "a tag");
    if (component.storage !== "tag") {
      const made = fields_view({ schema, set: write ? set_value : null, stop: write ? stop_at(id) : null, chart: chart_at(id) }, component.fields, name, value);
      updates.set(name, made.update);
      body = made.node;
    }
    const writes = writes_of(app, name, id);
    written.set(name, writes);
    if (open.has(name)) writes.toggle();
    const node = card(name, component.doc, [writes.button, button], [body, writes.box]);
    node.id = `component-${name}`;
    return node;
  }

  function head(entity) {
    const add = chooser({ "aria-label": "component to add", id: "add" }, (name) => { if (name) change(add, "add", { component: name }); },
      h("option", { value: "" }, "add component…"),
      schema.components.filter((one) => !(one.name in entity.components)).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
    const end = h("button", { className: "danger", id: "despawn", onclick: async () => { if (await act_at(end, "despawn", { id })) location.hash = "#/entities"; } }, "despawn");
    const stop = h("a", { href: stop_address(`despawn of ${id}`), id: "stop-end" }, "stop when it ends");
    top.replaceChildren(h("h2", { className: "mono" }, id), name, ...(write ? [add, end, stop] : [h("span", { className: "soft" }, "read-only")]));
  }

  function branch(child) {
    const inner = h("ul", { className: "tree" });
    const details = h("details", {
      ontoggle: async () => {
        if (!details.open || inner.childElementCount) return;
        const entity = await call("entity", { id: child }).catch(() => null);
        const below = entity ? Object.values(entity.children).flat() : [];
        inner.replaceChildren(...(below.length ? below.map(branch) : [h("li", { className: "soft" }, "no children")]));
      },
    }, h("summary", {}, link(child)), inner);
    return h("li", {}, details);
  }

  function relations(entity) {
    if (schema.relations.length === 0) return;
    const parts = schema.relations.map((relation) => {
      const parent = entity.parents?.[relation.name];
      const children = entity.children[relation.name];
      const to = h("input", { placeholder: "index:generation", "aria-label": `parent by ${relation.name}`, size: 14, oninput: () => { to.dataset.dirty = "yes"; },
        onkeydown: (event) => { if (event.key === "Enter") attach(); } });
      const attach = () => {
        to.dataset.dirty = "";
        return change(to, "attach", { relation: relation.name, parent: to.value.trim() });
      };
      const writes = writes_of(app, relation.name, id);
      const before = written_links.get(relation.name);
      if (before ? before.is_open() : opened === relation.name) writes.toggle();
      written_links.set(relation.name, writes);
      return card(relation.name, relation.doc, writes.button, h("div", {},
        h("div", { className: "value" }, "parent: ", parent ? link(parent) : "none",
          write && parent ? h("button", { onclick: (event) => change(event.currentTarget, "detach", { relation: relation.name }) }, "detach") : null,
          ...(write ? [to, h("button", { onclick: attach }, "attach")] : [])),
        h("div", {}, children.length > 0 ? `children: ${children.length}` : "no children: no entity is attached to it"),
        h("ul", { className: "tree" }, children.map(branch)), writes.box));
    });
    tree.replaceChildren(h("h3", {}, "Relations"), ...parts);
  }

  /** Shows what is known of an entity that was despawned. Returns whether it was. */
  async function show_gone() {
    const now = await call("gone", { id }).catch(() => null);
    const text = JSON.stringify(now);
    if (!now || now.alive) return false;
    if (text === gone) return true;
    gone = text;
    const since = now.watched ? await known_since() : "";
    shape = links = "";
    linked.node.hidden = true;
    const by = (end) => `${end.commands ? "commands of " : ""}${end.writer}`;
    top.replaceChildren(h("h2", { className: "mono" }, id), h("span", { className: "bad", id: "gone" }, !now.was ? "was never alive"
      : now.end ? `ended in tick ${now.end.tick.toLocaleString("en")}, by ${by(now.end)}` : "is no longer alive"));
    const known = (one) => one.values.length === 0 ? "" : one.values.map((value) => `${value.path} ${value.value} (tick ${value.tick.toLocaleString("en")})`).join(", ");
    tree.replaceChildren(now.end ? h("h3", {}, "What it had, and the last values it was given while it was watched")
      : h("p", { className: "soft" }, !now.was ? "No entity had this handle so far." : now.watched ? `It ended before what is known: all writes ${since}.`
        : "Who ended it is known of those that end while the game watches who writes what."));
    if (now.was && !now.watched) tree.append(watch_offer(app, () => refresh()).node);
    cards.replaceChildren(...(now.components ?? []).map((one) => card(one.name, schema.component.get(one.name)?.doc, null, h("div", { className: "mono" }, known(one)))));
    cards.before(tree);
    return true;
  }

  async function refresh() {
    let entity;
    try {
      entity = await call("entity", { id });
    } catch (error) {
      problem.textContent = await show_gone() ? "" : error.message;
      return;
    }
    problem.textContent = "";
    if (gone) { // it exists again: a load has restored it, or the handle is in use now
      gone = "";
      linked.node.hidden = false;
      tree.replaceChildren();
      cards.after(tree);
    }
    const now = shape_of(entity.components);
    if (now !== shape && !is_typed(cards)) {
      shape = now;
      updates = new Map();
      if (written.size > 0) open = new Set([...written.keys()].filter((name) => written.get(name).is_open()));
      written = new Map();
      keep_focus(top, () => head(entity));
      keep_focus(cards, () => cards.replaceChildren(...Object.entries(entity.components).map(([name, value]) => component_card(name, value)),
        ...(Object.keys(entity.components).length > 0 ? [] : [h("p", { className: "soft", id: "none" }, "It has no components.")])));
    }
    name.textContent = name_in(schema, entity.components);
    const now_links = JSON.stringify([entity.parents, entity.children]);
    if (now_links !== links && !is_typed(tree)) {
      links = now_links;
      keep_focus(tree, () => relations(entity));
    }
    linked.update(entity);
    if (opened && !sought) {
      sought = true;
      const box = (written.get(opened) ?? written_links.get(opened))?.box;
      if (box?.getBoundingClientRect().top > innerHeight * LOW) box.scrollIntoView({ block: "center" });
    }
    for (const [name, update] of updates) {
      if (name in entity.components) update(entity.components[name]);
    }
    for (const one of [...written.values(), ...written_links.values()]) one.refresh();
  }

  top.append(h("h2", { className: "mono" }, id));
  if (!/^\d+:\d+$/.test(id)) {
    problem.textContent = `'${id}' is not a handle of an entity: write an index and a generation, such as 12:3`;
    return { nodes: [top, problem] };
  }
  refresh();
  return { nodes: [top, problem, cards, tree, linked.node], refresh, every: 500 };
}

export function singletons_view(app, name, opened) {
  const { schema } = app;
  if (schema.singletons.length === 0) return { nodes: [h("p", {}, "The schema has no singletons.")] };
  const singleton = schema.singleton.get(name) ?? schema.singletons[0];
  const list = h("nav", { className: "row", "aria-label": "singletons" }, schema.singletons.map((one) =>
    h("a", { href: `#/singletons/${one.name}`, title: one.doc ?? "", "aria-current": one === singleton ? "page" : null }, one.name)));
  const large = singleton.size > LARGE_BYTES;
  // Only the requested value of a state (`next`) can be set.
  const fields = singleton.state ? singleton.fields.map((one) => ({ ...one, fixed: one.name !== "next" })) : singleton.fields;
  const box = h("div");
  const writes = writes_of(app, singleton.name, null);
  if (opened === singleton.name) writes.toggle();
  let shape = "";
  let update = () => {};
  async function refresh() {
    const value = await act("singleton", { name: singleton.name });
    if (!value) return;
    if (shape_of(value) !== shape && !is_typed(box)) {
      shape = shape_of(value);
      const set = app.stats.writable ? async (path, to) => { const words = await refusal("set", { path, value: to }); refresh(); return words; } : null;
      const made = fields_view({ schema, set, stop: app.stats.writable ? stop_at(null) : null, chart: chart_at(null) }, fields, singleton.name, value);
      update = made.update;
      const again = large ? h("button", { onclick: refresh }, "read again") : null;
      box.replaceChildren(card(singleton.name, singleton.doc, [again, writes.button], [made.node, writes.box]));
    }
    update(value);
    writes.refresh();
  }
  refresh();
  return { nodes: [h("h2", { className: "unseen" }, "Singletons"), list, ...missing("singleton", name, schema.singleton), box], refresh: large ? null : refresh, every: 500 };
}
