// The page as a whole: views by the hash of the address, the time of the game, and keys.
import { bytes, chooser, h, listed } from "./dom.mjs";
import { act, call, connect, link_state } from "./link.mjs";
import { schema_index } from "./fields.mjs";
import { follow_links } from "./follow.mjs";
import { named_words } from "./names.mjs";
import { off_view } from "./off.mjs";
import { entities_view } from "./entities.mjs";
import { entity_view, singletons_view } from "./entity.mjs";
import { spawn_view } from "./spawn.mjs";
import { systems_view } from "./systems.mjs";
import { charts_view } from "./charts.mjs";
import { changes_view, events_view } from "./changes.mjs";
import { memory_view } from "./memory.mjs";
import { timeline_view } from "./timeline.mjs";
import { keep_filters, learn_stops, restore_stops } from "./kept.mjs";
import { undo_offered } from "./undo.mjs";
import { stops_view } from "./stops.mjs";
import { where_written, write_words } from "./writers.mjs";
import { map_view } from "./map.mjs";
import { messages_view } from "./messages.mjs";
import { pinned_view } from "./pinned.mjs";
import { read_sources, source_of } from "./sources.mjs";
import { schema_view } from "./schema.mjs";
import { tree_view } from "./tree.mjs";

const STATS_MS = 500;
const HISTORY = 120; // one minute of stats
const VIEWS = ["entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema", "messages", "spawn", "charts", "timeline", "map", "tree", "pinned"];
const KEYS = [
  ["/", "the search of a view, or the expression"], ["space", "pause, go on"], [".", "one tick"], ["1 to 9, 0, c, t, m, r, p", "the views"],
  ["arrows, Enter", "in the list of entities"], ["x, Shift x, Ctrl A", "select an entity of the list, all up to it, or all of the list"], ["i", "pin an entity of the list"], ["Enter", "takes what arrows have chosen from a menu"], ["Escape", "undo what is being typed"], ["Ctrl Z", "undo the last despawn or removal, as long as it is offered"], ["?", "these words"],
];

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const STEP_MAX = 1000000; // ticks

const app = { schema: null, stats: null, history: [], places: new Map(), stopped: 0, stopped_in: 0 };
let view = null;
let timer = null;
let stepping = 0; // number of the current run of steps; 0 if there is none
let steps = 0; // number of runs so far
let pressed = false; // a mouse button or finger is down: elements are not replaced, so that no click is lost

const element = (id) => document.getElementById(id);

