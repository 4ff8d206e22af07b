import { readFileSync } from 'node:fs';
import {
  AuditBrokenError,
  parseCheckpoint,
  requireSeen,
  VerifierKey,
  verifyLog,
  type LogReader,
} from '@caregate/audit-log';
import { takeOpened } from '../../config/run-as.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { Database } from '../../config/read-config.ts';
import { inDatabase, inFolder } from '../offline/open-log.ts';
import { members } from '../record/record-body.ts';
import { Findings, type FindingsOptions } from './findings.ts';

export interface VerifyFlags extends FindingsOptions {
  readonly data?: string;
  readonly log?: string;
  readonly checkpoint?: string;
  readonly publicKey?: string;
  readonly onProgress?: (done: number, of: number) => void;
}

type Verified = Awaited<ReturnType<typeof verifyLog>>;

interface Given {
  readonly keys: readonly VerifierKey[] | undefined;
  readonly notes: readonly string[];
}

/** Verifies the log of a data folder. @returns the exit code */
export async function verifyFolderLog(
  flags: VerifyFlags & { readonly data: string },
): Promise<number> {
  const findings = new Findings(flags);
  await findings.check(flags.data, async () => {
    const given = readGiven(flags);
    await inFolder(flags.data, async (log) => {
      // Another log's key says nothing of this one, and its checkpoint that the log was replaced.
      reportMissing([log], { keys: undefined, notes: given.notes }, findings);
      await verifyAll([log], given, findings, flags);
    });
  });
  return findings.end();
}

/** Verifies all logs of a database, or one of them. @returns the exit code */
export async function verifyDatabaseLogs(database: Database, flags: VerifyFlags): Promise<number> {
  const findings = new Findings(flags);
  await findings.check('database', async () => {
    const given = readGiven(flags);
    await inDatabase(database, flags, async (logs) => {
      if (flags.log === undefined) {
        reportMissing(logs, given, findings);
      }
      await verifyAll(logs, given, findings, flags);
    });
  });
  return findings.end();
}

async function verifyAll(
  logs: readonly LogReader[],
  given: Given,
  findings: Findings,
  flags: VerifyFlags,
): Promise<void> {
  const verified: Verified[] = [];
  const failures: { readonly log: LogReader; readonly error: unknown }[] = [];
  for (const log of logs) {
    const { storage, identity } = log;
    try {
      const { keys, notes: checkpoints } = given;
      const { onProgress } = flags;
      verified.push(await verifyLog(storage, members, identity, { keys, checkpoints, onProgress }));
    } catch (error) {
      failures.push({ log, error });
    }
  }
  for (const one of verified) {
    reportVerified(one, logs, given, findings);
  }
  const archived = new Set(verified.flatMap((one) => one.archived));
  for (const { log, error } of failures) {
    const { logId, name } = log.identity;
    const isNamed = namesIn(given).has(name);
    if (archived.has(logId) && !isNamed && flags.log === undefined) {
      findings.say(`${name}: archived by caregate audit new-log, and broken.\n`);
    } else {
      findings.fail(name, error);
    }
  }
  const [log] = logs;
  if (log !== undefined) {
    const seen = verified.flatMap((one) => one.seen).filter(({ logId }) => !archived.has(logId));
    for (const one of seen) {
      await findings.check(one.logId, () =>
        requireSeen(
          log.storage,
          [one],
          verified.map(({ tree }) => tree),
        ),
      );
    }
  }
}

function reportVerified(
  { logId, size, publicKeys, checkpoint, checkpoints }: Verified,
  logs: readonly LogReader[],
  { keys }: Given,
  findings: Findings,
): void {
  const { name } = logs.find(({ identity }) => identity.logId === logId)?.identity ?? {
    name: logId,
  };
  const key = publicKeys.at(-1) ?? '';
  const root = checkpoint.split('\n')[2] ?? '';
  const text = [
    `Log verified: ${size} records, ${name}`,
    `Root ${root}`,
    ...(keys === undefined
      ? [
          `Signed by ${key}, as the log itself says: it is consistent with itself only, and whoever replaced log and key together passes. Compare the key with the one that was kept in another place, or give that one with --public-key.`,
        ]
      : ['Signed by the given public key.']),
    checkpoints === 0
      ? 'No checkpoint of it was given: an earlier state of the whole log would pass.'
      : 'It extends the given checkpoint.',
    '',
  ].join('\n');
  const facts = { key, is_key_given: keys !== undefined, checkpoints };
  findings.verified(name, { size, root, ...facts }, text);
}

/** A log that is gone must not pass because nothing of it is left. */
function reportMissing(logs: readonly LogReader[], given: Given, findings: Findings): void {
  for (const name of namesIn(given)) {
    if (!logs.some(({ identity }) => identity.name === name)) {
      findings.fail(name, new AuditBrokenError('truncated', 'The log is missing'));
    }
  }
}

function namesIn({ keys = [], notes }: Given): ReadonlySet<string> {
  return new Set([
    ...keys.map(({ name }) => name),
    ...notes.map((note) => parseCheckpoint(note).name),
  ]);
}

/** @throws BadCheckpointError, OperatorError */
function readGiven({ publicKey, checkpoint }: VerifyFlags): Given {
  return {
    keys: publicKey === undefined ? undefined : readKeys(publicKey),
    notes: checkpoint === undefined ? [] : splitNotes(readFlagFile('--checkpoint', checkpoint)),
  };
}

/** A key, or a file with a key in each line. */
function readKeys(value: string): VerifierKey[] {
  const text = value.includes('+') ? value : readFlagFile('--public-key', value);
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => VerifierKey.parse(line));
}

/** Checkpoints one after another: three lines, an empty line, and signatures each. */
function splitNotes(text: string): string[] {
  const notes = text.split(/\n(?=[^\n—]+\/audit\/[0-9a-f]{12}\n\d+\n)/u);
  return notes.map((note) => (note.endsWith('\n') ? note : `${note}\n`));
}

function readFlagFile(flag: string, file: string): string {
  try {
    return readFileSync(takeOpened(file) ?? file, 'utf8');
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code;
    throw new OperatorError(`${flag} ${file}: ${why}.`, 1, error);
  }
}
