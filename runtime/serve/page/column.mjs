// Columns of a list: their units, and the form of their values.
import { field_of } from "./fields.mjs";
import { cell } from "./text.mjs";

const FLOAT = /^f(32|64)$/;

/** Returns how many decimals numbers up to this one need, so that each has about four digits. */
const decimals_for = (greatest) => (greatest < 10 ? 3 : greatest < 1000 ? 2 : 1);

/**
 * Describes the column of a value: its `unit`, and whether it `is_number`. Floats of a column have
 * the same number of decimals: `see(values)` tells it which values will be shown, and `text(value)`
 * formats one.
 */
export function column_of(schema, path) {
  const field = field_of(schema, path);
  const is_count = path.endsWith(".count");
  const is_number = is_count || field?.kind === "number" && field.shape !== "string";
  const is_float = is_number && !is_count && FLOAT.test(field.type);
  let greatest = Math.max(Math.abs(field?.min ?? 0), Math.abs(field?.max ?? 0));
  if (!Number.isFinite(greatest)) greatest = 0;
  return {
    path, is_number,
    unit: is_number && !is_count ? field.unit ?? "" : "",
    see(values) {
      for (const value of values) if (is_float && Number.isFinite(value)) greatest = Math.max(greatest, Math.abs(value));
    },
    text: (value) => (is_float && Number.isFinite(value) ? value.toFixed(decimals_for(greatest)) : cell(value)),
  };
}
