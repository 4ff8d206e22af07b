import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { FoundPeople, FoundPerson } from '@caregate/domain';
import { alikeOf, looksLikeId, onAnswer, onEnter } from './enter.ts';

let count = 0;
function found(more: Partial<FoundPerson>): FoundPerson {
  count += 1;
  const digits = String(count).padStart(12, '0');
  return {
    user_id: `11111111-1111-4111-8111-${digits}`,
    client_user_id: `MRN-${digits}`,
    matched: 'name',
    ...more,
  };
}

const amara = found({ name: 'Amara Okonkwo-Lindqvist', birth_date: '1985-03-07' });
const herTwin = found({ name: 'Amara Okonkwo-Lindqvist', birth_date: '2003-09-21' });
const ifeoma = found({ name: 'Ifeoma Okonkwo', birth_date: '2024-08-16' });
const enter = (more: Partial<Parameters<typeof onEnter>[0]>): ReturnType<typeof onEnter> =>
  onEnter({ text: 'okon', people: undefined, chosen: undefined, isSearched: true, ...more });

describe('Enter', () => {
  it('opens the best of the list, and whoever was chosen', () => {
    expect(enter({ people: [amara, ifeoma] })).toEqual({ kind: 'open', found: amara });
    expect(enter({ people: [amara, ifeoma], chosen: ifeoma })).toEqual({
      kind: 'open',
      found: ifeoma,
    });
  });

  it('asks to choose between two of one name', () => {
    expect(enter({ people: [amara, herTwin, ifeoma] })).toEqual({ kind: 'choose' });
    expect(enter({ people: [ifeoma, amara, herTwin] })).toEqual({ kind: 'open', found: ifeoma });
    expect(enter({ people: [amara, herTwin], chosen: herTwin })).toEqual({
      kind: 'open',
      found: herTwin,
    });
  });

  it('opens nobody who was only guessed', () => {
    for (const matched of ['sound', 'shoe_size']) {
      expect(enter({ people: [found({ matched })] })).toEqual({ kind: 'choose' });
    }
    const born = [found({ matched: 'birth_date' }), found({ matched: 'birth_date' })];
    expect(enter({ text: '7 3 85', people: born })).toEqual({ kind: 'choose' });
    expect(enter({ text: '7 3 85', people: [amara] })).toEqual({ kind: 'open', found: amara });
  });

  it('takes an id for nobody else’s', () => {
    const one = found({ client_user_id: 'MRN-1', matched: 'id' });
    const ten = found({ client_user_id: 'MRN-10', matched: 'id' });
    expect(enter({ text: 'MRN-1', people: [ten, one] })).toEqual({ kind: 'open', found: one });
    expect(enter({ text: 'MRN-1', people: [ten] })).toEqual({ kind: 'lookUp' });
    expect(enter({ text: 'MRN-1', people: [] })).toEqual({ kind: 'lookUp' });
    expect(enter({ text: 'MRN-1' })).toEqual({ kind: 'lookUp' });
    const near = found({ client_user_id: 'MRN-11', matched: 'near_id' });
    expect(enter({ text: 'MRN-1', people: [near] })).toEqual({ kind: 'lookUp' });
  });

  it('opens whose id it is without its signs, unless two have it', () => {
    const one = found({ client_user_id: 'MRN-1-01', matched: 'id' });
    const other = found({ client_user_id: 'MRN-10-1', matched: 'id' });
    expect(enter({ text: 'mrn101', people: [one, ifeoma] })).toEqual({ kind: 'open', found: one });
    expect(onAnswer({ text: 'mrn101', people: [one], searched: 'people' })).toEqual({
      ...{ kind: 'open', found: one },
    });
    expect(enter({ text: 'mrn101', people: [one, other] })).toEqual({ kind: 'lookUp' });
  });

  it('searches a name of which nothing is known yet; without a search, all is an id', () => {
    expect(enter({})).toEqual({ kind: 'search' });
    expect(enter({ people: [] })).toEqual({ kind: 'search' });
    expect(enter({ isSearched: false })).toEqual({ kind: 'lookUp' });
  });

  it('never opens by itself anybody of whose name there is another', () => {
    const person = fc.record({
      name: fc.constantFrom('Amara Okonkwo', 'AMARA OKÓNKWO', 'Amara Okonkvo', 'Ifeoma Okon', null),
      matched: fc.constantFrom('name', 'sound', 'id', 'phone', 'birth_date', 'new'),
      client_user_id: fc.constantFrom('A-1', 'A-2', 'A-10', null),
    });
    fc.assert(
      fc.property(
        fc.array(person, { maxLength: 6 }),
        fc.constantFrom('okon', 'A-1'),
        (all, text) => {
          const people = all.map((one) => found(one));
          const action = enter({ text, people });
          if (action.kind !== 'open' || action.found.client_user_id === text) return;
          const likenesses = alikeOf(people, action.found).map(({ likeness }) => likeness);
          expect(likenesses).not.toContain('sameName');
          expect(likenesses).not.toContain('nearName');
          expect(['name', 'birth_date', 'phone']).toContain(action.found.matched);
        },
      ),
    );
  });
});

