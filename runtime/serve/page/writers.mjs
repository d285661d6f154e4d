// The last writes of a value, and what the game stops at.
import { h, link } from "./dom.mjs";
import { act, call } from "./link.mjs";

export const NOT_WATCHED = "This game does not keep who writes what: it opens its world with weft_options.insight and .watch for that.";

const who = (write) => `${write.commands ? "commands of " : ""}${write.writer}`;

function change(write) {
  if (write.kind === "added") return ["was added"];
  if (write.kind === "removed") return ["was removed"];
  return [h("span", { className: "mono" }, write.before || "none"), " → ", h("strong", { className: "mono" }, write.after || "none")];
}

/** Tells what a write was, in a sentence. */
export function write_words(write) {
  const did = write.kind === "value" ? `wrote ${write.after || "none"}, which was ${write.before || "none"}` : write.kind === "added" ? "added it" : "removed it";
  return `${who(write)} ${did}, in ${write.path}${write.id ? ` of ${write.id}` : ""}`;
}

/** The address where the last writers of what was written are shown. */
export function where_written(write) {
  const [owner] = write.path.split(/[.[]/);
  return write.id ? `#/entity/${write.id}?writers=${owner}` : `#/singletons/${owner}`;
}

/** A button that shows the last writes of a component or singleton, and the place where they are shown. */
export function writes_of(app, path, id) {
  const box = h("div", { className: "writes", hidden: true });
  const button = h("button", { "aria-expanded": "false", "aria-label": `who wrote ${path}`, title: "who wrote it last", onclick: toggle }, "writers");
  let drawn = "";

  async function refresh() {
    if (box.hidden) return;
    if (!app.stats.watched) {
      box.replaceChildren(h("p", { className: "hint" }, NOT_WATCHED));
      return;
    }
    const writes = await call("writes", id ? { id, path } : { path }).catch(() => []);
    const text = JSON.stringify(writes);
    if (text === drawn) return;
    drawn = text;
    const rows = writes.map((write) => h("tr", {}, h("td", { className: "number" }, write.tick.toLocaleString("en")),
      h("td", { className: "mono" }, write.path.slice(path.length).replace(/^\./, "")), h("td", {}, change(write)), h("td", {}, who(write))));
    box.replaceChildren(rows.length
      ? h("div", { className: "scroll" }, h("table", {}, h("tr", {}, ["tick", "value", "was → is", "by"].map((one) => h("th", {}, one))), rows))
      : h("p", { className: "hint" }, "Nothing has written it since the game began to watch."));
    const last = writes.find((write) => write.kind === "value" && write.after !== "");
    if (last) box.append(h("a", { href: `#/stops?when=${encodeURIComponent(`${last.path}${id ? ` of ${id}` : ""} == ${last.after}`)}` }, "stop when…"));
  }

  function toggle() {
    box.hidden = !box.hidden;
    button.setAttribute("aria-expanded", String(!box.hidden));
    refresh();
  }
  return { button, box, refresh, toggle };
}

export function stops_view(app, query) {
  const when = h("input", { id: "when", className: "mono grow", "aria-label": "comparison", autocomplete: "off", spellcheck: false,
    placeholder: "needs.hunger of 9:4 > 0.8", value: query.get("when") ?? "" });
  const form = h("form", { className: "row", onsubmit: add }, when, h("button", { className: "main", id: "stop" }, "stop at"));
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const list = h("div", { id: "stops" });
  let drawn = "";

  async function add(event) {
    event.preventDefault();
    problem.textContent = "";
    try {
      await call("stop_at", { when: when.value.trim() });
      when.value = "";
    } catch (error) {
      problem.textContent = error.message;
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
    const last = write
      ? h("p", {}, `In tick ${write.tick.toLocaleString("en")}: `, h("strong", {}, who(write)), " wrote ", h("span", { className: "mono" }, write.path), ": ", change(write),
        ...(write.id ? [" of ", link(write.id)] : []), ". ", h("a", { href: where_written(write) }, "Its last writers"), `. ${stop.count === 1 ? "Once" : `${stop.count} times`} so far.`)
      : h("p", {}, "It has not come to hold yet.");
    return h("section", { className: "card", "aria-label": stop.when }, h("header", {}, h("h3", { className: "mono" }, stop.when),
      h("button", { className: "danger", "aria-label": `forget ${stop.when}`, onclick: () => forget(stop.when) }, "forget")), last);
  }

  async function refresh() {
    if (!app.stats.watched) return;
    const stops = await call("stops").catch(() => null);
    const text = JSON.stringify(stops);
    if (!stops || text === drawn) return;
    drawn = text;
    list.replaceChildren(...stops.map(line));
  }
  refresh();
  const words = h("p", { className: "soft" }, "The game pauses right after the system that makes a comparison hold: of an entity as in ",
    h("code", {}, "stock.amount[bread] of 9:4 < 1"), ", of a singleton as in ", h("code", {}, "calendar.day >= 3"), ".");
  const nodes = app.stats.watched ? [words, ...(app.stats.writable ? [form, problem] : []), list] : [h("p", {}, NOT_WATCHED)];
  return { nodes: [h("h2", {}, "Stops"), ...nodes], refresh, every: 500 };
}
