import type { Disk } from '../disk/disk.ts';
import { parseVerifierKey, type LogIdentity } from '../note/checkpoint.ts';
import type { LogPaths } from './layout.ts';
import { refused } from './log-refused.ts';

/** A key of a log, and the record that it began to sign with. */
export interface LogKey {
  readonly verifierKey: string;
  readonly from: number;
}

/** The file `log`. */
export interface FolderIdentity extends LogIdentity {
  /** Every key that signed, oldest first; `verifierKey` is that of the last. */
  readonly keys: readonly LogKey[];
}

export function formatLogFile(log: Omit<FolderIdentity, 'verifierKey'>): Buffer {
  const keys = log.keys.map(({ verifierKey, from }) => ({ verifier_key: verifierKey, from }));
  const { logId, origin } = log;
  const line = JSON.stringify({ log_id: logId, origin, keys });
  return Buffer.from(`${line}\n`);
}

/** Undefined if there is no log. @throws LogRefusedError if the file is damaged */
export function readLogFile(disk: Disk, paths: LogPaths): FolderIdentity | undefined {
  const bytes = disk.read(paths.log);
  if (bytes === undefined) {
    return undefined;
  }
  try {
    const parsed = parseLogFile(bytes.toString());
    if (formatLogFile(parsed).equals(bytes)) {
      return parsed;
    }
  } catch {
    // Said below.
  }
  throw refused('log_file_damaged');
}

function parseLogFile(text: string): FolderIdentity {
  const parsed = JSON.parse(text) as {
    readonly log_id: string;
    readonly origin: string;
    readonly keys: readonly { readonly verifier_key: string; readonly from: number }[];
  };
  const { log_id: logId, origin } = parsed;
  const keys = parsed.keys.map((key) => ({ verifierKey: key.verifier_key, from: key.from }));
  const isOrdered = keys.every(({ from }, at) => at === 0 || from > (keys[at - 1]?.from ?? 0));
  const areOfLog = keys.every((key) => parseVerifierKey(key.verifierKey).name === origin);
  const verifierKey = keys.at(-1)?.verifierKey;
  if (
    verifierKey === undefined ||
    keys[0]?.from !== 0 ||
    !isOrdered ||
    !areOfLog ||
    !/^[0-9a-f]{12}$/u.test(logId) ||
    !origin.endsWith(`/${logId}`)
  ) {
    throw refused('log_file_damaged');
  }
  return { logId, origin, keys, verifierKey };
}
