import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../../shared/problem.ts';
import { resolveScanned } from './scanned-person.ts';

const notFound: Problem = { kind: 'notFound' };
const receivedAt = new Date(0);

/** A fake service with these MRNs, whose search finds all of them. Returns the requests that it has received. */
function serviceWith(ids: readonly string[], searchFails?: Problem): string[] {
  const asked: string[] = [];
  const answer = (value: object) => Promise.resolve({ ok: true, value: { value, receivedAt } });
  const resolveUser = (id: string) => {
    asked.push(id);
    return ids.includes(id)
      ? answer({ user_id: `user of ${id}`, client_user_id: id })
      : Promise.resolve({ ok: false, problem: notFound });
  };
  const searchPeople = (text: string) => {
    asked.push(`search ${text}`);
    return searchFails === undefined
      ? answer({ people: ids.map((id) => ({ user_id: `user of ${id}`, client_user_id: id })) })
      : Promise.resolve({ ok: false, problem: searchFails });
  };
  const caregate = {
    read: ({ params }: { readonly params: { clientUserId?: string; text?: string } }) =>
      params.clientUserId === undefined
        ? searchPeople(params.text ?? '')
        : resolveUser(params.clientUserId),
    cancel: () => undefined,
  };
  Object.assign(globalThis, { window: { caregate } });
  return asked;
}

const resolve = async (...codes: string[]): Promise<string> =>
  (await resolveScanned(codes, new AbortController().signal)).value.client_user_id;

describe('a scanned code', () => {
  it('is looked up once if it is the client ID', async () => {
    const asked = serviceWith(['MRN-000101']);
    expect(await resolve('MRN-000101', 'MRN-000101')).toBe('MRN-000101');
    expect(asked).toEqual(['MRN-000101']);
  });

  it('is found as a US keyboard types it', async () => {
    serviceWith(['MRN-000101']);
    expect(await resolve(',RN)ààà&à&', 'MRN-000101')).toBe('MRN-000101');
  });

  it('is found if only the case differs', async () => {
    serviceWith(['MRN-000101', 'MRN-000102']);
    expect(await resolve('mrn-000101', 'mrn-000101')).toBe('MRN-000101');
  });

  it.each<[string, readonly string[], Problem | undefined]>([
    ['nobody has it', ['MRN-000102'], undefined],
    ['two IDs differ in case only', ['MRN-000101', 'Mrn-000101'], undefined],
    ['the role may not search', ['MRN-000101'], { kind: 'forbidden', operation: 'searchPeople' }],
  ])('is not found if %s', async (_why, ids, searchFails) => {
    serviceWith(ids, searchFails);
    await expect(resolve('mrn-000101', 'mrn-000101')).rejects.toMatchObject({ problem: notFound });
  });
});
