import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import type { KeyObject } from 'node:crypto';
import { newDatabase } from '@caregate/postgres';
import { userIds } from '../../testing/audit-entry.testing.ts';
import { seededDice } from '../../testing/dice.testing.ts';
import {
  appendGroup,
  makeAuditTables,
  newKey,
  openLog,
  pastTriggers,
  sessionOf,
} from '../../testing/postgres-log.testing.ts';
import { AuditBrokenError } from '../../errors.ts';
import { type LogIdentity, VerifierKey } from '../../note/checkpoint.ts';
import type { AuditSession } from '../audit-session.ts';
import { forgeries } from './forging.testing.ts';
import { requireSeen, type SeenLog } from '../seen-logs.ts';
import { verifyEnd } from '../verify-end.ts';
import { verifyInTransaction } from './verify-postgres.ts';

interface Kept {
  readonly identity: LogIdentity;
  /** Of the last key. */
  readonly verifierKey: string;
  /** The last checkpoint, kept elsewhere. */
  readonly note: string;
  readonly size: number;
}

let db: AuditSession;
/** The first key of the first log, which was replaced. */
let stolen: KeyObject | undefined;
let logs: Kept[];

async function writeLogs(databaseUrl: string): Promise<void> {
  db = await sessionOf(databaseUrl);
  await makeAuditTables(db);
  logs = [];
  for (const groups of [
    [1, 3, 200, 60, 1, 40],
    [1, 3, 30],
    [2, 2],
  ]) {
    const key = newKey();
    const { log, session } = await openLog(databaseUrl, key);
    stolen ??= key;
    for (const count of groups) {
      await appendGroup(log, count, { patients: count === 3 ? [...userIds] : userIds.slice(0, 1) });
      if (count > 2) {
        await log.checkpoint();
      }
      if (count === 200) {
        await log.rotateKey(newKey(), 'command line: amara');
      }
    }
    const note = await log.checkpoint();
    await session.close();
    const { identity, verifierKey, size } = log;
    logs.push({ identity, verifierKey, note, size });
  }
}

/** What is found of a forgery of the first log: by an instance that starts, by a verification, with what others know. */
async function found(
  forge: () => Promise<unknown>,
): Promise<{ start: unknown; verification: unknown; others: unknown; kept: unknown }> {
  await db.query('begin');
  try {
    await pastTriggers(db, forge);
    const [first] = logs as [Kept];
    const start = await failureOf(() =>
      verifyEnd(db, first.identity, VerifierKey.parse(first.verifierKey).publicKey),
    );
    const seen: SeenLog[] = [];
    const verification = await failureOf(async () => {
      seen.push(...(await verified(first)).seen);
    });
    const others = await failureOf(async () => {
      for (const log of logs.slice(1)) {
        seen.push(...(await verified(log)).seen);
      }
      await requireSeen(db, seen);
    });
    const kept = await failureOf(() => verified(first, first.note));
    return { start, verification, others, kept };
  } finally {
    await db.query('rollback');
  }
}

function verified({ verifierKey }: Kept, outside?: string): ReturnType<typeof verifyInTransaction> {
  const key = VerifierKey.parse(verifierKey);
  return verifyInTransaction(db, { key, ...(outside !== undefined && { outside }) });
}

async function failureOf(work: () => Promise<unknown>): Promise<AuditBrokenError | undefined> {
  await db.query('savepoint before');
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AuditBrokenError)) {
      throw error;
    }
    return error;
  } finally {
    await db.query('rollback to before');
  }
}

/** Tests each of these ways so many times. */
export function areFound(ways: readonly string[], rounds: number): void {
  beforeAll(async () => {
    await writeLogs(await newDatabase());
  });
  afterAll(async () => {
    await db.close();
  });

  describe('somebody with all rights in the database, and no key', () => {
    it('who changes nothing is not suspected', async () => {
      expect(await found(() => Promise.resolve())).toEqual({
        start: undefined,
        verification: undefined,
        others: undefined,
        kept: undefined,
      });
    });

    it.each(ways)('is found where %s', async (name) => {
      const [first, second] = logs as [Kept, Kept];
      const key = newKey();
      for (let round = 0; round < rounds; round += 1) {
        const dice = seededDice(seed + round);
        const { start, verification, others, kept } = await found(() =>
          (forgeries[name] as (typeof forgeries)[string])({
            db,
            dice,
            key,
            stolen: stolen as KeyObject,
            ...first.identity,
            other: second.identity.logId,
            size: first.size,
          }),
        );
        expect({ round, kept }).toEqual({ round, kept: expect.any(AuditBrokenError) });
        // Without anything that is kept outside of the database, only an earlier whole state can pass.
        expect({ round, inside: verification ?? others }).toEqual({
          round,
          inside: expect.any(AuditBrokenError),
        });
        expect(start === undefined || start instanceof AuditBrokenError).toBe(true);
      }
    });
  });
}
