import type { Disk } from '../disk/disk.ts';
import { type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import type { LogPaths } from './layout.ts';
import { refused } from './log-refused.ts';

export function formatLogFile({ logId, origin, verifierKey }: LogIdentity): Buffer {
  const line = JSON.stringify({ log_id: logId, origin, verifier_key: verifierKey });
  return Buffer.from(`${line}\n`);
}

/** Undefined if there is no log. @throws LogRefusedError if the file is damaged */
export function readLogFile(disk: Disk, paths: LogPaths): LogIdentity | undefined {
  const bytes = disk.read(paths.log);
  if (bytes === undefined) {
    return undefined;
  }
  try {
    const {
      log_id: logId,
      origin,
      verifier_key: verifierKey,
    } = JSON.parse(bytes.toString()) as Record<'log_id' | 'origin' | 'verifier_key', string>;
    const identity: LogIdentity = { logId, origin, verifierKey };
    if (
      /^[0-9a-f]{12}$/u.test(logId) &&
      origin.endsWith(`/${logId}`) &&
      VerifierKey.parse(verifierKey).name === origin &&
      formatLogFile(identity).equals(bytes)
    ) {
      return identity;
    }
  } catch {
    // Not JSON, or other members.
  }
  throw refused('log_file_damaged');
}
