import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { seed, share } from '@caregate/seeded/seed';
import type { LogPlace } from './log-place.ts';
import { VerifierKey } from './checkpoint.ts';
import { AuditBrokenError, AuditUnavailableError, LogRefusedError } from './errors.ts';
import { openBackend } from './log-backend.ts';
import { LogReader } from './log-reader.ts';
import { rotateKey } from './audit-log.ts';
import type { StoredRecord } from './record.ts';
import { hashRecord } from './signed-tree.ts';
import { auditText, members, userIds } from './testing/audit-text.testing.ts';
import { forgeries, type Forgery } from './testing/forgeries.testing.ts';
import {
  appendTo,
  copyPlace,
  createPlace,
  engines,
  inPlace,
  openLog,
  readAll,
  readRecords,
  tamper,
  verifyPlace,
  withReader,
  type Engine,
  type Row,
} from './testing/log-place.testing.ts';
import { Frontier } from './tree.ts';
import { verifyInThread } from './log-thread.ts';

const batchSize = 37;
const combinations = 5;
/** Readers are the same on both engines, so PostgreSQL tests a quarter of the forgeries, chosen by the seed. */
const onPostgres = share(forgeries, 4);
/** The forgeries that are also made while a process has the log open. */
const whileOpen = share(forgeries, 3);

interface OriginalLog {
  readonly place: LogPlace;
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
  readonly records: readonly StoredRecord[];
}

function texts(at: number) {
  return Array.from({ length: batchSize }, (_, one) =>
    auditText({ patients: userIds.slice(0, one % 4), request: `${at}/${one}` }),
  );
}

/** Creates a log of about 520 records, whose key was rotated in the middle. */
async function build(place: LogPlace): Promise<OriginalLog> {
  let logId = '';
  for (const half of [0, 1]) {
    const log = await openLog(place);
    logId = log.logId;
    for (let at = 0; at < 7; at += 1) {
      await Promise.all(texts(7 * half + at).map((text) => log.record(text)));
    }
    await log.close();
    if (half === 0) {
      await rotateKey(place, 'amara', { members });
    }
  }
  const { publicKey, checkpoint } = await appendTo(place);
  return { place, logId, publicKey, checkpoint, records: await readRecords(place) };
}

/** Creates a random number generator that repeats for the same seed (mulberry32). */
function seededDice(first: number): (below: number) => number {
  let state = first >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const isFound = (error: unknown): boolean =>
  error instanceof AuditBrokenError ||
  (error instanceof LogRefusedError && ['wrong_key', 'no_log'].includes(error.kind)) ||
  (error instanceof AuditUnavailableError && error.cause instanceof AuditBrokenError);

/** Returns the error that reports the forgery, or undefined. Any other error fails the test. */
async function find(work: () => Promise<unknown>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isFound(error)) {
      return error as Error;
    }
    throw error;
  }
}

const describeRecord = ({ seq, salt, body }: StoredRecord): string =>
  `${seq} ${salt.toString('hex')} ${body}`;

/** Requires that a reader reports the forgery or returns the original records. */
async function requireTruth(
  { records }: OriginalLog,
  { needsCheckpoint = false }: Pick<Forgery, 'needsCheckpoint'>,
  read: () => AsyncIterable<StoredRecord>,
): Promise<void> {
  await find(async () => {
    const shown = (await readAll(read())).map(describeRecord);
    const all = records.map(describeRecord);
    expect(shown).toEqual(needsCheckpoint ? all.slice(0, shown.length) : all);
  });
}

async function* parseExport(pieces: AsyncIterable<string>): AsyncGenerator<StoredRecord, void> {
  const lines = (await readAll(pieces)).join('').trimEnd().split('\n');
  for (const line of lines) {
    const { seq, salt, body } = JSON.parse(line) as { seq?: number; salt: string; body: string };
    if (seq !== undefined) {
      yield { seq, salt: Buffer.from(salt, 'hex'), body };
    }
  }
}

