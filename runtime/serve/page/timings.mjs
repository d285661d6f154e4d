// Measured times of systems. They are kept while other views are open.
const HISTORY_MS = 60000;
const NAMES = ["ns", "turns", "rows", "commands", "events"];

/** Makes an empty store of measurements. */
export function make_timings() {
  const samples = []; // the counts between two looks: their time, and by system
  let last = null; // the counts of the last look
  let one_in = 1;

  const restarted = (now) => now.some((system, i) => system.turns < last.systems[i].turns);

  /** Adds the counts of all systems in a tick. */
  function look(now, tick) {
    if (now[0]?.turns === undefined) return;
    one_in = now[0].one_in;
    if (last && (tick < last.tick || now.length !== last.systems.length)) { // another world
      samples.length = 0;
      last = null;
    }
    const at = performance.now();
    const ticks = last && !restarted(now) ? now[0].ticks - last.systems[0].ticks : 0;
    if (ticks > 0) {
      const systems = now.map((system, i) => Object.fromEntries(NAMES.map((name) => [name, system[name] - last.systems[i][name]])));
      samples.push({ at, ticks, systems });
      while (samples[0].at < at - HISTORY_MS) samples.shift();
    }
    last = { tick, systems: now };
  }

  const ticks = () => samples.reduce((sum, one) => sum + one.ticks, 0);

  /** Returns what system i takes in a measured tick on average. */
  function mean(i) {
    const sum = (name) => samples.reduce((total, one) => total + one.systems[i][name], 0);
    const turns = sum("turns");
    const per_tick = (name) => sum(name) / ticks();
    return { us: per_tick("ns") / 1000, turns: per_tick("turns"), rows: turns ? sum("rows") / turns : 0, commands: per_tick("commands"), events: per_tick("events") };
  }

  /** Lists the means of all systems for a copy. */
  function table(schema, titles) {
    const all = ticks() > 0 ? schema.systems : [];
    return { heads: ["system", "phase", ...titles], rows: all.map((one, i) => {
      const { us, turns, rows, commands, events } = mean(i);
      return [one.name, schema.phases[one.phase], us, turns, rows, commands, events];
    }) };
  }

  return {
    look, mean, ticks, table,
    one_in: () => one_in,
    times: () => samples.map((one) => one.at),
    /** Lists the µs a tick of system i in each sample. */
    steps: (i) => samples.map((one) => one.systems[i].ns / 1000 / one.ticks),
    /** Returns how long ago the last sample was taken, in milliseconds. */
    age: () => performance.now() - (samples.at(-1)?.at ?? performance.now()),
  };
}
