// The parents and children of an entity.
import { card } from "./cards.mjs";
import { keep_height } from "./columns.mjs";
import { h, keep_focus, link } from "./dom.mjs";
import { call } from "./link.mjs";
import { clear_problem } from "./problem.mjs";
import { tree_address } from "./tree.mjs";
import { is_typed } from "./values.mjs";
import { writes_of } from "./writers.mjs";

/** Makes an entity of a tree, whose children are read when it is opened. */
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

/**
 * Makes the view. `opened` is a relation whose writers are shown at once, and `change(at, method,
 * params)` attaches and detaches, and shows a refusal beside `at`. Returns the element, `update(entity)`, and `box_of(name)`.
 */
export function relations_view(app, id, opened, change) {
  const { schema } = app;
  const write = app.stats.writable;
  const node = h("div", { id: "relations" });
  const heights = new Map(); // least heights of cards, by relation
  const written = new Map(); // the views of the writes, by relation
  let drawn = "";

  function relation_card(relation, entity) {
    const parent = entity.parents?.[relation.name];
    const children = entity.children[relation.name];
    const attach = () => {
      to.dataset.dirty = "";
      return change(to, "attach", { relation: relation.name, parent: to.value.trim() });
    };
    const to = h("input", { placeholder: "index:generation", "aria-label": `parent by ${relation.name}`, size: 14, oninput: () => { to.dataset.dirty = "yes"; },
      onkeydown: (event) => {
        if (event.key === "Enter") attach();
        if (event.key === "Escape") {
          to.value = to.dataset.dirty = "";
          clear_problem(to);
        }
      } });
    const writes = writes_of(app, relation.name, id);
    const before = written.get(relation.name);
    if (before ? before.is_open() : opened === relation.name) writes.toggle();
    written.set(relation.name, writes);
    const body = h("div", { className: "body" },
      h("div", { className: "value" }, "parent: ", parent ? link(parent) : "none",
        write && parent ? h("button", { onclick: (event) => change(event.currentTarget, "detach", { relation: relation.name }) }, "detach") : null,
        ...(write ? [to, h("button", { onclick: attach }, "attach")] : [])),
      h("div", {}, children.length > 0 ? `children: ${children.length}` : "no children: no entity is attached to it"),
      h("ul", { className: "tree children" }, children.map(branch)));
    body.style.minHeight = heights.get(relation.name) ?? "";
    body.dataset.of = relation.name;
    const tree = h("a", { href: tree_address(relation.name, id), "aria-label": `tree of ${relation.name}` }, "tree");
    return card(relation.name, relation.doc, [tree, writes.button], [body, writes.box]);
  }

  function update(entity) {
    if (schema.relations.length === 0) return;
    const now = JSON.stringify([entity.parents, entity.children]);
    if (now !== drawn && !is_typed(node)) {
      drawn = now;
      keep_focus(node, () => node.replaceChildren(h("h3", {}, "Relations"), ...schema.relations.map((relation) => relation_card(relation, entity))));
      for (const body of node.querySelectorAll(".body")) {
        keep_height(body);
        heights.set(body.dataset.of, body.style.minHeight);
      }
    }
    for (const one of written.values()) one.refresh();
  }
  return { node, update, box_of: (name) => written.get(name)?.box };
}
