import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { AuditBrokenError } from '../log/audit-broken-error.ts';
import { NoAuditLogError, type LogIdentity } from '../log/audit-reader.ts';
import { BadCheckpointError, parseVerifierKey } from '../log/checkpoint.ts';
import { listLogs } from '../postgres/log-reader.ts';
import { verifyPostgresLog } from '../postgres/verify-postgres.ts';
import { exitCodes } from './verify-command.ts';

export interface VerifyLogsFlags {
  readonly log?: string;
  /** A file of checkpoints, one after another: each is held against the log that it names. */
  readonly fromCheckpoint?: string;
  /** A public key, or a file of them, one a line. */
  readonly publicKey?: string;
}

/** Verifies every log of a database, or the one that is named; prints what was found of each, and gives the exit code. */
export async function runVerifyPostgres(pool: pg.Pool, flags: VerifyLogsFlags): Promise<number> {
  const keys = keysIn(flags.publicKey);
  const notes =
    flags.fromCheckpoint === undefined ? new Map<string, string>() : notesIn(flags.fromCheckpoint);
  const all = await listLogs(pool);
  const logs = all.filter(({ logId }) => flags.log === undefined || logId === flags.log);
  if (logs.length === 0) {
    throw new NoAuditLogError('There is no such audit log in this database.');
  }
  let code = 0;
  if (flags.log === undefined) {
    for (const origin of new Set([...keys.keys(), ...notes.keys()])) {
      if (!all.some((log) => log.origin === origin)) {
        process.stderr.write(`${origin} does NOT hold (truncated): the log is not there.\n`);
        code ||= exitCodes.truncated;
      }
    }
  }
  const connection = await pool.connect();
  try {
    for (const log of logs) {
      // The first fault is the exit code; the logs after it are verified all the same.
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
        `${origin} holds: ${size} records, ${checkpoints} checkpoints.`,
        `  Root ${root.toString('base64')}`,
        ...(cut > 0 ? [`  Records 0 to ${cut - 1} were cut for retention.`] : []),
        key === undefined
          ? '  Public key from the log itself: compare it with one that was kept elsewhere.'
          : '  Public key from the command line.',
        note === undefined
          ? '  No checkpoint from outside was given: a log rewritten as a whole by someone with its key would pass.'
          : '  The given checkpoint is a checkpoint of this log.',
        '',
      ].join('\n'),
    );
    return 0;
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      process.stderr.write(`${origin} does NOT hold (${error.breach}): ${error.message}.\n`);
      return exitCodes[error.breach];
    }
    if (error instanceof BadCheckpointError) {
      process.stderr.write(`${origin}: the given checkpoint does NOT hold: ${error.message}.\n`);
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

/** The notes of a file by the names of their logs; a note is its three lines, an empty one, and signatures. */
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
