// Names of entities. The game sends them with its answers, and here they are put before handles.
const HANDLES = /(?<![\w.:])\d+:\d+(?![\w.:])/g;
const NAMES_MAX = 50000;
const names = new Map(); // by handle, also of entities that were despawned meanwhile

/** Keeps the names of an answer. */
export function learn_names(some) {
  if (names.size > NAMES_MAX) names.clear();
  for (const [id, name] of Object.entries(some ?? {})) names.set(id, name);
}

/** Returns the name of an entity, or "" if it has none. */
export const name_of = (id) => names.get(id) ?? "";

/** Writes a handle with its name: "Lulana 87:1". */
export const handle_words = (id) => (names.get(id) ? `${names.get(id)} ${id}` : id);

/** Puts names before all handles in a text. */
export const named_words = (text) => text.replace(HANDLES, handle_words);
