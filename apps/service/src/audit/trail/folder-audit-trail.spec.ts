import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { AuditBrokenError } from '@caregate/audit-log';
import { inFolder, leafHash, withReader, Indexer } from '@caregate/audit-log/testing';
import type { TrailPage } from './audit-trail.ts';
import { FolderAuditTrail } from './folder-audit-trail.ts';
import { openAuditLog } from '../record/record-log.ts';
import { auditEntry, teamId, userIds } from '../record/records.testing.ts';
import { indexedMembers } from '../record/record-body.ts';

const patient = userIds[0] ?? '';

/** A log of 300 records: a full block of the tree, and records behind it. */
async function withTrail(
  change: (folder: string) => void,
  use: (page: (record?: number) => Promise<TrailPage>) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const before = await openAuditLog(folder);
    await Promise.all(Array.from({ length: 300 }, () => before.record(auditEntry())));
    await before.close();
    const indexer = new Indexer(folder, indexedMembers);
    await indexer.catchUp();
    await indexer.close();
    const log = await openAuditLog(folder);
    // While it is open: what is found at a start is refused there.
    const trail = new FolderAuditTrail(folder, log);
    try {
      const page = (seq?: number): Promise<TrailPage> =>
        trail.page({
          filter: {
            team: teamId,
            patient,
            ...(seq !== undefined && { records: [{ logId: log.logId, seq }] }),
          },
          from: undefined,
          limit: 300,
        });
      // Before anything of it is read, and so in memory.
      change(folder);
      await use(page);
    } finally {
      await trail.close();
      await log.close();
    }
  });
}

function edit(folder: string, seq: number): void {
  const records = join(folder, 'audit/records');
  const path = join(records, readdirSync(records)[0] ?? '');
  const bytes = readFileSync(path);
  const at = bytes.lastIndexOf(
    Buffer.from('"allowed"'),
    bytes.indexOf(Buffer.from(`"seq":${seq},`)),
  );
  bytes.write('"denied_"', at, 'latin1');
  writeFileSync(path, bytes);
}

function editNode(folder: string, seq: number): void {
  const block = join(folder, 'audit/nodes/0/0');
  const hashes = readFileSync(block);
  const entry = withReader(folder, (reader) => reader.entry(seq));
  leafHash(entry.subarray(0, 16), entry.subarray(16)).copy(hashes, 32 * seq);
  writeFileSync(block, hashes);
}

describe('the trail of a data folder', () => {
  it.each<[string, number, (folder: string) => void]>([
    [
      'in a full block of the tree',
      7,
      (folder) => {
        edit(folder, 7);
      },
    ],
    [
      'in a full block of the tree, and its hash in the block',
      7,
      (folder) => {
        edit(folder, 7);
        editNode(folder, 7);
      },
    ],
    [
      'behind the last full block',
      299,
      (folder) => {
        edit(folder, 299);
      },
    ],
  ])('shows no record that somebody changed, %s', async (_, seq, change) => {
    await withTrail(change, async (page) => {
      await expect(page()).rejects.toThrow(AuditBrokenError);
      await expect(page(seq)).rejects.toThrow(AuditBrokenError);
    });
  });

  it('shows what somebody took out of the index once the service starts again', async () => {
    await inFolder(async (folder) => {
      for (const change of ['select 1', 'delete from posting where first < 100']) {
        const log = await openAuditLog(folder);
        await Promise.all(Array.from({ length: 150 }, () => log.record(auditEntry())));
        const trail = new FolderAuditTrail(folder, log);
        const asked = { filter: { team: teamId, patient }, from: undefined, limit: 1000 };
        const { events } = await trail.page(asked);
        expect(events).toHaveLength(change === 'select 1' ? 150 : 300);
        await trail.close();
        await log.close();
        const db = new DatabaseSync(join(folder, 'audit/index.db'));
        db.exec(change);
        db.close();
      }
      const log = await openAuditLog(folder);
      const trail = new FolderAuditTrail(folder, log);
      const asked = { filter: { team: teamId, patient }, from: undefined, limit: 1000 };
      expect((await trail.page(asked)).events).toHaveLength(300);
      await trail.close();
      await log.close();
    });
  });

  it('finds a record that somebody took out of the index while it was open', async () => {
    let taken = '';
    await withTrail(
      (folder) => {
        taken = join(folder, 'audit/index.db');
      },
      async (page) => {
        expect((await page()).events).toHaveLength(300);
        const index = new DatabaseSync(taken);
        index.exec('delete from record where seq = 7; delete from posting where first <= 7');
        index.close();
        expect((await page()).events).toHaveLength(300);
      },
    );
  });
});
