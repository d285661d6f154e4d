// Parts shared by the views of entities, singletons and prefabs.
import { h } from "./dom.mjs";

/** Makes the card of a component, singleton or relation. */
export function card(title, doc, button, body) {
  return h("section", { className: "card", "aria-label": title },
    h("header", {}, h("h3", {}, title), h("span", { className: "buttons" }, button)), doc ? h("p", {}, doc) : null, body);
}

/** Shows whether the entity has a component. The focus stays near a button that has no use now. */
export function show_absent(node, has, button, next) {
  node.classList.toggle("absent", !has);
  if (!button || button.disabled === !has) return;
  if (document.activeElement === button) next.focus({ preventScroll: true });
  button.disabled = !has;
}

/** Shows that the name in the address is missing in the schema. */
export function missing(kind, name, known) {
  return !name || known.has(name) ? [] : [h("p", { className: "bad", role: "alert" }, `the schema has no ${kind} '${name}'`)];
}
