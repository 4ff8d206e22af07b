import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from '@caregate/seeded';
import {
  FEW,
  createPeopleQuery,
  getSearchDelay,
  isSearchable,
  normalizeSearchText,
  pauseMs,
} from './use-people-search.ts';

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

it('a new text cancels the previous search, and one that is too short searches and shows nothing', async () => {
  const asked: { call: string; text: string }[] = [];
  const cancelled: (string | undefined)[] = [];
  const caregate = {
    read: ({ call, params }: { call: string; params: { text: string } }) => {
      asked.push({ call, ...params });
      return new Promise(() => undefined);
    },
    cancel: ({ call }: { call: string }) => {
      cancelled.push(asked.find((one) => one.call === call)?.text);
    },
  };
  Object.assign(globalThis, { window: { caregate } });
  const client = new QueryClient();
  const field = new QueryObserver(client, createPeopleQuery([''], FEW));
  const stop = field.subscribe(() => undefined);
  for (const text of ['ok', 'okon', 'okonk', '']) {
    field.setOptions(createPeopleQuery([text], FEW));
    await settled();
  }
  expect(asked.map(({ text }) => text)).toEqual(['okon', 'okonk']);
  expect(cancelled).toEqual(['okon', 'okonk']);
  expect(field.getCurrentResult().data).toBeUndefined();
  stop();
  client.clear();
});

it('lists whoever matches any of several texts once, in the order of the texts', async () => {
  const answers: Record<string, object> = {
    '03071985': {
      people: [
        { user_id: 'mrn', matched: 'id' },
        { user_id: 'both', matched: 'id' },
      ],
      total: 2,
      more: false,
    },
    '1985-03-07': {
      people: [{ user_id: 'born' }, { user_id: 'both', matched: 'birth_date' }],
      total: 9,
      more: true,
    },
  };
  const caregate = {
    read: ({ params }: { params: { text: string } }) =>
      Promise.resolve({
        ok: true,
        value: {
          value: { ...answers[params.text], searched: 'people' },
          receivedAt: '2026-11-29T12:00:00Z',
        },
      }),
  };
  Object.assign(globalThis, { window: { caregate } });
  const client = new QueryClient();
  const { value } = await client.query(createPeopleQuery(['03071985', '1985-03-07'], FEW));
  expect(value).toEqual({
    people: [
      { user_id: 'mrn', matched: 'id' },
      { user_id: 'both', matched: 'id' },
      { user_id: 'born' },
    ],
    searched: 'people',
    total: 10,
    more: true,
  });
  client.clear();
});

describe('isAskable', () => {
  it.each(['ab', "a'b", '12', '  ', '王', '-- --'])('is false for %j', (text) => {
    expect(isSearchable(text)).toBe(false);
  });

  it.each(["o'n e", 'abc', '王芳', '김철', 'みか', '7 3 85', 'ليلى', 'e\u0301ab'])(
    'is true for %j',
    (text) => {
      expect(isSearchable(text)).toBe(true);
    },
  );
});

describe('searchedText', () => {
  it('has at most 200 characters, none of them cut in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (typed) => {
        const text = normalizeSearchText(typed);
        expect(Array.from(text).length).toBeLessThanOrEqual(200);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

const when = fc.integer({ min: 0, max: 1_000_000 });
const since = fc.integer({ min: 0, max: 249 });

describe('getSearchDelay', () => {
  it('is 0 if the last two keys came at the pace of typing', () => {
    fc.assert(
      fc.property(when, fc.integer({ min: 81, max: 999 }), since, (before, gap, late) => {
        expect(getSearchDelay({ before, last: before + gap }, before + gap + late)).toBe(0);
      }),
    );
  });

  it('is a pause at the pace of a scanner, or if the key may be the first of a scan', () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1000, max: 1_000_000 }),
      fc.constant(Infinity),
    );
    fc.assert(
      fc.property(when, gap, since, (last, ago, late) => {
        expect(getSearchDelay({ before: last - ago, last }, last + late)).toBe(pauseMs);
      }),
    );
  });

  it('is a pause if the text did not come from a key', () => {
    expect(getSearchDelay({ before: 0, last: 150 }, 400)).toBe(pauseMs);
    expect(getSearchDelay({ before: -Infinity, last: -Infinity }, 5)).toBe(pauseMs);
  });
});
