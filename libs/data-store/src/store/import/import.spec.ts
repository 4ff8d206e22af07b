import type { ImportEnvelope } from '@caregate/domain';
import {
  edgeCaseEnvelopes,
  listPersonas,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { onEachEngine, withSqlite } from '../store.testing.ts';
import { importFile } from './import.ts';
import type { ImportOptions, ImportReport, RefusedLine } from './import-types.ts';
import { parseUuid } from '../schema.ts';
import { createInput } from './input.ts';
import type { ImportWriter } from './import-writer.ts';

const { amara, wren } = listPersonas();
const user = envelopeOf('user');
const labResult = envelopeOf('lab_result');
const insurance = envelopeOf('insurance');
const minutes = envelopeOf('mindfulness_minutes');
const all = [user, labResult, insurance, minutes];
const wrongUser = (change: object) => ({ ...user, user: { ...user.user, ...change } });

onEachEngine((withStore) => {
  describe('a file of every kind', () => {
    it('is in the store as it was sent, and counted', async () => {
      await withStore(async ({ store, writer }) => {
        const report = await importLines(writer, all);
        expect(report).toMatchObject({
          imported: true,
          lines: 4,
          counts: {
            user: { added: 1, updated: 0, unchanged: 0 },
            lab_result: { added: 1 },
            insurance: { added: 1 },
            mindfulness_minutes: { added: minutes.data.length },
          },
          refused: { count: 0, first: [], gaveUp: false },
        });
        const { user_id, client_user_id } = user.user;
        const found = await store.findUserByClientId(sampleTeamId, client_user_id);
        expect(JSON.parse(found!.body)).toEqual(user.user);
        const result = await store.getLabResult(sampleTeamId, labResult.order_id);
        expect(JSON.parse(result!.body!)).toEqual(labResult.result);
        const latest = await store.getLatestInsurance(sampleTeamId, {
          userId: user_id,
          isPrimary: true,
        });
        expect(JSON.parse((latest as { body: string }).body)).toEqual(insurance.insurance);
        const query = { userId: user_id, fromUs: 0, limit: 10_000 };
        const page = await store.getTimeseries(sampleTeamId, query);
        expect(JSON.parse(page!.groups)).toEqual({
          [minutes.source.provider]: [{ data: minutes.data, source: minutes.source }],
        });
      });
    });

    it('imports every edge case and keeps all of it, unknown fields too', async () => {
      await withStore(async ({ store, writer }) => {
        const envelopes = edgeCaseEnvelopes();
        const report = await importLines(writer, envelopes);
        expect(report.refused.first).toEqual([]);
        expect(report.imported).toBe(true);
        for (const envelope of envelopes) {
          if (envelope.kind === 'lab_result') {
            const stored = await store.getLabResult(envelope.team_id, envelope.order_id);
            expect(JSON.parse(stored!.body!)).toEqual(envelope.result);
          } else if (envelope.kind === 'user') {
            const stored = await store.findUserByClientId(
              sampleTeamId,
              envelope.user.client_user_id,
            );
            expect(JSON.parse(stored!.body)).toEqual(envelope.user);
          }
        }
        expect(report.warnings.count).toBeGreaterThan(0);
      });
    });

    it('has the code of each written gender, and refuses a word that it does not know by its field', async () => {
      const { user_id } = user.user;
      const at = { team_id: sampleTeamId, user_id, recorded_at: '2026-01-01T00:00:00Z' };
      const order = envelopeOf('order');
      const linesOf = (gender: string | null): ImportEnvelope[] =>
        [
          user,
          { kind: 'user_info', ...at, info: { first_name: 'Ada', last_name: 'Example', gender } },
          { ...order, order: { ...order.order, patient_details: { first_name: 'Ada', gender } } },
          {
            ...insurance,
            insurance: {
              ...insurance.insurance,
              insured: { ...insurance.insurance.insured, gender },
              ...{ guarantor: { first_name: 'Eva', gender } },
            },
          },
        ] as ImportEnvelope[];
      for (const [written, code] of [
        ['F', 'female'],
        [' MALE ', 'male'],
        ['X', 'other'],
        ['U', 'unknown'],
        ['', null],
        ['female', 'female'],
      ] as const) {
        await withStore(async ({ store, writer }) => {
          expect(await importLines(writer, linesOf(written))).toMatchObject({ imported: true });
          const of = { userId: user_id, isPrimary: true };
          const info = await store.getUserInfo(sampleTeamId, user_id);
          const latest = await store.getLatestInsurance(sampleTeamId, of);
          const found = JSON.stringify([info, latest]).replaceAll('\\', '');
          const genders = [...found.matchAll(/"gender":(null|"[^"]*")/gu)].map(([, one]) => one);
          expect([written, genders]).toEqual([written, Array(3).fill(JSON.stringify(code))]);
        });
      }
      await withStore(async ({ writer }) => {
        const report = await importLines(writer, linesOf('Quetzal'));
        expect(report.refused.first.map(({ reasons }) => reasons.map(({ path }) => path))).toEqual([
          ['info.gender'],
          ['order.patient_details.gender'],
          ['insurance.insured.gender', 'insurance.guarantor.gender'],
        ]);
        expect(JSON.stringify(report)).toContain('must be one of female, male, other, unknown');
      });
    });

    it('changes nothing when it is imported again, byte for byte', async () => {
      await withStore(async ({ writer, rows }) => {
        const envelopes = [...sampleEnvelopes({ users: 20 }), ...edgeCaseEnvelopes()];
        const first = await importLines(writer, envelopes);
        const before = await rows();
        const again = await importLines(writer, envelopes);
        expect(await rows()).toEqual(before);
        for (const [kind, counts] of Object.entries(again.counts)) {
          const { added, updated } = first.counts[kind as ImportEnvelope['kind']];
          // A record that the file itself replaces changes twice when the file is imported again.
          const twice = { updated: 2 * updated, unchanged: added - updated };
          expect({ kind, ...counts }).toEqual({ kind, added: 0, ...twice });
        }
      });
    });

    it('updates what has a known key and another body', async () => {
      await withStore(async ({ store, writer }) => {
        await importLines(writer, all);
        const [first, ...rest] = minutes.data;
        const changed = { ...minutes, data: [{ ...first!, value: first!.value + 1 }, ...rest] };
        const renamed = { ...user, user: { ...user.user, client_user_id: 'renamed' } };
        const report = await importLines(writer, [renamed, changed, labResult]);
        expect(report.counts).toMatchObject({
          user: { added: 0, updated: 1 },
          mindfulness_minutes: { added: 0, updated: 1, unchanged: rest.length },
          lab_result: { unchanged: 1 },
        });
        expect(
          await store.findUserByClientId(sampleTeamId, user.user.client_user_id),
        ).toBeUndefined();
        expect(await store.findUserByClientId(sampleTeamId, 'renamed')).toBeDefined();
      });
    });
  });

  describe('a refused line', () => {
    const [point] = minutes.data;

    const long = '0'.repeat(100_000);
    /** Lines, and the field and reason of their refusal. */
    const wrongLines: readonly [unknown, string, RegExp][] = [
      ['{"kind":"user",', '', /not valid JSON/u],
      ['17', '', /./u],
      [{ kind: 'visit' }, 'kind', /must be "user", /u],
      [wrongUser({ user_id: 'zzz' }), 'user.user_id', /must be a UUID/u],
      [wrongUser({ ingestion_start: '2023-02-30' }), 'user.ingestion_start', /date/u],
      [wrongUser({ connected_sources: undefined }), 'user.connected_sources', /is required/u],
      [wrongUser({ created_on: '9999-12-31T00:00:00Z' }), 'user.created_on', /outside the years/u],
      [wrongUser({ client_user_id: 'a\0b' }), 'user.client_user_id', /NUL/u],
      [wrongUser({ client_user_id: 'a\ud800' }), 'user.client_user_id', /surrogate/u],
      [wrongUser({ client_user_id: long }), 'user.client_user_id', /at most 1,024 characters/u],
      [wrongUser({ user_id: wren.userId }), 'user.client_user_id', /another user/u],
      [
        { ...insurance, insurance: { ...insurance.insurance, payor_code: long } },
        'insurance.payor_code',
        /at most 1,024 characters/u,
      ],
      [{ ...insurance, insurence: {} }, 'insurence', /is not a known field/u],
      [{ ...insurance, team_id: wren.userId }, 'user_id', /is not a user of this team/u],
      [{ ...labResult, user_id: wren.userId }, 'user_id', /is not a user of this team/u],
      [
        { ...minutes, data: [point, { ...point, end: '2001-01-01T00:00:00Z' }] },
        'data[1].end',
        /before start/u,
      ],
      [{ ...minutes, data: [{ ...point, unit: 'hours' }] }, 'data[0].unit', /min/u],
    ];

    it('is named by line and field, and nothing of its file is imported', async () => {
      await withStore(async ({ writer, rows }) => {
        await importLines(writer, [user]);
        const before = await rows();
        for (const [line, path, message] of wrongLines) {
          const report = await importLines(writer, [insurance, '', line, insurance]);
          expect(report).toMatchObject({
            ...{ imported: false, lines: 3 },
            refused: {
              count: 1,
              first: [
                {
                  ...{ file: 'test.ndjson', line: 3 },
                  reasons: [{ path, message: expect.stringMatching(message) }],
                },
              ],
            },
          });
          expect([path, await rows()]).toEqual([path, before]);
        }
      });
    });

    it('is one of another team, where the import is for one', async () => {
      await withStore(async ({ writer, rows }) => {
        const team = parseUuid(sampleTeamId.toUpperCase());
        expect(await importLines(writer, all, { team })).toMatchObject({ imported: true });
        const before = await rows();
        const of = { team_id: wren.userId };
        const foreign = [
          wrongUser({ ...of, user_id: wren.userId }),
          ...[labResult, insurance, minutes].map((line) => ({ ...line, ...of })),
        ];
        const without = { ...insurance, team_id: undefined };
        const lines = [insurance, ...foreign, without, minutes];
        const refused: RefusedLine[] = [];
        const report = await importLines(writer, lines, { team });
        expect(report).toMatchObject({ imported: false, lines: 7, refused: { count: 5 } });
        expect(await rows()).toEqual(before);
        const skipped = await importLines(writer, lines, {
          team,
          onRefused: (line) => refused.push(line),
        });
        expect(skipped).toMatchObject({ imported: true, refused: { count: 5 } });
        expect(await rows()).toEqual(before);
        const message = 'is not the team given with --team';
        expect(refused.map(({ line, reasons }) => [line, reasons])).toEqual([
          [2, [{ path: 'user.team_id', message }]],
          [3, [{ path: 'team_id', message }]],
          [4, [{ path: 'team_id', message }]],
          [5, [{ path: 'team_id', message }]],
          [6, [{ path: 'team_id', message: expect.any(String) }]],
        ]);
      });
    });

    it('of a depth beyond all reason is refused or kept whole, and the next one is taken', async () => {
      await withStore(async ({ store, writer }) => {
        const depth = 200_000;
        const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
        const line = JSON.stringify(labResult).replace(
          '"metadata":{',
          `"metadata":{"deep":${nested},`,
        );
        const report = await importLines(writer, [user, line, insurance], {
          onRefused: () => undefined,
        });
        const stored = await store.getLabResult(sampleTeamId, labResult.order_id);
        expect(stored === undefined ? 1 : 0).toBe(report.refused.count);
        expect(stored?.body?.includes(nested) ?? true).toBe(true);
        expect(report.counts.insurance.added).toBe(1);
      });
    });

    it('with __proto__ harms nothing', async () => {
      await withStore(async ({ store, writer }) => {
        const line = JSON.stringify(user).replace(
          '"user":{',
          '"user":{"__proto__":{"polluted":true},',
        );
        expect(await importBytes(writer, Buffer.from(line))).toMatchObject({ imported: true });
        const stored = await store.findUserByClientId(sampleTeamId, user.user.client_user_id);
        expect(JSON.parse(stored!.body)).toEqual(
          JSON.parse(line.slice(line.indexOf('"user":') + 7, -1)),
        );
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      });
    });

    it('of an order that is another person’s is refused', async () => {
      await withStore(async ({ writer }) => {
        const other = {
          ...user,
          user: { ...user.user, user_id: wren.userId, client_user_id: 'other' },
        };
        const report = await importLines(writer, [
          user,
          other,
          labResult,
          { ...labResult, user_id: wren.userId },
        ]);
        expect(report.refused.first).toMatchObject([
          {
            line: 4,
            reasons: [
              { path: 'order_id', message: 'already belongs to another user of this team' },
            ],
          },
        ]);
      });
    });
  });

  describe('all or nothing', () => {
    it('finds all wrong lines, shows the first, imports none, and gives up after so many', async () => {
      await withStore(async ({ writer, rows }) => {
        const before = await rows();
        const lines = [user, ...Array.from({ length: 50 }, () => '{'), insurance];
        const report = await importLines(writer, lines);
        expect(report).toMatchObject({
          imported: false,
          lines: 52,
          refused: { count: 50, gaveUp: false },
        });
        expect(report.refused.first).toHaveLength(20);
        const ended = await importLines(writer, lines, { giveUpAfter: 30 });
        expect(ended).toMatchObject({ imported: false, refused: { count: 30, gaveUp: true } });
        expect(await rows()).toEqual(before);
      });
    });
  });
});

// Reading a file is the same on both engines.
describe('without regard to the engine,', () => {
  it('a file may be gzip, in one part or several, cut into chunks anywhere', async () => {
    const bytes = Buffer.concat([gzipSync(linesOf([user])), gzipSync(linesOf(all.slice(1)))]);
    await withSqlite(async ({ writer }) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: bytes.length }), async (size) => {
          const report = await importBytes(writer, bytes, {}, size);
          expect(report).toMatchObject({ imported: true, lines: 4 });
        }),
        { numRuns: 10 },
      );
    });
  });

  it('a file may have a byte order mark, CRLF, empty lines and no end of line at the end', async () => {
    await withSqlite(async ({ writer }) => {
      const text = `\uFEFF${all.map((line) => JSON.stringify(line)).join('\r\n\r\n \t\n')}`;
      const report = await importBytes(writer, Buffer.from(text));
      expect(report).toMatchObject({ imported: true, lines: 4 });
    });
  });

  it('a refused line never repeats a value', async () => {
    await withSqlite(async ({ writer }) => {
      const secret = 'Quetzalcoatl';
      const report = await importBytes(
        writer,
        Buffer.from(
          [
            `{"kind":"user", ${secret}}`,
            secret,
            JSON.stringify({ kind: secret }),
            JSON.stringify({ ...insurance, [`${secret} ${secret}`]: secret }),
            JSON.stringify(wrongUser({ created_on: secret, user_id: secret, [secret]: 1 })),
            JSON.stringify({ ...minutes, data: [{ start: secret, end: secret, unit: secret }] }),
          ].join('\n'),
        ),
      );
      expect(report.refused.count).toBe(6);
      expect(JSON.stringify(report)).not.toContain(secret);
    });
  });

  it('a line of bytes that are no UTF-8 is refused, not repaired', async () => {
    await withSqlite(async ({ writer }) => {
      const good = Buffer.from(`${JSON.stringify(user)}\n`);
      const bad = Buffer.from(good);
      bad[bad.indexOf('client_user_id') + 20] = 0xff;
      const report = await importBytes(writer, Buffer.concat([good, bad]));
      expect(report.refused.first).toEqual([
        { file: 'test.ndjson', line: 2, reasons: [{ path: '', message: 'is not UTF-8 text' }] },
      ]);
      const utf16 = await importBytes(
        writer,
        Buffer.from(`\uFEFF${JSON.stringify(user)}`, 'utf16le'),
      );
      expect(utf16.refused.first[0]?.reasons[0]?.message).toContain('UTF-16');
    });
  });

  it('a line that is too long is dropped unread, and the next one is taken', async () => {
    await withSqlite(async ({ writer }) => {
      const refused: RefusedLine[] = [];
      const lines = [user, { ...insurance, insurance: { x: 'x'.repeat(20_000) } }, insurance];
      const report = await importLines(writer, lines, {
        maxLineBytes: 10_000,
        onRefused: (line) => refused.push(line),
      });
      expect(report).toMatchObject({ imported: true, counts: { insurance: { added: 1 } } });
      expect(refused).toEqual([
        { file: 'test.ndjson', line: 2, reasons: [expect.anything()], text: undefined },
      ]);
    });
  });

  it('all or nothing holds for gzip that is cut off or damaged, and says so', async () => {
    await withSqlite(async ({ writer, rows }) => {
      const before = await rows();
      const packed = gzipSync(linesOf([...sampleEnvelopes({ users: 20 })]));
      await expect(importBytes(writer, packed.subarray(0, packed.length - 30))).rejects.toThrow(
        'test.ndjson: unexpected end of gzip data',
      );
      const damaged = Buffer.from(packed);
      damaged.fill(0x55, packed.length >> 1, (packed.length >> 1) + 40);
      await expect(importBytes(writer, damaged)).rejects.toThrow('the gzip data is corrupt');
      const padded = Buffer.concat([packed, Buffer.alloc(2 ** 20)]);
      await expect(importBytes(writer, padded)).rejects.toThrow('there is more after the end');
      expect(await rows()).toEqual(before);
      expect(await importLines(writer, [user])).toMatchObject({ imported: true });
    });
  });

  it('all or nothing holds for a stream that breaks', async () => {
    await withSqlite(async ({ writer, rows }) => {
      const before = await rows();
      const breaking = Readable.from(
        (async function* () {
          yield Buffer.from(linesOf(all));
          await Promise.reject(Object.assign(new Error('gone'), { code: 'EIO' }));
        })(),
      );
      await expect(importFile(writer, createInput('pipe', breaking, undefined))).rejects.toThrow(
        'pipe: cannot be read (EIO)',
      );
      expect(await rows()).toEqual(before);
    });
  });

  it('invalid lines that are skipped are handed over word for word, and the rest is imported', async () => {
    await withSqlite(async ({ writer }) => {
      const refused: RefusedLine[] = [];
      const bad = '{"kind":"user" ,  "user":{}}';
      const [point] = minutes.data;
      const wrongPoint = { ...minutes, data: [{ ...point, end: point?.start, value: 'much' }] };
      const report = await importLines(
        writer,
        [user, bad, { ...labResult, user_id: wren.userId }, wrongPoint, minutes],
        {
          onRefused: (line) => refused.push(line),
        },
      );
      expect(report).toMatchObject({ imported: true, refused: { count: 3 } });
      expect(refused.map(({ line }) => line)).toEqual([2, 3, 4]);
      expect(refused[0]?.text).toBe(bad);
      expect(report.counts.mindfulness_minutes.added).toBe(minutes.data.length);
    });
  });
});

function envelopeOf<Kind extends ImportEnvelope['kind']>(
  kind: Kind,
): Extract<ImportEnvelope, { kind: Kind }> {
  const options = { users: 1, first: amara.index, kinds: [kind] };
  for (const envelope of sampleEnvelopes(options)) {
    return envelope as Extract<ImportEnvelope, { kind: Kind }>;
  }
  throw new Error(`The sample has no ${kind}`);
}

function linesOf(lines: readonly unknown[]): string {
  return lines
    .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    .join('');
}

async function importLines(
  writer: ImportWriter,
  lines: readonly unknown[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  return await importBytes(writer, Buffer.from(linesOf(lines)), options);
}

async function importBytes(
  writer: ImportWriter,
  bytes: Buffer,
  options: ImportOptions = {},
  chunk = 10_000,
): Promise<ImportReport> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, n) =>
    bytes.subarray(n * chunk, (n + 1) * chunk),
  );
  return await importFile(
    writer,
    createInput('test.ndjson', Readable.from(chunks), bytes.length),
    options,
  );
}
