import { describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { parseAddress } from './client-address.ts';
import { testService } from '../testing/service.testing.ts';

describe('an address in x-forwarded-for', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('%s is %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it.each(['', 'unknown', '_hidden', '192.0.2', '192.0.2.256', '[192.0.2.1]', '192.0.2.1:x'])(
    '"%s" is none',
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );
});

describe('behind a trusted proxy', () => {
  const hops: readonly (readonly [sent: string, recorded: string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:db8::9]:1234', '2001:db8::9'],
    // Text that is no address is ignored; the last known hop counts.
    ['canary-text', '127.0.0.1'],
    ["<script>alert('canary')</script>", '127.0.0.1'],
    ['canary, 192.0.2.7', '192.0.2.7'],
    ['192.0.2.1, canary, 127.0.0.9', '127.0.0.9'],
    ['203.0.113.1, 127.0.0.3', '203.0.113.1'],
    ['10.9.9.9, 203.0.113.1', '203.0.113.1'],
    ['', '127.0.0.1'],
  ];

  it('the address that the proxy names is recorded, and lets a key in; a text never does', async () => {
    const config = { trustedProxies: ['127.0.0.0/8'] };
    const service = await testService([...sampleEnvelopes({ users: 1 })], { config });
    try {
      const key = await service.key(sampleTeamId);
      const auditor = await service.key(sampleTeamId, 'auditor');
      for (const [sent, recorded] of hops) {
        await service.get('/v2/user', key, { 'x-forwarded-for': sent });
        const answer = await service.get('/audit/events?operation=listUsers', auditor);
        const { events } = answer.json() as { events: { body: { client_ip: string } }[] };
        expect([sent, events[0]?.body.client_ip]).toEqual([sent, recorded]);
        expect([answer.body, ...service.log].join('')).not.toContain('canary');
      }
      const { key: bound } = await service.access.keys.create({
        ...{ teamId: otherTeamId, role: 'clinician', label: 'x', cidrs: ['192.0.2.0/24'] },
      });
      for (const [from, status] of [
        ...[['192.0.2.9', 200] as const, ['192.0.2.9:443', 200] as const],
        ...[['203.0.113.1', 401] as const, ['192.0.2.9x', 401] as const, ['192.0.2', 401] as const],
      ]) {
        const answer = await service.get('/v2/user', bound, { 'x-forwarded-for': from });
        expect([from, answer.status]).toEqual([from, status]);
      }
    } finally {
      await service.close();
    }
  });
});