async function judgeReaders(
  original: OriginalLog,
  place: LogPlace,
  forgery: Pick<Forgery, 'needsCheckpoint'>,
) {
  await find(() =>
    withReader(place, async ({ storage, identity }) => {
      // A database's tables contain the public key, so a reader must know it from elsewhere.
      const { publicKey } = original;
      const reader = new LogReader(storage, members, { ...identity, publicKey });
      await requireTruth(original, forgery, () => reader.readRecords());
      await requireTruth(original, forgery, async function* () {
        const newest = await readAll(reader.readNewestFirst(await reader.tree(), {}));
        yield* newest.toReversed();
      });
      await requireTruth(original, forgery, async function* () {
        const { checkpoint } = await reader.tree();
        yield* parseExport(reader.exportNdjson(checkpoint));
      });
      // Each record, found by a search or by its position, is proved or refused.
      const everything = [
        ...(await reader.storage.find({ texts: {}, limit: 10_000 })),
        ...(await reader.storage.readRecords(original.logId, -100, 10_000)),
      ];
      const all = original.records.map(describeRecord);
      const tree = await reader.tree();
      for (const record of everything.filter((one) => describeRecord(one) !== all[one.seq])) {
        expect(await find(() => tree.requireRecords([record]))).toBeDefined();
      }
      for (const seq of [0, 255, 300, tree.head.size - 1]) {
        await find(async () => {
          const { leafHash } = await tree.inclusion(seq);
          const expected = hashRecord(original.records[seq] as StoredRecord);
          expect(leafHash.toString('latin1')).toBe(expected);
        });
      }
    }),
  );
}

const parseKeys = ({ publicKey }: OriginalLog): VerifierKey[] => [VerifierKey.parse(publicKey)];

/** Requires that the heads that the log's key signed since then only cover original records. */
async function requireSignedTruth(original: OriginalLog, place: LogPlace, before: readonly Row[]) {
  const [heads, rows] = await tamper(place, async (tables) => [
    await tables.rows('select * from audit_head order by size'),
    await tables.rows('select seq, salt, body from audit_record order by seq'),
  ]);
  const old = new Set(before.map((row) => Buffer.from(row['signature'] as Buffer).toString('hex')));
  const key = VerifierKey.parse(original.publicKey);
  const stored = new Map(rows.map((row) => [Number(row['seq']), row]));
  const tree = new Frontier();
  for (const row of heads) {
    const head = {
      size: Number(row['size']),
      root: Buffer.from(row['root'] as Buffer),
      signature: Buffer.from(row['signature'] as Buffer),
    };
    if (old.has(head.signature.toString('hex')) || !key.hasSigned(head)) {
      continue;
    }
    while (tree.size < head.size) {
      const seq = tree.size;
      const row = stored.get(seq);
      const record = original.records[seq] ?? {
        ...{ seq, salt: Buffer.from(row?.['salt'] as Buffer), body: String(row?.['body']) },
      };
      tree.append(hashRecord(record));
    }
    expect(head.root).toEqual(tree.computeRoot());
  }
}

const readHeads = (place: LogPlace): Promise<Row[]> =>
  tamper(place, ({ rows }) => rows('select signature from audit_head'));

/** Appends as a process that starts does, but in this thread, since starting one takes longer than all else here. */
async function judgeStart(
  original: OriginalLog,
  place: LogPlace,
  forgery: Pick<Forgery, 'needsCheckpoint'>,
) {
  const before = await readHeads(place);
  const found = await find(async () => {
    const log = await openBackend(place, { members });
    try {
      await log.append([auditText({ operation: 'after' })]);
    } finally {
      await log.close();
    }
  });
  if (found === undefined) {
    const options = { keys: parseKeys(original), checkpoints: [original.checkpoint] };
    if ((await find(() => verifyPlace(place, options))) === undefined) {
      // The writer restored the correct frontier and key.
      const all = (await readRecords(place)).slice(0, original.records.length);
      expect(all.map(describeRecord)).toEqual(original.records.map(describeRecord));
    }
  }
  if (forgery.needsCheckpoint !== true) {
    await requireSignedTruth(original, place, before);
  }
}

/** Forges the tables while a process has the log open. */
async function judgeRunning(
  original: OriginalLog,
  place: LogPlace,
  forge: () => Promise<void>,
): Promise<void> {
  const log = await openLog(place);
  await log.record(auditText({ operation: 'during' }));
  await log.checkpoint();
  const records = await readRecords(place);
  const now = { ...original, records, checkpoint: await log.checkpoint() };
  await forge();
  const before = await readHeads(place);
  for (let at = 0; at < 3; at += 1) {
    await find(() => log.record(auditText({ operation: 'after' }))).catch((error: unknown) => {
      expect(error).toBeInstanceOf(AuditUnavailableError);
    });
  }
  await log.close();
  await requireSignedTruth(now, place, before);
  const found = await find(() =>
    verifyPlace(place, { keys: parseKeys(original), checkpoints: [now.checkpoint] }),
  );
  if (found === undefined) {
    // The writer restored the correct size, frontier and key.
    const all = (await readRecords(place)).map(describeRecord);
    expect(all.slice(0, records.length)).toEqual(records.map(describeRecord));
  }
}

