import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService } from '../../http/service.testing.ts';
import { AccessEvents, type AccessAlarms } from '../access-events.ts';
import { hourMs, teamA } from '../access.testing.ts';
import { BULK_READ_RECORDS, RESOLVE_MISSES, ReadWatch } from './read-watch.ts';

const one = { keyId: 'one', teamId: teamA };
const other = { keyId: 'other', teamId: teamA };

function setup() {
  const clock = { nowMs: 0 };
  const events = new AccessEvents();
  const bulk: AccessAlarms['bulk-read'][] = [];
  const misses: AccessAlarms['resolve-enumeration'][] = [];
  events.on('bulk-read', (alarm) => bulk.push(alarm));
  events.on('resolve-enumeration', (alarm) => misses.push(alarm));
  return { clock, bulk, misses, watch: new ReadWatch(events, () => clock.nowMs) };
}

describe('the alarm for bulk reads', () => {
  it('is raised once an hour for a key, at its threshold', () => {
    const { clock, bulk, watch } = setup();
    watch.read(one, BULK_READ_RECORDS - 1);
    watch.read(other, BULK_READ_RECORDS - 1);
    expect(bulk).toEqual([]);
    watch.read(one, 1);
    watch.read(one, 500);
    expect(bulk).toEqual([{ ...one, records: BULK_READ_RECORDS }]);
    clock.nowMs += hourMs;
    watch.read(one, BULK_READ_RECORDS - 1);
    expect(bulk).toHaveLength(1);
    watch.read(one, 1);
    expect(bulk).toHaveLength(2);
  });
});

describe('the alarm for tried-out client user ids', () => {
  it('is raised once an hour for a key, at its threshold', () => {
    const { clock, misses, watch } = setup();
    const miss = (times: number): void => {
      for (let index = 0; index < times; index++) {
        watch.resolveMissed(one);
      }
    };
    miss(RESOLVE_MISSES - 1);
    watch.resolveMissed(other);
    expect(misses).toEqual([]);
    clock.nowMs += hourMs - 1;
    miss(2);
    expect(misses).toEqual([{ ...one, misses: RESOLVE_MISSES }]);
    clock.nowMs += 1;
    miss(RESOLVE_MISSES - 1);
    expect(misses).toHaveLength(1);
    miss(1);
    expect(misses).toHaveLength(2);
  });
});

describe('in the service', () => {
  it('both alarms come from requests, and stand in the log without anything of a patient', async () => {
    const service = await testService([...sampleEnvelopes({ users: 2 })]);
    try {
      const raised: string[] = [];
      service.access.events.on('bulk-read', () => raised.push('bulk-read'));
      service.access.events.on('resolve-enumeration', () => raised.push('resolve-enumeration'));
      const key = await service.key(sampleTeamId);
      for (let index = 0; index < BULK_READ_RECORDS / 500; index++) {
        expect(raised).toEqual([]);
        await service.get('/v2/user?limit=500', key);
      }
      expect(raised).toEqual(['bulk-read']);
      for (let index = 0; index < RESOLVE_MISSES; index++) {
        await service.get(`/v2/user/resolve/canary-${index}`, key);
      }
      expect(raised).toEqual(['bulk-read', 'resolve-enumeration']);
      const log = service.log.join('');
      expect(log).toContain('bulk-read');
      expect(log).toContain('resolve-enumeration');
      expect(log).not.toContain('canary');
    } finally {
      await service.close();
    }
  }, 30_000);
});
