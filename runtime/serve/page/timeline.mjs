// The timeline: phases, systems, their parts and flushes of a few ticks, which the game records for
// this page, or which a trace file contains.
import { bars_of, time_words } from "./bars.mjs";
import { h, toast } from "./dom.mjs";
import { act, call } from "./link.mjs";
import { FILE_BYTES_MAX, read_trace } from "./tracefile.mjs";
import { source_of } from "./sources.mjs";
import { boundaries_of, by_tick, rows_of, tick_of, zones_of } from "./zones.mjs";

const TICKS_MAX = 20; // SERVE_RECORDED_TICKS_MAX
const EVERY_MS = 300;

/** Sums up the zones of systems: name, turns, time, and the first begin. Longest first. */
function turns_of(zones) {
  const sums = new Map();
  for (const { name, start, end } of zones.filter((one) => one.kind === "system")) {
    const sum = sums.get(name) ?? { name, turns: 0, ns: 0 };
    sums.set(name, { name, turns: sum.turns + 1, ns: sum.ns + end - start });
  }
  return [...sums.values()].sort((a, b) => b.ns - a.ns);
}

/** Counts the ticks that have run: a load between two ticks has a place of its own. */
function ticks_words(ticks) {
  const ran = [...ticks.values()].filter((zones) => zones.some((one) => one.kind === "phase")).length;
  return ran === 1 ? "1 tick is" : `${ran.toLocaleString("en")} ticks are`;
}

const load_words = (ticks) => ([...ticks.keys()].some((key) => tick_of(key).again) ? "A load has brought an earlier tick, so ticks may occur twice. " : "");

