// The schema as a document, with the elements and the style of the page that `weft docs` writes.
import { h, listed } from "./dom.mjs";
import { range } from "./fields.mjs";
import { count_matching, matching_link } from "./matching.mjs";
import { search_box } from "./search.mjs";
import { copy_tools } from "./table.mjs";
import { declared_fact } from "./sources.mjs";
import { cell } from "./text.mjs";
import { tree_address } from "./tree.mjs";

const KINDS = ["components", "singletons", "structs", "enums", "events", "relations", "links", "prefabs", "queries", "listeners", "systems"];
const HEADS = ["field", "type", "unit", "range", "default", "about"];
// What a system, query or listener does, and how the declaration that it names says so.
const ACCESS = {
  read: ["reads", "read by"], write: ["writes", "written by"], optional: ["optional", "optional in"],
  "lookup read": ["looks up", "looked up by"], "lookup write": ["looks up and writes", "looked up and written by"],
  "singleton read": ["reads singletons", "read by"], "singleton write": ["writes singletons", "written by"],
  query: ["iterates", "iterated by"], emits: ["emits", "emitted by"], hears: ["hears", "heard by"],
  removed: ["reads removals of", "removals read by"], order: ["order", "orders"], parent: ["reads from parents", "read from parents by"],
  "lookup relation": ["looks up", "looked up by"], "removed relation": ["reads removals of", "removals read by"],
  "link read": ["reads links", "read by"], "link write": ["writes links", "written by"],
};

/** Returns the type of a field as the schema writes it. */
function type_text({ type, shape, count, by }) {
  if (shape === "list") return `${type}[..${count}]`;
  return shape === "array" || shape === "string" ? `${type}[${by ?? count}]` : type;
}

/** Formats a default value as TOML writes it. */
function default_text(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.length > 8 ? `[${value.slice(0, 8).map(default_text).join(", ")}, …]` : `[${value.map(default_text).join(", ")}]`;
  if (typeof value === "object") return `{ ${Object.entries(value).map(([name, inner]) => `${name} = ${default_text(inner)}`).join(", ")} }`;
  return cell(value);
}

/** Makes a link to a declaration in this document. */
function named(kinds, name) {
  const kind = kinds.get(name);
  return kind ? h("a", { href: "#/schema", onclick: (event) => { event.preventDefault(); document.getElementById(`${kind}-${name}`)?.scrollIntoView(); } }, name) : name;
}

/** Makes a doc, whose words in backticks are code. */
const doc_words = (kinds, doc) => doc.split("`").map((part, i) => (i % 2 === 0 ? part : kinds.has(part) ? named(kinds, part) : h("code", {}, part)));

