// A change of all selected entities: its form, the question before it, and the report after it.
import { chooser, h } from "./dom.mjs";
import { number_of } from "./exact.mjs";
import { field_of, leaf_paths, mistake, range } from "./fields.mjs";
import { handle_words, named_words } from "./names.mjs";
import { pin } from "./pins.mjs";
import { act_at, clear_problem, show_problem } from "./problem.mjs";
import { hint_of, input_class, input_size } from "./rows.mjs";
import { offer_undo } from "./undo.mjs";

const CHANGES = { set: "set a value", add: "add a component", remove: "remove a component", despawn: "despawn" };
const number = (count) => count.toLocaleString("en");
const entities = (count) => `${number(count)} ${count === 1 ? "entity" : "entities"}`;

/** Describes a change of some entities, before it or when it is done. */
const CHANGED = {
  set: (count, { path, value }) => `Set ${path} of ${entities(count)} to ${value === "" ? "an empty text" : value ?? "none"}`,
  add: (count, { component }, is_done) => `${is_done ? "Added" : "Add"} ${component} to ${entities(count)}`,
  remove: (count, { component }, is_done) => `${is_done ? "Removed" : "Remove"} ${component} from ${entities(count)}`,
  despawn: (count, _, is_done) => `${is_done ? "Despawned" : "Despawn"} ${entities(count)}`,
};

/** Asks whether to do something. Returns a promise of the answer. */
function confirmed(words, verb, is_danger) {
  return new Promise((resolve) => {
    const done = h("button", { className: is_danger ? "danger" : "main", id: "confirm", onclick: () => dialog.close("yes") }, verb);
    const dialog = h("dialog", { "aria-label": words, onclose: () => { resolve(dialog.returnValue === "yes"); dialog.remove(); } },
      h("p", {}, words), h("div", { className: "row" }, done, h("button", { onclick: () => dialog.close("") }, "cancel")));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Makes the input of a value of a path, and `read()`, which returns it, or undefined after showing why it is none. */
function value_input(schema, path) {
  const field = field_of(schema, path) ?? { kind: "number" };
  const is_count = path.endsWith(".count");
  const of = is_count ? { kind: "number" } : field;
  const words = of.kind === "enum" ? schema.enum.get(of.type).values : of.kind === "bool" ? ["false", "true"] : null;
  const common = { id: "bulk-value", "aria-label": `value of ${path}` };
  const box = words ? h("select", common, words.map((one) => h("option", { value: one }, one)))
    : h("input", { ...common, className: input_class(of), size: input_size(of), autocomplete: "off", spellcheck: false, placeholder: of.kind === "entity" ? "none" : "" });
  function read() {
    clear_problem(box);
    const text = box.value.trim();
    const wrong = of.kind === "number" && text === "" && of.shape !== "string" ? "type a value" : mistake(of.shape === "string" ? { kind: "text" } : of, text);
    show_problem(box, wrong);
    if (wrong) return undefined;
    if (of.shape === "string") return box.value;
    if (of.kind === "entity") return text || null;
    if (of.kind === "number") return number_of(text);
    return of.kind === "bool" ? text === "true" : text;
  }
  return { node: h("span", { className: "value" }, box, is_count ? null : hint_of(range(field))), box, read };
}

/** Describes which entities refused the change: "3 of 50 refused: …". */
export function refusal_words({ done, refused, refusals, left_off }) {
  if (refused === 0) return "";
  const why = refusals.map((one) => `${one.count > 1 ? `${number(one.count)} times, first ${handle_words(one.id)}` : handle_words(one.id)}: ${named_words(one.why)}`);
  return `${number(refused)} of ${number(done + refused)} refused: ${why.join("; ")}${left_off > 0 ? `; and ${number(left_off)} more` : ""}`;
}

/**
 * Makes the bar of a selection: how many are selected, pins, and the form of a bulk edit. `then()`
 * reads the list again. Returns the element, and `update()`, which must be called when the selection has
 * changed.
 */
export function bulk_bar(app, selection, then) {
  const { schema } = app;
  const said = h("span", { role: "status", id: "selected" });
  const inputs = h("span", { className: "row", id: "bulk-inputs" });
  const apply = h("button", { className: "main", id: "bulk", hidden: true, onclick: () => run() });
  let kind = "";
  let form = null; // its `nodes`, and `read()`, which returns the params, or null

  const change = chooser({ id: "bulk-change", "aria-label": "change of the selected entities" }, (value) => show(value),
    h("option", { value: "" }, "change…"), Object.entries(CHANGES).map(([value, words]) => h("option", { value }, words)));

  function set_form() {
    const owners = schema.components.filter((one) => one.storage !== "tag");
    const place = h("span");
    let input = null;
    const path = chooser({ id: "bulk-path", "aria-label": "value to set" }, (value) => {
      input = value ? value_input(schema, value) : null;
      input?.box.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault(); // or the same key would press the button of the question
        run();
      });
      place.replaceChildren(...(input ? [input.node] : []));
      clear_problem(path);
    }, h("option", { value: "" }, "value…"), owners.map((one) => h("optgroup", { label: one.name },
      leaf_paths(schema, one.fields, one.name).map((value) => h("option", { value }, value)))));
    return {
      nodes: [path, place],
      read() {
        if (!input) show_problem(path, "choose a value");
        const value = input?.read();
        return value === undefined ? null : { path: path.value, value };
      },
    };
  }

  function component_form(verb) {
    const pick = h("select", { id: "bulk-component", "aria-label": `component to ${verb}` }, h("option", { value: "" }, "component…"),
      schema.components.map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
    return {
      nodes: [pick],
      read() {
        show_problem(pick, pick.value ? "" : "choose a component");
        return pick.value ? { component: pick.value } : null;
      },
    };
  }

  function show(value) {
    kind = value;
    form = kind === "set" ? set_form() : kind === "despawn" ? { nodes: [], read: () => ({}) } : kind ? component_form(kind) : null;
    inputs.replaceChildren(...(form?.nodes ?? []));
    update();
  }

  async function run() {
    clear_problem(apply);
    const params = form.read();
    const ids = selection.ids();
    if (!params || ids.length === 0) return;
    const words = CHANGED[kind];
    if (!(await confirmed(`${words(ids.length, params, false)}?`, apply.textContent, kind === "despawn"))) {
      apply.focus();
      return;
    }
    const done = await act_at(apply, "bulk", { ids, change: kind, ...params });
    if (!done) return;
    if (done.done > 0) offer_undo(words(done.done, params, true), done, { many: done.done, then });
    show_problem(apply, refusal_words(done));
    if (kind === "despawn" && done.refused === 0) selection.clear();
    await then();
  }

  const clear = h("button", { id: "select-none", onclick: () => selection.clear() }, "select none");
  const pins = h("button", { id: "pin-selected", onclick: () => pin(app, selection.ids()) }, "pin");
  const node = h("div", { className: "row", id: "bulk-bar", role: "group", "aria-label": "selected entities", hidden: true },
    said, clear, pins, ...(app.stats.writable ? [change, inputs, apply] : []));

  function update() {
    const count = selection.size();
    clear_problem(apply);
    node.hidden = count === 0;
    const words = `${entities(count)} selected`;
    if (said.textContent !== words) said.textContent = words;
    apply.hidden = !form;
    apply.className = kind === "despawn" ? "danger" : "main";
    apply.textContent = kind ? `${CHANGES[kind].split(" ")[0]} (${number(count)})` : "";
  }
  return { node, update };
}
