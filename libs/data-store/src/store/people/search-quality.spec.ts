import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { FoundPerson } from '@caregate/domain';
import type { HealthDataSource } from '../../health-data-source.ts';
import { parsePeopleQuery } from '../../people/people-query.ts';
import { onEachEngine, put, teamA, teamB, userId } from '../store.testing.ts';
import { generateNamedPeople, type NamedPerson, recordsOfPerson } from './named-people.testing.ts';

const people = generateNamedPeople(1000);

interface Found {
  readonly people: readonly FoundPerson[];
  readonly ids: readonly string[];
  readonly more: boolean;
}

async function search(store: HealthDataSource, text: string, limit = 20): Promise<Found> {
  const query = parsePeopleQuery(text);
  if ('reason' in query) {
    throw new Error(`"${text}" ${query.reason}`);
  }
  const found = await store.searchPeople(teamA, { query, limit, labs: true });
  return {
    people: found.people,
    ids: found.people.map((each) => each.user_id),
    more: found.more || found.total > found.people.length,
  };
}

/** Scripts whose marks count as letters. */
const marked =
  /[\p{Script=Devanagari}\p{Script=Thai}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const plain = (text: string): string =>
  marked.test(text) ? text : text.normalize('NFD').replace(/\p{Mn}/gu, '');
const start = (text: string, letters: number): string =>
  Array.from(text).slice(0, letters).join('');
const fullName = ({ given, family, isDense }: NamedPerson): string =>
  isDense ? `${family}${given}` : `${given} ${family}`;

/** Returns a part of the longest word. */
function partOf(name: string, at: number): string {
  const [word = ''] = plain(name)
    .split(/[^\p{L}\p{M}]+/u)
    .toSorted((one, other) => other.length - one.length);
  const from = at % Math.max(1, word.length - 3);
  return word.slice(from, from + 4);
}

/** Ways to search for a person by name. The person must be found, unless there are more matches than the limit. */
const byName: Readonly<Record<string, (person: NamedPerson, at: number) => string>> = {
  'the name': fullName,
  'the words swapped': ({ family, given, isDense }) =>
    isDense ? `${family} ${given}` : `${family}, ${given}`,
  'no accents': (person) => plain(fullName(person)),
  capitals: (person) => fullName(person).toUpperCase(),
  'small letters': (person) => fullName(person).toLowerCase(),
  'letters and marks apart': (person) => fullName(person).normalize('NFD'),
  'the beginning of each word': ({ given, family }) => `${start(given, 3)} ${start(family, 3)}`,
  'the family name and one letter': ({ given, family }) => `${family} ${start(given, 1)}`,
  'a part of the family name': ({ family }, at) => partOf(family, at),
  'a part of the given name, the family name': ({ given, family }, at) =>
    `${partOf(given, at)} ${family}`,
  'marks of direction': (person) => `\u200e${fullName(person)}\u200f`,
  'more spaces': (person) => `  ${fullName(person).replaceAll(' ', ' \u00a0 ')} `,
};

/** Names with a spelling that sounds the same. */
const sounding: Readonly<Record<string, string>> = {
  ...{ Stephen: 'Steven', Catherine: 'Kathryn', Philippa: 'Filipa', Geoffrey: 'Jefrey' },
  ...{ MacDonald: 'Makdonald', Schmidt: 'Shmit', Meyer: 'Maier', Clarke: 'Klark' },
  ...{ Иван: 'Ivan', Мария: 'Mariya', Иванов: 'Ivanoff', Щербаков: 'Shcherbakov' },
  ...{ Γιώργος: 'Giorgos', Ελένη: 'Eleni', Παπαδόπουλος: 'Papadopulos' },
  ...{ さくら: 'Sakura', 山田: 'Shantian' },
};

const anybody = fc.constantFrom(...people);
const wayOf = (ways: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(ways));

/** Whether the search refuses the text because it has too few letters. */
function isTooLittle(text: string): boolean {
  return 'reason' in parsePeopleQuery(text) && text.replace(/\P{L}/gu, '').length < 3;
}

onEachEngine((withStore) => {
  describe('with a thousand people', () => {
    // All tests share one store, since they only read it.
    let store: HealthDataSource;
    let end: () => void;
    let kept: Promise<void>;
    beforeAll(async () => {
      const ended = new Promise<void>((resolve) => (end = resolve));
      await new Promise<void>((ready, failed) => {
        kept = withStore(async (test) => {
          await put(
            test.writer,
            people.flatMap((person) => [
              ...recordsOfPerson(person, teamA),
              ...(person.n % 5 === 0 ? recordsOfPerson(person, teamB) : []),
            ]),
          );
          store = test.store;
          ready();
          await ended;
        });
        kept.catch(failed);
      });
    });
    afterAll(async () => {
      end();
      await kept;
    });

    describe('a thousand people of many scripts, twins and namesakes among them', () => {
      it('are found by each spelling of their names, and by names before sounds', async () => {
        const check = async (person: NamedPerson, how: string, text: string): Promise<void> => {
          if (isTooLittle(text)) {
            return;
          }
          const { ids, more, people: shown } = await search(store, text);
          const isThere = ids.includes(userId(person.n));
          expect([how, text, isThere || more]).toEqual([how, text, true]);
          expect(shown.filter(({ matched }) => matched !== 'name')).toEqual([]);
        };
        await fc.assert(
          fc.asyncProperty(anybody, wayOf(byName), fc.nat(20), async (person, how, at) => {
            await check(person, how, byName[how]!(person, at));
          }),
          { numRuns: 80 },
        );
      });

      it('are found by the sound of a name that nobody has', async () => {
        const heard = people.filter(({ given, family }) => given in sounding && family in sounding);
        expect(heard.length).toBeGreaterThan(20);
        for (const { n, given, family } of heard) {
          const typed = `${sounding[given]} ${sounding[family]}`;
          const { people: shown, ids } = await search(store, typed);
          expect([typed, ids]).toEqual([typed, expect.arrayContaining([userId(n)])]);
          expect(new Set(shown.map(({ matched }) => matched))).toEqual(new Set(['sound']));
        }
      });
    });
  });
});
