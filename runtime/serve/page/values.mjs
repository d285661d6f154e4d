// Values with their units, ranges and docs, and what edits them.
import { chooser, h, link, toast } from "./dom.mjs";
import { number_of } from "./exact.mjs";

const ITEMS_SHOWN = 64;

export function schema_index(schema) {
  const by_name = (list) => new Map(list.map((one) => [one.name, one]));
  return {
    ...schema,
    component: by_name(schema.components),
    struct: by_name(schema.structs),
    enum: by_name(schema.enums),
    singleton: by_name(schema.singletons),
    prefab: by_name(schema.prefabs),
  };
}

/** Says which values a field may have, and in what unit. */
export function range(field) {
  const { min, max } = field;
  const words = [];
  if (min !== undefined && max !== undefined) words.push(`${min} to ${max}`);
  else if (min !== undefined) words.push(`at least ${min}`);
  else if (max !== undefined) words.push(`at most ${max}`);
  if (field.unit) words.push(field.unit);
  return words.join(", ");
}

/** Lists what an array is indexed by: the values of its enum, or numbers. */
function indices(schema, field) {
  return field.by ? schema.enum.get(field.by).values : Array.from({ length: field.count }, (_, i) => i);
}

/** Finds the field that a path leads to, or of which it is an item. */
export function field_of(schema, path) {
  const [owner, ...names] = path.replace(/\[[^\]]*\]/g, "").split(".");
  let fields = (schema.component.get(owner) ?? schema.singleton.get(owner))?.fields ?? [];
  let field = null;
  for (const name of names) {
    field = fields.find((one) => one.name === name) ?? null;
    fields = schema.struct.get(field?.type)?.fields ?? [];
  }
  return field;
}

/** Lists the paths of all single values of some fields, structs within them too. */
export function leaf_paths(schema, fields, prefix) {
  return fields.flatMap((field) => {
    const path = `${prefix}.${field.name}`;
    if (field.shape === "array") {
      return field.kind === "struct" ? [] : indices(schema, field).slice(0, 8).map((i) => `${path}[${i}]`);
    }
    if (field.shape === "list") return [`${path}.count`];
    if (field.kind === "struct") return leaf_paths(schema, schema.struct.get(field.type).fields, path);
    return [path];
  });
}

/** Tells whether a field has several items that go by numbers. */
export const has_items = (field) => field.shape === "list" || (field.shape === "array" && !field.by);

/** Lists the paths of what a form asks for: as above, with the items of an array or list in one. */
export function form_paths(schema, fields, prefix) {
  return fields.flatMap((field) => {
    const path = `${prefix}.${field.name}`;
    if (has_items(field)) return field.kind === "struct" ? [] : [path];
    if (field.kind === "struct") return field.by ? [] : form_paths(schema, schema.struct.get(field.type).fields, path);
    return field.by ? indices(schema, field).map((i) => `${path}[${i}]`) : [path];
  });
}

/** Writes what this schema can be asked: of an entity, of any, of a singleton, and an event. */
export function examples(schema) {
  const middle = ({ min, max }) => (Number.isFinite(min) && Number.isFinite(max) ? (min + max) / 2 : null);
  const numbers = (list) => list.flatMap((one) => leaf_paths(schema, one.fields ?? [], one.name)).map((path) => [path, field_of(schema, path)])
    .filter(([, field]) => field?.kind === "number"); // the count of a list is no field
  const first = (list) => {
    const found = numbers(list);
    const [path, field] = found.find(([, one]) => middle(one) !== null) ?? found[0] ?? [];
    return path && { path, text: `${path} > ${middle(field) ?? 0}` };
  };
  const value = first(schema.components);
  const tag = schema.components.find((one) => one.storage === "tag")?.name;
  const emitted = schema.events.find((one) => schema.systems.some((system) => system.access.some(([how, name]) => how === "emits" && name === one.name)));
  return {
    value,
    some: [value?.text, tag && `!${tag}`].filter(Boolean).join(" & "),
    singleton: first(schema.singletons)?.text,
    event: emitted && `event ${emitted.name}`,
  };
}

/** Lists the paths of names that entities have. */
export function name_paths(schema) {
  return schema.components.flatMap((component) =>
    component.fields.filter((field) => field.shape === "string" && field.name === "name").map((field) => `${component.name}.${field.name}`));
}

/** Says why a text is no value of a field, as far as that can be told without the game; "": it may be one. */
export function mistake(field, text) {
  if (field.kind === "entity") return text === "" || /^\d+:\d+$/.test(text) ? "" : `'${text}' is no handle: these are an index and a generation, such as 12:3`;
  if (field.kind !== "number") return "";
  return Number.isFinite(Number(text)) ? "" : `'${text}' is no number`;
}

