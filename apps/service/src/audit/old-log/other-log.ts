import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import {
  AuditLogError,
  StoredRecords,
  UPGRADE_LOG,
  groupLength,
  groupMarks,
  leafHash,
  parseBody,
  parseGroup,
  segmentHeader,
  type Disk,
  type LogPaths,
} from '@caregate/audit-log';

// Left by a start, which refuses an old log, or by an attempt that failed before it wrote anything.
const ofLock = /^(lock\.db(-.*)?|socket|renewing\.new)$/u;
// What an interrupted upgrade leaves.
const ofUpgrade = /^((renewing|log|checkpoint)(\.new)?|records|tile)$/u;
const saltLength = 16;

/**
 * An old log that was put in place of one of this version is not taken over, as far as the folder shows it. What cannot be
 * removed from the folder is in the records themselves: those of this version say so (`LogChecks`).
 *
 * @throws AuditLogError
 */
export function requireNoOtherLog(disk: Disk, paths: LogPaths): void {
  if (existsSync(`${paths.oldLog}.upgraded`)) {
    throw new AuditLogError(
      'This data folder was upgraded before: audit.db.upgraded is here. Another audit.db is not taken over.',
    );
  }
  const marker = disk.read(paths.renewing);
  if (marker === undefined && existsSync(paths.log)) {
    return;
  }
  const isOurs = marker?.length === 0;
  const other = disk
    .list(paths.audit)
    .find((name) => !ofLock.test(name) && !(isOurs && ofUpgrade.test(name)));
  if (other !== undefined) {
    throw hadLog(`audit/${other} is here`);
  }
}

/**
 * What an interrupted upgrade left is written anew; whoever plants its marker must not have records removed that are not in
 * the old log.
 *
 * @throws AuditLogError
 */
export function requireTheSame(db: DatabaseSync, disk: Disk, paths: LogPaths, logId: string): void {
  const leafOf = db.prepare('select leaf_hash from audit_event where seq = ?');
  const end = Number(db.prepare('select count(*) as size from audit_event').get()?.['size']);
  const records = new StoredRecords(disk, paths.records, logId);
  const segments = records.segments();
  for (const [index, segment] of segments.entries()) {
    const bytes = disk.read(segment.path) ?? Buffer.alloc(0);
    const header = segmentHeader(logId, segment.first);
    let at = header.length;
    for (const group of records.groupsOf(segment, 0)) {
      const { first = 0, entries = [] } = parseGroup(group.bytes) ?? {};
      at = group.at + group.bytes.length;
      entries.forEach((entry, place) => {
        const seq = first + place;
        const leaf = leafOf.get(seq)?.['leaf_hash'] as Uint8Array | undefined;
        const [salt, text] = [entry.subarray(0, saltLength), entry.subarray(saltLength)];
        const isSame =
          leaf === undefined
            ? seq === end && parseBody(text.toString()).operation === UPGRADE_LOG
            : leafHash(salt, text).equals(leaf);
        if (!isSame) {
          throw hadLog(`record ${seq} in audit/records is not in audit.db`);
        }
      });
    }
    // A killed upgrade leaves a part of a header or of one group, at the end of the last file.
    const isPart = at > bytes.length && header.subarray(0, bytes.length).equals(bytes);
    const rest = bytes.subarray(at);
    const isTorn = index === segments.length - 1 && (isPart || !hasGroup(rest));
    if (!isTorn && (rest.length > 0 || isPart)) {
      throw hadLog(`the file of record ${segment.first} has more than an upgrade left`);
    }
    if (!isPart && !bytes.subarray(0, header.length).equals(header)) {
      throw hadLog(`the file of record ${segment.first} is of another log`);
    }
  }
}

function hasGroup(bytes: Buffer): boolean {
  return [0, ...groupMarks(bytes)].some((at) => {
    const length = groupLength(bytes.subarray(at));
    return length !== undefined && parseGroup(bytes.subarray(at, at + length)) !== undefined;
  });
}

function hadLog(what: string): AuditLogError {
  return new AuditLogError(
    `This data folder had an audit log of this version: ${what}. The old one is not taken over.`,
  );
}
