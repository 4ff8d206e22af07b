import { resolvePerson, type Person } from '../patient/person.ts';
import { callService, toProblem } from '../../api/service-call.ts';

/**
 * Looks up a scanned code as the MRN, both as it was typed and as a US keyboard types it. If there is no such patient,
 * it accepts the only MRN that differs in case, since Caps Lock changes the case. Throws the problem of the first
 * look-up if no patient is found.
 */
export async function resolveScanned(
  codes: readonly string[],
  signal: AbortSignal,
): Promise<Person> {
  let first: unknown;
  for (const find of [resolvePerson, resolveInOtherCase]) {
    for (const code of new Set(codes)) {
      try {
        return await find(code, signal);
      } catch (error) {
        first ??= error;
        if (find === resolvePerson && toProblem(error).kind !== 'notFound') throw error;
      }
    }
  }
  throw first;
}

async function resolveInOtherCase(code: string, signal: AbortSignal): Promise<Person> {
  const { value } = await callService('searchPeople', { text: code, limit: 20 }, signal);
  const same = value.people.flatMap(({ client_user_id: id }) =>
    typeof id === 'string' && id.toLowerCase() === code.toLowerCase() ? [id] : [],
  );
  const [id] = same;
  if (id === undefined || same.length > 1)
    throw new Error('No single client ID differs in case only');
  return await resolvePerson(id, signal);
}
