// The stops of the game: their list, and a form that writes the text of a stop.
import { h, keep_focus, link, point_at } from "./dom.mjs";
import { act, call } from "./link.mjs";
import { events_told, examples, field_of, leaf_paths } from "./fields.mjs";
import { named_words } from "./names.mjs";
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

/** Makes the boxes that write a comparison, an event or a despawn into the text. */
function builder(schema, when) {
  const group = (label, of) => h("optgroup", { label }, of.flatMap((one) => leaf_paths(schema, one.fields ?? [], one.name)).map((path) => h("option", { value: path }, path)));
  const path = h("select", { id: "stop-path", "aria-label": "value", onchange: () => { operand_box(); write(); } }, h("option", { value: "" }, "a value…"),
    group("components", schema.components), group("singletons", schema.singletons));
  const sign = h("select", { "aria-label": "comparison", id: "stop-sign", onchange: write }, [">", ">=", "<", "<=", "==", "!="].map((one) => h("option", { value: one }, one)));
  const operand = h("span", { className: "value" });
  const of = h("input", { id: "stop-of", "aria-label": "of which entity", size: 12, autocomplete: "off", placeholder: "any entity", oninput: write });
  const event = h("select", { id: "stop-event", "aria-label": "event", onchange: () => { if (event.value) when.value = `event ${event.value}`; } }, h("option", { value: "" }, "an event…"),
    events_told(schema).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));

  function operand_box() {
    const field = field_of(schema, path.value);
    const is_count = path.value.endsWith(".count");
    const words = field?.kind === "enum" && !is_count ? schema.enum.get(field.type)?.values : field?.kind === "bool" ? ["true", "false"] : null;
    const box = words ? h("select", { onchange: write }, words.map((one) => h("option", { value: one }, one))) : h("input", { size: 8, oninput: write, value: field?.kind === "entity" ? "none" : "0", autocomplete: "off" });
    box.id = "stop-operand";
    box.setAttribute("aria-label", "compared with");
    const equality = words !== null || field?.kind === "entity" || field?.shape === "string";
    sign.value = equality ? "==" : ">";
    operand.replaceChildren(box);
    of.disabled = schema.singleton.has(path.value.split(".")[0]);
  }

  function write() {
    if (!path.value) return;
    const field = field_of(schema, path.value);
    const text = operand.firstChild.value;
    const value = field?.shape === "string" && !path.value.endsWith(".count") ? JSON.stringify(text) : text;
    const entity = of.value.trim() && !of.disabled ? ` of ${of.value.trim()}` : "";
    when.value = `${path.value}${entity} ${sign.value} ${value}`;
  }
  operand_box();
  const behind = (word, box) => h("span", { className: "together" }, h("span", { className: "soft" }, word), box);
  return h("div", { className: "row", id: "builder" }, path, sign, operand, behind("of", of), behind("or", event));
}

/** Describes the cost of a stop. */
function cost_words(stop) {
  const rows = stop.rows === 1 ? "one value" : `${stop.rows.toLocaleString("en")} rows`;
  const more = stop.systems - (stop.behind ? stop.behind.split(", ").length : 0);
  const systems = stop.behind ? `${stop.behind}${more > 0 ? ` and ${more} more` : ""}, ` : "";
  return `Looks at ${rows} behind ${systems}commands, and the game between ticks.`;
}

export function stops_view(app, query) {
  const { value, some, singleton, event } = examples(app.schema);
  const when = h("input", { id: "when", className: "mono grow", "aria-label": "what to stop at", autocomplete: "off", spellcheck: false,
    placeholder: value?.text ?? "despawn of 9:4", value: query.get("when") ?? "" });
  const form = h("form", { className: "row", onsubmit: add }, when, h("button", { className: "main", id: "stop" }, "stop at"));
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const list = h("div", { id: "stops" });
  const offer = watch_offer(app, () => refresh());
  const end = watch_end(app, () => refresh());
  let drawn = "";

  async function add(submitted) {
    submitted.preventDefault();
    problem.textContent = "";
    try {
      await call("stop_at", { when: when.value.trim() });
      when.value = "";
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
      ? h("p", {}, `In tick ${write.tick.toLocaleString("en")}: ${write_words(write)}. `, ...(write.id ? [link(write.id), " "] : []),
        h("a", { href: where_written(write) }, write.kind === "event" ? "Events" : "Its last writers"), `. ${times} so far.`)
      : h("p", {}, stop.holds ? "It holds already; the game stops when it comes to hold anew." : "It has not come to hold yet.");
    return h("section", { className: "card", "aria-label": stop.when }, h("header", {}, h("h3", { className: "mono" }, named_words(stop.when)),
      app.stats.writable ? h("button", { className: "danger", "aria-label": `forget ${stop.when}`, onclick: () => forget(stop.when) }, "forget") : null), last,
      stop.note ? h("div", { className: "bad" }, `${named_words(stop.note)}.`) : null, h("div", { className: "hint" }, cost_words(stop)));
  }

  async function refresh() {
    offer.refresh();
    end.refresh();
    form.hidden = builds.hidden = !app.stats.watched || !app.stats.writable;
    if (!app.stats.watched) {
      list.replaceChildren();
      drawn = "";
      return;
    }
    const stops = await call("stops").catch(() => null);
    const text = JSON.stringify(stops);
    if (!stops || text === drawn) return;
    drawn = text;
    keep_focus(list, () => list.replaceChildren(...stops.map(line)));
  }
  const builds = builder(app.schema, when);
  const code = (text) => h("code", {}, text);
  const kinds = [["a value of an entity, ", value && `${value.path} of 9:4${value.text.slice(value.path.length)}`], ["a value of a singleton, ", singleton],
    ["an expression, of any entity, ", some], ["an event, ", event], ["the end of an entity, ", "despawn of 9:4"]].filter(([, text]) => text);
  const words = h("p", { className: "soft" }, "The game pauses right after the system that makes one of these so: ",
    kinds.flatMap(([kind, text], i) => [i > 0 ? "; " : "", kind, code(text)]), ".");
  refresh();
  return { nodes: [h("h2", {}, "Stops"), words, offer.node, builds, form, problem, list, end.node], refresh, every: 500 };
}
