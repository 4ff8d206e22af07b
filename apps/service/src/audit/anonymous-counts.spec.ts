import { describe, expect, it, jest } from '@jest/globals';
import { getNetwork } from '../http/client-address.ts';
import { AnonymousCounts } from './anonymous-counts.ts';
import type { AuditEntry } from './audit-record.ts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['CANARY', 'unknown'],
  ])('of %p is %s', (address, prefix) => {
    expect(getNetwork(address)).toBe(prefix);
  });
});

describe('unauthenticated answers', () => {
  function counts(): {
    written: AuditEntry[];
    anonymous: AnonymousCounts;
    fail: (fails: boolean) => void;
    clock: { nowMs: number };
  } {
    const written: AuditEntry[] = [];
    let fails = false;
    const clock = { nowMs: Date.UTC(2026, 0, 15, 9, 30) };
    const record = (entry: AuditEntry): Promise<{ logId: string; seq: number }> => {
      if (fails) {
        return Promise.reject(new Error('full'));
      }
      written.push(entry);
      return Promise.resolve({ logId: 'spec', seq: written.length });
    };
    const anonymous = new AnonymousCounts(
      { record, close: () => Promise.resolve() },
      () => clock.nowMs,
    );
    return {
      written,
      anonymous,
      clock,
      fail: (now) => {
        fails = now;
      },
    };
  }

  it('are kept while the log takes nothing, with the time of the first', async () => {
    const { written, anonymous, fail, clock } = counts();
    const first = new Date(clock.nowMs).toISOString();
    fail(true);
    anonymous.add('listUsers', 401, '192.0.2.1');
    const flushing = anonymous.flush();
    clock.nowMs += 30_000;
    anonymous.add('listUsers', 401, '192.0.2.2');
    await flushing;
    fail(false);
    await anonymous.close();
    expect(written).toMatchObject([{ record_count: 2, details: { since: first } }]);
  });

  it('make one record for each operation, outcome and network', async () => {
    const { written, anonymous } = counts();
    for (let at = 0; at < 5000; at += 1) {
      anonymous.add('listUsers', 401, `192.0.2.${at % 250}`);
    }
    anonymous.add('none', 404, '2001:db8::1');
    expect(written).toEqual([]);
    await anonymous.close();
    expect(written).toHaveLength(2);
    expect(written[0]).toMatchObject({
      actor_type: 'anonymous',
      operation: 'listUsers',
      data_category: 'user',
      decision: 'denied',
      reason_code: 'unauthorized',
      http_status: 401,
      record_count: 5000,
      details: { client_prefix: '192.0.2.0/24', since: '2026-01-15T09:30:00.000Z' },
    });
    expect(written[1]).toMatchObject({ operation: 'none', reason_code: 'absent', record_count: 1 });
  });

  it('from more networks than are told apart are counted together', async () => {
    const { written, anonymous } = counts();
    for (let at = 0; at < 5000; at += 1) {
      anonymous.add('none', 404, `10.${at >> 8}.${at & 255}.1`);
    }
    await anonymous.close();
    expect(written.length).toBeLessThanOrEqual(1001);
    expect(written.reduce((sum, { record_count }) => sum + (record_count ?? 0), 0)).toBe(5000);
  });

  it('are written every minute', async () => {
    jest.useFakeTimers();
    try {
      const { written, anonymous } = counts();
      anonymous.add('none', 429, '192.0.2.1');
      await jest.advanceTimersByTimeAsync(59_999);
      expect(written).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(written).toEqual([expect.objectContaining({ reason_code: 'rate_limited' })]);
      await anonymous.close();
    } finally {
      jest.useRealTimers();
    }
  });
});
