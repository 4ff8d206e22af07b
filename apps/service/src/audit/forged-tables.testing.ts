import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyObject } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newDatabase } from '@caregate/postgres';
import { seed } from '@caregate/seeded/seed';
import { PostgresLogReader } from '@caregate/audit-log/postgres';
import {
  appendGroup,
  makeAuditTables,
  newKey,
  openLog,
  pastTriggers,
  seededDice,
  sessionOf,
  tableForgeries,
  type AuditSession,
  type VerifyExport,
} from '@caregate/audit-log/testing';
import { serviceEvents } from './cli/service-events.ts';
import { exportText, type ExportFormat } from './export/export-text.ts';
import { recordsOf } from './export/records.ts';

interface Written {
  readonly logId: string;
  readonly origin: string;
  readonly verifierKey: string;
  readonly size: number;
  readonly note: string;
}

let databaseUrl: string;
let db: AuditSession;
/** The first key of the own log, which was replaced. */
const stolen = newKey();
let own: Written;
let other: Written;

async function write(groups: readonly number[], key: KeyObject): Promise<Written> {
  const { log, session } = await openLog(databaseUrl, key);
  await appendGroup(log, 1, { operation: 'startUp' });
  for (const count of groups) {
    await appendGroup(log, count);
    await log.checkpoint();
    if (count === 200) {
      await log.rotateKey(newKey(), 'command line: amara');
    }
  }
  const note = await log.checkpoint();
  await session.close();
  return { ...log.identity, verifierKey: log.verifierKey, size: log.size, note };
}

const logs = async (): Promise<PostgresLogReader[]> => await PostgresLogReader.all(db);

async function exported(format: ExportFormat): Promise<string> {
  let text = '';
  for await (const piece of exportText(await logs(), { format, filter: {} })) {
    text += piece;
  }
  return text;
}

/** What readers show of all logs. */
const readers: Readonly<Record<string, () => Promise<string>>> = {
  'an export as NDJSON, at its verifier': async () => {
    const file = new URL('../../../../tools/audit-verifier/src/verify.mjs', import.meta.url);
    const { verifyExport } = (await import(fileURLToPath(file))) as { verifyExport: VerifyExport };
    for (const { logId, verifierKey, note } of [own, other]) {
      const log = (await logs()).find((one) => one.identity().logId === logId);
      let text = '';
      for await (const piece of exportText(log ? [log] : [], { format: 'ndjson', filter: {} })) {
        text += piece;
      }
      const [code] = await verifyExport(text.trimEnd().split('\n'), verifierKey, [note]);
      expect(code).toBe(0);
    }
    return 'holds';
  },
  'an export as CSV': () => exported('csv'),
  'an export as FHIR': () => exported('fhir'),
  'the list of alarms': async () =>
    (await serviceEvents(await logs())).map((event) => JSON.stringify(event)).join('\n'),
  'what emergency accesses are compared with': async () =>
    (await recordsOf(await logs(), { operations: ['resolveUser'] }))
      .map((record) => JSON.stringify(record))
      .join('\n'),
};

/** Only who knows a later state finds these: a verification with a kept checkpoint, or with what other logs say. */
const needsKept = ['the end is cut off, all tables alike', 'the log is deleted'];
/** Only a public key kept elsewhere shows these, such as that of a running service. */
const needsKey = [
  'the key of the log is replaced, and everything signed anew',
  'the change of the key is edited, and all sealed and signed by a stolen old key',
];

/** Tries some ways to forge a log in its tables on all that show records, and each of the others on one of them. */
export function areFoundInTables(onAll: readonly string[], onOne: readonly string[] = []): void {
  beforeAll(async () => {
    databaseUrl = await newDatabase();
    db = await sessionOf(databaseUrl);
    await makeAuditTables(db);
    own = await write([3, 200, 60, 1, 20], stolen);
    other = await write([2, 2], newKey());
  });
  afterAll(async () => {
    await db.close();
  });

  describe.each(Object.entries(readers))('in tables, %s', (reader, read) => {
    const knowsMore = reader.startsWith('an export as NDJSON');

    const at = Object.keys(readers).indexOf(reader);
    const alone = onOne.filter((_, turn) => turn % Object.keys(readers).length === at);
    it.each([...new Set([...onAll, ...alone])])('shows all or an error where %s', async (way) => {
      const shown = await read();
      await db.query('begin');
      try {
        const { origin, logId, size } = own;
        const forger = { db, dice: seededDice(seed), key: newKey(), stolen, origin, logId, size };
        await pastTriggers(db, () =>
          (tableForgeries[way] as (typeof tableForgeries)[string])({
            ...forger,
            other: other.logId,
          }),
        );
        const said = await read().catch(() => undefined);
        const lines = new Set(shown.split('\n'));
        const isPart = said?.split('\n').every((line) => line === '' || lines.has(line)) === true;
        const isEarlier = !knowsMore && needsKept.includes(way) && isPart;
        const isOfOtherKey = !knowsMore && needsKey.includes(way);
        expect(said === undefined || said === shown || isEarlier || isOfOtherKey).toBe(true);
      } finally {
        await db.query('rollback');
      }
      expect(await read()).toBe(shown);
    });
  });
}
