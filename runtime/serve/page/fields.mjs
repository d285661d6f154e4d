// The fields of the schema: paths, ranges, names, and examples of expressions.

const ITEMS_LISTED = 8; // of an array whose paths are offered
const TESTS_MAX = 64; // in an expression, see select.h

/** Adds maps that find parts of a schema by name. */
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

/** Describes the values that a field may have, and their unit. */
export function range(field) {
  const { min, max } = field;
  const words = [];
  if (min !== undefined && max !== undefined) words.push(`${min} to ${max}`);
  else if (min !== undefined) words.push(`at least ${min}`);
  else if (max !== undefined) words.push(`at most ${max}`);
  if (field.unit) words.push(field.unit);
  return words.join(", ");
}

const BITS = /^([iu])(8|16|32)$/; // integers that JavaScript can count

/** Returns the least and the greatest value that a number may have, by its declared range and its type. */
export function limits(field) {
  const [, sign, bits] = BITS.exec(field.type) ?? [];
  const values = sign ? 2 ** Number(bits) : Infinity;
  const low = sign === "i" ? -values / 2 : sign || field.type === "u64" ? 0 : -Infinity;
  return { low: Math.max(low, field.min ?? -Infinity), high: Math.min(sign ? low + values - 1 : Infinity, field.max ?? Infinity) };
}

/** Lists the indices of an array: the values of its enum, or numbers. */
export function indices(schema, field) {
  return field.by ? schema.enum.get(field.by).values : Array.from({ length: field.count }, (_, i) => i);
}

/** Describes the elements of an array. */
export const array_words = (field, count) => (field.by ? `by ${field.by}` : `${count} items`);

/** Returns the field of one item of an array or list. */
export const item_of = (field) => ({ ...field, shape: "one", by: undefined });

/** Lists the fields of a struct. Its numbers are in the unit of the struct unless they have their own. */
export function parts_of(schema, field) {
  const fields = schema.struct.get(field?.type)?.fields ?? [];
  return fields.map((one) => (one.unit || !field.unit || !["number", "struct"].includes(one.kind) ? one : { ...one, unit: field.unit }));
}

/** Finds the field that a path names, or whose item it names. */
export function field_of(schema, path) {
  const [owner, ...names] = path.replace(/\[[^\]]*\]/g, "").split(".");
  let fields = (schema.component.get(owner) ?? schema.singleton.get(owner))?.fields ?? [];
  let field = null;
  for (const name of names) {
    field = fields.find((one) => one.name === name) ?? null;
    fields = parts_of(schema, field);
  }
  return field;
}

/** Lists the paths of all single values of some fields, including structs in them and the first items of arrays. */
export function leaf_paths(schema, fields, prefix) {
  const paths = (field, path) => (field.kind === "struct" ? leaf_paths(schema, parts_of(schema, field), path) : [path]);
  return fields.flatMap((field) => {
    const path = `${prefix}.${field.name}`;
    if (field.shape === "list") return [`${path}.count`];
    if (field.shape !== "array") return paths(field, path);
    return indices(schema, field).slice(0, ITEMS_LISTED).flatMap((i) => paths(item_of(field), `${path}[${i}]`));
  });
}

/**
 * Lists the events that can be reported: a system emits them, and a system or listener hears them.
 * Inputs are emitted by the game and are not among them.
 */
export function events_told(schema) {
  const has = (list, how, event) => list.some((one) => one.access.some(([kind, name]) => kind === how && name === event.name));
  return schema.events.filter((event) => has(schema.systems, "emits", event) && has([...schema.systems, ...schema.listeners], "hears", event));
}

/** Returns example texts for this schema: a condition on an entity, on any entity, on a singleton, and an event. */
export function examples(schema) {
  const middle = ({ min, max }) => (Number.isFinite(min) && Number.isFinite(max) ? (min + max) / 2 : null);
  const numbers = (list) => list.flatMap((one) => leaf_paths(schema, one.fields ?? [], one.name)).map((path) => [path, field_of(schema, path)])
    .filter(([, field]) => field?.kind === "number"); // the count of a list is not a field
  const first = (list) => {
    const found = numbers(list);
    const [path, field] = found.find(([, one]) => middle(one) !== null) ?? found[0] ?? [];
    return path && { path, text: `${path} > ${middle(field) ?? 0}` };
  };
  const value = first(schema.components);
  const tag = schema.components.find((one) => one.storage === "tag")?.name;
  const [emitted] = events_told(schema);
  return {
    value,
    some: [value?.text, tag && `!${tag}`].filter(Boolean).join(" & "),
    singleton: first(schema.singletons)?.text,
    event: emitted && `event ${emitted.name}`,
  };
}

/** Lists the paths of texts that can be the name of an entity: fields called `name` first, and no items of arrays. */
export function name_paths(schema) {
  const texts = (fields, prefix) => fields.flatMap((field) => {
    const path = `${prefix}.${field.name}`;
    if (field.shape === "string") return [path];
    return field.kind === "struct" && field.shape === "one" ? texts(parts_of(schema, field), path) : [];
  });
  const all = schema.components.flatMap((component) => texts(component.fields, component.name));
  const is_name = (path) => path.endsWith(".name");
  return [...all.filter(is_name), ...all.filter((path) => !is_name(path))].slice(0, TESTS_MAX);
}

/** Returns the expression that compares the name of entities (`==`, or `~` for a part of it), in any text that is long enough for it. */
export function named(schema, text, sign) {
  const paths = name_paths(schema);
  const bytes = new TextEncoder().encode(text).length;
  const fitting = paths.filter((path) => bytes < field_of(schema, path).count);
  return (fitting.length > 0 ? fitting : paths).map((path) => `${path} ${sign} ${JSON.stringify(text)}`).join(" | ");
}

/** Returns why a text is not a value of a field, as far as this is known without the game; "" if it may be one. */
export function mistake(field, text) {
  if (field.kind === "entity") return text === "" || /^\d+:\d+$/.test(text) ? "" : `'${text}' is not a handle: write an index and a generation, such as 12:3`;
  if (field.kind !== "number") return "";
  return Number.isFinite(Number(text)) ? "" : `'${text}' is not a number`;
}
