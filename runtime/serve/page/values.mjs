// Values with their units, ranges and docs, and inputs that edit them.
import { chooser, h, keep_focus, link, toast } from "./dom.mjs";
import { number_of } from "./exact.mjs";
import { array_words, indices, item_of, mistake, parts_of, range } from "./fields.mjs";
import { handle_words } from "./names.mjs";
import { hint_of, is_struct, item_rows, label_of, struct_rows } from "./rows.mjs";

export const ITEMS_SHOWN = 64; // of an array or list

/**
 * Makes an element that shows and edits one value. `set(value)` sends it to the game; without it,
 * the value is read-only. Returns the element and `update(value)`, which leaves alone what is being
 * edited.
 */
function editor(schema, field, path, set) {
  const label = `${path}${field.doc ? `: ${field.doc}` : ""}`;
  const common = { "aria-label": path, title: label, disabled: !set };
  let node;
  let update;
  if (field.kind === "enum" && field.shape === "one") {
    const values = schema.enum.get(field.type).values;
    node = chooser(common, set,
      values.map((value) => h("option", { value }, value)));
    update = (value) => { if (document.activeElement !== node) node.value = value; };
  } else if (field.kind === "bool") {
    node = h("input", { ...common, type: "checkbox", onchange: () => set(node.checked) });
    update = (value) => { node.checked = value; };
  } else {
    let known = ""; // the value of the game, which Escape restores
    const restore = () => {
      input.dataset.dirty = "";
      input.value = known;
      input.blur();
    };
    const input = h("input", {
      ...common,
      spellcheck: false,
      autocomplete: "off",
      inputmode: field.kind === "number" ? "decimal" : null,
      placeholder: field.kind === "entity" ? "none" : "",
      onkeydown: (event) => { if (event.key === "Escape" && !event.isComposing) restore(); },
      oninput: () => { input.dataset.dirty = "yes"; },
      onchange: async () => {
        if (!input.dataset.dirty) return; // Escape has restored the value
        const text = input.value.trim();
        const is_number = field.kind === "number";
        if (is_number && text === "") return; // the number is not complete yet
        const wrong = mistake(field, text);
        if (wrong) {
          toast(`${path}: ${wrong}`);
          return;
        }
        input.dataset.dirty = "";
        await set(field.kind === "entity" ? text || null : is_number ? number_of(text) : input.value);
      },
    });
    const go = h("span", { className: "target" });
    let shown = ""; // the link in it
    node = field.kind === "entity" ? h("span", { className: "value handle" }, input, go) : input;
    update = (value) => {
      known = value ?? "";
      if (document.activeElement === input && input.dataset.dirty) return;
      input.value = known;
      if (field.kind !== "entity" || shown === handle_words(known)) return;
      shown = handle_words(known);
      keep_focus(go, () => go.replaceChildren(...(value ? [link(value)] : [])));
    };
  }
  const hint = range(field);
  const box = h("span", { className: "value" }, node, hint ? h("span", { className: "hint" }, hint) : null);
  return { node: box, update };
}

/** Makes an element that shows and edits one value, with the link that stops at it. */
function value_view({ schema, set, stop }, field, path) {
  const made = editor(schema, field, path, set && !field.fixed && ((value) => set(path, value)));
  if (stop) made.node.append(stop(field, path));
  return made;
}

/** Makes an element that shows and edits the number of items of a list. */
function count_view(context, path) {
  return value_view(context, { name: "count", kind: "number", shape: "one" }, `${path}.count`);
}

/** Makes the rows of an array or list: the number of items, and then each item. */
function items_view(context, field, path, value) {
  const names = field.by ? indices(context.schema, field) : (value ?? []).map((_, i) => i);
  const item = item_of(field);
  const is_list = field.shape === "list";
  const some = names.length > ITEMS_SHOWN ? `the first ${ITEMS_SHOWN} of ${names.length}` : "";
  const much = is_list ? [some, `of ${field.count}`].filter(Boolean).join(", ") : some || array_words(field, names.length);
  const hint = hint_of(much, is_struct(field) && field.type, field.unit, field.doc);
  const count = is_list ? count_view(context, path) : null;
  count?.node.append(hint);
  const shown = names.slice(0, ITEMS_SHOWN);
  const made = shown.map((at) => is_struct(field)
    ? fields_view(context, parts_of(context.schema, field), `${path}[${at}]`, value?.[at])
    : value_view(context, item, `${path}[${at}]`));
  return {
    rows: [label_of(field), count ? count.node : hint, ...made.flatMap((one, i) => item_rows(field, shown[i], one.node))],
    update: (now) => {
      count?.update(now?.length);
      made.forEach((one, i) => one.update(now?.[shown[i]]));
    },
  };
}

/** Makes the rows of one field. */
function field_view(context, field, path, value) {
  if (field.shape === "array" || field.shape === "list") return items_view(context, field, path, value);
  if (is_struct(field)) {
    const made = fields_view(context, parts_of(context.schema, field), path, value);
    return { rows: struct_rows(field, made.node), update: made.update };
  }
  const made = value_view(context, field, path);
  return { rows: [label_of(field), h("div", {}, made.node, field.doc ? h("div", { className: "hint" }, field.doc) : null)], update: made.update };
}

/**
 * Makes elements for fields. In the context, `set(path, value)` sends a value to the game, and
 * `stop(field, path)` returns a link that stops at it; both may be null. Returns the element, and
 * `update(value)`.
 */
export function fields_view(context, fields, prefix, value) {
  const made = fields.map((field) => field_view(context, field, `${prefix}.${field.name}`, value?.[field.name]));
  const update = (now) => made.forEach((one, i) => one.update(now?.[fields[i].name]));
  update(value);
  return { node: h("div", { className: "fields" }, made.flatMap((one) => one.rows)), update };
}

/** Returns whether a value inside an element is being typed. */
export function is_typed(node) {
  const active = document.activeElement;
  return node.contains(active) && active.dataset.dirty === "yes";
}

/** Describes the structure of a value. If it changes, the view of the value must be made again. */
export function shape_of(value) {
  if (Array.isArray(value)) return `[${value.length}${value.map(shape_of).join("")}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([name, inner]) => `${name}${shape_of(inner)}`).join()}}`;
  }
  return "";
}

/** Formats a value for a cell. */
export function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  return String(value);
}
