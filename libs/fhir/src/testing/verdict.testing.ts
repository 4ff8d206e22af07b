import { digitsLost, idsOf, type Made } from './made.testing.ts';
import { ownErrors } from './own-checks.testing.ts';
import { schemaErrors } from './schema.testing.ts';

/** Problems that the JSON Schema and our own checks find in the resources of whole people. */
export function errorsOf(all: readonly Made[]): string[] {
  const ids = idsOf(all);
  return [
    ...all.flatMap(({ read }) => schemaErrors(read)),
    ...all.flatMap(({ read, order }) => ownErrors(read, ids, order)),
    ...all.flatMap(digitsLost),
  ];
}
