// Comparisons in the text of a stop: their parts, and whether their values can occur.
import { field_of, limits } from "./fields.mjs";

export const SIGNS = [">", ">=", "<", "<=", "==", "!="];
export const CHANGES = ["changes", "rises by more than", "falls by more than", "written by"];
const PATH = String.raw`[a-z_]\w*(?:\.\w+|\[\w+\])+`;
const OPERAND = String.raw`"(?:[^"\\]|\\.)*"|[^\s&|^()!"<>=]+`;
const ONE = new RegExp(`^(${PATH})(?:\\s+of\\s+(\\S+))?\\s*(==|!=|<=|>=|<|>)\\s*(${OPERAND})?$`);
const CHANGE = new RegExp(`^(${PATH})(?:\\s+of\\s+(\\S+))?\\s+(${CHANGES.join("|")})(?:\\s+(\\S+))?$`);
const ANY = new RegExp(`(${PATH})(?:\\s+of\\s+\\S+)?\\s*(==|!=|<=|>=|<|>)\\s*(${OPERAND})`, "g");

/** Returns the parts of a text that is one comparison or change: `path`, `of`, `sign` and `operand`. Returns null for other texts. */
export function comparison_of(text) {
  const found = CHANGE.exec(text.trim()) ?? ONE.exec(text.trim());
  if (!found) return null;
  const [, path, of, sign, operand] = found;
  return { path, of: of ?? "", sign, operand: operand?.startsWith('"') ? operand.slice(1, -1).replace(/\\(.)/g, "$1") : operand ?? "" };
}

/** Returns why a value of a field cannot be compared with; "" if it can. */
export function operand_problem(field, path, operand) {
  if (field?.kind !== "number" || field.shape === "string") return "";
  const number = Number(operand);
  if (operand === "") return "a number is missing";
  if (Number.isNaN(number)) return operand === "nan" || /^[+-]?inf$/.test(operand) ? "" : `'${operand}' is not a number`;
  const { low, high } = limits(field);
  if (number > high) return `${path} is at most ${high}: compare it with ${high} to stop beyond its range`;
  if (number < low) return `${path} is at least ${low}: compare it with ${low} to stop below its range`;
  return "";
}

/** Returns why a change cannot be larger than a text; "" if it can. */
export function change_problem(text) {
  return text !== "" && Number(text) >= 0 ? "" : `'${text}' is not the size of a change: write 0 or a positive number`;
}

/** Returns the first comparison of a text with a value that its field cannot have, in words; "" if there is none. */
export function range_problem(schema, text) {
  for (const [, path, , operand] of text.matchAll(ANY)) {
    const words = path.endsWith(".count") ? "" : operand_problem(field_of(schema, path), path, operand);
    if (words && /^[+-]?[\d.]/.test(operand)) return words;
  }
  return "";
}
