// The dots of the map, as the game sends them: packed numbers, window by window.
import { call } from "./link.mjs";

const WINDOW = 8192; // dots in an answer, SERVE_PACKED_DOTS_MAX
const BYTES = 20; // of a dot: index, generation, x, y and value, 4 bytes each
const MAKING_MS = 100; // until a list that is being made is requested again

/** Decodes base64. */
function bytes_of(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** Makes empty columns for a number of dots. */
function columns_for(count) {
  return { count: 0, total: 0, index: new Uint32Array(count), generation: new Uint32Array(count), x: new Float32Array(count), y: new Float32Array(count), value: new Float32Array(count) };
}

/** Adds packed dots to columns. */
function add_packed(columns, text) {
  const bytes = bytes_of(text);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length && columns.count < columns.x.length; at += BYTES) {
    const i = columns.count++;
    columns.index[i] = view.getUint32(at, true);
    columns.generation[i] = view.getUint32(at + 4, true);
    columns.x[i] = view.getFloat32(at + 8, true);
    columns.y[i] = view.getFloat32(at + 12, true);
    columns.value[i] = view.getFloat32(at + 16, true);
  }
}

/** Returns the dots that have been added so far. */
function added({ count, total, index, generation, x, y, value }) {
  return { count, total, index: index.subarray(0, count), generation: generation.subarray(0, count), x: x.subarray(0, count), y: y.subarray(0, count), value: value.subarray(0, count) };
}

/**
 * Reads at most `most` dots, window by window. `some(dots)` gets those that have arrived, each time that their
 * number has doubled. Returns null if the view was left meanwhile.
 */
export async function read_dots(asked, most, is_open, some) {
  let columns = columns_for(0);
  let told = 0; // dots that `some` got
  for (let offset = 0, total = 0; offset === 0 || offset < Math.min(total, most);) {
    const answer = await call("map", { ...asked, offset, limit: WINDOW, packed: true });
    if (!is_open()) return null;
    total = answer.total;
    if (answer.making !== null && total === 0) {
      await new Promise((done) => { setTimeout(done, MAKING_MS); });
      continue;
    }
    if (offset === 0) columns = columns_for(Math.min(total, most));
    columns.total = total;
    add_packed(columns, answer.dots);
    offset += WINDOW;
    if (columns.count < 2 * told || offset >= total) continue;
    told = columns.count;
    some(added(columns));
  }
  return added(columns);
}

/** Returns the handle of a dot. */
export const id_at = (dots, i) => `${dots.index[i]}:${dots.generation[i]}`;

/** Returns the place of the dot of an entity, or -1. */
export function place_of(dots, id) {
  const [index, generation] = (id ?? "").split(":").map(Number);
  for (let i = 0; i < (dots?.count ?? 0); i++) if (dots.index[i] === index && dots.generation[i] === generation) return i;
  return -1;
}
