import {
  AuditBrokenError,
  BadCheckpointError,
  LogRefusedError,
  parseCheckpoint,
  VerifierKey,
  type LogReader,
} from '@caregate/audit-log';
import { readOptionFile } from '../../config/run-as.ts';
import { readDatabase } from '../../config/read-config.ts';
import { readLogs } from '../../audit/read-logs.ts';
import type { LogFlags } from './audit-work.ts';

const exitCodes: Readonly<Record<AuditBrokenError['breach'], number>> = {
  altered: 2,
  truncated: 3,
  forked: 4,
  bad_signature: 5,
  gap: 6,
};

export interface VerifyFlags extends LogFlags {
  readonly checkpoint?: string;
  readonly publicKey?: string;
}

export interface Finding {
  readonly exitCode: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Verifies the log of a data folder, or all logs of a database or one of them. A failed verification is returned as a
 * finding.
 *
 * @throws any other error
 */
export async function verifyLogs(
  flags: VerifyFlags,
  onProgress: (done: number, total: number) => void,
): Promise<Finding[]> {
  const isFolder = readDatabase(process.env) === undefined;
  const findings = new Map<string, Finding>();
  const add = (log: string, finding: Finding): void => {
    // The first failure of a log is the one to report.
    if ((findings.get(log)?.exitCode ?? 0) === 0) {
      findings.set(log, finding);
    }
  };
  const fail = (log: string, error: unknown): void => {
    add(log, describeFailure(log, error));
  };
  try {
    const keys = flags.publicKey === undefined ? undefined : readKeys(flags.publicKey);
    const checkpoints = flags.checkpoint === undefined ? [] : readCheckpoints(flags.checkpoint);
    const checkpointNames = checkpoints.map((text) => parseCheckpoint(text).name);
    const expectedNames = new Set([...(keys ?? []).map(({ name }) => name), ...checkpointNames]);
    await readLogs(flags, async (logs) => {
      // In a folder, the key of another log says nothing about this one, but a checkpoint of another log shows that
      // the log was replaced.
      const expected = isFolder ? checkpointNames : flags.log === undefined ? expectedNames : [];
      for (const name of expected) {
        // Deleting a whole log must not make the verification pass.
        if (!logs.some(({ identity }) => identity.name === name)) {
          fail(name, new AuditBrokenError('truncated', 'The log is missing'));
        }
      }
      const verified: Awaited<ReturnType<LogReader['verify']>>[] = [];
      const failures: { readonly log: LogReader; readonly error: unknown }[] = [];
      for (const log of logs) {
        const { name } = log.identity;
        try {
          const one = await log.verify({ keys, checkpoints, onProgress });
          verified.push(one);
          add(name, describeVerified(name, one, keys !== undefined));
        } catch (error) {
          failures.push({ log, error });
        }
      }
      const archived = new Set(verified.flatMap((one) => one.archived));
      for (const { log, error } of failures) {
        const { logId, name } = log.identity;
        if (archived.has(logId) && !expectedNames.has(name) && flags.log === undefined) {
          add(name, describeArchived(name));
        } else {
          fail(name, error);
        }
      }
      const trees = verified.map(({ tree }) => tree);
      for (const seen of verified.flatMap((one) => one.seen)) {
        if (!archived.has(seen.logId)) {
          await logs[0]?.requireSeen([seen], trees).catch((error: unknown) => {
            fail(seen.logId, error);
          });
        }
      }
    });
  } catch (error) {
    fail(isFolder ? flags.data : 'database', error);
  }
  return [...findings.values()];
}

function describeVerified(
  log: string,
  { size, publicKeys, checkpoint, checkpoints }: Awaited<ReturnType<LogReader['verify']>>,
  hasPublicKey: boolean,
): Finding {
  const key = publicKeys.at(-1) ?? '';
  const root = checkpoint.split('\n')[2] ?? '';
  const json = { log, verified: true, size, root, key };
  return {
    exitCode: 0,
    json: { ...json, consistent_with_itself_only: !hasPublicKey, checkpoints },
    text: [
      `Log verified: ${size} records, ${log}`,
      `Root ${root}`,
      hasPublicKey
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

/**
 * Describes a failed verification. An unreliable checkpoint or key counts as a bad signature. @throws any other error
 */
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

/** Reads a public key, or a file with one on each line. */
function readKeys(value: string): VerifierKey[] {
  const text = value.includes('+') ? value : readOptionFile('--public-key', value);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => VerifierKey.parse(line));
}

/** Reads a file of checkpoints, each with three lines, an empty line, and signatures. */
function readCheckpoints(file: string): string[] {
  const texts = readOptionFile('--checkpoint', file).split(
    /\n(?=[^\n—]+\/audit\/[0-9a-f]{12}\n\d+\n)/u,
  );
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`));
}
