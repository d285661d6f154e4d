// Reads a trace file, as runtime/trace writes it: a JSON array of events, one a line.
import { by_tick, zones_of } from "./zones.mjs";

export const FILE_BYTES_MAX = 256 * 1024 * 1024;
const LINES_AT_ONCE = 20000; // then the page may draw
const KINDS = ["phase", "system", "part", "world"];

function wrong(number, why) {
  return new Error(`line ${number} of the file is damaged: ${why}`);
}

function boundary_of(event, number) {
  const { ph, tid, ts, cat, name, args, id, id2 } = event ?? {};
  if (!["B", "E", "b", "e"].includes(ph)) throw wrong(number, "it is not the begin or end of a zone");
  if (!Number.isFinite(ts) || !Number.isInteger(tid) || typeof name !== "string" || !KINDS.includes(cat)) throw wrong(number, "'ts', 'tid', 'name' or 'cat' is missing or wrong");
  const begins = ph === "B" || ph === "b";
  if (begins && !Number.isInteger(args?.tick)) throw wrong(number, "a zone begins without its 'tick'");
  return { begins, shared: ph === "b" || ph === "e", kind: cat === "world" ? name : cat, name, id: `${id2?.local ?? id} ${name}`, part: args?.part ?? 0, thread: tid - 1, tick: args?.tick, ns: Math.round(ts * 1000), rows: args?.rows ?? 0 };
}

/** Reads a line. Returns null if it is not a zone: a bracket, or a name of the process. */
function read_line(line, number) {
  const text = line.trim().replace(/,$/, "");
  if (text === "" || text === "]") return null;
  let event = null;
  try {
    event = JSON.parse(text);
  } catch {
    throw wrong(number, "it is not JSON");
  }
  return event?.ph === "M" ? null : boundary_of(event, number);
}

/** Yields lines without a copy of the whole text as an array. */
function* lines_of(text) {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
  }
}

/**
 * Reads the text of a trace. Returns the zones by tick, and whether the file is `cut`: its game did
 * not close it. Throws an error with the number of the first damaged line.
 */
export async function read_trace(text, progress) {
  if (!/^\[\s*\n/.test(text)) throw new Error("this is not a trace that a game has written: its first line is not '['");
  const closed = /\]\s*$/.test(text);
  const boundaries = [];
  let number = 0;
  let read = 0;
  for (const line of lines_of(text)) {
    number++;
    read += line.length + 1;
    if (number === 1) continue;
    if (!closed && read >= text.length && !/\}\s*,?\s*$/.test(line)) break; // the last line was not written whole
    const one = read_line(line, number);
    if (one) boundaries.push(one);
    if (number % LINES_AT_ONCE !== 0) continue;
    progress(read / text.length);
    await new Promise((resolve) => { setTimeout(resolve); });
  }
  const ticks = by_tick(zones_of(boundaries));
  if (ticks.size === 0) throw new Error("the trace contains no whole zone");
  return { ticks, cut: !closed };
}
