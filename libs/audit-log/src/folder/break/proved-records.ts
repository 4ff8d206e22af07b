import type { Disk } from '../../disk/disk.ts';
import { parseVerifierKey, publicKeyOf } from '../../note/checkpoint.ts';
import { isSealValid } from '../../note/seal.ts';
import { Frontier, leafHash } from '../../tree/tree.ts';
import { parseGroup } from '../group.ts';
import type { LogPaths } from '../layout.ts';
import type { FolderIdentity } from '../log-file.ts';
import { StoredRecords } from '../stored-records.ts';

const saltLength = 16;

/**
 * Number of the records from the first on, as far as each group is whole and sealed, up to the last group that the newest key of the log
 * sealed. The caller knows that key from elsewhere: whoever writes the folder also names its keys, and what only an earlier
 * one sealed proves nothing.
 */
export function provedRecords(
  disk: Disk,
  paths: LogPaths,
  identity: FolderIdentity,
  onBytes?: (bytes: number) => void,
): number {
  const { logId, origin, keys } = identity;
  const records = new StoredRecords(disk, paths.records, logId);
  const signers = keys.map(({ verifierKey, from }) => ({
    key: publicKeyOf(parseVerifierKey(verifierKey)),
    from,
  }));
  let frontier = new Frontier();
  let size = 0;
  let read = 0;
  try {
    for (const { bytes } of records.groups(0)) {
      read += bytes.length;
      onBytes?.(read);
      const group = parseGroup(bytes);
      if (group?.first !== frontier.size) {
        break;
      }
      const grown = frontier.copy();
      group.entries.forEach((entry) => {
        grown.append(leafHash(entry.subarray(0, saltLength), entry.subarray(saltLength)));
      });
      const signer = signers.findLast(({ from }) => from <= group.first);
      const holds =
        signer !== undefined &&
        grown.root().equals(group.seal.root) &&
        isSealValid(origin, group.seal, signer.key);
      if (!holds) {
        break;
      }
      frontier = grown;
      size = signer === signers.at(-1) ? grown.size : size;
    }
  } finally {
    records.close();
  }
  return size;
}
