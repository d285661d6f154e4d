// The rows of a list of entities beyond those in sight.
import { call } from "./link.mjs";

const PAGE = 500; // rows of an answer
const MAKING_MS = 100; // until a list that is being made is requested again

/**
 * Reads the rows of a list of entities, page by page: those from `offset` on, at most `most`, each made by
 * `make(row)`. `told(share)` is called after each page, and returns whether to go on. Returns the rows and the
 * `total`, or null if it was told to end.
 */
export async function read_rows(asked, { offset = 0, most, make = (row) => row, told = () => true }) {
  const rows = [];
  let total = Infinity;
  while (rows.length < most && offset + rows.length < total) {
    const answer = await call("entities", { ...asked, offset: offset + rows.length, limit: Math.min(PAGE, most - rows.length) });
    const making = answer.making ?? null;
    const wanted = Math.min(most, Math.max(answer.total - offset, 1));
    if (!told(making ?? Math.min(1, (rows.length + answer.rows.length) / wanted))) return null;
    if (making !== null) {
      await new Promise((done) => { setTimeout(done, MAKING_MS); });
      continue;
    }
    total = answer.total;
    if (answer.rows.length === 0) break;
    rows.push(...answer.rows.map(make)); // while the names of these are known
  }
  return { rows, total: Number.isFinite(total) ? total : 0 };
}