function fields_table(kinds, one) {
  if (!one.fields || one.fields.length === 0) return null;
  const row = (field) => h("tr", {}, h("th", { scope: "row" }, field.name), h("td", {}, type_text(field)), h("td", {}, field.unit ?? ""),
    h("td", {}, range({ ...field, unit: "" })), h("td", {}, default_text(one.defaults?.[field.name])), h("td", {}, doc_words(kinds, field.doc ?? "")));
  return h("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `Fields of ${one.name}` },
    h("table", {}, h("thead", {}, h("tr", {}, HEADS.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, one.fields.map(row))));
}

/** Lists the values of an enum by their numbers. */
function values_list(kinds, one) {
  if (!one.values || !Array.isArray(one.values)) return null;
  return h("ol", { start: 0 }, one.values.map((value, i) => h("li", {}, value, one.docs?.[i] ? h("span", {}, ": ", doc_words(kinds, one.docs[i])) : null)));
}

const bytes_words = (size) => `${size.toLocaleString("en")} ${size === 1 ? "byte" : "bytes"}`;

/** Lists what a declaration says itself, as pairs of a label and words. */
function own_facts(schema, kinds, kind, one) {
  const links = (names) => listed(names.map((name) => named(kinds, name)));
  const facts = [];
  if (kind === "components" && one.fields.length > 0) facts.push(["stored as", [one.storage === "sparse" ? "sparse values, for few entities" : one.soa ? "an array for each field in each table" : "an array of structs in each table"]]);
  if (one.size) facts.push(["size", [bytes_words(one.size)]]);
  if (one.save === false) facts.push(["saves", ["its values are not saved"]]);
  if (kind === "events") facts.push(["most unread events", [one.max.toLocaleString("en")]]);
  if (kind === "relations") facts.push(["when a parent is despawned", [one.on_parent_despawn === "despawn" ? "children are despawned too" : "children become roots"]]);
  if (kind === "links") {
    if (one.fields.length === 0) facts.push(["value", ["bare: it has none"]]);
    for (const [end, other] of [["from", "to"], ["to", "from"]]) {
      if (one.on_despawn[end] === "despawn") facts.push([`when the entity at ${end} is despawned`, [`the entity at ${other} is despawned too`]]);
    }
    if (one.symmetric) facts.push(["direction", ["both"]]);
  }
  if (kind === "prefabs") facts.push(["components", links(one.components)]);
  for (const part of one.parts ?? []) facts.push([`part ${part.name}`, [part.count > 1 ? `${part.count} of ` : "", named(kinds, part.prefab), ", attached by ", named(kinds, part.by)]]);
  for (const [of, values] of Object.entries(one.values && kind === "prefabs" ? one.values : {})) facts.push(["begins with", [named(kinds, of), `: ${Object.entries(values).map(([name, value]) => `${name} = ${default_text(value)}`).join(", ")}`]]);
  if (kind === "systems") facts.push(["phase", [schema.phases[one.phase]]]);
  const access = new Map();
  for (const [how, name] of one.access ?? []) access.set(ACCESS[how][0], [...(access.get(ACCESS[how][0]) ?? []), name]);
  for (const [label, names] of access) facts.push([label, links(names)]);
  if (one.where) facts.push(["where", [h("code", {}, one.where)]]);
  if (one.every) facts.push(["every", [`${one.every} s`]]);
  if (one.commands) facts.push(["also", ["records commands"]]);
  return facts;
}

/** Lists what names each declaration, by its name: pairs of a label and names. */
function reverse_facts(schema) {
  const found = new Map();
  const note = (of, label, user) => {
    if (!found.has(of)) found.set(of, new Map());
    found.get(of).set(label, new Set([...(found.get(of).get(label) ?? []), user]));
  };
  for (const user of [...schema.systems, ...schema.queries, ...schema.listeners]) for (const [how, of] of user.access) note(of, ACCESS[how][1], user.name);
  for (const prefab of schema.prefabs) for (const of of prefab.components) note(of, "in prefabs", prefab.name);
  return found;
}

function entry(schema, kinds, users, kind, one) {
  const facts = [...own_facts(schema, kinds, kind, one),
    ...[...(users.get(one.name) ?? [])].map(([label, names]) => [label, listed([...names].map((name) => named(kinds, name)))])];
  const shown = { components: `#/entities?where=${one.name}`, singletons: `#/singletons/${one.name}`, systems: `#/systems/${one.name}`, prefabs: `#/spawn/${one.name}`, relations: tree_address(one.name) }[kind];
  const verb = { components: "entities", singletons: "values", systems: "schedule", prefabs: "spawn", relations: "tree" }[kind];
  const matching = ["queries", "systems", "listeners"].includes(kind) ? matching_link(schema, one) : null;
  return h("article", { id: `${kind}-${one.name}` }, h("h3", {}, one.name), one.doc ? h("p", { className: "doc" }, doc_words(kinds, one.doc)) : null,
    kind === "enums" ? values_list(kinds, one) : null, fields_table(kinds, one),
    h("dl", {}, facts.map(([label, words]) => h("div", {}, h("dt", {}, label), h("dd", {}, words))),
      matching ? h("div", { onpointerenter: () => count_matching(matching), onfocusin: () => count_matching(matching) }, h("dt", {}, "matches"), h("dd", {}, matching)) : null,
      shown ? h("div", {}, h("dt", {}, "in the game"), h("dd", {}, h("a", { href: shown }, verb))) : null, declared_fact(kind, one.name)));
}

/** Lists all declarations, each followed by its fields or values, for a copy. */
function copied_rows(schema) {
  return KINDS.flatMap((kind) => schema[kind].flatMap((one) => [[kind, one.name, "", "", "", "", "", one.doc ?? ""],
    ...(one.fields ?? []).map((field) => [kind, one.name, field.name, type_text(field), field.unit ?? "", range({ ...field, unit: "" }), default_text(field.default), field.doc ?? ""]),
    ...(kind === "enums" ? one.values.map((value, i) => [kind, one.name, value, "", "", "", "", one.docs?.[i] ?? ""]) : [])]));
}

export function schema_view(app) {
  const { schema } = app;
  const copied = async () => ({ heads: ["kind", "name", ...HEADS], rows: copied_rows(schema) });
  const kinds = new Map(KINDS.flatMap((kind) => schema[kind].map((one) => [one.name, kind])));
  const users = reverse_facts(schema);
  const groups = KINDS.filter((kind) => schema[kind].length > 0).map((kind) => h("section", {},
    h("h2", {}, kind), schema[kind].map((one) => entry(schema, kinds, users, kind, one))));
  const box = h("div", { className: "entries" }, groups);
  const none = h("p", { className: "soft", id: "none", role: "status", hidden: true });
  const search = search_box("search the schema", () => [...box.querySelectorAll("article")], undefined, (words, left) => {
    for (const group of groups) group.hidden = !group.querySelector("article:not(.unfound)");
    none.hidden = left > 0;
    none.textContent = `Nothing in the schema has "${words}" in it.`;
  });
  return { nodes: [h("h2", { className: "unseen" }, "Schema"), h("div", { className: "row" }, search.node, copy_tools(app, "schema", copied)), none, box] };
}
