// What each writer has added to a value in the last ticks: "produce +40, eat -31, fetch -218".
import { chooser, h, keep_focus, listed } from "./dom.mjs";
import { field_of } from "./fields.mjs";
import { call } from "./link.mjs";

const SPANS = [50, 200, 1000, 10000]; // ticks
const VALUES_SHOWN = 12;

/** Writes what was added to a number, with its sign. */
export function signed(change) {
  const digits = Number.isInteger(change) ? Math.abs(change).toLocaleString("en") : String(Number(Math.abs(change).toPrecision(4)));
  return `${change > 0 ? "+" : change < 0 ? "-" : ""}${digits}`;
}

const times = (count) => (count === 1 ? "once" : `${count.toLocaleString("en")} times`);

/** Describes what one writer did: "+40", "3 times", "added it twice". */
function did(sum) {
  if (sum.added || sum.removed) return [sum.added && `added it ${times(sum.added)}`, sum.removed && `removed it ${times(sum.removed)}`].filter(Boolean).join(" and ");
  return sum.change === null ? times(sum.writes) : signed(sum.change);
}

/** The name of a writer, and of the commands that it recorded. */
export const writer_words = (one) => `${one.commands ? "commands of " : ""}${one.writer}`;

/**
 * Makes the element with the sums of a component or singleton. `pick(writer)` is called with the
 * name of a clicked writer. `refresh(path)` reads the sums of all values or of one, and returns the
 * names of the writers.
 */
export function sums_of(app, owner, id, pick) {
  const { schema } = app;
  let span = 200;
  let asked = owner;
  const spans = chooser({ "aria-label": `ticks that are summed up for ${owner}` }, (value) => { span = Number(value); refresh(asked); },
    SPANS.map((ticks) => h("option", { value: ticks, selected: ticks === span }, `${ticks.toLocaleString("en")} ticks`)));
  const list = h("ul", { className: "sums" });
  const note = h("span", { className: "hint" });
  const node = h("div", { className: "summed", hidden: true }, h("div", { className: "row" }, h("span", { className: "soft" }, "In the last"), spans, note), list);
  let drawn = "";

  function line(path, sums) {
    const unit = field_of(schema, path)?.unit;
    const part = path === owner ? "" : path.slice(owner.length).replace(/^\./, "");
    const parts = sums.map((sum) => h("span", { className: "sum", title: `${sum.writes.toLocaleString("en")} writes, the last in tick ${sum.last.toLocaleString("en")}` },
      h("button", { className: "plain", "aria-label": `only the writes of ${sum.writer} to ${path}`, onclick: () => pick(sum.writer, path) }, writer_words(sum)), " ", h("strong", {}, did(sum))));
    return h("li", {}, part ? h("span", { className: "mono" }, part, unit ? ` (${unit})` : "", ": ") : null, listed(parts));
  }

  function draw(answer) {
    const paths = [...new Set(answer.sums.map((sum) => sum.path))];
    const more = paths.length - VALUES_SHOWN;
    note.textContent = answer.whole ? "" : `known since tick ${answer.from.toLocaleString("en")}`;
    const lines = paths.slice(0, VALUES_SHOWN).map((path) => line(path, answer.sums.filter((sum) => sum.path === path)));
    if (lines.length === 0) lines.push(h("li", { className: "soft" }, "nothing has written it"));
    if (more > 0 || answer.left_off > 0) lines.push(h("li", { className: "soft" }, `and ${more > 0 ? `${more} more values` : "more writers"}: choose a value above`));
    keep_focus(list, () => list.replaceChildren(...lines));
  }

  async function refresh(path) {
    asked = path;
    const answer = await call("sums", { path, ticks: span, ...(id ? { id } : {}) }).catch(() => null);
    node.hidden = !answer;
    if (!answer) return [];
    const text = JSON.stringify([answer.sums, answer.whole, answer.whole || answer.from]);
    if (text !== drawn) draw(answer);
    drawn = text;
    return [...new Set(answer.sums.map((sum) => sum.writer))];
  }
  return { node, refresh };
}
