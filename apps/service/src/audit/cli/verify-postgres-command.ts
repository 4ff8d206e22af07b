import { readFileSync } from 'node:fs';
import type pg from 'pg';
import {
  AuditBrokenError,
  BadCheckpointError,
  type LogIdentity,
  NoAuditLogError,
  parseVerifierKey,
  type VerifierKey,
} from '@caregate/audit-log';
import {
  KeptCheckpoints,
  listLogs,
  requireSeen,
  verifyPostgresLog,
  type SeenLog,
} from '@caregate/audit-log/postgres';
import { approversIn, cutLines } from './cut-lines.ts';
import { exitCodes, failureText } from './verify-command.ts';

export interface VerifyLogsFlags {
  /** A data folder, with the checkpoints that its instances kept. */
  readonly data?: string;
  readonly log?: string;
  /** A file with one or more checkpoints, each compared with its log. */
  readonly fromCheckpoint?: string;
  /** A public key, or a file with one key per line. */
  readonly publicKey?: string;
  /** Public keys of approvers of cuts: a file with one a line, or one key. */
  readonly approvers?: string;
}

/** Verifies all logs of a database, or the given one; prints the results and returns the exit code. */
export async function runVerifyPostgres(pool: pg.Pool, flags: VerifyLogsFlags): Promise<number> {
  const keys = keysIn(flags.publicKey);
  const notes =
    flags.fromCheckpoint === undefined ? new Map<string, string>() : notesIn(flags.fromCheckpoint);
  const all = await listLogs(pool);
  const logs = all.filter(({ logId }) => flags.log === undefined || logId === flags.log);
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  let code = 0;
  if (flags.log === undefined) {
    for (const origin of new Set([...keys.keys(), ...notes.keys()])) {
      if (!all.some((log) => log.origin === origin)) {
        process.stderr.write(`${origin}: verification failed: the log is missing (truncated).\n`);
        code ||= exitCodes.truncated;
      }
    }
  }
  const connection = await pool.connect();
  try {
    // The first failure is the exit code; the other logs are still verified.
    const seen: SeenLog[] = [];
    for (const log of logs) {
      const found = await codeOf(log.origin, async () => {
        const key = keys.get(log.origin);
        const given = { key, note: notes.get(log.origin), approvers: flags.approvers };
        seen.push(...(await verifyOne(connection, log, given)));
      });
      code ||= found;
    }
    for (const one of seen) {
      const found = await codeOf(`log ${one.logId}`, () => requireSeen(connection, [one]));
      code ||= found;
    }
    code ||= await verifyKept(connection, flags, { all, keys });
  } finally {
    connection.release();
  }
  return code;
}

/** Compares the checkpoints in the data folder with their logs. */
async function verifyKept(
  connection: pg.PoolClient,
  { data, log }: VerifyLogsFlags,
  {
    all,
    keys,
  }: { readonly all: readonly LogIdentity[]; readonly keys: ReadonlyMap<string, string> },
): Promise<number> {
  const kept = data === undefined ? undefined : new KeptCheckpoints(data);
  const notes = kept?.notes().filter(({ logId }) => log === undefined || logId === log) ?? [];
  let code = 0;
  for (const note of notes) {
    // Of a log that is gone, the name is the one thing to be compared.
    const keyOf = (origin: string): VerifierKey | undefined => {
      const text = keys.get(origin) ?? all.find((one) => one.origin === origin)?.verifierKey;
      return text === undefined ? undefined : parseVerifierKey(text);
    };
    const found = await codeOf(`log ${note.logId}`, async () => {
      await kept?.checkOne(connection, note, { keyOf, logs: all });
    });
    code ||= found;
  }
  if (notes.length > 0 && code === 0) {
    process.stdout.write(`The checkpoints kept in ${kept?.folder} match their logs.\n`);
  }
  return code;
}

/** Verifies a log and prints the result; gives what it says of the other logs. */
async function verifyOne(
  connection: pg.PoolClient,
  { origin, verifierKey }: LogIdentity,
  { key, note, approvers }: Record<'key' | 'note' | 'approvers', string | undefined>,
): Promise<readonly SeenLog[]> {
  const report = await verifyPostgresLog(connection, {
    key: parseVerifierKey(key ?? verifierKey),
    ...(note !== undefined && { outside: note }),
    ...approversIn(approvers),
  });
  const { size, root, seals, checkpoints, unproved, seen } = report;
  process.stdout.write(
    [
      `${origin}: log verified: ${size} records, ${seals} seals, ${checkpoints} checkpoints.`,
      `  Root ${root.toString('base64')}`,
      ...cutLines(report, approvers !== undefined).map((line) => `  ${line}`),
      ...(unproved > 0
        ? [`  ${unproved} records of an earlier version, without seals, are not proved.`]
        : []),
      key === undefined
        ? '  Public key taken from the log itself: compare it with a copy kept elsewhere.'
        : '  Public key taken from the command line.',
      note === undefined
        ? '  No external checkpoint was given: an earlier state of the whole log would pass.'
        : '  The given checkpoint matches this log.',
      '',
    ].join('\n'),
  );
  return seen;
}

/** The exit code of a verification; its failure is printed. */
async function codeOf(origin: string, verify: () => Promise<void>): Promise<number> {
  try {
    await verify();
    return 0;
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      process.stderr.write(`${origin}: verification failed: ${failureText(error)}\n`);
      return exitCodes[error.breach];
    }
    if (error instanceof BadCheckpointError) {
      process.stderr.write(`${origin}: verification failed: ${failureText(error)}\n`);
      return exitCodes.bad_signature;
    }
    throw error;
  }
}

function keysIn(given: string | undefined): ReadonlyMap<string, string> {
  if (given === undefined) {
    return new Map();
  }
  const text = given.includes('+') ? given : readFileSync(given, 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => [parseVerifierKey(line).name, line]));
}

/** The checkpoints of a file by log name; a checkpoint is three lines, an empty line, and signatures. */
function notesIn(file: string): ReadonlyMap<string, string> {
  const text = readFileSync(file, 'utf8');
  const notes = text.split(/\n(?=[^\n—]+\/audit\/[0-9a-f]{12}\n\d+\n)/u);
  return new Map(
    notes.map((note) => [
      note.slice(0, note.indexOf('\n')),
      note.endsWith('\n') ? note : `${note}\n`,
    ]),
  );
}
