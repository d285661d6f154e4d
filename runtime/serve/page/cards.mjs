// Parts that views of an entity, of a singleton and of a prefab share.
import { h } from "./dom.mjs";

/** Makes the card of a component, singleton or relation. */
export function card(title, doc, button, body) {
  return h("section", { className: "card", "aria-label": title },
    h("header", {}, h("h3", {}, title), h("span", { className: "buttons" }, button)), doc ? h("p", {}, doc) : null, body);
}

/** Says that an address names something that the schema does not have. */
export function missing(kind, name, known) {
  return !name || known.has(name) ? [] : [h("p", { className: "bad", role: "alert" }, `the schema has no ${kind} '${name}'`)];
}
