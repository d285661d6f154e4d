// What people type to find entities, as the expression that the game reads: names, queries and
// systems of the schema, and the parts of an expression between `&`.
import { named } from "./fields.mjs";

const QUOTED = /^"((?:[^"\\]|\\["\\])+)"$/;
const CAPITAL = /^\p{Lu}[\p{L}\p{N} '.-]*$/u;
const LETTERS = /^\p{L}[\p{L}\p{N} '-]*$/u;
const PARTS = /"(?:[^"\\]|\\.)*"?|[.\w]+|[^"\w]/g; // strings, words with their paths, and all else
const CHANGES = /\b(?:added|changed|removed)\(/; // which no expression knows
const WORD = /^[a-z_]\w*$/;

/**
 * Writes the rows of a query, system or listener as an expression, which is empty if it has no
 * rows. A tag that it writes need not be there. No expression can ask for changes: `changes` is
 * whether such conditions were left out, so that more entities match.
 */
export function expression_of(schema, one) {
  const needed = one.access.filter(([kind, name]) => kind === "read" || kind === "write" && schema.component.get(name).storage !== "tag").map(([, name]) => name);
  const all = conditions_of(one.where ?? "");
  const asked = all.filter((condition) => !CHANGES.test(condition));
  const where = joined_conditions(asked);
  return { where: [...needed, ...(where ? [needed.length ? `(${where})` : where] : [])].join(" & "), changes: asked.length < all.length };
}

/** Returns the expressions of systems and queries by their names. A query replaces a system of its name. */
export function named_expressions(schema) {
  return new Map([...schema.systems, ...schema.queries].map((one) => [one.name, expression_of(schema, one).where]).filter(([, where]) => where));
}

/** Returns whether a word is a name of the schema that an expression may contain. */
function is_known(schema, word) {
  return named_expressions(schema).has(word) || [...schema.components, ...schema.relations].some((one) => one.name === word);
}

/** Writes the names of queries and systems in an expression as their expressions. */
function with_queries(schema, text) {
  const queries = named_expressions(schema);
  const others = [...schema.components, ...schema.relations];
  const of = (word) => (WORD.test(word) && !others.some((one) => one.name === word) ? queries.get(word) : undefined);
  return text.replace(PARTS, (part) => {
    const query = of(part);
    if (!query) return part;
    return part === text.trim() ? query : `(${query})`;
  });
}

/**
 * Returns the expression for what was typed. A text in quotes is a whole name. Words that begin
 * with a capital letter, or that the schema does not know, are a part of a name.
 */
export function expression_for(schema, words) {
  const text = words.trim();
  const quoted = QUOTED.exec(text)?.[1].replace(/\\(.)/g, "$1");
  if (quoted) return named(schema, quoted, "==") || words;
  const is_name = CAPITAL.test(text) || LETTERS.test(text) && !is_known(schema, text);
  return (is_name && named(schema, text, "~")) || with_queries(schema, words);
}

/** Splits an expression at each `&` outside of parentheses and strings. `other` is whether another operator is there. */
function split(text) {
  const parts = [""];
  let depth = 0;
  let other = false;
  for (const part of text.match(PARTS) ?? []) {
    if (part === "(") depth++;
    if (part === ")") depth--;
    if (depth === 0 && (part === "|" || part === "^")) other = true;
    if (depth === 0 && part === "&") parts.push("");
    else parts[parts.length - 1] += part;
  }
  return { parts: parts.map((one) => one.trim()).filter(Boolean), other };
}

/** Lists the conditions of an expression, all of which must hold: the whole expression if it has another operator than `&`. */
export function conditions_of(text) {
  const { parts, other } = split(text);
  return other ? [text.trim()] : parts;
}

/** Joins conditions to an expression. */
export function joined_conditions(conditions) {
  return conditions.map((one) => (conditions.length > 1 && split(one).other ? `(${one})` : one)).join(" & ");
}

/** Returns whether an expression has all of some conditions. */
export function has_conditions(text, conditions) {
  const all = conditions_of(text);
  return conditions_of(conditions).every((one) => all.includes(one));
}

/** Adds conditions to an expression, or removes them if the expression has them all. */
export function toggled(text, conditions) {
  const all = conditions_of(text);
  const wanted = conditions_of(conditions);
  if (has_conditions(text, conditions)) return joined_conditions(all.filter((one) => !wanted.includes(one)));
  return joined_conditions([...all, ...wanted.filter((one) => !all.includes(one))]);
}
