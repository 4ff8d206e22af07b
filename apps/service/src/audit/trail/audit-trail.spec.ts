import { describe, expect, it } from '@jest/globals';
import { NoAuditLogError } from '@caregate/audit-log';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditLog, type AuditLog } from '../open-log.ts';
import { AuditTrail } from './audit-trail.ts';
import { UnknownLogError } from './trail-reader.ts';

const PAGE = { filter: { team: 'x' }, limit: 1, mostPatients: 1 };

describe('the thread that reads the log', () => {
  it('opens the log again after a failure, is started again after it ended, and keeps classes of errors', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'caregate-trail-'));
    let log: AuditLog | undefined;
    const own = {
      logId: '0123456789ab',
      publicKey: '',
      checkpoint: () => Promise.resolve(''),
      state: () => ({}) as ReturnType<AuditLog['state']>,
    };
    const trail = new AuditTrail(own, { dataDir });
    try {
      await expect(trail.readPage(PAGE)).rejects.toThrow(NoAuditLogError);
      log = await openAuditLog({ dataDir });
      const { logId, publicKey } = log;
      Object.assign(own, { logId, publicKey, checkpoint: () => log?.checkpoint() });
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(await trail.readPage(PAGE)).toMatchObject({ logId, events: [] });
        await trail.close();
      }
      await expect(trail.getCheckpoint('0123456789ab')).rejects.toThrow(UnknownLogError);
      await expect(trail.proveInclusion({ seq: 9 })).rejects.toThrow(RangeError);
    } finally {
      await trail.close();
      await log?.close();
      await rm(dataDir, { recursive: true });
    }
  });
});
