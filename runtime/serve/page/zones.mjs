// Zones of ticks: from their begins and ends, which the game has recorded or a trace file contains,
// to bars with a place in the row of their thread.

const KINDS = ["phase", "system", "part", "apply", "save", "load", "merge"]; // as in weft_zone_kind

/** Reads the answer of the method `timeline`. */
export function boundaries_of(answer, schema) {
  const names = { phase: schema.phases, system: schema.systems.map((one) => one.name) };
  names.part = names.system;
  return answer.boundaries.map(([begins, kind, number, part, thread, tick, ns, shared, rows]) => ({
    begins: begins === 1, kind: KINDS[kind], name: names[KINDS[kind]]?.[number] ?? KINDS[kind], id: number, part, thread, tick: tick + answer.first, ns, shared: shared === 1, rows,
  }));
}

/**
 * Pairs begins with ends, and returns the zones in the order of their ends. The zones of a thread
 * are nested, but a shared turn may end on another thread. A zone without an end or begin is left out.
 */
export function zones_of(boundaries) {
  const open = new Map(); // the last open zones of each thread, and of each system whose turn is shared
  const zones = [];
  for (const one of boundaries) {
    const key = one.shared ? `shared ${one.id}` : one.thread;
    if (!open.has(key)) open.set(key, []);
    const stack = open.get(key);
    if (one.begins) {
      stack.push(one);
    } else if (stack.at(-1)?.name === one.name && stack.at(-1).kind === one.kind) {
      const { kind, name, part, thread, tick, ns, shared } = stack.pop();
      zones.push({ kind, name, part, thread, tick, shared, start: ns, end: Math.max(one.ns, ns), rows: one.rows });
    }
  }
  return zones;
}

const PASS = 1 / 1024; // added to the number of a tick for each load that has brought an earlier tick

/** Returns the number of a tick without its loads, and whether it was after a load. */
export const tick_of = (key) => ({ tick: Math.floor(key), again: key % 1 > 0 });

/**
 * Groups zones by the tick in which they begin. Returns a map in the order of time. After a load the
 * game may run ticks with the same numbers again, so these have keys of their own (see `tick_of`).
 */
export function by_tick(zones) {
  const begun = zones.reduce((least, one) => (one.kind === "phase" ? Math.min(least, one.start) : least), Infinity);
  const loads = zones.filter((one) => one.kind === "load" && one.start > begun).map((one) => one.end);
  const ticks = new Map();
  for (const zone of zones) {
    const passes = loads.filter((end) => end <= zone.start).length;
    const key = zone.tick + passes * PASS;
    if (!ticks.has(key)) ticks.set(key, { passes, zones: [] });
    ticks.get(key).zones.push(zone);
  }
  const sorted = [...ticks].sort(([a, one], [b, other]) => one.passes - other.passes || a - b);
  return new Map(sorted.map(([key, one]) => [key, one.zones]));
}

/** Finds the phase during which each zone begins, or null. Sorts the zones by their begin. */
function find_phases(zones) {
  zones.sort((a, b) => a.start - b.start || b.end - a.end);
  let phase = null;
  return zones.map((zone) => {
    if (zone.kind === "phase") phase = zone;
    return phase && zone.start <= phase.end ? phase.name : null;
  });
}

/**
 * Places zones: each gets a lane in the row of its thread, in which no other zone is at the same
 * time. A zone is below the zones that contain it. Returns the rows by thread.
 */
export function rows_of(zones) {
  const sorted = [...zones];
  const phases = find_phases(sorted);
  const rows = new Map();
  sorted.forEach((zone, i) => {
    if (!rows.has(zone.thread)) rows.set(zone.thread, { thread: zone.thread, bars: [], ends: [] });
    const { bars, ends } = rows.get(zone.thread);
    let lane = ends.findIndex((end) => end <= zone.start);
    if (lane < 0) lane = ends.length;
    ends[lane] = zone.end;
    bars.push({ ...zone, lane, phase: phases[i] });
  });
  return [...rows.values()].sort((a, b) => a.thread - b.thread).map(({ thread, bars, ends }) => ({ thread, bars, lanes: ends.length }));
}
