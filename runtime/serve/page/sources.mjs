// Links to the lines of the game's sources that define systems and declare parts of the schema. The
// game names these lines if its inspector knows where the sources are. A link opens an editor, or
// copies the path and line if no editor is known.
import { h, listed, toast } from "./dom.mjs";
import { call } from "./link.mjs";

const READING_MS = 50; // until sources that are being read are requested again
const KINDS = { components: ["component"], singletons: ["singleton", "state"], structs: ["struct", "extern"], enums: ["enum", "state"], events: ["event", "input"],
  relations: ["relation"], links: ["link"], prefabs: ["prefab"], queries: ["query"], listeners: ["listener"], systems: ["system"] };

let known = null; // null before the sources are read, and if there are none
let reading = Promise.resolve();

/** Asks the game until it has read its sources. Returns null if it knows of none. */
async function read(schema) {
  let answer = await call("sources");
  while (answer && answer.making !== null) {
    await new Promise((done) => { setTimeout(done, READING_MS); });
    answer = await call("sources");
  }
  if (!answer) return null;
  const place = (file, line) => ({ ...answer.files[file], line });
  const systems = new Map(schema.systems.map((one, i) => [one.name, answer.systems[i].map(([file, line]) => place(file, line))]));
  const declared = new Map();
  for (const [kind, name, file, line] of answer.declared) declared.set(`${kind} ${name}`, [...(declared.get(`${kind} ${name}`) ?? []), place(file, line)]);
  return { ...answer, systems, declared, world: schema.name };
}

/** Begins to read the sources of a game that has just connected. */
export function read_sources(schema) {
  known = null;
  reading = read(schema).then((sources) => { known = sources; }, () => {});
}

/** Calls a function with the sources as soon as they are known, unless there are none. */
function with_sources(use) {
  if (known) use(known);
  else reading.then(() => { if (known) use(known); });
}

/** Writes the address of a line by the pattern of an editor. */
function editor_address(pattern, { path, line }) {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return pattern.replaceAll("{path}", encoded).replaceAll("{line}", String(line));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`copied ${text}`, true);
  } catch {
    toast(`the browser does not copy: ${text}`);
  }
}

function place_node(editor, place) {
  const words = `${place.name.split("/").at(-1)}:${place.line}`;
  const whole = `${place.name}:${place.line}`;
  if (!editor) return h("button", { className: "plain mono", title: `copy the path of ${whole}`, "aria-label": `copy the path of ${whole}`, onclick: () => copy(`${place.path}:${place.line}`) }, words);
  const target = /^https?:/i.test(editor) ? { target: "_blank", rel: "noopener" } : {};
  return h("a", { className: "mono", href: editor_address(editor, place), title: `open ${whole} in the editor`, ...target }, words);
}

const links_to = (sources, places) => listed(places.map((place) => place_node(sources.editor, place)));

/** Makes the links to the definition of a system, with a blank before them. The element stays empty if it is not known. */
export function source_of(name) {
  const node = h("span", { className: "source" });
  with_sources((sources) => {
    const places = sources.systems.get(name) ?? [];
    if (places.length > 0) node.append(" ", ...links_to(sources, places));
  });
  return node;
}

/** Makes the links to the lines that declare a part of the schema. */
const declared_in = (sources, kind, name) => links_to(sources, KINDS[kind].flatMap((one) => sources.declared.get(`${one} ${name}`) ?? []));

/** Describes why the definition of a system is not known. */
function unknown_words({ world, read: files, left_off, problems }, name) {
  const some = left_off > 0 ? `, and ${left_off.toLocaleString("en")} files were not read` : "";
  return `no definition of ${world}_${name} is in the ${files.toLocaleString("en")} files of the sources${some}; a macro may write its name${problems.length > 0 ? ` (${problems.join("; ")})` : ""}`;
}

/** Makes the row of a table with the lines of a system. It stays hidden if the game names no sources. */
export function source_row(name) {
  const cell = h("td", {});
  const row = h("tr", { hidden: true }, h("th", {}, "source"), cell);
  with_sources((sources) => {
    const places = sources.systems.get(name) ?? [];
    const declared = declared_in(sources, "systems", name);
    cell.append(...(places.length > 0 ? links_to(sources, places) : [unknown_words(sources, name)]), ...(declared.length > 0 ? ["; declared in ", ...declared] : []));
    row.hidden = false;
  });
  return row;
}

/** Makes the entry of a description list with the lines that declare a part of the schema. */
export function declared_fact(kind, name) {
  const words = h("dd", {});
  const fact = h("div", { hidden: true }, h("dt", {}, "declared in"), words);
  with_sources((sources) => {
    const links = declared_in(sources, kind, name);
    words.append(...links);
    fact.hidden = links.length === 0;
  });
  return fact;
}
