// The systems that are switched off, in the header of every view.
import { h, keep_focus, listed } from "./dom.mjs";
import { act } from "./link.mjs";

const BUTTONS_MAX = 3; // systems with a button of their own

/** Makes the element. `after` is called after a system was switched on. Returns the element, and `update(stats)`. */
export function off_view(after) {
  const node = h("span", { id: "off", role: "status", hidden: true });
  let drawn = "";

  async function switch_on(system) {
    await act("switch", { system, on: true });
    await after();
  }

  const named = (name) => h("span", { className: "together" }, h("a", { href: `#/systems/${name}` }, name),
    h("button", { "aria-label": `switch ${name} on`, onclick: () => switch_on(name) }, "switch on"));

  function words({ off, off_count, writable }) {
    const some = off.slice(0, BUTTONS_MAX).map((name) => (writable ? named(name) : h("a", { href: `#/systems/${name}` }, name)));
    const more = off_count - some.length;
    return [off_count === 1 ? "1 system is off: " : `${off_count} systems are off: `, ...(writable ? some : listed(some)), ...(more > 0 ? [" and ", h("a", { href: "#/systems" }, `${more} more`)] : [])];
  }

  function update(stats) {
    const now = JSON.stringify([stats.off, stats.off_count, stats.writable]);
    if (now === drawn) return;
    drawn = now;
    node.hidden = stats.off_count === 0;
    keep_focus(node, () => node.replaceChildren(...(node.hidden ? [] : words(stats))));
  }
  return { node, update };
}