export function timeline_view(app) {
  const { schema } = app;
  const kept = (app.timeline ??= { ticks: new Map(), words: "", tick: 0, span: 1, waits: false, number: 0 }); // it survives a change of the view
  const systems = new Set(schema.systems.map((one) => one.name));
  const said = h("p", { className: "soft", id: "timeline-said", role: "status" });
  const problem = h("p", { className: "bad", id: "timeline-problem", role: "alert" });
  const count = h("input", { id: "record-ticks", type: "number", min: 1, max: TICKS_MAX, value: 1, "aria-label": "ticks to record" });
  const record = h("button", { className: "main", id: "record", onclick: start }, "record");
  const file = h("input", { type: "file", id: "trace-file", "aria-label": "a trace file", hidden: true, onchange: () => { read(file.files[0]); file.value = ""; } });
  const opens = h("button", { id: "trace-open", onclick: () => file.click() }, "open a trace file");
  const tick = h("input", { id: "timeline-tick", type: "number", "aria-label": "tick that is shown", onchange: () => choose(Number(tick.value)) });
  const again = h("span", { className: "soft", id: "timeline-again" });
  const span = h("input", { id: "timeline-span", type: "number", min: 1, max: TICKS_MAX, "aria-label": "number of ticks that are shown", onchange: () => choose(kept.tick) });
  const picture = bars_of(schema.phases, open);
  const chosen = h("div", { className: "row", id: "timeline-chosen" }, h("button", { "aria-label": "tick before", onclick: () => step(-1) }, "‹"), "tick", tick, h("button", { "aria-label": "tick after", onclick: () => step(1) }, "›"), again, "ticks shown", span, picture.buttons);
  const turns = h("div", { className: "scroll", id: "timeline-turns" });
  const shown = h("div", {}, chosen, picture.node, h("h3", {}, "Turns of systems"), turns);

  function open(name) {
    if (systems.has(name)) location.hash = `#/systems/${name}`;
    else toast(`this game has no system '${name}'`);
  }

  /** Asks for a recording. A game that is paused is stepped, if it can be. */
  async function start() {
    const ticks = Math.min(Math.max(Math.round(Number(count.value)) || 1, 1), TICKS_MAX);
    count.value = ticks;
    problem.textContent = "";
    const begun = await act("record", { ticks });
    if (!begun) return;
    kept.number = begun.number;
    kept.waits = true;
    said.textContent = "Recording the next ticks.";
    for (let done = 0; app.stats.paused && app.stats.can_step && done < ticks;) {
      const answer = await act("step", { ticks: ticks - done });
      if (!answer || answer.stopped || answer.ticks === 0) break;
      done += answer.ticks;
    }
    await refresh();
  }

  async function refresh() {
    if (!kept.waits) return;
    const answer = await call("timeline").catch(() => undefined);
    if (answer === undefined) return;
    kept.waits = answer?.recording ?? false;
    if (answer === null) said.textContent = "The game no longer has the recording: record again.";
    else if (answer.recording) said.textContent = `Recording tick ${answer.done + 1} of ${answer.ticks}.${app.stats.paused ? " The game is paused." : ""}`;
    else {
      const lost = answer.left_off > 0 ? `${answer.left_off.toLocaleString("en")} begins and ends of zones had no space: record fewer ticks. ` : "";
      const other = answer.number === kept.number ? "" : "Another page has begun this recording, which replaces yours. ";
      const ticks = by_tick(zones_of(boundaries_of(answer, schema)));
      take(ticks, `${other}${lost}${load_words(ticks)}${ticks_words(ticks)} recorded.`);
    }
  }

  async function read(one) {
    if (!one) return;
    problem.textContent = "";
    try {
      if (one.size > FILE_BYTES_MAX) throw new Error(`a trace of more than ${FILE_BYTES_MAX / 1024 / 1024} MiB cannot be opened`);
      const { ticks, cut } = await read_trace(await one.text(), (share) => { said.textContent = `${one.name}: ${Math.round(share * 100)} % is read.`; });
      kept.waits = false;
      take(ticks, `${one.name}: ${ticks.size.toLocaleString("en")} ticks. ${load_words(ticks)}${cut ? "The game did not close this file, so its last zones may be missing." : ""}`);
    } catch (error) {
      said.textContent = kept.words;
      problem.textContent = `${one.name} cannot be shown: ${error.message}`;
    }
  }

  /** Shows other ticks, from the first of them. */
  function take(ticks, words) {
    Object.assign(kept, { ticks, words, tick: [...ticks.keys()][0], span: 1 });
    show();
  }

  function choose(wanted) {
    const known = [...kept.ticks.keys()];
    kept.tick = known.includes(wanted) ? wanted : known.find((one) => one >= wanted) ?? known.at(-1);
    kept.span = Math.min(Math.max(Math.round(Number(span.value)) || 1, 1), TICKS_MAX);
    show();
  }

  function step(by) {
    const known = [...kept.ticks.keys()];
    choose(known[Math.min(Math.max(known.indexOf(kept.tick) + by, 0), known.length - 1)]);
  }

  function show() {
    const known = [...kept.ticks.keys()];
    shown.hidden = known.length === 0;
    said.textContent = kept.words || "Nothing is recorded yet. Record the next ticks of the game, or open or drop a file that a game wrote with --trace.";
    if (known.length === 0) return;
    const now = tick_of(kept.tick);
    [tick.min, tick.max, tick.value, span.value] = [known[0], Math.floor(Math.max(...known)), now.tick, kept.span];
    again.textContent = now.again ? "after a load" : "";
    const place = known.indexOf(kept.tick);
    const zones = known.slice(place, place + kept.span).flatMap((one) => kept.ticks.get(one));
    picture.show(rows_of(zones));
    const link = (name) => (systems.has(name) ? h("a", { href: `#/systems/${name}` }, name) : name);
    turns.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "system"), h("th", { className: "number" }, "turns"), h("th", { className: "number" }, "time"))),
      h("tbody", {}, turns_of(zones).map((one) => h("tr", {}, h("td", {}, link(one.name), source_of(one.name)), h("td", { className: "number" }, one.turns), h("td", { className: "number" }, time_words(one.ns)))))));
  }

  const node = h("div", { id: "timeline", ondragover: (event) => event.preventDefault(), ondrop: (event) => { event.preventDefault(); read(event.dataTransfer.files[0]); } },
    h("h2", {}, "Timeline"), h("div", { className: "row" }, record, count, "ticks", opens, file), problem, said, shown);
  show();
  return { nodes: [node], refresh, every: EVERY_MS };
}
