import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import fc from '@caregate/seeded';
import { nodeDisk } from '../disk/node-disk.ts';
import { LogReader } from '../folder/log-reader.ts';
import type { LogSource } from '../log/log-source.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import type { AuditSession } from '../postgres/audit-session.ts';
import { openPostgresAuditLog } from '../postgres/postgres-backend.ts';
import { PostgresLogReader } from '../postgres/stored/log-reader.ts';
import { verifyPostgresLog } from '../postgres/verify/verify-postgres.ts';
import { auditEntry, inFolder } from '../testing/audit-entry.testing.ts';
import { bodiesIn } from '../testing/folder-log.testing.ts';
import { makeAuditTables, sessionOf } from '../testing/postgres-log.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import type { VerifyReport } from '../verify/verify-log.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { recordActs } from '../writer/record-acts.ts';
import type { AuditEntry } from './audit-entry.ts';
import { OPEN_LOG, SEE_LOGS } from './log-operations.ts';
import { parseBody } from './record-body.ts';
import { mostBytesOfRecord, requireEntry } from './require-entry.ts';

// By a name that no tool follows: the verifier shares nothing with this library, not even a dependency.
const verifier: string = '@caregate/audit-verifier/src/verify.mjs';
type VerifyExport = (lines: string[], key: string) => Promise<[code: number, sentence: string]>;

const hard = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\ud800', '"', '\\', '\n', '\0', ',"seq":1,"', ',"log_id":"', ',"details":{'),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: hard },
  fc.constantFrom(null, undefined, 0, -1.5, 1e300, Number.NaN, true, [], {}, ['x']),
);
/** Entries as a caller may give them: with a few fields of any value, or without them. */
const entries = fc
  .record({
    fields: fc.dictionary(fc.constantFrom(...Object.keys(auditEntry())), anything, { maxKeys: 2 }),
    patients: fc.oneof(fc.array(fc.oneof(hard, fc.uuid()), { maxLength: 5 }), anything),
    details: fc.oneof(fc.dictionary(hard, fc.oneof(hard, fc.double()), { maxKeys: 3 }), anything),
  })
  .map(({ fields, ...more }) => ({ ...auditEntry(), ...more, ...fields }) as unknown as AuditEntry);

interface Engine {
  open(folder: string): Promise<AuditLog>;
  verify(folder: string, log: AuditLog): Promise<VerifyReport>;
  /** An export of the whole log, as lines. */
  exported(folder: string, log: AuditLog): Promise<string[]>;
}

async function linesOf(source: LogSource): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of source.ndjson(await source.checkpoint())) {
    pieces.push(piece);
  }
  return pieces.join('').trimEnd().split('\n');
}

let server: PostgresServer;
let session: AuditSession;
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  session = await sessionOf(server.url);
  await makeAuditTables(session);
});
afterAll(async () => {
  await session.close();
  await server.stop();
});

const engines: Readonly<Record<string, Engine>> = {
  files: {
    open: (folder) => openAuditLog(folder),
    verify: (folder, { verifierKey }) =>
      verifyFolderOn(nodeDisk, folder, { key: VerifierKey.parse(verifierKey) }),
    exported: async (folder) => {
      const reader = new LogReader(nodeDisk, folder);
      const lines = await linesOf(reader);
      reader.close();
      return lines;
    },
  },
  PostgreSQL: {
    open: (folder) => openPostgresAuditLog(server.url, folder),
    verify: (_, { verifierKey }) =>
      verifyPostgresLog(session, { key: VerifierKey.parse(verifierKey) }),
    exported: (_, { logId, verifierKey }) => {
      const { name: origin } = VerifierKey.parse(verifierKey);
      return linesOf(new PostgresLogReader(session, { logId, origin, verifierKey }));
    },
  },
};

/** What a log on PostgreSQL records itself. */
const ofLog = [OPEN_LOG, SEE_LOGS];

function operationOf(line: string): string | undefined {
  const { body } = JSON.parse(line) as { readonly body?: string };
  return body === undefined ? undefined : parseBody(body).operation;
}

describe('an entry', () => {
  it.each(Object.entries(engines))(
    'that got a receipt verifies on %s, with our verifier and with the independent one',
    async (_, engine) => {
      const { verifyExport } = (await import(verifier)) as { verifyExport: VerifyExport };
      await fc.assert(
        fc.asyncProperty(fc.array(entries, { minLength: 1, maxLength: 60 }), async (given) => {
          await inFolder(async (folder) => {
            const log = await engine.open(folder);
            const said = await Promise.allSettled(given.map((entry) => log.record(entry)));
            await log.close();
            const receipts = said.filter(({ status }) => status === 'fulfilled').length;
            said.forEach((one) => {
              expect(one.status === 'rejected' ? (one.reason as Error).message : '').toMatch(
                /^(?:The audit entry .+)?$/u,
              );
            });
            // A start takes it, too.
            await (await engine.open(folder)).close();
            const { size } = await engine.verify(folder, log);
            const lines = await engine.exported(folder, log);
            const operations = lines.flatMap((line) => operationOf(line) ?? []);
            expect(operations).toHaveLength(size);
            expect(operations.filter((name) => !ofLog.includes(name))).toHaveLength(receipts);
            const [code, sentence] = await verifyExport(lines, log.verifierKey);
            expect([code, sentence]).toEqual([0, expect.stringContaining(`${size} records`)]);
          });
        }),
        { numRuns: 8 },
      );
    },
  );

  it.each<[object, string]>([
    [{ operation: null }, 'needs a text as operation'],
    [{ operation: '' }, 'needs a text as operation'],
    [{ operation: 'acceptBreak' }, "may not be of the log's own operation"],
    [{ patients: undefined }, 'needs a list of patients'],
    [{ patients: [null] }, 'has a patient that is no text'],
    [{ teamId: 7 }, 'has no text as teamId'],
    [{ httpStatus: '200' }, 'has no number as httpStatus'],
    [{ details: { deep: {} } }, 'has a detail that is neither text nor number: "deep"'],
    [{ orderId: 'x'.repeat(mostBytesOfRecord) }, 'that a record may have'],
    [{ orderId: '\0'.repeat(mostBytesOfRecord / 5) }, 'that a record may have'],
    [{ details: { q: 'x'.repeat(300 * 2 ** 20) } }, 'that a record may have'],
  ])('is refused, with what is wrong, and the log goes on: %#', async (change, why) => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      const entry = { ...auditEntry(), ...change } as AuditEntry;
      await expect(log.record(entry)).rejects.toThrow(why);
      expect(await log.record(auditEntry())).toMatchObject({ seq: 0 });
      await log.close();
      await expect(recordActs(folder, [entry])).rejects.toThrow(why);
      expect(bodiesIn(folder)).toHaveLength(1);
    });
  });

  it('may have as many bytes as a record may', () => {
    const large = auditEntry({ orderId: 'x'.repeat(mostBytesOfRecord - 4096) });
    expect(requireEntry(large)).toBe(large);
  });
});
