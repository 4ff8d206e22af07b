import { describe, expect, it } from '@jest/globals';
import type { FoundPerson } from '@caregate/domain';
import type { HealthDataSource } from '../../health-data-source.ts';
import { parseNameQuery, parsePeopleQuery } from '../../people/people-query.ts';
import type { NameCursor } from '../../people/search-people.ts';
import type { StoreRecord } from '../import/record.ts';
import { bytes, onEachEngine, put, teamA, teamB, userId } from '../store.testing.ts';

interface Person {
  readonly n: number;
  readonly first?: string;
  readonly last?: string;
  readonly dob?: string;
  readonly phone?: string;
  readonly team?: string;
}

const day = 86_400_000_000;

function buildRecords({ n, first, last, dob, phone, team = teamA }: Person): StoreRecord[] {
  const ids = { team_id: bytes(team), user_id: bytes(userId(n)) };
  const info = { first_name: first, last_name: last, dob, phone_number: phone };
  return [
    {
      ...{ kind: 'user', ...ids, client_user_id: `MRN-${String(n).padStart(6, '0')}` },
      ...{ created_us: n, body: JSON.stringify({ created_on: '2024-01-01T00:00:00Z' }) },
    },
    { kind: 'user_info', ...ids, recorded_us: n * day, body: JSON.stringify(info) },
  ];
}

async function search(
  store: HealthDataSource,
  text: string,
  { team = teamA, labs = true, limit = 20 } = {},
): Promise<readonly FoundPerson[]> {
  const query = parsePeopleQuery(text);
  if ('reason' in query) {
    throw new Error(query.reason);
  }
  return (await store.searchPeople(team, { query, limit, labs })).people;
}

/** Returns the IDs of all matches, read in pages with this number of candidates. */
async function everyoneOf(
  store: HealthDataSource,
  name: string,
  {
    limit,
    born = [],
    team = teamA,
    labs = true,
    onPage = () => Promise.resolve(),
  }: {
    limit: number;
    born?: string[];
    team?: string;
    labs?: boolean;
    onPage?: () => Promise<void>;
  },
): Promise<string[]> {
  const query = parseNameQuery(name, born);
  if ('reason' in query) {
    throw new Error(query.reason);
  }
  const found: string[] = [];
  for (let after: NameCursor | undefined; ;) {
    const page = await store.getRecords(team).findByName({ query, after, labs, limit });
    // A page can continue after any of its people.
    const [first] = page.people;
    const rest = first && { query, after: first.place, labs, limit: 100 };
    const behind = rest && (await store.getRecords(team).findByName(rest)).people;
    expect(behind?.slice(0, page.people.length - 1) ?? []).toEqual(page.people.slice(1));
    await onPage();
    found.push(...page.people.map((person) => person.userId));
    after = page.next;
    if (after === undefined) {
      return found;
    }
  }
}

const ids = (people: readonly FoundPerson[]): string[] => people.map((each) => each.user_id);

/** Names of many scripts and forms. */
const people: readonly Person[] = [
  { n: 1, first: 'Amara', last: 'Okonkwo-Lindqvist', dob: '1986-04-12', phone: '+12125550101' },
  { n: 2, first: 'José', last: 'García Márquez', dob: '1986-12-04' },
  { n: 3, first: 'Siobhán', last: "O'Brien" },
  { n: 4, first: '雨桐', last: '欧阳' },
  { n: 5, first: 'ليلى', last: 'الحدّاد' },
  { n: 6, first: 'Jürgen', last: 'Müller' },
  { n: 7, first: 'さくら', last: '山田' },
  { n: 8, first: '민준', last: '김' },
  { n: 9, first: 'Stephen', last: 'Meyer' },
  { n: 10, first: 'X', last: 'Li' },
  { n: 11, first: 'a\u0301\u0323lva', last: `${'Wolfeschlegel'.repeat(15)}stein` },
  { n: 12, first: '\u200fדָּוִד\u200e', last: 'בֶּן־גוּרִיּוֹן' },
  { n: 13, first: 'José', last: 'Garcia' },
];

