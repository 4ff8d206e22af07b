import { describe, expect, it } from '@jest/globals';
import type { GroupedMindfulnessMinutes, ImportEnvelope } from '@caregate/domain';
import {
  edgeCaseEnvelopes,
  personas,
  listPersonas,
  otherTeamId,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import { startSpecService } from '../testing/service.testing.ts';

const envelopes: readonly ImportEnvelope[] = [
  ...sampleEnvelopes({ users: 9 }),
  ...edgeCaseEnvelopes(),
  ...sampleEnvelopes({ users: 9, teamId: otherTeamId }),
];
const wren = personas.wren.userId;
const from = 'start_date=2000-01-01';

const service = await startSpecService(envelopes, { limits: { pageSize: 7 } });
const key = await service.key(sampleTeamId);

const path = (userId: string, query: string): string =>
  `/v2/timeseries/${userId}/mindfulness_minutes/grouped?${query}`;

async function page(userId: string, query: string): Promise<GroupedMindfulnessMinutes> {
  const answer = await service.get(path(userId, query), key);
  expect(answer.status).toBe(200);
  return answer.json() as GroupedMindfulnessMinutes;
}

async function everyPage(
  userId: string,
  query: string,
  name = 'next_cursor',
): Promise<GroupedMindfulnessMinutes[]> {
  const pages = [await page(userId, query)];
  for (let next = pages[0]?.next_cursor; next != null; next = pages.at(-1)?.next_cursor) {
    pages.push(await page(userId, `${query}&${name}=${next}`));
  }
  return pages;
}

/** Formats points with their sources as lines, which can be compared as sets. */
const lines = (pages: readonly GroupedMindfulnessMinutes[]): string[] =>
  pages.flatMap(({ groups }) =>
    Object.values(groups).flatMap((entries) =>
      entries.flatMap(({ data, source }) =>
        data.map((point) => JSON.stringify([source.provider, source.type, point])),
      ),
    ),
  );

const imported = (userId: string): string[] =>
  envelopes.flatMap((envelope) =>
    envelope.kind === 'mindfulness_minutes' && envelope.user_id === userId
      ? envelope.data.map((point) =>
          JSON.stringify([envelope.source.provider, envelope.source.type, point]),
        )
      : [],
  );

describe('grouped mindfulness minutes', () => {
  it('gives every imported point once over its pages', async () => {
    const pages = await everyPage(wren, from);
    expect(pages.length).toBeGreaterThan(3);
    for (const each of pages) {
      expect(each).toHaveProperty('next', each.next_cursor);
    }
    expect(pages.at(-1)).toMatchObject({ next: null, next_cursor: null });
    expect(lines(pages).sort()).toEqual(imported(wren).sort());
    // The older name of the parameter works, too.
    expect(lines(await everyPage(wren, from, 'cursor')).sort()).toEqual(imported(wren).sort());
  });

  it('takes a day as the whole day in UTC', async () => {
    const starts = imported(wren).map((line) => (JSON.parse(line) as [0, 0, { start: string }])[2]);
    const day = new Date(starts[0]!.start).toISOString().slice(0, 10);
    const expected = starts.filter(({ start }) => new Date(start).toISOString().startsWith(day));
    const found = lines(await everyPage(wren, `start_date=${day}&end_date=${day}`));
    expect(found).toHaveLength(expected.length);
  });

  it.each(['', 'null'])('gives the first page for the cursor "%s"', async (cursor) => {
    const first = await page(wren, from);
    for (const query of [
      `${from}&cursor=${cursor}`,
      `${from}&cursor=${cursor}&next_cursor=${cursor}`,
    ]) {
      expect((await page(wren, query)).groups).toEqual(first.groups);
    }
  });
});

const cursor = (await page(wren, from)).next_cursor!;

describe('a cursor', () => {
  async function expectRefused(
    query: string,
    parameters: readonly string[],
    userId = wren,
    usedKey = key,
  ): Promise<void> {
    const answer = await service.get(path(userId, query), usedKey);
    expect(answer.status).toBe(422);
    const { errors } = answer.json() as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
  }

  it('may be sent by both names, and is refused when they differ', async () => {
    const next = await page(wren, `${from}&cursor=${cursor}&next_cursor=${cursor}`);
    expect(next.groups).toEqual((await page(wren, `${from}&cursor=${cursor}`)).groups);
    const query = `${from}&cursor=${cursor}&next_cursor=${cursor}A`;
    await expectRefused(query, ['cursor', 'next_cursor']);
  });

  it('is refused with another query, user or team', async () => {
    await expectRefused(`${from}&provider=oura&next_cursor=${cursor}`, ['next_cursor']);
    await expectRefused(`${from}&next_cursor=${cursor}`, ['next_cursor'], personas.amara.userId);
    const otherUser = listPersonas({ teamId: otherTeamId }).wren.userId;
    const otherKey = await service.key(otherTeamId);
    await expectRefused(`${from}&next_cursor=${cursor}`, ['next_cursor'], otherUser, otherKey);
    await expectRefused(`${from}&next_cursor=${cursor}`, ['next_cursor'], wren, otherKey);
  });
});
