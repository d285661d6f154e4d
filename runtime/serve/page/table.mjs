// Lists as text: copied with tabs between the cells, or saved as CSV (RFC 4180).
//
// Spreadsheets run a cell that begins with = + - or @ as a formula. Texts of a game may contain anything,
// so that an apostrophe is put before such a text, unless it is a number.
import { h, toast } from "./dom.mjs";

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|inf|nan)$/i; // integers of 64 bits are texts in the page
const number = (count) => count.toLocaleString("en");

/** Writes a value for a cell. */
export function cell_text(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Writes rows as CSV. Cells with commas, quotes or line breaks are in quotes. */
export function csv_text(rows) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map((one) => quoted(cell_text(one))).join(",")}\r\n`).join("");
}

/** Writes rows with tabs between the cells. Tabs and line breaks in a cell become spaces. */
export function tabbed_text(rows) {
  return rows.map((row) => row.map((one) => cell_text(one).replace(/\s*[\t\r\n]\s*/g, " ")).join("\t")).join("\n");
}

/** Puts a text on the clipboard. The older way also works in frames that may not use the newer one. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h("textarea", { value: text, "aria-hidden": "true", className: "unseen" });
    const focused = document.activeElement;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    focused?.focus({ preventScroll: true });
    return done;
  }
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/**
 * Makes the buttons that copy and save a list. `read(told)` returns `heads`, `rows`, and the `total` if
 * it is more than the rows; or null if it was cancelled. It may call `told(share)` often, which returns
 * whether to go on.
 */
export function copy_tools(app, name, read) {
  const said = h("span", { className: "hint", role: "status" });
  const cancel = h("button", { hidden: true, "aria-label": `cancel copying ${name}`, onclick: () => { cancelled = true; } }, "cancel");
  let cancelled = false;
  let runs = false;

  function told(share) {
    said.textContent = `${Math.floor(share * 100)} %`;
    cancel.hidden = false;
    return !cancelled;
  }

  async function run(write) {
    if (runs) return;
    runs = true;
    cancelled = false;
    const list = await read(told).catch((error) => toast(error.message));
    runs = false;
    said.textContent = "";
    cancel.hidden = true;
    if (!list) return;
    const { heads, rows, total = rows.length } = list;
    const some = `${number(rows.length)} ${rows.length === 1 ? "row" : "rows"}${total > rows.length ? `, the first of ${number(total)}` : ""}`;
    await write([heads, ...rows], some);
  }

  async function write_copy(rows, some) {
    if (await copy(tabbed_text(rows))) toast(`Copied ${some}.`, true);
    else toast("The browser does not let this page use the clipboard.");
  }

  function write_csv(rows, some) {
    const file = `${app.schema.name}-${name.replaceAll(" ", "-")}-tick-${app.stats.tick}.csv`;
    save(file, csv_text(rows));
    toast(`Saved ${some} as ${file}.`, true);
  }

  return h("span", { className: "together copies" }, h("button", { "aria-label": `copy ${name}`, title: "copy all rows, with tabs between the cells", onclick: () => run(write_copy) }, "copy"),
    h("button", { "aria-label": `${name} as CSV`, title: "save all rows as CSV", onclick: () => run(write_csv) }, "CSV"), said, cancel);
}
