import { json } from './fake-service.testing.ts';
import type { Responder } from './fake-service.testing.ts';

/**
 * The people that a search can find: one by name, two with the same name, one by another record, one by sound, and one
 * with little data.
 */
export const people = [
  foundOf(1, 'MRN-1', 'Wilhelmina Ashgrove', { birth_date: '1985-07-03' }),
  foundOf(2, 'MRN-2', 'Amara Okonkwo-Lindqvist', { birth_date: '1985-03-07' }),
  foundOf(3, 'MRN-3', 'Amara Okonkwo-Lindqvist', { birth_date: '2003-09-21' }),
  foundOf(4, 'MRN-4', 'Ifeoma Okonedo', { birth_date: '2024-08-16', name_source: 'insurance' }),
  foundOf(5, 'MRN-5', 'ليلى حدّاد', { birth_date: '1996-08-02' }),
  foundOf(6, 'MRN-6', 'Zofia Okon\u0301ska', { birth_date: '1978-07-02' }),
  foundOf(
    7,
    'MRN-7',
    `${'Wolfeschlegelsteinhausen'.repeat(7)} Anna Maria Luisa ${'von '.repeat(4)}`,
  ),
  foundOf(8, 'NAMELESS-8', null),
];

function foundOf(
  place: number,
  clientUserId: string,
  name: string | null,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> & { readonly name: string | null } {
  return {
    user_id: `${String(place).repeat(8)}-1111-4111-8111-111111111111`,
    client_user_id: clientUserId,
    name,
    ...(name !== null && { name_source: 'info', name_as_of: '2026-01-16' }),
    last_seen: '2026-11-09',
    matched: 'name',
    ...more,
  };
}

/** Finds people whose name or MRN has each word of the search. */
export const searching = searchingAmong(people);

/** Four people with the same name and birth date, and one with another birth date, who is found by that of another record. */
export const tildas = [
  ['+12125550141', 'Brooklyn, NY', '1985-03-07'],
  ['+19145550166', 'Yonkers, NY', '1985-03-07'],
  ['+12125550109', 'Brooklyn, NY', '1985-03-07'],
  [null, null, '1985-03-07'],
  ['+17185550180', 'Hoboken, NJ', '1985-07-30'],
].map(([phone, town, birthDate], at) =>
  foundOf(at + 2, `MRN-${String(at + 2)}`, 'Tilda Marrowby', {
    ...{ phone, town, birth_date: birthDate },
    ...(birthDate === '1985-07-30' && { matched_birth_date: '1985-03-07' }),
  }),
);

/** More matches than the service counts. */
export const manyMarias = Array.from({ length: 143 }, (_, at) =>
  foundOf(2, `MRN-${String(at)}`, `Mar${String.fromCodePoint(97 + (at % 26))}${String(at)}`, {
    user_id: `${String(at).padStart(8, '0')}-1111-4111-8111-111111111111`,
  }),
);

export function searchingAmong(among: typeof people, counted = Infinity): Responder {
  return (request, response) => {
    answerSearch(among, counted, request, response);
  };
}

function answerSearch(
  among: typeof people,
  counted: number,
  ...[request, response]: Parameters<Responder>
): void {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    const { text, limit = 8 } = JSON.parse(body) as { text: string; limit?: number };
    const fold = (given: string): string =>
      given.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    const words = fold(text).split(/\s+/u);
    const found = among.flatMap((one) => {
      const id = fold(String(one['client_user_id']));
      if (words.every((word) => fold(one.name ?? '').includes(word))) return [one];
      return words.every((word) => id.includes(word)) ? [{ ...one, matched: 'id' }] : [];
    });
    json(response, 200, {
      people: found.slice(0, limit),
      searched: 'people',
      total: Math.min(found.length, counted),
      more: found.length > counted,
    });
  });
}
