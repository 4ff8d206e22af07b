import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
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
import { withReader } from '../testing/folder-log.testing.ts';
import { columns, makeAuditTables, sessionOf } from '../testing/postgres-log.testing.ts';
import { verifyFolderOn } from '../verify/verify-folder.ts';
import type { VerifyReport } from '../verify/verify-log.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { openAuditLog } from '../writer/open-audit-log.ts';
import { recordActs } from '../writer/record-acts.ts';
import { ownStart, ownText } from './record-text.ts';

// By a name that no tool follows: the verifier shares nothing with this library, not even a dependency.
const verifier: string = '@caregate/audit-verifier/src/verify.mjs';
type VerifyExport = (lines: string[], key: string) => Promise<[code: number, sentence: string]>;

/** Texts that a caller may give, of any form, and JSON with any value in it. */
const hard = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\ud800',
    '"',
    '\\',
    '\n',
    '\0',
    '\u0001',
    'CGRP',
    'CGRP\u0001',
    '{"_log":1}',
    '',
  ),
);
const anything = fc.oneof(
  { weight: 3, arbitrary: hard },
  fc.constantFrom(null, undefined, 0, -1.5, 1e300, true, {}, 'AAAA'),
);
const texts = fc.oneof(
  hard,
  fc
    .record({
      members: fc.dictionary(fc.constantFrom(...Object.keys(columns), 'details'), anything, {
        maxKeys: 2,
      }),
      patients: fc.array(fc.oneof(hard, fc.uuid()), { maxLength: 5 }),
    })
    .map(({ members, patients }) => auditEntry({ patients, ...members })),
);

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

let databaseUrl: string;
let session: AuditSession;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  session = await sessionOf(databaseUrl);
  await makeAuditTables(session);
});
afterAll(async () => {
  await session.close();
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
    open: (folder) => openPostgresAuditLog(databaseUrl, folder),
    verify: (_, { verifierKey }) =>
      verifyPostgresLog(session, { key: VerifierKey.parse(verifierKey) }),
    exported: (_, { logId, verifierKey }) => {
      const { name: origin } = VerifierKey.parse(verifierKey);
      return linesOf(new PostgresLogReader(session, { logId, origin, verifierKey }));
    },
  },
};

describe('a record', () => {
  it.each(Object.entries(engines))(
    'that got a receipt verifies on %s, with our verifier and with the independent one',
    async (_, engine) => {
      const { verifyExport } = (await import(verifier)) as { verifyExport: VerifyExport };
      await fc.assert(
        fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 60 }), async (given) => {
          await inFolder(async (folder) => {
            const log = await engine.open(folder);
            const said = await Promise.allSettled(given.map((text) => log.record(text)));
            await log.close();
            const receipts = said.filter(({ status }) => status === 'fulfilled').length;
            said.forEach((one) => {
              expect(one.status === 'rejected' ? (one.reason as Error).name : '').toMatch(
                /^(?:AuditLogError)?$/u,
              );
            });
            // A start takes it, too.
            await (await engine.open(folder)).close();
            const { size } = await engine.verify(folder, log);
            const lines = await engine.exported(folder, log);
            const bodies = lines.flatMap(
              (line) => (JSON.parse(line) as { body?: string }).body ?? [],
            );
            expect(bodies).toHaveLength(size);
            expect(bodies.filter((body) => !body.startsWith(ownStart))).toHaveLength(receipts);
            const [code, sentence] = await verifyExport(lines, log.verifierKey);
            expect([code, sentence]).toEqual([0, expect.stringContaining(`${size} records`)]);
          });
        }),
        { numRuns: 8 },
      );
    },
  );

  it.each<[string, string]>([
    ['', 'one line of text'],
    ['{}\n', 'one line of text'],
    ['{"a":"\0"}', 'one line of text'],
    ['"CGRP\u0001"', 'one line of text'],
    [ownText({ operation: 'newAuditLog', details: {} }), 'Only the log itself'],
    ['x'.repeat(2 ** 20 + 1), 'that it may have'],
    ['\u20ac'.repeat(2 ** 19), 'that it may have'],
  ])('is refused, with what is wrong, and the log goes on: %#', async (text, why) => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await expect(log.record(text)).rejects.toThrow(why);
      expect(await log.record('x'.repeat(2 ** 20))).toMatchObject({ seq: 0 });
      await log.close();
      await expect(recordActs(folder, [text])).rejects.toThrow(why);
      expect(withReader(folder, (reader) => reader.size())).toBe(1);
    });
  });
});
