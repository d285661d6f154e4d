// A form for new values. The game decides the values of fields that are left empty.
import { h } from "./dom.mjs";
import { number_of } from "./exact.mjs";
import { array_words, indices, item_of, mistake, parts_of, range } from "./fields.mjs";
import { clear_problem, show_problem } from "./problem.mjs";
import { cell } from "./text.mjs";
import { ITEMS_SHOWN } from "./values.mjs";
import { hint_of, input_class, input_size, is_struct, item_rows, label_of, struct_rows } from "./rows.mjs";

/** Joins the typed values of several fields; undefined if nothing was typed. */
function joined(pairs) {
  const typed = pairs.filter(([, value]) => value !== undefined);
  return typed.length > 0 ? Object.fromEntries(typed) : undefined;
}

/** Reads one value from a text. If it cannot be a value, shows the reason at its input. */
function value_of(field, box, text) {
  if (field.kind === "entity" && text === "none") return null;
  const words = mistake(field, text);
  if (words) show_problem(box, words);
  if (field.kind === "number") return words ? 0 : number_of(text);
  return field.kind === "bool" ? text === "true" : text;
}

/** Returns what an empty field becomes, in words: its default value if that is known. */
function blank_of(context, path) {
  const [owner, ...names] = path.split(/[.[\]]+/).filter(Boolean);
  const value = names.reduce((inner, name) => inner?.[name], context.defaults?.[owner]);
  if (value === undefined || value && typeof value === "object" && !Array.isArray(value)) return context.blank;
  if (value === null) return "none";
  if (value === "") return "empty";
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => one && typeof one === "object")) return context.blank;
  return all.length === 0 ? "empty" : all.slice(0, 6).map(cell).join(", ") + (all.length > 6 ? ", …" : "");
}

/** Makes the input of one value, or of several separated by commas. */
function input_of(context, field, path, several) {
  const words = several ? null : field.kind === "enum" ? context.schema.enum.get(field.type).values : field.kind === "bool" ? ["true", "false"] : null;
  const blank = blank_of(context, path);
  const box = words
    ? h("select", { "aria-label": path }, h("option", { value: "" }, blank === context.blank ? blank : `${blank} (default)`), words.map((one) => h("option", { value: one }, one)))
    : h("input", { "aria-label": path, placeholder: blank, className: several ? "" : input_class(field), size: several ? 40 : input_size(field), autocomplete: "off", spellcheck: false });
  return { node: h("span", { className: "value" }, box), box, text: () => box.value.trim() };
}

/** Makes the rows of a value. */
function value_part(context, field, path) {
  const { node, box, text } = input_of(context, field, path, false);
  const hint = [range(field), field.doc].filter(Boolean);
  return {
    node: h("div", {}, node, hint.length > 0 ? hint_of(...hint) : null),
    read: () => {
      clear_problem(box);
      return text() === "" ? undefined : value_of(field, box, text());
    },
  };
}

/** Makes the row of an array or list that is typed in one line. */
function line_part(context, field, path) {
  const { node, box, text } = input_of(context, field, path, true);
  const many = `${field.count} items${field.shape === "list" ? " at most" : ""}, with commas between`;
  const items = () => text().split(",").map((item) => item.trim()).filter(Boolean);
  return {
    rows: [label_of(field), h("div", {}, node, hint_of(many, range(field), field.doc))],
    read: () => {
      clear_problem(box);
      return text() === "" ? undefined : items().map((item) => value_of(field, box, item));
    },
  };
}

/** Makes the inputs of an item of an array or list. */
const item_part = (context, field, path) => (is_struct(field) ? form_of(context, parts_of(context.schema, field), path) : value_part(context, { ...item_of(field), doc: "" }, path));

/** Makes the rows of an array. If an enum numbers the array, each value has its name. */
function array_part(context, field, path) {
  const all = indices(context.schema, field);
  const made = all.slice(0, ITEMS_SHOWN).map((at) => [at, item_part(context, field, `${path}[${at}]`)]);
  const much = all.length > ITEMS_SHOWN ? `the first ${ITEMS_SHOWN} of ${all.length}` : array_words(field, all.length);
  return {
    rows: [label_of(field), hint_of(much, is_struct(field) && field.type, field.unit, field.doc), ...made.flatMap(([at, item]) => item_rows(field, at, item.node))],
    read: () => {
      const typed = joined(made.map(([at, item]) => [at, item.read()]));
      return field.by || !typed ? typed : all.map((at) => typed[at] ?? {}); // an array must have all of its items
    },
  };
}

/** Makes the rows of a list of structs, as many as the typed number of items. */
function list_part(context, field, path) {
  const count = { kind: "number", name: "count", max: field.count };
  const { node, box, text } = input_of(context, count, `${path}.count`, false);
  const items = h("div", { className: "fields all", hidden: true });
  const in_list = { ...context, blank: "default or zero" }; // items that the prefab lacks begin so
  const made = []; // may be more than are shown, because hidden ones keep what was typed
  const number = () => (/^\d+$/.test(text()) ? Math.min(Number(text()), field.count) : 0);
  box.addEventListener("input", () => {
    const shown = Math.min(number(), ITEMS_SHOWN);
    while (made.length < shown) made.push(form_of(in_list, parts_of(context.schema, field), `${path}[${made.length}]`));
    items.replaceChildren(...made.slice(0, shown).flatMap((item, i) => item_rows(field, i, item.node)));
    items.hidden = shown === 0;
  });
  return {
    rows: [label_of(field), h("div", {}, node, hint_of(`how many, ${field.count} at most`, field.type, field.unit, field.doc)), items],
    read: () => {
      clear_problem(box);
      if (text() === "") return undefined;
      if (String(number()) !== text()) show_problem(box, `'${box.value}' is not a number of items from 0 to ${field.count}`);
      return Array.from({ length: number() }, (_, i) => made[i]?.read() ?? {});
    },
  };
}

/** Makes the rows of a field. */
function part_of(context, field, path) {
  const is_many = field.shape === "array" || field.shape === "list";
  if (is_many && !field.by && !is_struct(field)) return line_part(context, field, path);
  if (is_many) return field.shape === "list" ? list_part(context, field, path) : array_part(context, field, path);
  if (is_struct(field)) {
    const inner = form_of(context, parts_of(context.schema, field), path);
    return { rows: struct_rows(field, inner.node), read: inner.read };
  }
  const made = value_part(context, field, path);
  return { rows: [label_of(field), made.node], read: made.read };
}

/**
 * Makes inputs for fields. `context.defaults` has, by component, the values that empty fields
 * become; `context.blank` describes what fields become that are not in it. Returns the
 * element, and `read()`, which returns what was typed (undefined if nothing) and shows a message
 * at each input whose text cannot be a value.
 */
export function form_of(context, fields, prefix) {
  const parts = fields.map((field) => [field.name, part_of(context, field, `${prefix}.${field.name}`)]);
  return {
    node: h("div", { className: "fields" }, parts.flatMap(([, part]) => part.rows)),
    read: () => joined(parts.map(([name, part]) => [name, part.read()])),
  };
}
