import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { PagePlace } from '../health-data-source.ts';
import { groupPoints, groupsText } from './points.ts';
import { bytes, onEachEngine, put, teamA, userId } from './store.testing.ts';

const sources = [
  ['oura', 'ring'],
  ['oura', 'app'],
  ['garmin', 'watch'],
] as const;

/** Few starts, so that points share them, and mostly one source, so that pages of one and of several follow each other. */
const pointsOfSomebody = fc.uniqueArray(
  fc.record({
    start_us: fc.integer({ min: 0, max: 9 }),
    length: fc.integer({ min: 1, max: 2 }),
    source: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 2 })),
    // Characters of one to four bytes.
    text: fc.constantFrom('', 'a', 'é', '日', '😀'),
  }),
  {
    selector: ({ start_us, length, source }) => `${start_us} ${length} ${source}`,
    maxLength: 14,
  },
);

const asked = fc.record({
  limit: fc.integer({ min: 1, max: 15 }),
  fromUs: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(-62_135_596_800_000_000)),
  untilUs: fc.oneof(
    fc.option(fc.integer({ min: 4, max: 9 }), { nil: undefined }),
    fc.constant(253_402_300_799_999_999),
  ),
  provider: fc.constantFrom(undefined, '', 'oura', 'nobody'),
});

onEachEngine((withStore, engine) => {
  describe('pages of points', () => {
    it('have the texts, order and groups of the points that are stored, whether of one source or of several', async () => {
      await withStore(async ({ store, writer }) => {
        let person = 0;
        const property = fc.asyncProperty(pointsOfSomebody, asked, async (points, query) => {
          person += 1;
          const ids = { team_id: bytes(teamA), user_id: bytes(userId(person)) };
          const rows = points.map(({ start_us, length, source, text }) => {
            const [provider, type] = sources[source]!;
            const end_us = start_us + length;
            const body = JSON.stringify({ at: start_us, to: end_us, of: source, text });
            return { start_us, end_us, provider, type, body };
          });
          await put(writer, [
            { kind: 'user', ...ids, client_user_id: `${person}`, created_us: 0, body: '{}' },
            ...rows.map(({ provider, type, ...point }) => ({
              ...{ kind: 'mindfulness_minutes' as const, ...ids, provider, type },
              ...{ source: JSON.stringify({ provider, type }), points: [point] },
            })),
          ]);
          const { limit, fromUs, untilUs = Infinity, provider = '' } = query;
          const wanted = rows
            .filter((row) => row.start_us >= fromUs && row.start_us <= untilUs)
            .filter((row) => provider === '' || row.provider === provider)
            .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
          let after: PagePlace | undefined;
          for (let first = 0; first === 0 || first < wanted.length; first += limit) {
            const userOfQuery = userId(person);
            const page = await store.timeseries(teamA, {
              ...query,
              userId: userOfQuery,
              after,
            });
            const expected = wanted.slice(first, first + limit);
            expect(page?.groups).toBe(groupsText(groupPoints(expected), []));
            expect(page?.count).toBe(expected.length);
            after = page?.next;
            expect(after === undefined).toBe(first + limit >= wanted.length);
          }
        });
        await fc.assert(property, { numRuns: engine === 'sqlite' ? 25 : 5 });
      });
    });
  });
});

function keyOf(row: { start_us: number; provider: string; type: string; end_us: number }): string {
  return `${row.start_us} ${row.provider} ${row.type} ${String(row.end_us).padStart(2, '0')}`;
}
