import { readFileSync } from 'node:fs';
import {
  AuditBrokenError,
  BadCheckpointError,
  LogRefusedError,
  parseCheckpoint,
  VerifierKey,
  type LogReader,
} from '@caregate/audit-log';
import { takeOpened } from '../../config/run-as.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabase } from '../../config/read-config.ts';
import { readLogs } from '../../audit/read-logs.ts';

const exitCodes: Readonly<Record<AuditBrokenError['breach'], number>> = {
  altered: 2,
  truncated: 3,
  forked: 4,
  bad_signature: 5,
  gap: 6,
};

export interface VerifyFlags {
  readonly data: string;
  readonly log?: string;
  readonly checkpoint?: string;
  readonly publicKey?: string;
}

/** What a verification of one log found. */
export interface Finding {
  readonly exitCode: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

type OnProgress = (done: number, of: number) => void;

interface Given {
  readonly keys: readonly VerifierKey[] | undefined;
  readonly notes: readonly string[];
}

/** Verifies the log of a data folder, or all logs of a database or one of them. What is wrong with a log is returned as a finding. @throws any other error */
export async function verifyLogs(flags: VerifyFlags, onProgress: OnProgress): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  const add = (log: string, finding: Finding): void => {
    // The first failure of a log counts.
    if ((findings.get(log)?.exitCode ?? 0) === 0) {
      findings.set(log, finding);
    }
  };
  try {
    const given = readGiven(flags);
    await readLogs(flags, (logs) => verifyAll(logs, { ...given, flags, onProgress, add }));
  } catch (error) {
    const where = readDatabase(process.env) === undefined ? flags.data : 'database';
    add(where, describeFailure(where, error));
  }
  return [...findings.values()];
}

async function verifyAll(
  logs: readonly LogReader[],
  {
    keys,
    notes,
    flags,
    onProgress,
    add,
  }: Given & {
    readonly flags: VerifyFlags;
    readonly onProgress: OnProgress;
    readonly add: (log: string, finding: Finding) => void;
  },
): Promise<void> {
  const named = readNames({ keys, notes });
  // In a folder, the key of another log says nothing about this one, but its checkpoint that the log was replaced.
  const isFolder = readDatabase(process.env) === undefined;
  const expected = isFolder ? readNames({ keys: [], notes }) : named;
  for (const name of flags.log === undefined || isFolder ? expected : []) {
    // A log that is gone must not pass because nothing of it is left.
    if (!logs.some(({ identity }) => identity.name === name)) {
      const missing = new AuditBrokenError('truncated', 'The log is missing');
      add(name, describeFailure(name, missing));
    }
  }
  const verified: Awaited<ReturnType<LogReader['verify']>>[] = [];
  const failures: { readonly log: LogReader; readonly error: unknown }[] = [];
  for (const log of logs) {
    const { identity } = log;
    try {
      const one = await log.verify({ keys, checkpoints: notes, onProgress });
      verified.push(one);
      add(identity.name, describeVerified(identity.name, one, keys !== undefined));
    } catch (error) {
      failures.push({ log, error });
    }
  }
  const archived = new Set(verified.flatMap((one) => one.archived));
  for (const { log, error } of failures) {
    const { logId, name } = log.identity;
    const isArchived = archived.has(logId) && !named.has(name) && flags.log === undefined;
    add(name, isArchived ? describeArchived(name) : describeFailure(name, error));
  }
  const [reader] = logs;
  const trees = verified.map(({ tree }) => tree);
  for (const seen of verified.flatMap((one) => one.seen)) {
    if (reader !== undefined && !archived.has(seen.logId)) {
      await reader.requireSeen([seen], trees).catch((error: unknown) => {
        add(seen.logId, describeFailure(seen.logId, error));
      });
    }
  }
}

function describeVerified(
  log: string,
  { size, publicKeys, checkpoint, checkpoints }: Awaited<ReturnType<LogReader['verify']>>,
  isKeyGiven: boolean,
): Finding {
  const key = publicKeys.at(-1) ?? '';
  const root = checkpoint.split('\n')[2] ?? '';
  const json = { log, verified: true, size, root, key };
  return {
    exitCode: 0,
    json: { ...json, consistent_with_itself_only: !isKeyGiven, checkpoints },
    text: [
      `Log verified: ${size} records, ${log}`,
      `Root ${root}`,
      isKeyGiven
        ? 'Signed by the given public key.'
        : `Signed by ${key}, as the log itself says: it is consistent with itself only, and whoever replaced log and key together passes. Compare the key with the one that was kept in another place, or give that one with --public-key.`,
      checkpoints === 0
        ? 'No checkpoint of it was given: an earlier state of the whole log would pass.'
        : 'It extends the given checkpoint.',
      '',
    ].join('\n'),
  };
}

function describeArchived(log: string): Finding {
  const text = `${log}: archived by caregate audit new-log, and broken.\n`;
  return { exitCode: 0, json: { log, verified: false, archived: true }, text };
}

/** A checkpoint or key that cannot be relied on counts as a bad signature. @throws another error than a failed verification */
function describeFailure(log: string, error: unknown): Finding {
  const isBad =
    error instanceof BadCheckpointError ||
    (error instanceof LogRefusedError && error.kind === 'wrong_key');
  const broken = isBad ? new AuditBrokenError('bad_signature', error.message) : error;
  if (!(broken instanceof AuditBrokenError)) {
    throw error;
  }
  const { breach, message, seq } = broken;
  return {
    exitCode: exitCodes[breach],
    json: { log, verified: false, breach, message, ...(seq !== undefined && { seq }) },
    text: `${log}: verification failed (${breach}): ${message}\n`,
  };
}

/** The names of the logs that the given keys and checkpoints are of. */
function readNames({ keys = [], notes }: Given): ReadonlySet<string> {
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
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => VerifierKey.parse(line));
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