onEachEngine((withStore) => {
  describe('searchPeople', () => {
    it.each([1, 4, 8])('finds new people beside %i who changed in the same transaction', (known) =>
      withStore(async ({ writer, store }) => {
        const named = (n: number, last: string, recorded_us: number): StoreRecord[] =>
          buildRecords({ n, last }).map((record) =>
            record.kind === 'user_info' ? { ...record, recorded_us } : record,
          );
        const all = Array.from({ length: 12 }, (_, n) => n + 1);
        await put(
          writer,
          all.slice(0, known).flatMap((n) => named(n, 'Before', day)),
        );
        await put(
          writer,
          all.flatMap((n) => named(n, 'After', day + 1)),
        );
        expect(ids(await search(store, 'after')).toSorted()).toEqual(all.map(userId).toSorted());
      }),
    );

    const searches = [
      ['amara', [1]],
      ['lind oko', [1]],
      ['INDQV', [1]],
      ['jose gar', [13, 2]],
      ['garcía josé', [13, 2]],
      ['marquez', [2]],
      ['obrien', [3]],
      ["o'bri", [3]],
      ['o brien', [3]],
      ['欧阳', [4]],
      ['雨桐', [4]],
      ['ليلي', [5]],
      ['ليلى', [5]],
      ['الحداد', [5]],
      ['muller', [6]],
      ['mueller', [6]],
      ['山田', [7]],
      ['김민', [8]],
      ['steven meier', [9]],
      ['x li', [10]],
      ['alva', [11]],
      ['gelwolfe', [11]],
      ['דוד', [12]],
      ['1986-04-12', [1]],
      ['1986-04-12 amara', [1]],
      ['12/04/1986', []],
      ['555-0101', [1]],
      ['+1 212 555 01', [1]],
      ['MRN-000009', [9]],
      ['mrn-000009', [9]],
      ['000009', [9]],
      ['mrn000009', [9]],
      ['MRN 000009', [9]],
      ['MRN-0000090', [9]],
      ['RMN-000009', [9]],
      ['MRN-00009', [9]],
      ['RMN-00009', []],
      ['nobody', []],
      [userId(3), [3]],
    ] as const;

    it('finds by names, birth dates, phone numbers and ids, in any script and spelling', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, people.flatMap(buildRecords));
        for (const [text, expected] of searches) {
          expect([text, ids(await search(store, text))]).toEqual([text, expected.map(userId)]);
        }
      });
    });

    it('says of each what is known, from where, and what matched', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, people.flatMap(buildRecords));
        expect(await search(store, 'okonk')).toEqual([
          {
            ...{ user_id: userId(1), client_user_id: 'MRN-000001', matched: 'name' },
            ...{ name: 'Amara Okonkwo-Lindqvist', name_source: 'info', name_as_of: '1970-01-02' },
            ...{ birth_date: '1986-04-12', birth_date_source: 'info', last_seen: '2024-01-01' },
            ...{ phone: '+12125550101', phone_source: 'info', town: null, town_source: null },
          },
        ]);
        expect((await search(store, 'stevin mayer'))[0]).toMatchObject({ matched: 'sound' });
        expect((await search(store, '0101'))[0]).toMatchObject({ matched: 'phone' });
        expect((await search(store, 'mrn000001'))[0]).toMatchObject({ matched: 'id' });
        expect((await search(store, 'mrn 000001'))[0]).toMatchObject({ matched: 'id' });
        expect((await search(store, 'MRN-00001'))[0]).toMatchObject({ matched: 'near_id' });
      });
    });

    it('keeps up with imports, by names of info, own insurance and lab reports, and keeps none of a rollback', async () => {
      await withStore(async ({ store, writer }) => {
        const one = { team_id: bytes(teamA), user_id: bytes(userId(1)) };
        const insurance = (relationship: string, name: string): StoreRecord => ({
          ...{ kind: 'insurance', ...one, is_primary: 1, recorded_us: relationship.length * day },
          body: JSON.stringify({ relationship, insured: { first_name: name, last_name: 'Quill' } }),
        });
        const report = { metadata: { patient: 'Ottoline Quill', dob: '04/08/1980' }, results: [] };
        await put(writer, [
          buildRecords({ n: 1 })[0]!,
          insurance('Self', 'Marigold'),
          insurance('Spouse', 'Bartholomew'),
          ...[{ kind: 'lab_result' as const, ...one, order_id: bytes(userId(90)) }].map((each) => ({
            ...each,
            body: JSON.stringify(report),
          })),
        ]);
        expect(await search(store, 'marigold')).toMatchObject([{ name_source: 'insurance' }]);
        expect(await search(store, 'bartholomew')).toEqual([]);
        expect(await search(store, 'ottoline')).toMatchObject([
          { name: 'Marigold Quill', matched_name: 'Ottoline Quill', birth_date: '1980-08-04' },
        ]);
        expect(await search(store, 'ottoline', { labs: false })).toEqual([]);
        for (const labs of [true, false]) {
          const everyone = await everyoneOf(store, 'ottoline', { limit: 1, labs });
          expect(everyone).toHaveLength(labs ? 1 : 0);
        }
        expect(await search(store, userId(90))).toHaveLength(1);
        expect(await search(store, userId(90), { labs: false })).toEqual([]);
        await put(writer, [buildRecords({ n: 1, first: 'Renamed', last: 'Person' })[1]!]);
        expect(await search(store, 'renamed')).toMatchObject([{ name_source: 'info' }]);
        const taken = {
          ...buildRecords({ n: 2, first: 'Ghost' })[0]!,
          client_user_id: 'MRN-000001',
        };
        await expect(
          put(writer, [...buildRecords({ n: 3, first: 'Ghost' }), taken]),
        ).rejects.toThrow();
        expect(await search(store, 'ghost')).toEqual([]);
      });
    });

    it('shows nothing of another team, of which there are many of the name', async () => {
      await withStore(async ({ store, writer }) => {
        const others = Array.from({ length: 300 }, (_, n) => ({ n: 100 + n, first: 'Maria' }));
        await put(writer, [
          ...others.flatMap((each) => buildRecords({ ...each, team: teamB, dob: '1990-01-01' })),
          ...buildRecords({ n: 1, first: 'Maria', last: 'Only', dob: '1990-01-01' }),
        ]);
        for (const text of ['maria', 'mar', 'ari', 'marya', '1990-01-01']) {
          expect(ids(await search(store, text))).toEqual([userId(1)]);
        }
        expect(await search(store, userId(100))).toEqual([]);
        expect(await search(store, 'MRN-000100')).toEqual([]);
        expect(await search(store, 'maria', { team: 'x' })).toEqual([]);
        const born = ['1990-01-01'];
        expect(await everyoneOf(store, 'mar', { limit: 9, born })).toEqual([userId(1)]);
        expect(await everyoneOf(store, '', { limit: 99, born, team: teamB })).toHaveLength(300);
      });
    });

    it('says how many there are beyond the page, or at least, and never the page for all', async () => {
      await withStore(async ({ store, writer }) => {
        const named = (first: string, from: number, count: number): StoreRecord[] =>
          Array.from({ length: count }, (_, at) => buildRecords({ n: from + at, first })).flat();
        await put(writer, [...named('Mario', 100, 60), ...named('Omar', 200, 23)]);
        const all = async (text: string, limit: number): Promise<unknown> => {
          const query = parsePeopleQuery(text);
          if ('reason' in query) throw new Error(query.reason);
          const {
            people: shown,
            total,
            more,
          } = await store.searchPeople(teamA, {
            query,
            limit,
            labs: true,
          });
          return { shown: shown.length, total, more };
        };
        expect(await all('mar', 8)).toEqual({ shown: 8, total: 83, more: false });
        expect(await all('mar', 20)).toEqual({ shown: 20, total: 83, more: false });
        expect(await all('omar', 8)).toEqual({ shown: 8, total: 23, more: false });
        await put(writer, named('Marika', 300, 100));
        expect(await all('mar', 8)).toEqual({ shown: 8, total: 183, more: false });
        await put(writer, named('Amaro', 1000, 900));
        expect(await all('mar', 8)).toEqual({ shown: 8, total: 1000, more: true });
        let pages = 0;
        // Between two pages, an import improves the match of a later person.
        const onPage = async (): Promise<void> => {
          pages += 1;
          await (pages === 2 && put(writer, buildRecords({ n: 399, first: 'Mar' })));
        };
        const everyone = await everyoneOf(store, 'mar', { limit: 90, onPage });
        expect([everyone.length, new Set(everyone).size]).toEqual([1083, 1083]);
      });
    });

    it('says by which birth date somebody is found, where another record has it, and the town', async () => {
      await withStore(async ({ store, writer }) => {
        const one = { team_id: bytes(teamA), user_id: bytes(userId(1)) };
        const [user] = buildRecords({ n: 1 });
        const info = {
          first_name: 'Tilda',
          dob: '1985-07-30',
          address: { city: 'Yonkers', state: 'NY' },
        };
        const insured = { first_name: 'Tilda', dob: '1985-03-07' };
        await put(writer, [
          user!,
          { kind: 'user_info', ...one, recorded_us: 2 * day, body: JSON.stringify(info) },
          {
            ...{ kind: 'insurance', ...one, is_primary: 1, recorded_us: day },
            body: JSON.stringify({ relationship: 'Self', insured }),
          },
        ]);
        const [other] = await search(store, '1985-03-07');
        expect(other).toMatchObject({ birth_date: '1985-07-30', matched_birth_date: '1985-03-07' });
        const [own] = await search(store, '1985-07-30');
        expect(own).toMatchObject({ birth_date: '1985-07-30', town: 'Yonkers, NY' });
        expect(own).not.toHaveProperty('matched_birth_date');
      });
    });

    it('finds a phone number that ends as all of them begin', async () => {
      await withStore(async ({ store, writer }) => {
        const others = Array.from({ length: 300 }, (_, at): Person => {
          return { n: 100 + at, last: 'Keller', phone: `+4144668${5000 + at}` };
        });
        const meant = { n: 900, last: 'Keller', phone: '+41446684144' };
        await put(writer, [...others, meant].flatMap(buildRecords));
        for (const typed of ['+41446684144', '0041 44 668 41 44', '044 668 41 44', '668 4144']) {
          expect([typed, ids(await search(store, typed))]).toEqual([typed, [userId(900)]]);
        }
      });
    });

    it.each([20, 200])(
      'finds whom a name and a birth date mean, of %i who were born then',
      async (count) => {
        await withStore(async ({ store, writer }) => {
          const dob = '1970-01-01';
          const others = Array.from({ length: count }, (_, at): Person => {
            return { n: 100 + at, first: `Ann${at}`, last: 'Nakamura', dob };
          });
          const meant = { n: 99, first: 'Stephen', last: 'Bramblethorn', dob };
          const namesake = { n: 98, first: 'Stephen', last: 'Bramblethorn', dob: '1971-01-01' };
          await put(writer, [...others, meant, namesake].flatMap(buildRecords));
          for (const name of ['stephen bramblethorn', 'bram', 'amblet', 'steven']) {
            expect([name, ids(await search(store, `${name} ${dob}`))]).toEqual([
              name,
              [userId(99)],
            ]);
          }
          expect(await search(store, `nakamura ${dob}`, { limit: 8 })).toHaveLength(8);
          expect(await search(store, `nobody ${dob}`)).toEqual([]);
          expect(await search(store, 'stephen 1972-01-01')).toEqual([]);
        });
      },
    );
  });
});
