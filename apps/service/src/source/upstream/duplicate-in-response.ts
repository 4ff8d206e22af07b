import { schemas } from '@caregate/domain/schema';
import { ProblemError } from '../../problem/problem-error.ts';
import { duplicateMember } from '../json/duplicate-members.ts';

/** Other names could be personal data. */
const ourNames = new Set(
  Object.values(schemas).flatMap(({ properties = {} }) => Object.keys(properties)),
);

/**
 * A reader may use the first of two, while the checks and the audit record have used the last. The detail has a JSON pointer
 * (RFC 6901), with `?` for unknown names. @throws ProblemError 502; logged with the code `DUPLICATE_MEMBER`
 */
export function assertNoDuplicateMember(text: string, value: unknown): void {
  const path = duplicateMember(text, value);
  if (path !== undefined) {
    const pointer = path
      .map((part) => (typeof part === 'number' || ourNames.has(part) ? part : '?'))
      .map((part) => `/${part}`)
      .join('');
    const where = pointer === '' ? '' : `: ${pointer}`;
    const detail = `An object in the response of the upstream service has a duplicate member${where}.`;
    const cause = Object.assign(new Error('Duplicate member'), { code: 'DUPLICATE_MEMBER' });
    throw new ProblemError({ type: 'bad-upstream', detail }, { cause });
  }
}
