// The rows of fields, both for showing values and for typing new ones.
import { h } from "./dom.mjs";

export const is_struct = (field) => field.kind === "struct";

export const label_of = (field) => h("label", { title: field.doc ?? "" }, field.name);

/** Makes a line of hints from the words that are not empty. */
export const hint_of = (...words) => h("div", { className: "hint" }, words.filter(Boolean).join(" · "));

/** Returns the class of the input of a field, which gives it its alignment. */
export const input_class = (field) => (field.kind === "number" && field.shape !== "string" ? "number" : "");

/** Returns how many characters the input of a field shows: those that its longest value usually has. */
export function input_size(field) {
  if (field.shape === "string") return Math.min(Math.max(field.count, 8), 40);
  return field.kind === "number" && /64$/.test(field.type ?? "") ? 20 : 12;
}

/** Makes the rows of a struct: its parts are below its name. */
export const struct_rows = (field, parts) => [label_of(field), hint_of(field.type, field.unit, field.doc), h("div", { className: "wide" }, parts)];

/** Makes the rows of an item of an array or list. `at` is its number, or a value of the enum. */
export function item_rows(field, at, node) {
  return is_struct(field)
    ? [h("label", { className: "soft all" }, `[${at}]`), h("div", { className: "wide" }, node)]
    : [h("label", { className: "soft" }, `[${at}]`), node];
}
