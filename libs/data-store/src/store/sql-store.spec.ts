import { describe, expect, it } from '@jest/globals';
import type { PointRecord, PointsRecord, StoreRecord } from './import/record.ts';
import { bytes, onEachEngine, put, teamA, teamB, userId, userRecord } from './store.testing.ts';

const order = '0b0e7c0e-51c3-4a44-9d3f-7c1d5b7f0001';

onEachEngine((withStore) => {
  describe('resolveUser', () => {
    it('gives the body as it was kept, and the id in lower case', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [userRecord(teamA, 1, { body: '{"user_id":"kept  as sent"}' })]);
        expect(await store.findUserByClientId(teamA.toUpperCase(), 'client 1')).toEqual({
          body: '{"user_id":"kept  as sent"}',
          userId: userId(1),
        });
      });
    });

    it('finds ids with slashes, percent signs, dots and other scripts, and only the exact one', async () => {
      await withStore(async ({ store, writer }) => {
        const odd = ['a/b%2Fc', '..', '.', 'Ольга', 'é', 'e\u0301'];
        const ids = [...odd, 'A', 'a', ' a', 'x'.repeat(200)];
        await put(
          writer,
          ids.map((client_user_id, n) => userRecord(teamA, n, { client_user_id, body: `"${n}"` })),
        );
        for (const [n, id] of ids.entries()) {
          expect((await store.findUserByClientId(teamA, id))?.body).toBe(`"${n}"`);
        }
        expect(await store.findUserByClientId(teamA, 'b')).toBeUndefined();
        expect(await store.findUserByClientId(teamA, '')).toBeUndefined();
        expect(await store.findUserByClientId(teamA, 'a\0')).toBeUndefined();
      });
    });

    it('never crosses teams', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [userRecord(teamA, 1), userRecord(teamB, 1, { body: '"b"' })]);
        expect((await store.findUserByClientId(teamB, 'client 1'))?.body).toBe('"b"');
        await put(writer, [userRecord(teamA, 2)]);
        expect(await store.findUserByClientId(teamB, 'client 2')).toBeUndefined();
        expect(await store.findUserByClientId('no uuid', 'client 1')).toBeUndefined();
      });
    });
  });

  describe('latestInsurance', () => {
    it('is the newest of its sort, whatever the order of import', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [
          userRecord(teamA, 1),
          insurance(1, 200, 1, '"newest primary"'),
          insurance(1, 100, 1, '"older primary"'),
          insurance(1, 300, 0, '"secondary"'),
        ]);
        const latest = (primary: boolean) =>
          store.getLatestInsurance(teamA, { userId: userId(1), isPrimary: primary });
        expect(await latest(true)).toEqual({ body: '"newest primary"', userId: userId(1) });
        expect(await latest(false)).toEqual({ body: '"secondary"', userId: userId(1) });
      });
    });

    it('tells a user without insurance from no user', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [
          userRecord(teamA, 1),
          userRecord(teamA, 2),
          insurance(1, 100, 1, '"primary"'),
        ]);
        const cases: readonly [string, string, boolean, string][] = [
          [teamA, userId(1), false, 'no-insurance'],
          [teamA, userId(2), true, 'no-insurance'],
          [teamA, userId(3), true, 'no-user'],
          [teamA, '..', true, 'no-user'],
          [teamB, userId(1), true, 'no-user'],
        ];
        for (const [team, id, isPrimary, expected] of cases) {
          const found = await store.getLatestInsurance(team, { userId: id, isPrimary });
          expect([id, found]).toEqual([id, expected]);
        }
      });
    });
  });

  describe('labOrderResult', () => {
    it('gives body and user within the team alone', async () => {
      await withStore(async ({ store, writer }) => {
        const ids = { team_id: bytes(teamA), user_id: bytes(userId(1)) };
        await put(writer, [
          userRecord(teamA, 1),
          { kind: 'lab_result', ...ids, order_id: bytes(order), body: '{"results":[]}' },
        ]);
        expect(await store.getLabResult(teamA, order.toUpperCase())).toEqual({
          body: '{"results":[]}',
          userId: userId(1),
        });
        expect(await store.getLabResult(teamB, order)).toBeUndefined();
        expect(await store.getLabResult(teamA, userId(1))).toBeUndefined();
        expect(await store.getLabResult(teamA, '')).toBeUndefined();
      });
    });
  });

  describe('mindfulnessMinutes', () => {
    const all = { userId: userId(1), fromUs: 0, limit: 1000 };

    it('groups by provider and source type, only what the page holds', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [
          userRecord(teamA, 1),
          points('oura', 'ring', [point(10), point(30)]),
          points('garmin', 'watch', [point(20)]),
          points('oura', 'app', [point(20)]),
        ]);
        const page = await store.getTimeseries(teamA, all);
        expect(JSON.parse(page!.groups)).toEqual({
          oura: [
            { data: [{ at: 10 }, { at: 30 }], source: { provider: 'oura', type: 'ring' } },
            { data: [{ at: 20 }], source: { provider: 'oura', type: 'app' } },
          ],
          garmin: [{ data: [{ at: 20 }], source: { provider: 'garmin', type: 'watch' } }],
        });
        expect(page).toMatchObject({ count: 4, next: undefined, userId: userId(1) });
        const first = await store.getTimeseries(teamA, { ...all, limit: 1 });
        expect(Object.keys(JSON.parse(first!.groups) as object)).toEqual(['oura']);
      });
    });

    it('keeps providers apart that an object would confuse', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [
          userRecord(teamA, 1),
          points('__proto__', 'a"b', [point(1)]),
          points('1', 'ring', [point(2)]),
        ]);
        expect((await store.getTimeseries(teamA, all))?.groups).toBe(
          '{"__proto__":[{"data":[{"at":1}],"source":{"provider":"__proto__","type":"a\\"b"}}],' +
            '"1":[{"data":[{"at":2}],"source":{"provider":"1","type":"ring"}}]}',
        );
      });
    });

    it('tells a user without points from no user', async () => {
      await withStore(async ({ store, writer }) => {
        await put(writer, [userRecord(teamA, 1)]);
        const page = await store.getTimeseries(teamA, all);
        expect(page).toEqual({ groups: '{}', count: 0, next: undefined, userId: userId(1) });
        expect(await store.getTimeseries(teamB, all)).toBeUndefined();
        expect(await store.getTimeseries(teamA, { ...all, userId: '..' })).toBeUndefined();
      });
    });
  });
});

function insurance(n: number, recorded_us: number, is_primary: 0 | 1, body: string): StoreRecord {
  const key = { team_id: bytes(teamA), user_id: bytes(userId(n)), is_primary, recorded_us };
  return { kind: 'insurance', ...key, body };
}

function point(start_us: number): PointRecord {
  return { start_us, end_us: start_us + 5, body: `{"at":${start_us}}` };
}

function points(provider: string, type: string, data: PointRecord[], n = 1): PointsRecord {
  const key = { team_id: bytes(teamA), user_id: bytes(userId(n)), provider, type };
  const source = JSON.stringify({ provider, type });
  return { kind: 'mindfulness_minutes', ...key, source, points: data };
}
