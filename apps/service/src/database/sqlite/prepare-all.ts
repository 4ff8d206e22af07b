import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares statements under their names. */
export function prepareAll<Name extends string>(
  raw: DatabaseSync,
  statements: Readonly<Record<Name, string>>,
): Record<Name, StatementSync> {
  const prepared = Object.entries<string>(statements).map(([name, text]) => [
    name,
    raw.prepare(text),
  ]);
  return Object.fromEntries(prepared) as Record<Name, StatementSync>;
}
