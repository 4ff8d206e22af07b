import { isUuid } from '@caregate/domain';
import { createHash } from 'node:crypto';
import type { ReportedOrder } from './report.ts';

/** A placer number that is a UUID; else the UUIDv5 of the order's key, with the team as namespace (RFC 9562). */
export function orderIdOf(teamId: string, { placer, key }: ReportedOrder): string {
  if (placer !== undefined && isUuid(placer)) {
    return placer.toLowerCase();
  }
  const namespace = Buffer.from(teamId.replaceAll('-', ''), 'hex');
  const hash = createHash('sha1').update(namespace).update(key).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
