// Elements, and short messages over the page.
import { name_of } from "./names.mjs";

/** Makes an element: attributes, `on…` listeners and properties such as `value`, then children. */
export function h(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && !["list", "form", "role"].includes(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Makes an SVG element. */
export function s(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/**
 * Makes a select that calls `take` with the chosen value. Browsers change a select with each arrow
 * key and letter, so every value on the way would be taken. Therefore a value chosen by keys is
 * only taken by Enter; otherwise the select goes back to the earlier value. A click takes a value
 * at once.
 */
export function chooser(properties, take, ...options) {
  let before = "";
  let by_keys = false; // the last input was a key that changes a closed select
  let waits = false; // keys have changed it, and the value is not taken yet
  function settle(taken) {
    waits = false;
    if (!taken) node.value = before;
    before = node.value;
    if (taken) take(node.value);
  }
  function key(event) {
    const ends = waits && (event.key === "Enter" || event.key === "Escape");
    by_keys = !ends && !event.altKey && ![" ", "Enter", "F4"].includes(event.key); // these keys open it
    if (!ends) return;
    event.preventDefault();
    settle(event.key === "Enter");
  }
  const node = h("select", {
    ...properties,
    onkeydown: key,
    onpointerdown: () => { by_keys = false; },
    onfocus: () => { before = node.value; },
    onblur: () => { if (waits) settle(false); },
    onchange: () => { if (by_keys) waits = true; else settle(true); },
  }, ...options);
  return node;
}

const FOCUSED = "a, button, input, select, summary, [tabindex]";
const label_of = (node) => node.getAttribute("aria-label") ?? node.getAttribute("href") ?? node.textContent;

/**
 * Redraws a part of the page, and restores the focus to the element of the same kind and label. If
 * that no longer exists, the focus goes to an element before it on which Enter deletes nothing.
 */
export function keep_focus(node, redraw) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const label = focused && label_of(focused);
  const seen = () => [...node.querySelectorAll(FOCUSED)].filter((one) => !one.disabled && one.getClientRects().length > 0);
  const place = focused ? seen().indexOf(focused) : 0;
  redraw();
  if (!focused || focused.isConnected && document.activeElement === focused) return;
  const all = seen();
  const same = all.find((one) => one.tagName === focused.tagName && label_of(one) === label);
  (same ?? all.slice(0, place).findLast((one) => !one.matches(".danger")))?.focus({ preventScroll: true });
}

/** Marks a text field as refused until it is typed in, and selects the place of the mistake if the message names a column. */
export function point_at(input, words) {
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", "problem");
  input.addEventListener("input", () => { for (const name of ["aria-invalid", "aria-describedby"]) input.removeAttribute(name); }, { once: true });
  const column = Number(/^column (\d+):/.exec(words)?.[1]);
  if (!column) return;
  input.focus();
  input.setSelectionRange(column - 1, input.value.length);
}

/** Shows a message for a few seconds. */
export function toast(words, fine = false) {
  const node = h("div", { className: fine ? "toast fine" : "toast" }, words);
  document.getElementById("toasts").append(node);
  setTimeout(() => node.remove(), 6000);
}

/** Formats a number of bytes in a readable unit. */
export function bytes(count) {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

/** Makes a link to an entity, with its name and handle. */
export function link(id) {
  return h("a", { href: `#/entity/${id}` }, name_of(id) ? `${name_of(id)} ` : "", h("span", { className: "mono" }, id));
}

/** Replaces the address of the open view, without opening it anew. Does nothing if another view is about to open. */
export function keep_address(address) {
  const view = address.split(/[/?]/)[1];
  if (location.hash === address || location.hash.split(/[/?]/)[1] !== view) return;
  try {
    history.replaceState(null, "", address);
  } catch {
    // a frame without an address of its own cannot change it without a new view
  }
}

/** Puts commas between words and links. */
export const listed = (some) => some.flatMap((one, i) => (i ? [", ", one] : [one]));