/**
 * Makes what shows one value and edits it. `set(value)` tells the game; without it the value is
 * only looked at. Returns the element and `update(value)`, which leaves alone what is being edited.
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
    const input = h("input", {
      ...common,
      spellcheck: false,
      autocomplete: "off",
      inputmode: field.kind === "number" ? "decimal" : null,
      placeholder: field.kind === "entity" ? "none" : "",
      onkeydown: (event) => { if (event.key === "Escape") { input.dataset.dirty = ""; input.blur(); } },
      oninput: () => { input.dataset.dirty = "yes"; },
      onchange: async () => {
        const text = input.value.trim();
        const is_number = field.kind === "number";
        if (is_number && text === "") return; // more is to be typed
        const wrong = mistake(field, text);
        if (wrong) {
          toast(`${path}: ${wrong}`);
          return;
        }
        input.dataset.dirty = "";
        await set(field.kind === "entity" ? text || null : is_number ? number_of(text) : input.value);
      },
    });
    const go = h("span");
    node = field.kind === "entity" ? h("span", { className: "value" }, input, go) : input;
    update = (value) => {
      if (document.activeElement === input && input.dataset.dirty) return;
      input.value = value ?? "";
      if (field.kind === "entity") go.replaceChildren(...(value ? [link(value)] : []));
    };
  }
  const hint = range(field);
  const box = h("span", { className: "value" }, node, hint ? h("span", { className: "hint" }, hint) : null);
  return { node: box, update };
}

/**
 * Makes the fields of a struct. `set(path, value)` tells the game, and `stop(field, path)`
 * returns a link that stops at a value. Returns the element, and `update(value)`.
 */
export function fields_view(schema, fields, prefix, value, set, stop = null) {
  const updates = [];
  const rows = [];
  const add = (name, doc, node) => rows.push(h("label", { title: doc ?? "" }, name), node);
  const with_stop = (made, field, path) => {
    if (stop) made.node.append(stop(field, path));
    return made;
  };
  for (const field of fields) {
    const path = `${prefix}.${field.name}`;
    const inner = field.kind === "struct" ? schema.struct.get(field.type).fields : null;
    const one = (at, item) => inner
      ? fields_view(schema, inner, at, item, set, stop)
      : with_stop(editor(schema, { ...field, shape: "one" }, at, set && ((v) => set(at, v))), field, at);
    if (field.shape === "array" || field.shape === "list") {
      const names = field.by ? indices(schema, field) : null;
      const items = names ? names.map((name) => value?.[field.name]?.[name]) : value?.[field.name] ?? [];
      const is_list = field.shape === "list";
      const note = [items.length > ITEMS_SHOWN ? `the first ${ITEMS_SHOWN} of ${items.length}` : is_list ? "" : items.length, is_list ? `of ${field.count}` : ""].filter(Boolean).join(", ");
      const hint = h("span", { className: "hint" }, [note, field.unit, field.doc].filter(Boolean).join(" · "));
      if (is_list) { // its items come and go with their number
        const at = `${path}.count`;
        const count = { name: "count", kind: "number", shape: "one" };
        const made = editor(schema, count, at, set && ((v) => set(at, v)));
        made.node.append(hint);
        updates.push((now) => made.update(now?.[field.name]?.length));
        add(field.name, field.doc, with_stop(made, count, at).node);
      } else {
        add(field.name, field.doc, hint);
      }
      items.slice(0, ITEMS_SHOWN).forEach((item, i) => {
        const at = names ? names[i] : i;
        const made = one(`${path}[${at}]`, item);
        updates.push((now) => made.update(now?.[field.name]?.[at]));
        rows.push(h("label", { className: "soft" }, `[${at}]`), made.node);
      });
      continue;
    }
    const made = one(path, value?.[field.name]);
    updates.push((now) => made.update(now?.[field.name]));
    if (inner) {
      add(field.name, field.doc, h("span", { className: "hint" }, [field.type, range(field), field.doc].filter(Boolean).join(" · ")));
      rows.push(h("div", { className: "wide" }, made.node));
    } else {
      add(field.name, field.doc, h("div", {}, made.node, field.doc ? h("div", { className: "hint" }, field.doc) : null));
    }
  }
  const update = (now) => updates.forEach((one) => one(now));
  update(value);
  return { node: h("div", { className: "fields" }, rows), update };
}

/** Tells whether a value inside an element is being typed. */
export function is_typed(node) {
  const active = document.activeElement;
  return node.contains(active) && active.dataset.dirty === "yes";
}

/** Says how a value is built: where it differs, its view is made anew. */
export function shape_of(value) {
  if (Array.isArray(value)) return `[${value.length > 0 ? `${value.length}:${shape_of(value[0])}` : 0}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([name, inner]) => `${name}${shape_of(inner)}`).join()}}`;
  }
  return "";
}

/** Writes a value in a cell. */
export function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  return String(value);
}
