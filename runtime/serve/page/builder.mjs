// The boxes of a stop. They and its text always agree: each writes the other.
import { h } from "./dom.mjs";
import { change_problem, CHANGES, comparison_of, operand_problem, SIGNS } from "./comparison.mjs";
import { events_told, field_of, leaf_paths } from "./fields.mjs";
import { clear_problem, show_problem } from "./problem.mjs";

const ANYTHING = { path: "", of: "", sign: ">", operand: "" };
const option = (value) => h("option", { value }, value);
const behind = (word, box) => h("span", { className: "together" }, h("span", { className: "soft" }, word), box);

/**
 * Makes the boxes for the text in `when`. Returns the element, and `read()`, which shows the text
 * in the boxes. If the text is neither a comparison, nor a change, nor an event, the boxes are empty.
 */
export function builder(schema, when) {
  const group = (label, of) => h("optgroup", { label }, of.flatMap((one) => leaf_paths(schema, one.fields ?? [], one.name)).map(option));
  const path = h("select", { id: "stop-path", "aria-label": "value", onchange: take_path }, h("option", { value: "" }, "a value…"),
    group("components", schema.components), group("singletons", schema.singletons));
  const sign = h("select", { "aria-label": "comparison", id: "stop-sign", onchange: take_sign }, [...SIGNS, ...CHANGES].map(option));
  const operand = h("span", { className: "value" });
  const of = h("input", { id: "stop-of", "aria-label": "of which entity", size: 12, autocomplete: "off", placeholder: "any entity", oninput: write });
  const event = h("select", { id: "stop-event", "aria-label": "event", onchange: take_event }, h("option", { value: "" }, "an event…"),
    events_told(schema).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
  const rest = h("span", { className: "hint", id: "stop-rest" });

  const is_count = () => path.value.endsWith(".count");
  const field = () => (is_count() ? { kind: "number", type: "u32" } : field_of(schema, path.value));
  const is_text = () => field()?.shape === "string";

  const is_change = () => CHANGES.includes(sign.value);

  /** Returns what the chosen comparison compares with: the size of a change, a value, or its own name for other changes. */
  const operand_kind = () => (sign.value.endsWith("more than") ? "size" : is_change() ? sign.value : "value");
  let boxed = ""; // the kind of the operand that is shown

  /** Returns the operands that can be chosen, or null if any can be typed. */
  function operands() {
    if (sign.value === "written by") return schema.systems.map((one) => one.name);
    if (is_change()) return null;
    const of_kind = field();
    return of_kind?.kind === "enum" ? schema.enum.get(of_kind.type)?.values : of_kind?.kind === "bool" ? ["true", "false"] : null;
  }

  /** Makes the box of the operand for the chosen value and comparison. */
  function operand_box(value) {
    const words = operands();
    const box = words ? h("select", { onchange: write }, words.map(option)) : h("input", { size: 8, oninput: write, autocomplete: "off" });
    box.id = "stop-operand";
    box.setAttribute("aria-label", "compared with");
    box.hidden = sign.value === "changes";
    boxed = operand_kind();
    box.value = value ?? words?.[0] ?? (is_change() ? "0" : field()?.kind === "entity" ? "none" : is_text() ? "" : "0");
    operand.replaceChildren(box);
    of.disabled = schema.singleton.has(path.value.split(".")[0]);
  }

  /** Chooses a value, which may be one that the menu does not list, such as a far item of an array. */
  function choose_path(value) {
    const listed = [...path.options].some((one) => one.value === value);
    if (!listed) path.append(option(value));
    path.value = value;
  }

  function check() {
    clear_problem(operand.firstChild);
    const text = operand.firstChild.value.trim();
    if (!path.value || sign.value === "changes" || sign.value === "written by") return;
    show_problem(operand.firstChild, is_change() ? change_problem(text) : operand_problem(field(), path.value, text));
  }

  function take_path() {
    const is_equality = field()?.kind !== "number" || is_text();
    sign.value = is_equality ? "==" : ">";
    operand_box();
    if (path.value) write();
    else put("");
  }

  /** Takes a comparison. What was typed stays if the new comparison has the same kind of operand. */
  function take_sign() {
    if (operand_kind() === boxed) check();
    else operand_box();
    write();
  }

  function take_event() {
    put(event.value ? `event ${event.value}` : "");
    read();
  }

  function put(text) {
    when.value = text;
    clear_problem(when);
    rest.textContent = "";
  }

  /** Writes the boxes into the text. */
  function write() {
    if (!path.value) return;
    event.value = "";
    const text = operand.firstChild.value.trim();
    const entity = of.value.trim() && !of.disabled ? ` of ${of.value.trim()}` : "";
    const value = sign.value === "changes" ? "" : is_text() && !is_change() ? JSON.stringify(operand.firstChild.value) : text;
    put(`${path.value}${entity} ${sign.value} ${value}`.trimEnd());
    check();
  }

  /** Reads the text into the boxes. */
  function read() {
    const text = when.value.trim();
    const [, emitted] = /^event\s+(\w+)$/.exec(text) ?? [];
    event.value = [...event.options].some((one) => one.value === emitted) ? emitted : "";
    const found = comparison_of(text);
    const known = found && (field_of(schema, found.path) || found.path.endsWith(".count")) ? found : null;
    const shown = known ?? ANYTHING;
    choose_path(shown.path);
    sign.value = shown.sign;
    operand_box(known ? shown.operand : undefined);
    of.value = shown.of;
    rest.textContent = text && !known && !event.value ? "The boxes cannot show this text; a choice replaces it." : "";
    check();
  }

  const node = h("div", { className: "row", id: "builder" }, path, sign, operand, behind("of", of), behind("or", event), rest);
  read();
  return { node, read };
}
