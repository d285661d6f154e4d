// Completion of expressions: while a word is typed, a list below the input offers what it may be.
import { h } from "./dom.mjs";
import { field_of, leaf_paths } from "./fields.mjs";
import { named_expressions } from "./query.mjs";

const OFFERED_MAX = 10;
const TYPED = /[\w.[\]]+$/; // the word before the cursor
const COMPARED = /([a-z_]\w*(?:\.\w+|\[\w+\])+)\s*(?:==|!=)\s*\w*$/; // a value before it

/** Lists the words that an expression may contain: names, and the paths of values. */
export function expression_words(schema) {
  const paths = schema.components.flatMap((one) => leaf_paths(schema, one.fields, one.name));
  const relations = schema.relations.flatMap(({ name }) => [name, `root(${name})`, `leaf(${name})`]);
  const links = schema.links.flatMap(({ name }) => [`from(${name})`, `to(${name})`]);
  return [...schema.components.map((one) => one.name), ...named_expressions(schema).keys(), ...relations, ...links, ...paths];
}

/** Lists the values that a field can be compared with, if they have names. */
function values_of(schema, path) {
  const field = field_of(schema, path);
  if (field?.kind === "enum") return schema.enum.get(field.type).values;
  return field?.kind === "bool" ? ["true", "false"] : field?.kind === "entity" ? ["none", "alive"] : [];
}

/** Lists what begins with a word before what contains it. */
function matching(words, typed) {
  const text = typed.toLowerCase();
  const found = words.filter((one) => one !== typed && one.toLowerCase().includes(text));
  const rank = (one) => (one.toLowerCase().startsWith(text) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || a.length - b.length).slice(0, OFFERED_MAX);
}

/**
 * Makes a text input complete its words, of `words`. Arrows choose an offer, Enter takes it, and
 * Escape closes the list. Nothing is taken unless it was chosen. Returns the element with both.
 */
export function completed(schema, input, words) {
  const list = h("ul", { className: "offers", role: "listbox", id: `${input.id}-offers`, hidden: true });
  let chosen = -1;
  let from = 0; // where the typed word begins

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(i) {
    chosen = (i + list.children.length + 1) % (list.children.length + 1);
    if (chosen === list.children.length) chosen = -1;
    [...list.children].forEach((one, k) => one.setAttribute("aria-selected", String(k === chosen)));
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[chosen].id);
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function take(word) {
    input.setRangeText(word, from, input.selectionStart, "end");
    close();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    close(); // the input of the word would offer longer ones
    input.focus();
  }

  function offer() {
    const before = input.value.slice(0, input.selectionStart);
    const typed = TYPED.exec(before)?.[0] ?? "";
    const of = COMPARED.exec(before)?.[1];
    from = before.length - typed.length;
    const is_quoted = (before.match(/"/g) ?? []).length % 2 === 1;
    const found = is_quoted || typed === "" && !of ? [] : matching(of ? values_of(schema, of) : words, typed);
    list.replaceChildren(...found.map((word, i) => h("li", { role: "option", id: `${list.id}-${i}`, "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); take(word); } }, word)));
    close();
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  function key(event) {
    const is_open = !list.hidden;
    if (event.key === "ArrowDown" && !is_open) offer();
    else if (is_open && (event.key === "ArrowDown" || event.key === "ArrowUp")) choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    else if (is_open && event.key === "Enter" && chosen >= 0) take(list.children[chosen].textContent);
    else if (is_open && event.key === "Escape") close();
    else {
      if (event.key === "Enter") close();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id })) input.setAttribute(name, value);
  input.addEventListener("input", offer);
  input.addEventListener("keydown", key, true); // before what Enter does without a list
  input.addEventListener("blur", close);
  return h("span", { className: "completed grow" }, input, list);
}
