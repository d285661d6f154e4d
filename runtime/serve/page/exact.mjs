// Integers of 64 bits. JavaScript rounds numbers beyond 2^53, so the page keeps those as strings of
// digits.
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const MARK = "\u0000"; // a text of a game cannot contain it, because the text would end there

const is_rounded = (text) => /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));

/** Parses JSON. An integer that would be rounded becomes a string of its digits. */
export function parse_exactly(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKENS, (token) => (is_rounded(token) ? `"${token}"` : token)));
}

/** Converts a typed number to a value for `write_exactly`. */
export function number_of(text) {
  return is_rounded(text) ? BigInt(text) : Number(text);
}

/** Writes JSON with all digits of integers. */
export function write_exactly(value) {
  const marked = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${MARK}${one}` : one));
  return marked.replace(/"\\u0000(-?\d+)"/g, "$1");
}
