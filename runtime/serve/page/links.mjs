// The links of an entity: values, editing, removing, and a form to add one.
import { card } from "./cards.mjs";
import { h, keep_focus, link } from "./dom.mjs";
import { mistake } from "./fields.mjs";
import { form_of } from "./form.mjs";
import { call } from "./link.mjs";
import { handle_words } from "./names.mjs";
import { act_at, go_to_problem, refusal, show_problem, show_refusal } from "./problem.mjs";
import { offer_undo } from "./undo.mjs";
import { fields_view, is_typed, shape_of } from "./values.mjs";

/** Returns the ends of a link that an entity shows. A symmetric link is shown as one from the entity. */
const ends_of = (id, one) => (one.to ? { from: id, to: one.to } : { from: one.from, to: id });

/**
 * Makes the view of the links of an entity. `after` is called after each change. Returns the
 * element, and `update(entity)`.
 */
export function links_view(app, id, after) {
  const { schema } = app;
  const write = app.stats.writable;
  const node = h("div", { id: "links" });
  let shape = "";
  let updates = [];

  async function set_value(params) {
    const words = await refusal("set", params);
    await after();
    return words;
  }

  async function unlink(button, kind, from, to) {
    const words = `Removed ${kind.name} from ${handle_words(from)} to ${handle_words(to)}`;
    const done = await act_at(button, "unlink", { id: from, link: kind.name, to });
    await after();
    if (done) offer_undo(words, done, { id: from, then: after });
  }

  function link_row(kind, one) {
    const { from, to } = ends_of(id, one);
    const other = one.to ?? one.from;
    const word = kind.symmetric ? "with" : one.to ? "to" : "from";
    const label = `${kind.name} ${word} ${other}`;
    const remove = write
      ? h("button", { className: "danger", title: `remove ${label}`, "aria-label": `remove ${label}`, onclick: (event) => unlink(event.currentTarget, kind, from, to) }, "remove")
      : null;
    const head = h("div", { className: "value head" }, h("span", { className: "soft" }, word), link(other), remove);
    if (kind.fields.length === 0) return h("section", { className: "link", "aria-label": label }, head);
    const set = write ? (path, value) => set_value({ id: from, to, path, value }) : null;
    const made = fields_view({ schema, set, stop: null }, kind.fields, kind.name, one.value);
    updates.push([kind.name, one, made.update]);
    return h("section", { className: "link", "aria-label": label }, head, made.node);
  }

  /** Makes the form that adds a link. */
  function add_form(kind) {
    const other = h("input", { placeholder: "index:generation", "aria-label": `other end of ${kind.name}`, size: 14, autocomplete: "off", spellcheck: false,
      onkeydown: (event) => { if (event.key === "Enter") add(); } });
    const form = kind.fields.length > 0 ? form_of({ schema, blank: "default" }, kind.fields, `new ${kind.name}`) : null;
    const side = kind.symmetric ? null : h("select", { "aria-label": `direction of ${kind.name}` }, h("option", { value: "to" }, "to"), h("option", { value: "from" }, "from"));
    async function add() {
      const text = other.value.trim();
      show_problem(other, text === "" ? "the other end is missing: write an index and a generation, such as 12:3" : mistake({ kind: "entity" }, text));
      const value = form?.read();
      if (go_to_problem(details)) return;
      const [from, to] = side?.value === "from" ? [text, id] : [id, text];
      const words = await refusal("link", { id: from, link: kind.name, to, ...(value ? { value } : {}) });
      if (words) {
        show_refusal(details, words, other);
        return;
      }
      other.value = "";
      await after();
    }
    const details = h("details", { className: "add" }, h("summary", {}, "add a link"),
      h("div", { className: "value head" }, side ?? h("span", { className: "soft" }, "with"), other, h("button", { className: "main", onclick: add }, "add")), form?.node ?? null);
    details.addEventListener("toggle", () => { if (details.open) other.focus(); });
    return details;
  }

  function kind_card(kind, some, counts) {
    const words = kind.symmetric ? `${counts.from.toLocaleString("en")} ${counts.from === 1 ? "link" : "links"}` : `${counts.from.toLocaleString("en")} from it, ${counts.to.toLocaleString("en")} to it`;
    const shown = new Set(some.map((one) => JSON.stringify(ends_of(id, one)))).size;
    const all = kind.symmetric ? counts.from : counts.from + counts.to;
    const hint = h("div", { className: "hint" }, `${words}${all > shown + 1 ? `; the first ${shown} are shown` : ""}`);
    return card(kind.name, kind.doc, null, [hint, ...some.map((one) => link_row(kind, one)), ...(write ? [add_form(kind)] : [])]);
  }

  /** Updates values, and makes everything again if links were added or removed. */
  function update(entity) {
    if (schema.links.length === 0) return;
    const links = entity.links ?? {};
    const now = shape_of(Object.fromEntries(Object.entries(links).map(([name, some]) => [name, some.map((one) => ({ [`${one.to ? "to" : "from"} ${one.to ?? one.from}`]: one.value ?? 0 }))])))
      + JSON.stringify(entity.link_counts);
    if (now !== shape && !is_typed(node)) {
      const open = new Set([...node.querySelectorAll("details[open]")].map((one) => one.closest(".card").getAttribute("aria-label")));
      shape = now;
      updates = [];
      keep_focus(node, () => node.replaceChildren(h("h3", {}, "Links"), h("div", { className: "cards" },
        schema.links.map((kind) => kind_card(kind, links[kind.name] ?? [], entity.link_counts[kind.name] ?? { from: 0, to: 0 })))));
      for (const one of node.querySelectorAll("details.add")) one.open = open.has(one.closest(".card").getAttribute("aria-label"));
    }
    for (const [kind, one, set] of updates) {
      const found = links[kind]?.find((each) => each.to === one.to && each.from === one.from);
      if (found) set(found.value);
    }
  }
  return { node, update };
}
