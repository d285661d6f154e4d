// Values with their units, ranges and docs, and inputs that edit them.
import { chooser, h, keep_focus, link } from "./dom.mjs";
import { number_of } from "./exact.mjs";
import { array_words, indices, item_of, mistake, parts_of, range } from "./fields.mjs";
import { array_grid } from "./grid.mjs";
import { handle_words } from "./names.mjs";
import { clear_problem, show_problem } from "./problem.mjs";
import { hint_of, input_class, input_size, is_struct, item_rows, label_of, struct_rows } from "./rows.mjs";

export const ITEMS_SHOWN = 64; // of an array or list at once
const GRID_ITEMS = 16; // an array or list with more simple values is a grid

/**
 * Makes an element that shows and edits one value. `set(value)` sends it to the game and returns
 * why the game refuses it, or ""; without it, the value is read-only. Returns the element and
 * `update(value)`, which leaves alone what is being edited, and what was refused.
 */
function editor(schema, field, path, set) {
  const label = `${path}${field.doc ? `: ${field.doc}` : ""}`;
  const common = { "aria-label": path, title: label, disabled: !set };
  let node;
  let update;
  let edits = 0; // entered so far
  const take = async (value) => show_problem(node, await set(value));
  if (field.kind === "enum" && field.shape === "one") {
    const values = schema.enum.get(field.type).values;
    node = chooser(common, take,
      values.map((value) => h("option", { value }, value)));
    update = (value) => { if (document.activeElement !== node) node.value = value; };
  } else if (field.kind === "bool") {
    node = h("input", { ...common, type: "checkbox", onchange: () => take(node.checked) });
    update = (value) => { node.checked = value; };
  } else {
    let known = ""; // the value of the game, which Escape restores
    const restore = () => {
      input.dataset.dirty = "";
      input.value = known;
      clear_problem(input);
      input.blur();
    };
    const input = h("input", {
      ...common,
      spellcheck: false,
      autocomplete: "off",
      inputmode: field.kind === "number" ? "decimal" : null,
      placeholder: field.kind === "entity" ? "none" : "",
      className: input_class(field),
      size: input_size(field),
      onkeydown: (event) => { if (event.key === "Escape" && !event.isComposing) restore(); },
      oninput: () => { input.dataset.dirty = "yes"; },
      onchange: async () => {
        if (!input.dataset.dirty) return; // Escape has restored the value
        const text = input.value.trim();
        const is_number = field.kind === "number";
        if (is_number && text === "") return; // the number is not complete yet
        const value = field.kind === "entity" ? text || null : is_number ? number_of(text) : input.value;
        input.dataset.dirty = "";
        const mine = ++edits;
        const typed = input.value;
        const wrong = mistake(field, text) || await set(value);
        if (mine !== edits) return; // something else was entered meanwhile
        show_problem(input, wrong);
        if (!wrong) return;
        input.value = typed;
        input.dataset.dirty = "yes";
      },
    });
    const go = h("span", { className: "target" });
    let shown = ""; // the link in it
    node = field.kind === "entity" ? h("span", { className: "value handle" }, input, go) : input;
    update = (value) => {
      known = value ?? "";
      if (input.dataset.dirty && (document.activeElement === input || input.ariaInvalid)) return;
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
function value_view({ schema, set, stop, chart }, field, path) {
  const made = editor(schema, field, path, set && !field.fixed && ((value) => set(path, value)));
  if (stop) made.node.append(stop(field, path));
  const charted = chart?.(field, path);
  if (charted) made.node.append(charted);
  return made;
}

/** Makes an element that shows and edits the number of items of a list. */
function count_view(context, path) {
  return value_view(context, { name: "count", kind: "number", shape: "one" }, `${path}.count`);
}

/** Makes the rows of many simple values: a grid. */
function grid_view(context, field, path, value) {
  const item = item_of(field);
  const count = field.shape === "list" ? count_view(context, path) : null;
  const hint = hint_of(field.shape === "list" ? `of ${field.count}` : `${field.count} items`, range(field), field.doc);
  const made = array_grid(path, value.length, (i) => value_view(context, item, `${path}[${i}]`), field.kind === "number");
  count?.node.append(hint);
  return {
    rows: [label_of(field), count ? count.node : hint, made.node],
    update: (now) => {
      count?.update(now?.length);
      made.update(now);
    },
  };
}

/** Makes the rows of the items of an array or list from one number on, and a menu to choose others. */
function paged_items(names, make) {
  const node = h("div", { className: "fields all" });
  let first = 0;
  let value = null;
  let made = [];
  const pages = Array.from({ length: Math.ceil(names.length / ITEMS_SHOWN) }, (_, i) => i * ITEMS_SHOWN);
  const pick = h("select", { "aria-label": "which items", onchange: () => { first = Number(pick.value); draw(); } },
    pages.map((page) => h("option", { value: page }, `${names[page]} to ${names[Math.min(page + ITEMS_SHOWN, names.length) - 1]}`)));
  function draw() {
    const shown = names.slice(first, first + ITEMS_SHOWN);
    made = shown.map((at) => [at, make(at, value?.[at])]);
    node.replaceChildren(...(pages.length > 1 ? [h("span", { className: "soft" }, "items"), pick] : []), ...made.flatMap(([at, one]) => one.rows(at)));
    for (const [at, one] of made) one.update(value?.[at]);
  }
  return {
    node,
    update(now) {
      const is_first = value === null;
      value = now ?? [];
      if (is_first) draw();
      else for (const [at, one] of made) one.update(value[at]);
    },
  };
}

/** Makes the rows of an array or list: the number of items, and then each item. */
function items_view(context, field, path, value) {
  if (!is_struct(field) && !field.by && (value?.length ?? 0) > GRID_ITEMS) return grid_view(context, field, path, value);
  const names = field.by ? indices(context.schema, field) : (value ?? []).map((_, i) => i);
  const item = item_of(field);
  const is_list = field.shape === "list";
  const much = is_list ? `of ${field.count}` : array_words(field, names.length);
  const hint = hint_of(much, is_struct(field) && field.type, field.unit, field.doc);
  const count = is_list ? count_view(context, path) : null;
  count?.node.append(hint);
  const made = paged_items(names, (at, one_value) => {
    const one = is_struct(field)
      ? fields_view(context, parts_of(context.schema, field), `${path}[${at}]`, one_value)
      : value_view(context, item, `${path}[${at}]`);
    return { rows: () => item_rows(field, at, one.node), update: one.update };
  });
  return {
    rows: [label_of(field), count ? count.node : hint, made.node],
    update: (now) => {
      count?.update(now?.length);
      made.update(now);
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
 * Makes elements for fields. In the context, `set(path, value)` sends a value to the game and
 * returns why it is refused, or "", `stop(field, path)` returns a link that stops at it, and
 * `chart(field, path)` one to its chart; all may be null. Returns the element, and
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
