import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { AuditBrokenError } from '../log/audit-broken-error.ts';
import { NoAuditLogError, type LogIdentity } from '../log/audit-reader.ts';
import { BadCheckpointError, parseVerifierKey } from '../log/checkpoint.ts';
import { listLogs } from '../postgres/log-reader.ts';
import { verifyPostgresLog } from '../postgres/verify-postgres.ts';
import { exitCodes, failureText } from './verify-command.ts';

export interface VerifyLogsFlags {
  readonly log?: string;
  /** A file with one or more checkpoints, each compared with its log. */
  readonly fromCheckpoint?: string;
  /** A public key, or a file with one key per line. */
  readonly publicKey?: string;
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
    for (const log of logs) {
      // The first failure is the exit code; the other logs are still verified.
      const found = await verifyOne(connection, log, {
        key: keys.get(log.origin),
        note: notes.get(log.origin),
      });
      code ||= found;
    }
  } finally {
    connection.release();
  }
  return code;
}

async function verifyOne(
  connection: pg.PoolClient,
  { origin, verifierKey }: LogIdentity,
  { key, note }: { readonly key: string | undefined; readonly note: string | undefined },
): Promise<number> {
  try {
    const { size, root, checkpoints, cut } = await verifyPostgresLog(connection, {
      key: parseVerifierKey(key ?? verifierKey),
      ...(note !== undefined && { outside: note }),
    });
    process.stdout.write(
      [
        `${origin}: log verified: ${size} records, ${checkpoints} checkpoints.`,
        `  Root ${root.toString('base64')}`,
        ...(cut > 0 ? [`  Records 0 to ${cut - 1} were erased by a retention cut.`] : []),
        key === undefined
          ? '  Public key taken from the log itself: compare it with a copy kept elsewhere.'
          : '  Public key taken from the command line.',
        note === undefined
          ? '  No external checkpoint was given: a log that was completely rewritten with its own key would pass.'
          : '  The given checkpoint matches this log.',
        '',
      ].join('\n'),
    );
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