describe('Enter that came before the answer', () => {
  const then = (
    people: readonly FoundPerson[],
    text = 'OKON',
    searched: FoundPeople['searched'] = 'people',
  ): ReturnType<typeof onAnswer> => onAnswer({ text, people, searched });
  const id = found({ client_user_id: 'OKON', matched: 'id' });
  const longerId = found({ client_user_id: 'OKON-B', matched: 'id' });

  it('opens whose id it is, among the ids that only begin like it', () => {
    expect(then([id])).toEqual({ kind: 'open', found: id });
    expect(then([longerId, id])).toEqual({ kind: 'open', found: id });
    expect(then([longerId])).toEqual({ kind: 'choose' });
  });

  it('opens a single person, and asks to choose where an id is also somebody’s name', () => {
    expect(then([amara], 'okon')).toEqual({ kind: 'open', found: amara });
    expect(then([amara, ifeoma], 'okon')).toEqual({ kind: 'choose' });
    expect(then([id, amara])).toEqual({ kind: 'choose' });
    expect(then([found({ matched: 'sound' })])).toEqual({ kind: 'choose' });
  });

  it('looks an id up where nobody is found and the orders alone were searched', () => {
    expect(then([], 'OKON', 'orders')).toEqual({ kind: 'lookUp' });
    expect(then([], 'okon amar', 'orders')).toEqual({ kind: 'nobody' });
    expect(then([])).toEqual({ kind: 'nobody' });
  });

  it('never opens anybody but who was found alone or whose id it is, nor who was guessed', () => {
    const person = fc.record({
      name: fc.constantFrom('Amara Okonkwo', 'Amara Okonkvo', 'Ifeoma Okon', null),
      matched: fc.constantFrom('name', 'sound', 'id', 'phone', 'birth_date', 'new'),
      client_user_id: fc.constantFrom('OKON', 'OKON-B', 'okon', 'A-1', null),
    });
    fc.assert(
      fc.property(
        fc.array(person, { maxLength: 5 }),
        fc.constantFrom('okon', 'OKON', 'A-1'),
        fc.constantFrom('people' as const, 'orders' as const),
        (all, text, searched) => {
          const people = all.map((one) => found(one));
          const action = then(people, text, searched);
          if (action.kind === 'lookUp') expect(people).toEqual([]);
          if (action.kind !== 'open') return;
          const others = people.filter((one) => one !== action.found);
          if (action.found.client_user_id === text) {
            expect(others.filter(({ matched }) => matched !== 'id')).toEqual([]);
          } else {
            expect(others).toEqual([]);
            expect(['name', 'birth_date', 'phone']).toContain(action.found.matched);
          }
        },
      ),
    );
  });
});

describe('looksLikeId', () => {
  it.each(['MRN-000101', 'OKON-0017', '19850307', 'a1', '00000000-0000-4000-8000-000000000001'])(
    '%s',
    (text) => {
      expect(looksLikeId(text)).toBe(true);
    },
  );

  it.each([
    'okon',
    'Okonkwo-Lindqvist',
    '7 3 85',
    '07/03/1985',
    '7.3.85',
    '1985-03-07',
    '+1(212)5550123',
    '',
  ])('not %j', (text) => {
    expect(looksLikeId(text)).toBe(false);
  });
});
