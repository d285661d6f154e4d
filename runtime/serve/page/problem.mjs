// Refusals beside the input that they are about, in place of messages elsewhere on the page.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";

let last = 0; // number of the last message, for its id
const ends = new WeakMap(); // what to do when an input with a message changes
const CHANGES = ["input", "change"];

/** Removes the message about an input. */
export function clear_problem(input) {
  input.removeAttribute("aria-invalid");
  const id = input.getAttribute("aria-errormessage");
  if (!id) return;
  document.getElementById(id)?.remove();
  input.removeAttribute("aria-errormessage");
  input.removeAttribute("aria-describedby");
  for (const kind of CHANGES) input.removeEventListener(kind, ends.get(input));
}

/** Returns the message about an input; "" if there is none. */
export const problem_of = (input) => document.getElementById(input.getAttribute("aria-errormessage") ?? "")?.textContent ?? "";

/** Shows below an input why its value is refused, until something else is typed. Shows nothing if `words` is empty. */
export function show_problem(input, words) {
  clear_problem(input);
  if (!words) return;
  const id = `problem-${++last}`;
  (input.closest(".value, header, .row") ?? input.parentElement).append(h("span", { id, className: "problem", role: "alert" }, words));
  if (!input.matches("button")) input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", id);
  input.setAttribute("aria-describedby", id); // for readers that do not know aria-errormessage
  ends.set(input, () => clear_problem(input));
  for (const kind of CHANGES) input.addEventListener(kind, ends.get(input));
}

/** Calls a method. Returns why the game refuses it; "" if it does not. */
export async function refusal(method, params) {
  return call(method, params).then(() => "", (error) => error.message);
}

/** Calls a method, and shows beside an input why the game refuses. Returns the result, or null if it was refused. */
export async function act_at(input, method, params) {
  try {
    clear_problem(input);
    const result = await call(method, params);
    return result === undefined ? true : result;
  } catch (error) {
    show_problem(input, error.message);
    return null;
  }
}

/** Focuses the first input of a form that has a message. Returns whether there is one. */
export function go_to_problem(form) {
  const first = form.querySelector("[aria-invalid=true]");
  first?.focus();
  return first !== null;
}

/**
 * Returns the label of the input of the value that a refusal names. For example, "wagon[1].place.x" for
 * "parts.wagon[1]: 1:31: place.x: is …", and "new owes.gold" for "1:48: owes[0].value.gold: is …". Returns "" if it names none.
 */
function label_named(words) {
  const found = /^(?:parts\.(\S+): )?(?:\d+:\d+: )?([\w.[\]]+): /.exec(words);
  if (!found) return "";
  const part = found[1] ? `${found[1].replaceAll(".parts.", ".")}.` : "";
  return part + found[2].replace(/^(\w+)\[\d+\]\.value\./, "new $1.");
}

/** Shows a refusal beside the input of the value that it names, or of the innermost value around that one; beside `otherwise` if there is none. */
export function show_refusal(form, words, otherwise) {
  const named = label_named(words);
  const label = (input) => input.getAttribute("aria-label");
  const is_around = (one) => named === label(one) || named.startsWith(`${label(one)}.`) || named.startsWith(`${label(one)}[`);
  const around = [...form.querySelectorAll("input[aria-label], select[aria-label]")].filter(is_around);
  around.sort((a, b) => label(b).length - label(a).length);
  show_problem(around[0] ?? otherwise, words);
  around[0]?.focus();
}
