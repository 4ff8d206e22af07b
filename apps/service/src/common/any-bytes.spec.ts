import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import fc from '@caregate/seeded';
import { testService, type TestService } from '../testing/service.testing.ts';

const { userId, clientUserId, orderIds } = personas.amara;
const dates = 'start_date=2026-01-01';

/** The parts of all routes that callers may fill with any text. */
const places: readonly (readonly [before: string, after: string])[] = [
  ['/v2/user/resolve/', ''],
  ['/v2/user/', '/insurance/latest'],
  ['/v3/order/', '/result'],
  ['/v2/timeseries/', `/mindfulness_minutes/grouped?${dates}`],
  ['/access/break-glass/', '/review'],
  ['/', ''],
  ...['offset', 'limit', 'x'].map((name) => [`/v2/user?${name}=`, ''] as const),
  ['/v2/user?', '=1'],
  [`/v2/user/${userId}/insurance/latest?is_primary=`, ''],
  [`/v2/user/resolve/${clientUserId}?`, ''],
  [`/v3/order/${orderIds[0]!}/result?`, ''],
  ...['start_date', 'end_date', 'provider', 'cursor', 'next_cursor'].map(
    (name) =>
      [
        `/v2/timeseries/${userId}/mindfulness_minutes/grouped?${name === 'start_date' ? '' : `${dates}&`}${name}=`,
        '',
      ] as const,
  ),
  ...['log', 'record', 'patient', 'actor_id', 'operation', 'decision', 'from', 'to', 'cursor'].map(
    (name) => [`/audit/events?${name}=`, ''] as const,
  ),
  ['/audit/alarms?cursor=', ''],
  ['/audit/checkpoint?log=', ''],
  ['/audit/key?log=', ''],
  ...['log', 'record', 'seq', 'from'].map((name) => [`/audit/proof?${name}=`, ''] as const),
  ['/access/break-glass?state=', ''],
  ['/v2/user/', '/info/latest'],
  ['/desk/orders/', '/history'],
  ...[
    ...['user_id', 'patient_name', 'search_input', 'start_date', 'end_date', 'updated_start_date'],
    ...['updated_end_date', 'status', 'interpretation', 'order_key', 'order_direction'],
    ...['order_ids', 'page', 'size', 'x'],
  ].map((name) => [`/v3/orders?${name}=`, ''] as const),
];

const encoded = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Any bytes, valid UTF-8 or not, and sequences that often cause errors. */
const anyBytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 24 }).map(encoded),
  fc.string({ unit: 'binary', maxLength: 24 }).map((text) => encoded(Buffer.from(text))),
  fc
    .tuple(fc.constantFrom('oura', 'MRN-000101', userId, '1', 'true', '2026-01-01'), fc.nat(255))
    .map(([text, byte]) => text + encoded(Uint8Array.of(byte))),
  fc.constantFrom(
    '%00',
    'oura%00',
    '%00%00%00',
    // A lone surrogate, an overlong slash, a truncated character, and invalid bytes.
    '%ED%A0%80',
    '%ED%B0%80x',
    '%C0%AF',
    '%F0%9F%92',
    '%FF%FE',
    '%u0000',
    '%',
    '%5Cu0000',
    ...['.', '..', '%2e%2E', '%2F', '%25', 'null', '-0', '9999-12-31T23:59:59Z'],
    'a'.repeat(1000),
    'a'.repeat(1025),
    '%41'.repeat(2000),
    'x'.repeat(15_000),
  ),
);

const parameter = fc.constantFrom(
  ...[
    'start_date',
    'end_date',
    'provider',
    'cursor',
    'next_cursor',
    'limit',
    'offset',
    'is_primary',
  ],
);

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let service: TestService;
  let keys: Record<'clinician' | 'auditor', string>;

  beforeAll(async () => {
    service = await testService(sampleEnvelopes({ users: 9 }), {
      databaseUrl: engine === 'SQLite' ? '' : await newDatabase(),
    });
    keys = {
      clinician: await service.key(sampleTeamId),
      auditor: await service.key(sampleTeamId, 'auditor'),
    };
  });
  afterAll(async () => {
    await service.close();
  });

  const keyFor = (path: string): string =>
    /^\/(?:audit|access)\//u.test(path) ? keys.auditor : keys.clinician;

  async function statusOf(path: string): Promise<number> {
    return path.endsWith('/review')
      ? await post(path, keyFor(path), { outcome: 'justified' })
      : (await service.get(path, keyFor(path))).status;
  }

  const post = async (path: string, key: string, body: object): Promise<number> =>
    (await service.post(path, key, body)).status;

  const expected = [200, 400, 404, 405, 409, 414, 422, 431];

  it('a NUL, which PostgreSQL has in no text, is taken or refused in every place', async () => {
    for (const [before, after] of places) {
      const path = `${before}%00${after}`;
      expect([path, expected]).toEqual([path, expect.arrayContaining([await statusOf(path)])]);
    }
  });

  it('any text of a search is taken or refused, and fails nothing', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 220 }),
      fc.constantFrom(
        '\0',
        '\ud800',
        '"*^%_\\',
        "';drop table people;--",
        '欧',
        '31.02.1990',
        userId,
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.option(fc.integer()), async (typed, limit) => {
        const body = { text: typed, ...(limit === null ? {} : { limit }) };
        expect(expected).toContain(await post('/desk/people/search', keys.clinician, body));
      }),
      { numRuns: engine === 'SQLite' ? 60 : 20 },
    );
    expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  it('any bytes, in any place, are taken or refused, and fail nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        anyBytes,
        fc.array(fc.tuple(fc.oneof(parameter, anyBytes), anyBytes), { maxLength: 3 }),
        async ([before, after], bytes, more) => {
          const path = `${before}${bytes}${after}`;
          const query = more.map(([name, value]) => `${name}=${value}`).join('&');
          const sign = path.includes('?') ? '&' : '?';
          expect(expected).toContain(await statusOf(query === '' ? path : path + sign + query));
        },
      ),
      { numRuns: engine === 'SQLite' ? 120 : 30 },
    );
    expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
