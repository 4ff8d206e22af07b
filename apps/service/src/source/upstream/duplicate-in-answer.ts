import { schemas } from '@caregate/domain/schema';
import { ProblemError } from '../../problem/problem-error.ts';
import { duplicateMember } from '../json/duplicate-members.ts';

/** Names that the interface gives; another one could be anything of anyone's, so it is not repeated. */
const ourNames = new Set(
  Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
);

/**
 * Refuses an answer in which an object has a member twice: it is passed on as it was written, and its reader may take
 * the first, while the checks and the audit record have seen the last. The detail has the member as a JSON pointer (RFC
 * 6901), `?` for each name that the interface does not know.
 *
 * @throws ProblemError of 502; the log has `DUPLICATE_MEMBER` with it
 */
export function assertNoDuplicateMember(text: string, value: unknown): void {
  const path = duplicateMember(text, value);
  if (path !== undefined) {
    const pointer = path
      .map((part) => (typeof part === 'number' || ourNames.has(part) ? part : '?'))
      .map((part) => `/${part}`)
      .join('');
    const where = pointer === '' ? '' : `: ${pointer}`;
    const detail = `An object in the answer of the service behind this one has a member twice${where}.`;
    const cause = Object.assign(new Error('A member twice'), { code: 'DUPLICATE_MEMBER' });
    throw new ProblemError({ type: 'bad-upstream', detail }, { cause });
  }
}
