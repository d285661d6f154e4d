// What outlives the game: when another start of it answers at the same address, its stops are set
// again, and the filters of the open view keep their values.
import { toast } from "./dom.mjs";
import { call } from "./link.mjs";

const FILTERS = "#event, #when, #filter, #chart-of, #remember-where, #change-path, #change-text, #view input[type='search']";
let start = null; // when the game started whose stops are known
let known = ""; // the state of the game when its stops were read
let stops = []; // their texts, whether they are on, and how often they only count

/** Reads the stops of the game if they may have changed. */
export async function learn_stops({ watched, edits, started }) {
  const now = JSON.stringify([watched, edits]);
  start ??= started;
  if (now === known || started !== start) return; // the stops of the last start are still to be set
  known = now;
  stops = watched ? (await call("stops").catch(() => [])).map(({ when, on, skip }) => ({ when, on, skip })) : [];
}

async function restore_stop({ when, on, skip }) {
  await call("stop_at", { when });
  if (!on || skip > 0) await call("stop_set", { when, on, skip });
}

/** Sets the stops again in a new start of the game. `stats` are its counters. */
export async function restore_stops(stats) {
  const wanted = stops;
  start = stats.started;
  known = "";
  if (wanted.length === 0 || !stats.writable) return;
  const lost = (why) => toast(`The stops of the last start are lost: ${why}`);
  if (!stats.watched && !stats.can_watch) lost("this game cannot be watched");
  else if (!stats.watched) await call("watch", { on: true }).catch((error) => lost(error.message));
  for (const stop of wanted) await restore_stop(stop).catch((error) => toast(`The stop at '${stop.when}' is lost: ${error.message}`));
}

/** Returns a function that gives the filters of the open view their values again, after it was drawn anew. */
export function keep_filters() {
  const values = [...document.querySelectorAll(FILTERS)].map((node) => [node.id, node.getAttribute("aria-label"), node.value]);
  return () => {
    for (const [id, label, value] of values) {
      const node = [...document.querySelectorAll(FILTERS)].find((one) => one.id === id && one.getAttribute("aria-label") === label);
      if (!node || node.value === value) continue;
      node.value = value;
      node.dispatchEvent(new Event(node.tagName === "SELECT" ? "change" : "input"));
    }
  };
}
