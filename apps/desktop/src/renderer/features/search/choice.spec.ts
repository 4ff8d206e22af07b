import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { FoundPeople, FoundPerson } from '@caregate/domain';
import { findHighlight, looksLikeId, onAnswer, onEnter } from './choice.ts';
import { findSimilarPatients } from './same-name.ts';

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
interface Pressed {
  readonly text?: string;
  readonly people?: readonly FoundPerson[];
  /** The people of the answer or, until it arrives, of the previous text. */
  readonly shown?: readonly FoundPerson[];
  readonly chosen?: FoundPerson;
  readonly isSearched?: boolean;
}
function enter({
  text = 'okon',
  people,
  shown = people ?? [],
  chosen,
  isSearched = true,
}: Pressed): ReturnType<typeof onEnter> {
  const highlight = findHighlight(shown, text, chosen?.user_id);
  return onEnter({ text, people, highlight, isSearched });
}
const opens = (one: FoundPerson) => ({ kind: 'open', found: one }) as const;
const [choose, lookUp, search] = (['choose', 'lookUp', 'search'] as const).map((kind) => ({
  kind,
}));
const withId = (id: string, matched = 'id'): FoundPerson => found({ client_user_id: id, matched });
const [one, ten, near] = [withId('MRN-1'), withId('MRN-10'), withId('MRN-11', 'near_id')];
const [unsigned, otherUnsigned] = [withId('MRN-1-01'), withId('MRN-10-1')];
const born = [found({ matched: 'birth_date' }), found({ matched: 'birth_date' })];

describe('Enter', () => {
  it.each<[string, Parameters<typeof enter>[0], unknown]>([
    ['opens the best of the list', { people: [amara, ifeoma] }, opens(amara)],
    ['opens whoever was chosen', { people: [amara, ifeoma], chosen: ifeoma }, opens(ifeoma)],
    ['asks to choose between two of one name', { people: [amara, herTwin, ifeoma] }, choose],
    ['opens another before two of one name', { people: [ifeoma, amara, herTwin] }, opens(ifeoma)],
    ['opens the chosen twin', { people: [amara, herTwin], chosen: herTwin }, opens(herTwin)],
    ['opens nobody found by sound', { people: [found({ matched: 'sound' })] }, choose],
    ['opens nobody found in a new way', { people: [found({ matched: 'shoe_size' })] }, choose],
    ['opens nobody of two of one birth date', { text: '3/7/85', people: born }, choose],
    ['opens the only one of a date', { text: '3/7/85', people: [amara] }, opens(amara)],
    ['opens whose ID it is', { text: 'MRN-1', people: [ten, one] }, opens(one)],
    ['looks up an ID that only begins another', { text: 'MRN-1', people: [ten] }, lookUp],
    ['looks up an ID that nobody has', { text: 'MRN-1', people: [] }, lookUp],
    ['looks up an ID before the answer', { text: 'MRN-1' }, lookUp],
    ['looks up an ID that is only similar to one', { text: 'MRN-1', people: [near] }, lookUp],
    [
      'opens whose ID it is without signs',
      { text: 'mrn101', people: [unsigned, ifeoma] },
      opens(unsigned),
    ],
    [
      'looks up an ID that two have without signs',
      { text: 'mrn101', people: [unsigned, otherUnsigned] },
      lookUp,
    ],
    [
      'opens whoever was chosen in the list before',
      { shown: [amara, ifeoma], chosen: ifeoma },
      opens(ifeoma),
    ],
    [
      'opens whoever was chosen in the list before, at another place',
      { people: [ifeoma, amara], chosen: amara },
      opens(amara),
    ],
    [
      'opens nobody else if the chosen one left the list',
      { people: [amara], chosen: ifeoma },
      choose,
    ],
    ['opens nobody if the list became empty', { people: [], chosen: ifeoma }, choose],
    [
      'looks up no ID if the chosen one left the list',
      { text: 'MRN-1', people: [one], chosen: ifeoma },
      choose,
    ],
    [
      'looks up no ID beside a highlighted row of the previous text',
      { text: 'MRN-1', shown: [amara] },
      search,
    ],
    ['searches a name before the answer', {}, search],
    ['searches a name that nobody has', { people: [] }, search],
    ['looks up any text without a search', { isSearched: false }, lookUp],
  ])('%s', (_what, input, action) => {
    expect(enter(input)).toEqual(action);
  });

  it('never opens a patient by itself if another has the same or a similar name', () => {
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
          const likenesses = findSimilarPatients(people, action.found).map(
            ({ likeness }) => likeness,
          );
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
    highlighted?: FoundPerson,
  ): ReturnType<typeof onAnswer> =>
    onAnswer({ text, people, searched, highlightedId: highlighted?.user_id });
  const [id, longerId] = [withId('OKON'), withId('OKON-B')];

  it.each<[string, Parameters<typeof then>, unknown]>([
    ['opens whose id it is', [[id]], opens(id)],
    ['opens whose ID it is among longer ones', [[longerId, id]], opens(id)],
    ['opens nobody whose ID only begins so', [[longerId]], choose],
    ['opens whose ID it is without signs', [[unsigned], 'mrn101'], opens(unsigned)],
    ['opens a single person', [[amara], 'okon'], opens(amara)],
    ['asks to choose between two', [[amara, ifeoma], 'okon'], choose],
    ['asks to choose between an ID and a name', [[id, amara]], choose],
    ['opens nobody found by sound', [[found({ matched: 'sound' })]], choose],
    ['opens who was highlighted', [[amara], 'okon', 'people', amara], opens(amara)],
    ['opens nobody but who was highlighted', [[amara], 'okon', 'people', ifeoma], choose],
    ['looks up no ID if somebody was highlighted', [[], 'OKON', 'orders', ifeoma], choose],
    ['looks up an ID if only orders were searched', [[], 'OKON', 'orders'], lookUp],
    ['looks up no name', [[], 'okon amar', 'orders'], { kind: 'nobody' }],
    ['looks up nothing if patients were searched', [[]], { kind: 'nobody' }],
  ])('%s', (_what, input, action) => {
    expect(then(...input)).toEqual(action);
  });

  it('opens only who was found alone or whose ID it is, and no guess', () => {
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
  it.each(['MRN-000101', 'OKON-0017', '1985030', 'a1', '00000000-0000-4000-8000-000000000001'])(
    'is true for %s',
    (text) => {
      expect(looksLikeId(text)).toBe(true);
    },
  );

  it.each([
    '03071985',
    'okon',
    'Okonkwo-Lindqvist',
    '3/7/85',
    '07/03/1985',
    '03071985',
    '7.3.85',
    '1985-03-07',
    '+1(212)5550123',
    '',
  ])('is false for %j', (text) => {
    expect(looksLikeId(text)).toBe(false);
  });
});
