import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import { AuditBrokenError, logPaths, NoAuditLogError, VerifierKey } from '@caregate/audit-log';
import {
  archivedLogs,
  KeptCheckpoints,
  PostgresLogReader,
  requireSeen,
  verifyPostgresLog,
} from '@caregate/audit-log/postgres';
import { Findings, type FindingsOptions } from './findings.ts';
import { COMMAND_LINE, fileOfFlag, keysOfFlag, LOG_ITSELF, outsideText } from './verify-command.ts';

type LogKeys = Awaited<ReturnType<PostgresLogReader['keys']>>;
type LogIdentity = ReturnType<PostgresLogReader['identity']>;
type SeenLogs = Parameters<typeof requireSeen>[1];

export interface VerifyLogsFlags extends FindingsOptions {
  readonly data?: string;
  readonly log?: string;
  readonly fromCheckpoint?: string;
  readonly publicKey?: string;
  readonly onProgress?: (done: number, of: number) => void;
}

export async function runVerifyPostgres(pool: pg.Pool, flags: VerifyLogsFlags): Promise<number> {
  const keys = keysIn(flags.publicKey);
  const notes = notesIn(flags.fromCheckpoint);
  const all = (await PostgresLogReader.all(pool)).map((log) => log.identity());
  const archived =
    flags.log === undefined ? await archivedFor(pool, flags.data) : new Set<string>();
  const logs = all.filter(({ logId }) =>
    flags.log === undefined ? !archived.has(logId) : logId === flags.log,
  );
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  const findings = new Findings(flags);
  for (const logId of archived) {
    findings.say(`log ${logId}: archived by caregate audit new-log, and not verified.\n`);
  }
  if (flags.log === undefined) {
    for (const origin of new Set([...keys.keys(), ...notes.keys()])) {
      if (!all.some((log) => log.origin === origin)) {
        const missing = new AuditBrokenError('truncated', 'The log is missing');
        const text = `${origin}: verification failed: the log is missing (truncated).`;
        findings.failed(origin, missing, text);
      }
    }
  }
  const nameOf = (logId: string): string => all.find((log) => log.logId === logId)?.origin ?? logId;
  const check = (logId: string, verify: () => Promise<void>): Promise<boolean> =>
    findings.check(() => nameOf(logId), `log ${logId}: verification failed`, verify);
  const connection = await pool.connect();
  try {
    const onRecords = await progressOf(connection, logs, flags.onProgress);
    const seen: SeenLogs[number][] = [];
    for (const [at, log] of logs.entries()) {
      await findings.check(
        () => log.origin,
        `${log.origin}: verification failed`,
        async () => {
          const proof = {
            key: keys.get(log.origin),
            note: notes.get(log.origin),
            onProgress: onRecords[at],
          };
          seen.push(...(await verifyOne(connection, log, proof, findings)));
        },
      );
    }
    for (const one of seen.filter(({ logId }) => !archived.has(logId))) {
      await check(one.logId, () => requireSeen(connection, [one]));
    }
    const stored = flags.data === undefined ? undefined : new KeptCheckpoints(flags.data);
    const stated = new Map<string, LogKeys>();
    for (const log of await PostgresLogReader.all(connection)) {
      stated.set(log.identity().origin, await log.keys());
    }
    // A log that is gone has no key here: only its name is compared.
    const keyOf = (origin: string): LogKeys | VerifierKey | undefined => {
      const text = keys.get(origin);
      const given = text === undefined ? undefined : VerifierKey.parse(text);
      const all = stated.get(origin);
      return given === undefined || all?.has(given) === true ? all : given;
    };
    const results: boolean[] = [];
    for (const note of stored?.notes() ?? []) {
      if (flags.log === undefined || note.logId === flags.log) {
        const verify = async (): Promise<void> => {
          await stored?.checkOne(connection, note, { keyOf, logs: all });
        };
        results.push(await check(note.logId, verify));
      }
    }
    if (results.length > 0 && !results.includes(false)) {
      findings.say(`The checkpoints kept in ${stored?.folder} match their logs.\n`);
    }
  } finally {
    connection.release();
  }
  return findings.end();
}

/** The logs that `new-log` archived for the key of this data folder. */
async function archivedFor(pool: pg.Pool, data: string | undefined): Promise<ReadonlySet<string>> {
  const file = data === undefined ? '' : logPaths(resolve(data)).key;
  return existsSync(file)
    ? await archivedLogs(pool, VerifierKey.of('', createPrivateKey(readFileSync(file))))
    : new Set();
}

async function progressOf(
  db: pg.PoolClient,
  logs: readonly LogIdentity[],
  onProgress: VerifyLogsFlags['onProgress'],
): Promise<readonly ((records: number) => void)[]> {
  const sizes: number[] = [];
  for (const log of logs) {
    sizes.push(await new PostgresLogReader(db, log).size().catch(() => 0));
  }
  const of = sizes.reduce((sum, size) => sum + size, 0);
  return logs.map((_, at) => {
    const before = sizes.slice(0, at).reduce((sum, size) => sum + size, 0);
    return (records) => {
      // Records that are added meanwhile are verified, too.
      onProgress?.(before + Math.min(records, sizes[at] ?? 0), of);
    };
  });
}

interface Proof extends Record<'key' | 'note', string | undefined> {
  readonly onProgress: ((records: number) => void) | undefined;
}

/** Returns what the log says of the other logs. */
async function verifyOne(
  connection: pg.PoolClient,
  { origin, verifierKey }: LogIdentity,
  { key, note, onProgress }: Proof,
  findings: Findings,
): Promise<SeenLogs> {
  const report = await verifyPostgresLog(connection, {
    key: VerifierKey.parse(key ?? verifierKey),
    ...(note !== undefined && { outside: note }),
    ...(onProgress !== undefined && { onProgress }),
  });
  const { size, root, seals, checkpoints, seen } = report;
  const facts = {
    key: key ?? verifierKey,
    key_from: key === undefined ? LOG_ITSELF : COMMAND_LINE,
    checkpoint: note !== undefined,
  };
  const text = [
    `${origin}: log verified: ${size} records, ${seals} seals, ${checkpoints} checkpoints.`,
    `  Root ${root.toString('base64')}`,
    key === undefined
      ? '  Public key taken from the log itself: compare it with a copy kept elsewhere.'
      : '  Public key taken from the command line.',
    `  ${outsideText(note)}`,
    '',
  ].join('\n');
  findings.verified(origin, report, facts, text);
  return seen;
}

function keysIn(flag: string | undefined): ReadonlyMap<string, string> {
  if (flag === undefined) {
    return new Map();
  }
  const lines = keysOfFlag(flag)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => [VerifierKey.parse(line).name, line]));
}

/** Checkpoints by log name: three lines, an empty line, and signatures each. */
function notesIn(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) {
    return new Map();
  }
  const text = fileOfFlag('--from-checkpoint', file);
  const notes = text.split(/\n(?=[^\n—]+\/audit\/[0-9a-f]{12}\n\d+\n)/u);
  return new Map(
    notes.map((note) => [
      note.slice(0, note.indexOf('\n')),
      note.endsWith('\n') ? note : `${note}\n`,
    ]),
  );
}