describe.each(engines)('a log on %s', (engine: Engine) => {
  let original: OriginalLog;
  beforeAll(async () => {
    original = await build(await createPlace(engine));
  });
  afterAll(() => {
    rmSync(original.place.dataDir, { recursive: true });
  });

  it('holds where nobody touched it, read by everybody', async () => {
    const { place, publicKey, checkpoint, records } = original;
    const verified = await verifyPlace(place, {
      keys: parseKeys(original),
      checkpoints: [checkpoint],
    });
    expect(verified).toMatchObject({ size: records.length, checkpoint, checkpoints: 1 });
    expect(verified.publicKeys).toHaveLength(2);
    const request = { members, logId: original.logId, publicKey, checkpoint, share: 1 };
    expect(await verifyInThread({ place, ...request })).toEqual({ size: records.length });
    await judgeReaders(original, place, {});
  });

  it.each(
    (engine === 'SQLite' ? forgeries : onPostgres).map(
      (forgery) => [forgery.name, forgery] as const,
    ),
  )('is found out where %s', async (_, forgery) => {
    const dice = seededDice(seed);
    await copyPlace(original.place, async (place) => {
      await tamper(place, (tables) => forgery.forge(tables, dice));
      const found = await find(() =>
        verifyPlace(place, { keys: parseKeys(original), checkpoints: [original.checkpoint] }),
      );
      expect(found).toBeDefined();
      if (found instanceof AuditBrokenError) {
        expect(forgery.breach).toContain(found.breach);
      }
      const alone = await find(() => verifyPlace(place));
      expect(alone === undefined).toBe(forgery.needsCheckpoint === true);
      await judgeReaders(original, place, forgery);
      await judgeStart(original, place, forgery);
    });
    if (whileOpen.includes(forgery)) {
      await copyPlace(original.place, async (place) => {
        await judgeRunning(original, place, async () => {
          await tamper(place, (tables) => forgery.forge(tables, dice));
        });
      });
    }
  });

  it('is found out in any combination of these', async () => {
    for (let round = 0; round < combinations; round += 1) {
      const dice = seededDice(seed + round);
      const chosen = Array.from(
        { length: 2 + dice(2) },
        () => forgeries[dice(forgeries.length)] as Forgery,
      );
      const names = `${engine}, round ${round}: ${chosen.map(({ name }) => name).join('; then ')}`;
      await copyPlace(original.place, async (place) => {
        let isForged = false;
        await tamper(place, async (tables) => {
          for (const { forge } of chosen) {
            // One forgery may leave nothing to change for the next.
            isForged = await forge(tables, dice).then(
              () => true,
              () => isForged,
            );
          }
        });
        const needsCheckpoint = chosen.some((forgery) => forgery.needsCheckpoint);
        try {
          expect(
            await find(() =>
              verifyPlace(place, { keys: parseKeys(original), checkpoints: [original.checkpoint] }),
            ),
          ).toBeDefined();
          await judgeReaders(original, place, { needsCheckpoint });
          await judgeStart(original, place, { needsCheckpoint });
        } catch (error) {
          throw new Error(names, { cause: error });
        }
        expect(isForged).toBe(true);
      });
    }
  });

  it('is found out where the records of another log are put in', async () => {
    await inPlace(engine, async (otherPlace) => {
      const other = await build(otherPlace);
      await copyPlace(original.place, async (place) => {
        await tamper(place, async ({ rows }) => {
          for (const { seq, salt, body } of other.records.slice(20, 30)) {
            await rows('update audit_record set salt = ?, body = ? where seq = ?', salt, body, seq);
          }
        });
        const found = await find(() => verifyPlace(place, { keys: parseKeys(original) }));
        expect(found).toMatchObject({ breach: 'altered' });
        const { logId, publicKey, checkpoint } = original;
        const request = { place, members, logId, publicKey, checkpoint, share: 1 };
        expect(await find(() => verifyInThread(request))).toMatchObject({ breach: 'altered' });
        await judgeReaders(original, place, {});
        await judgeStart(original, place, {});
      });
      // The complete other log, signed by its own key.
      const found = await find(() => verifyPlace(other.place, { keys: parseKeys(original) }));
      expect(found).toMatchObject({ breach: 'bad_signature' });
    });
  });
});
