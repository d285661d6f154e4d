// Integers of 64 bits: beyond 2^53 a number of JavaScript rounds them, so the page has those as their digits.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const MARK = "\u0000"; // no text of a game has one: it would end there

const is_rounded = (text) => /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));

/** Reads JSON in which an integer that would be rounded becomes a string of its digits. */
export function parse_exactly(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKENS, (token) => (is_rounded(token) ? `"${token}"` : token)));
}

/** Returns what a typed number is, as `write_exactly` takes it. */
export function number_of(text) {
  return is_rounded(text) ? BigInt(text) : Number(text);
}

/** Writes JSON with all digits of integers. */
export function write_exactly(value) {
  const marked = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${MARK}${one}` : one));
  return marked.replace(/"\\u0000(-?\d+)"/g, "$1");
}