/** Scrolls the name of the current view into sight, if there is no space for all names. */
function show_current() {
  element("views").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Lets the names of views fade out on a side where more of them are hidden. */
function show_more() {
  const { scrollLeft, clientWidth, scrollWidth } = element("views");
  element("views").classList.toggle("more", scrollLeft + clientWidth < scrollWidth - 1);
  element("views").classList.toggle("less", scrollLeft > 1);
}

/** Scrolls the view by as much as the header grows, so that its content stays where it is on the screen. */
function keep_place() {
  const bar = element("bar");
  let height = bar.offsetHeight;
  new ResizeObserver(() => {
    element("view").scrollTop += bar.offsetHeight - height;
    height = bar.offsetHeight;
  }).observe(bar);
}

/** Decodes a word of an address, which people may have typed. */
function decoded(word) {
  try {
    return decodeURIComponent(word ?? "");
  } catch {
    return word;
  }
}

/** Shows that an address leads nowhere. */
function unknown_view(name) {
  return { nodes: [h("h2", {}, "Unknown address"), h("p", { className: "bad", role: "alert" }, `there is no view '${decoded(name)}'`),
    h("p", {}, "There are ", ...listed(VIEWS.map((one) => h("a", { href: `#/${one}` }, one))), ", and ", h("code", {}, "#/entity/12:3"), " for an entity.")] };
}

/** Reads values at intervals. Waits for the answers of the last reading first, because a slow game would otherwise be asked ever more. Returns the timer. */
function poll(read, every) {
  let reads = false;
  return setInterval(async () => {
    if (reads || !link_state.open || document.hidden) return;
    reads = true;
    try {
      await read();
    } finally {
      reads = false;
    }
  }, every);
}

function open_view() {
  if (!app.schema || !app.stats) return;
  const [path, words] = location.hash.replace(/^#\//, "").split("?");
  const [name, of] = path.split("/");
  const query = new URLSearchParams(words ?? "");
  if (view?.stay?.(name, decoded(of))) return;
  const makers = {
    entity: () => entity_view(app, decoded(of), query.get("writers")),
    singletons: () => singletons_view(app, decoded(of), query.get("writers")),
    spawn: () => spawn_view(app, decoded(of)),
    systems: () => systems_view(app, decoded(of)),
    changes: () => changes_view(app),
    events: () => events_view(app),
    stops: () => stops_view(app, query),
    charts: () => charts_view(app, query),
    map: () => map_view(app, query),
    memory: () => memory_view(app),
    timeline: () => timeline_view(app),
    schema: () => schema_view(app),
    messages: () => messages_view(app),
    pinned: () => pinned_view(app, query),
    tree: () => tree_view(app, decoded(of), query),
  };
  makers.entities = makers[""] = () => entities_view(app, query);
  const known = Object.hasOwn(makers, name);
  view = known ? makers[name]() : unknown_view(name);
  document.title = [decoded(of), known ? name || "entities" : "unknown address", app.schema.name, "Weft inspector"].filter(Boolean).join(" · ");
  element("view").className = view.full ? "full" : "";
  const lost = element("view").contains(document.activeElement) || document.activeElement === document.body;
  element("view").replaceChildren(...view.nodes);
  if (lost) (view.first ?? element("view")).focus({ preventScroll: true });
  for (const link of element("views").children) {
    const here = link.dataset.view === (name || "entities") || (name === "entity" && link.dataset.view === "entities");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  show_current();
  show_more();
  clearInterval(timer);
  const { refresh, every } = view;
  timer = refresh ? poll(() => !pressed && refresh(), every) : null;
}

/** Runs ticks; a second click ends this. One call runs as many ticks as fit into a fifth of a second. */
async function step() {
  const box = element("ticks");
  const typed = box.value.trim();
  const wanted = Math.min(Math.max(Math.round(Number(typed)) || 1, 1), STEP_MAX);
  box.value = wanted;
  element("note").textContent = String(wanted) === typed ? "" : `${typed || "nothing"} became ${wanted.toLocaleString("en")}: a step has 1 to ${STEP_MAX.toLocaleString("en")} whole ticks`;
  if (stepping) {
    stepping = 0;
    return;
  }
  const mine = (stepping = ++steps);
  let done = 0;
  while (stepping === mine && done < wanted) {
    const answer = await act("step", { ticks: wanted - done });
    if (!answer || answer.stopped) break;
    done += answer.ticks;
    element("step").textContent = stepping && done < wanted ? "stop" : "step";
  }
  if (stepping && stepping !== mine) return; // another run has begun
  stepping = 0;
  element("step").textContent = "step";
  await read_stats();
  view?.refresh?.();
}

async function pause() {
  await act("pause", { paused: !app.stats.paused });
  await read_stats();
}

function make_time() {
  const { writable, can_step, can_step_phase } = app.stats;
  const speed = h("select", { id: "speed", "aria-label": "speed", onchange: () => act("speed", { speed: Number(speed.value) }) },
    SPEEDS.map((one) => h("option", { value: one }, `${one}×`)));
  const run_phase = async (name) => {
    if (name) await act("step", { phase: name });
    phase.value = "";
    await read_stats();
    view?.refresh?.();
  };
  const phase = chooser({ id: "phase", "aria-label": "run one phase" }, run_phase,
    h("option", { value: "" }, "phase…"), app.schema.phases.map((one) => h("option", { value: one }, one)));
  element("time").replaceChildren(...(writable
    ? [h("button", { id: "pause", className: "main", onclick: pause }, "pause"), speed,
      ...(can_step ? [h("button", { id: "step", onclick: step }, "step"), h("input", { id: "ticks", type: "number", min: 1, max: STEP_MAX, value: 1, oninput: () => { element("note").textContent = ""; }, "aria-label": "ticks of a step" })] : []),
      ...(can_step_phase ? [phase] : [])]
    : [h("span", { className: "soft" }, "read-only")]));
}

/** Describes where in a tick the game is, after a phase was run alone. */
function phase_words() {
  const { phase } = app.stats;
  const { phases } = app.schema;
  if (phase === null || phase === undefined) return "";
  const next = phases[phase + 1];
  return ` after phase ${phases[phase]} (${phase + 1} of ${phases.length}${next ? `, next is ${next}` : ""})`;
}

/** Marks in the menu of phases which have run in this tick, and which is next. */
function mark_phases() {
  const menu = element("phase");
  if (!menu || document.activeElement === menu && menu.value) return;
  const ran = app.stats.phase ?? -1;
  const { phases } = app.schema;
  const texts = [ran < 0 ? "phase…" : `phase ${ran + 1} of ${phases.length}`, ...phases.map((name, i) => `${i <= ran ? "✓ " : ran >= 0 && i === ran + 1 ? "→ " : ""}${name}`)];
  [...menu.options].forEach((option, i) => { if (option.text !== texts[i]) option.text = texts[i]; });
}

function show_stats() {
  const stats = app.stats;
  const lost = stats.commands_lost + stats.events_lost;
  element("world").textContent = stats.world;
  const facts = element("facts");
  facts.textContent = facts.title = link_state.open
    ? `tick ${stats.tick.toLocaleString("en")}${phase_words()} · ${stats.entities.toLocaleString("en")} entities · ${bytes(stats.bytes)}${lost ? ` · ${lost} lost` : ""}${stats.paused ? " · paused" : ""}`
    : "the game does not answer";
  const button = element("pause");
  if (button) button.textContent = stats.paused ? "go on" : "pause";
  mark_phases();
  const speed = element("speed");
  if (!speed || document.activeElement === speed) return;
  const known = [...speed.options].some((one) => Number(one.value) === stats.speed); // programs may set any speed
  if (!known) speed.append(h("option", { value: stats.speed }, `${stats.speed}×`));
  speed.value = String(stats.speed);
}

/** Shows which stop has paused the game, until its time continues. */
async function show_stop() {
  const { stopped, paused, tick } = app.stats;
  const node = element("stopped");
  if (!paused || tick !== app.stopped_in) node.replaceChildren();
  if (stopped === app.stopped) return;
  app.stopped = stopped;
  app.stopped_in = tick;
  if (!paused) return;
  const stops = await call("stops").catch(() => []);
  const last = stops.filter((one) => one.last).sort((a, b) => b.last.tick - a.last.tick)[0];
  if (!last) return;
  const more = h("a", { href: where_written(last.last) }, "its last writers");
  node.replaceChildren(`Stopped in tick ${last.last.tick.toLocaleString("en")} at ${named_words(last.when)}: ${write_words(last.last)}`, source_of(last.last.writer), ". ", more);
}

async function read_stats() {
  app.stats = await call("stats").catch(() => app.stats);
  if (!app.stats) return;
  app.history.push({ ...app.stats, at: performance.now() });
  if (app.history.length > HISTORY) app.history.shift();
  show_stats();
  off.update(app.stats);
  await show_stop();
  await learn_stops(app.stats);
}

function help() {
  const dialog = h("dialog", { onclose: () => dialog.remove() }, h("h2", {}, "Keys"),
    h("table", {}, KEYS.map(([key, words]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, words)))),
    h("button", { onclick: () => dialog.close() }, "close"));
  document.body.append(dialog);
  dialog.showModal();
}

function on_key(event) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
  if (!typing && (event.ctrlKey || event.metaKey) && event.key === "z") undo_offered();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const open = document.querySelector("dialog[open]");
  if (open) { // while help is open, only its own key works, which closes it
    if (event.key === "?") open.close();
    return;
  }
  const number = { 0: 10, c: VIEWS.indexOf("charts") + 1, t: VIEWS.indexOf("timeline") + 1, m: VIEWS.indexOf("map") + 1, r: VIEWS.indexOf("tree") + 1, p: VIEWS.indexOf("pinned") + 1 }[event.key] ?? Number(event.key);
  if (event.key === "/") {
    event.preventDefault();
    const search = () => element("filter") ?? element("view").querySelector("input[type=search]");
    if (!search()) location.hash = "#/entities";
    setTimeout(() => search()?.focus(), 50);
  } else if (event.key === " " && app.stats?.writable && !/^(BUTTON|SUMMARY)$/.test(document.activeElement?.tagName)) {
    event.preventDefault();
    pause();
  } else if (event.key === "." && app.stats?.can_step && !stepping) {
    step();
  } else if (event.key === "?") {
    help();
  } else if (number >= 1 && number <= VIEWS.length) {
    location.hash = `#/${VIEWS[number - 1]}`;
  }
}

/** Shows that the game does not answer: the page is grey, and its last values stay readable. */
function show_lost() {
  const lost = !link_state.open && app.stats !== null;
  document.body.classList.toggle("lost", lost);
  element("time").inert = lost;
  element("lost").replaceChildren(...(lost
    ? [`The game has ended, or does not answer, since ${new Date().toLocaleTimeString("en-GB")}. What is shown is its last state. This page connects again when the game answers at ${location.host || "its address"} with the same token.`]
    : []));
}

async function begin() {
  show_lost();
  if (!link_state.open) {
    if (app.stats) show_stats();
    return;
  }
  const schema = await call("schema").catch(() => null);
  if (!schema) return;
  app.schema = schema_index(schema);
  read_sources(schema);
  const before = app.stats?.started;
  const filters = keep_filters();
  const stats = await call("stats").catch(() => null);
  if (stats && before && stats.started !== before) await restore_stops(stats);
  await read_stats();
  make_time();
  show_stats();
  open_view();
  filters();
}

const off = off_view(read_stats);
element("facts").after(off.node);
element("views").append(...VIEWS.map((name) => h("a", { href: `#/${name}`, "data-view": name }, name)));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address names the view
  element("view").focus();
});
follow_links();
keep_place();
addEventListener("hashchange", open_view);
addEventListener("keydown", on_key);
element("views").addEventListener("scroll", show_more);
addEventListener("resize", () => { show_current(); show_more(); });
addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => { setTimeout(() => { pressed = false; }); });
poll(() => app.schema && read_stats(), STATS_MS);
link_state.on_change = begin;
connect();
