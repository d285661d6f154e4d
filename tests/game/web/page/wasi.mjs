// The host of a module of WASI, as far as the colony needs one: a clock, and lines for the console.
// All else is refused, since a page has no files.
const REFUSED = 52; // ENOSYS
const FINE = 0;

/** Makes the imports of a module. `lines` is told what it prints. */
export function wasi_imports(module, memory, lines) {
  const view = () => new DataView(memory().buffer);
  const known = {
    clock_time_get(clock, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return FINE;
    },
    fd_write(file, pieces, count, written) {
      let bytes = 0;
      let text = "";
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(pieces + 8 * i, true);
        const length = view().getUint32(pieces + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, length));
        bytes += length;
      }
      lines(text);
      view().setUint32(written, bytes, true);
      return FINE;
    },
    proc_exit(code) {
      throw new Error(`the game has ended with ${code}`);
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = known[name] ?? (() => REFUSED);
  }
  return imports;
}
