import type pg from 'pg';
import {
  AuditBrokenError,
  type LogIdentity,
  NoAuditLogError,
  parseVerifierKey,
  type VerifierKey,
} from '@caregate/audit-log';
import {
  KeptCheckpoints,
  listLogs,
  PostgresLogReader,
  type Queryable,
  requireSeen,
  verifyPostgresLog,
  type SeenLog,
} from '@caregate/audit-log/postgres';
import { LogFindings, type FindingsOptions } from './log-findings.ts';
import { commandLine, givenFile, givenKeys, logItself, verifiedJson } from './verify-command.ts';

export interface VerifyLogsFlags extends FindingsOptions {
  /** A data folder, with the checkpoints that its instances kept. */
  readonly data?: string;
  readonly log?: string;
  /** A file with one or more checkpoints, each compared with its log. */
  readonly fromCheckpoint?: string;
  /** A public key, or a file with one key per line. */
  readonly publicKey?: string;
  /** Told how many records of all logs of how many were read. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Verifies all logs of a database, or the given one; prints the results, as JSON a line for each log in the shape that the log
 * of a data folder has, and returns the exit code.
 */
export async function runVerifyPostgres(pool: pg.Pool, flags: VerifyLogsFlags): Promise<number> {
  const keys = keysIn(flags.publicKey);
  const notes =
    flags.fromCheckpoint === undefined ? new Map<string, string>() : notesIn(flags.fromCheckpoint);
  const all = await listLogs(pool);
  const logs = all.filter(({ logId }) => flags.log === undefined || logId === flags.log);
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  const findings = new LogFindings(flags);
  if (flags.log === undefined) {
    for (const origin of new Set([...keys.keys(), ...notes.keys()])) {
      if (!all.some((log) => log.origin === origin)) {
        const missing = new AuditBrokenError('truncated', 'The log is missing');
        const text = `${origin}: verification failed: the log is missing (truncated).`;
        findings.failed(origin, missing, text);
      }
    }
  }
  const connection = await pool.connect();
  try {
    const onRecords = await recordsOf(connection, logs, flags.onProgress);
    const seen: SeenLog[] = [];
    for (const [at, log] of logs.entries()) {
      await findings.check(log.origin, log.origin, async () => {
        const key = keys.get(log.origin);
        const given = { key, note: notes.get(log.origin) };
        const onProgress = onRecords[at];
        seen.push(...(await verifyOne(connection, log, { ...given, onProgress }, findings)));
      });
    }
    const nameOf = (logId: string): string =>
      all.find((log) => log.logId === logId)?.origin ?? logId;
    for (const one of seen) {
      const { logId } = one;
      await findings.check(nameOf(logId), `log ${logId}`, () => requireSeen(connection, [one]));
    }
    await verifyKept(connection, flags, { all, keys, nameOf, findings });
  } finally {
    connection.release();
  }
  findings.printJson();
  return findings.code;
}

/** For each log, what is to be told how many of its records were read; the whole is what all of them have now. */
async function recordsOf(
  db: Queryable,
  logs: readonly LogIdentity[],
  onProgress: VerifyLogsFlags['onProgress'],
): Promise<readonly ((records: number) => void)[]> {
  const sizes: number[] = [];
  for (const log of logs) {
    sizes.push(await new PostgresLogReader(db, log).size());
  }
  const of = sizes.reduce((sum, size) => sum + size, 0);
  return logs.map((_, at) => {
    const before = sizes.slice(0, at).reduce((sum, size) => sum + size, 0);
    return (records) => {
      // Records that came meanwhile are verified, too.
      onProgress?.(before + Math.min(records, sizes[at] ?? 0), of);
    };
  });
}

/** Compares the checkpoints in the data folder with their logs. */
async function verifyKept(
  connection: pg.PoolClient,
  { data, log }: VerifyLogsFlags,
  {
    all,
    keys,
    nameOf,
    findings,
  }: {
    readonly all: readonly LogIdentity[];
    readonly keys: ReadonlyMap<string, string>;
    readonly nameOf: (logId: string) => string;
    readonly findings: LogFindings;
  },
): Promise<void> {
  const kept = data === undefined ? undefined : new KeptCheckpoints(data);
  const notes = kept?.notes().filter(({ logId }) => log === undefined || logId === log) ?? [];
  let doAllMatch = true;
  for (const note of notes) {
    // Of a log that is gone, the name is the one thing to be compared.
    const keyOf = (origin: string): VerifierKey | undefined => {
      const text = keys.get(origin) ?? all.find((one) => one.origin === origin)?.verifierKey;
      return text === undefined ? undefined : parseVerifierKey(text);
    };
    const holds = await findings.check(nameOf(note.logId), `log ${note.logId}`, async () => {
      await kept?.checkOne(connection, note, { keyOf, logs: all });
    });
    doAllMatch &&= holds;
  }
  if (notes.length > 0 && doAllMatch) {
    findings.say(`The checkpoints kept in ${kept?.folder} match their logs.\n`);
  }
}

interface Given extends Record<'key' | 'note', string | undefined> {
  readonly onProgress: ((records: number) => void) | undefined;
}

/** Verifies a log and tells the result; gives what it says of the other logs. */
async function verifyOne(
  connection: pg.PoolClient,
  { origin, verifierKey }: LogIdentity,
  { key, note, onProgress }: Given,
  findings: LogFindings,
): Promise<readonly SeenLog[]> {
  const report = await verifyPostgresLog(connection, {
    key: parseVerifierKey(key ?? verifierKey),
    ...(note !== undefined && { outside: note }),
    ...(onProgress !== undefined && { onProgress }),
  });
  const { size, root, seals, checkpoints, seen } = report;
  const json = verifiedJson(origin, report, {
    key: key ?? verifierKey,
    from: key === undefined ? logItself : commandLine,
    isOutside: note !== undefined,
  });
  const text = [
    `${origin}: log verified: ${size} records, ${seals} seals, ${checkpoints} checkpoints.`,
    `  Root ${root.toString('base64')}`,
    key === undefined
      ? '  Public key taken from the log itself: compare it with a copy kept elsewhere.'
      : '  Public key taken from the command line.',
    note === undefined
      ? '  No external checkpoint was given: an earlier state of the whole log would pass.'
      : '  The given checkpoint matches this log.',
    '',
  ].join('\n');
  findings.verified(origin, json, text);
  return seen;
}

function keysIn(given: string | undefined): ReadonlyMap<string, string> {
  if (given === undefined) {
    return new Map();
  }
  const lines = givenKeys(given)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => [parseVerifierKey(line).name, line]));
}

/** The checkpoints of a file by log name; a checkpoint is three lines, an empty line, and signatures. */
function notesIn(file: string): ReadonlyMap<string, string> {
  const text = givenFile('--from-checkpoint', file);
  const notes = text.split(/\n(?=[^\n—]+\/audit\/[0-9a-f]{12}\n\d+\n)/u);
  return new Map(
    notes.map((note) => [
      note.slice(0, note.indexOf('\n')),
      note.endsWith('\n') ? note : `${note}\n`,
    ]),
  );
}
