import { digitsLost, listIds, type ConvertedResource } from './made.testing.ts';
import { ownErrors } from './own-checks.testing.ts';
import { schemaErrors } from './schema.testing.ts';

/** Returns the problems that the JSON Schema and our own checks find in all resources of some people. */
export function findErrors(all: readonly ConvertedResource[]): string[] {
  const ids = listIds(all);
  return [
    ...all.flatMap(({ read }) => schemaErrors(read)),
    ...all.flatMap(({ read, order }) => ownErrors(read, ids, order)),
    ...all.flatMap(digitsLost),
  ];
}
