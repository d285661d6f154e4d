// The parts of the schema that systems read and write.
const WRITES = ["write", "lookup write", "singleton write", "link write"];
const READS = ["read", "optional", "lookup read", "singleton read", "parent", "link read"];

/** Returns whether a system accesses a part of the schema in one of some ways, itself or by a query. */
function accesses(schema, system, name, ways) {
  const does = (one) => one?.access.some(([kind, of]) => of === name && ways.includes(kind));
  return does(system) || system.access.some(([kind, of]) => kind === "query" && does(schema.queries.find((query) => query.name === of)));
}

/** Lists the systems that may write a component, singleton or link, whether or not they do. */
export const writers_of = (schema, name) => schema.systems.filter((one) => accesses(schema, one, name, WRITES));

/**
 * Lists the parts of the schema that a system reads and that later systems of the tick may write, as
 * pairs of a name and these systems. It reads the values of the tick before.
 */
export function written_later(schema, system) {
  const later = schema.systems.slice(schema.systems.indexOf(system) + 1);
  const names = [...schema.components, ...schema.singletons, ...schema.links].map((one) => one.name);
  return names.filter((name) => accesses(schema, system, name, READS))
    .map((name) => [name, later.filter((one) => accesses(schema, one, name, WRITES))]).filter(([, some]) => some.length > 0);
}
