// Parts shared by the views of entities, singletons and prefabs.
import { h } from "./dom.mjs";

/** Makes the card of a component, singleton or relation. */
export function card(title, doc, button, body) {
  return h("section", { className: "card", "aria-label": title },
    h("header", {}, h("h3", {}, title), h("span", { className: "buttons" }, button)), doc ? h("p", {}, doc) : null, body);
}

/** Shows that the name in the address is missing in the schema. */
export function missing(kind, name, known) {
  return !name || known.has(name) ? [] : [h("p", { className: "bad", role: "alert" }, `the schema has no ${kind} '${name}'`)];
}
