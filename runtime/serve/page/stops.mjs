// The stops of the game: their list, and a form that writes the text of a stop.
import { h, keep_focus, link, point_at } from "./dom.mjs";
import { builder } from "./builder.mjs";
import { completed, expression_words } from "./complete.mjs";
import { range_problem } from "./comparison.mjs";
import { act, call } from "./link.mjs";
import { events_told, examples, leaf_paths } from "./fields.mjs";
import { named_words } from "./names.mjs";
import { clear_problem, show_problem } from "./problem.mjs";
import { source_of } from "./sources.mjs";
import { where_written, write_words } from "./writers.mjs";
import { watch_end, watch_offer } from "./watch.mjs";

/** The address of the form with a given text. */
export const stop_address = (when) => `#/stops?when=${encodeURIComponent(when)}`;

/** Returns a function that makes a link to stop at a value of an entity, or of a singleton (null). */
export function stop_at(id) {
  return (field, path) => {
    const sign = field.kind === "number" && field.shape !== "string" ? ">" : "==";
    const box = (event) => event.currentTarget.parentElement.querySelector("input, select");
    const open = (event) => {
      event.preventDefault();
      const now = box(event);
      const text = now.type === "checkbox" ? String(now.checked) : now.value;
      const value = field.shape === "string" ? JSON.stringify(text) : text || (field.kind === "entity" ? "none" : "0");
      location.hash = stop_address(`${path}${id ? ` of ${id}` : ""} ${sign} ${value}`);
    };
    return h("a", { href: "#/stops", className: "stop", title: `stop at ${path}`, "aria-label": `stop at ${path}`, onclick: open }, "stop");
  };
}

const SKIP_MAX = 1000000;

/** Describes the cost of a stop. */
function cost_words(stop) {
  const rows = stop.rows === 0 ? "what was written" : stop.rows === 1 ? "one value" : `${stop.rows.toLocaleString("en")} rows`;
  const more = stop.systems - (stop.behind ? stop.behind.split(", ").length : 0);
  const systems = stop.behind ? `${stop.behind}${more > 0 ? ` and ${more} more` : ""}, ` : "";
  return `Looks at ${rows} behind ${systems}commands, and the game between ticks.`;
}

/** Lists the words that the text of a stop may contain. */
function stop_words(schema) {
  const singletons = schema.singletons.flatMap((one) => leaf_paths(schema, one.fields, one.name));
  return [...expression_words(schema), ...singletons, "event", "despawn", ...events_told(schema).map((one) => one.name)];
}

export function stops_view(app, query) {
  const { value, some, singleton, event } = examples(app.schema);
  const when = h("input", { id: "when", className: "mono", "aria-label": "what to stop at", autocomplete: "off", spellcheck: false,
    placeholder: value?.text ?? "despawn of 9:4", value: query.get("when") ?? "", oninput: () => builds.read() });
  const form = h("form", { className: "row", onsubmit: add }, completed(app.schema, when, stop_words(app.schema)), h("button", { className: "main", id: "stop" }, "stop at"));
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const list = h("div", { id: "stops" });
  const offer = watch_offer(app, () => refresh());
  const end = watch_end(app, () => refresh());
  let drawn = "";

  async function add(submitted) {
    submitted.preventDefault();
    problem.textContent = "";
    clear_problem(when);
    const words = range_problem(app.schema, when.value);
    if (words) {
      show_problem(when, words);
      when.focus();
      return;
    }
    try {
      await call("stop_at", { when: when.value.trim() });
      when.value = "";
      builds.read();
    } catch (error) {
      problem.textContent = error.message;
      point_at(when, error.message);
    }
    await refresh();
  }

  async function forget(text) {
    await act("stop_forget", { when: text });
    document.getElementById("stopped").replaceChildren();
    await refresh();
  }

  function line(stop) {
    const write = stop.last;
    const times = stop.count === 1 ? "Once" : `${stop.count.toLocaleString("en")} times`;
    const last = write
      ? h("p", {}, `In tick ${write.tick.toLocaleString("en")}: ${write_words(write)}`, source_of(write.writer), ". ", ...(write.id ? [link(write.id), " "] : []),
        h("a", { href: where_written(write) }, write.kind === "event" ? "Events" : "Its last writers"), `. ${times} so far.`)
      : h("p", {}, !stop.on ? "It has not come to hold, and is off." : stop.holds ? "It holds already; the game stops when it comes to hold anew." : "It has not come to hold yet.");
    const set = (params) => act("stop_set", { when: stop.when, ...params }).then(refresh);
    const on = h("label", { className: "together" }, h("input", { type: "checkbox", checked: stop.on, disabled: !app.stats.writable, "aria-label": `${stop.when} is on`,
      onchange: (event) => set({ on: event.target.checked }) }), "on");
    const skip = h("label", { className: "together", title: "It only counts so many times before it pauses the game" }, "skip next", h("input", { type: "number", min: 0, max: SKIP_MAX, value: stop.skip,
      className: "skips", disabled: !app.stats.writable, "aria-label": `how often ${stop.when} only counts`, onchange: (event) => set({ skip: Math.min(Math.max(Math.round(Number(event.target.value)) || 0, 0), SKIP_MAX) }) }));
    return h("section", { className: stop.on ? "card" : "card off", "aria-label": stop.when }, h("header", {}, h("h3", { className: "mono" }, named_words(stop.when)),
      h("span", { className: "buttons" }, on, skip,
        app.stats.writable ? h("button", { className: "danger", "aria-label": `forget ${stop.when}`, onclick: () => forget(stop.when) }, "forget") : null)), last,
      stop.note ? h("div", { className: "bad" }, `${named_words(stop.note)}.`) : null, h("div", { className: "hint" }, stop.on ? cost_words(stop) : "It is off, costs nothing and counts nothing."));
  }

  async function refresh() {
    offer.refresh();
    end.refresh();
    form.hidden = builds.node.hidden = !app.stats.watched || !app.stats.writable;
    if (!app.stats.watched) {
      list.replaceChildren();
      drawn = "";
      return;
    }
    const stops = await call("stops").catch(() => null);
    const text = JSON.stringify(stops);
    if (!stops || text === drawn) return;
    drawn = text;
    keep_focus(list, () => list.replaceChildren(...(stops.length > 0 ? stops.map(line) : [h("p", { className: "soft", id: "none" }, "No stop is set: write one above, or choose its parts in the boxes.")])));
  }
  const builds = builder(app.schema, when);
  const code = (text) => h("code", {}, text);
  const writer = value && app.schema.systems.find((one) => one.access.some(([kind, of]) => kind === "write" && of === value.path.split(".")[0]))?.name;
  const kinds = [["a value of an entity, ", value && `${value.path} of 9:4${value.text.slice(value.path.length)}`], ["a value of a singleton, ", singleton],
    ["an expression, of any entity, ", some],
    ["a change by one writer, ", value && `${value.path} falls by more than 1`], ["of one entity and by one system, ", writer && `${value.path} of 9:4 written by ${writer}`], ["an event, ", event], ["the end of an entity, ", "despawn of 9:4"]].filter(([, text]) => text);
  const words = h("p", { className: "soft" }, "The game pauses right after the system that makes one of these so: ",
    kinds.flatMap(([kind, text], i) => [i > 0 ? "; " : "", kind, code(text)]), ".");
  refresh();
  return { nodes: [h("h2", {}, "Stops"), words, offer.node, builds.node, form, problem, list, end.node], refresh, every: 500 };
}
