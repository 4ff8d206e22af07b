import { digitsLost, idsOf, type Made } from './made.testing.ts';
import { ownErrors } from './own-checks.testing.ts';
import { profileErrors, schemaErrors, VERSIONS } from './validators.testing.ts';

/** Problems that any check finds in the resources of whole people. */
export function errorsOf(all: readonly Made[]): string[] {
  const ids = idsOf(all);
  const resources = all.map(({ read }) => read);
  return [
    ...all.flatMap(({ read }) => schemaErrors(read)),
    ...VERSIONS.flatMap((version) => profileErrors(version, resources)),
    ...all.flatMap(({ read, order }) => ownErrors(read, ids, order)),
    ...all.flatMap(digitsLost),
  ];
}
