import { describe, expect, it } from '@jest/globals';
import { isUnanswered } from '@caregate/data-store/database';
import { AuditBrokenError } from '@caregate/audit-log';
import { AuditTrail } from './audit-trail.ts';
import { packError, unpackError } from './trail-messages.ts';
import { UnknownLogError } from './trail-reader.ts';

const own = {
  logId: '0123456789ab',
  publicKey: '',
  checkpoint: () => Promise.resolve(''),
  state: () => ({}) as ReturnType<ConstructorParameters<typeof AuditTrail>[0]['state']>,
};

describe('the thread that reads the log', () => {
  it('is started again after it ended', async () => {
    const trail = new AuditTrail(own, { dataDir: '/nonexistent' });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      // The first request ended its thread, so the second one starts another.
      await expect(
        trail.readPage({ filter: { team: 'x' }, limit: 1, mostPatients: 1 }),
      ).rejects.toThrow();
    }
    await trail.close();
  });

  it('keeps the message and the class of an error', () => {
    const passed = (error: Error): Error => unpackError(structuredClone(packError(error)));
    const refused = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
    expect(isUnanswered(passed(refused))).toBe(true);
    expect(isUnanswered(passed(new Error('another')))).toBe(false);
    expect(passed(new UnknownLogError('no such log'))).toBeInstanceOf(UnknownLogError);
    expect(passed(new AuditBrokenError('altered', 'A record was altered', 7))).toMatchObject({
      seq: 7,
    });
  });
});
