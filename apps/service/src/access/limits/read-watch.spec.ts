import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { readFileSync } from 'node:fs';
import { openApiDocument } from '../../openapi/document.ts';
import { testService, type TestService } from '../../testing/service.testing.ts';
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

const people = [...sampleEnvelopes({ users: 501, kinds: ['user'] })];

async function withService(
  body: (service: TestService, raised: readonly string[], key: string) => Promise<void>,
): Promise<void> {
  const service = await testService(people);
  try {
    const raised: string[] = [];
    service.access.events.on('bulk-read', ({ records }) => raised.push(`bulk-read ${records}`));
    service.access.events.on('resolve-enumeration', () => raised.push('resolve-enumeration'));
    await body(service, raised, await service.key(sampleTeamId));
  } finally {
    await service.close();
  }
}

describe('in the service', () => {
  it('both alarms come from requests, and stand in the log without anything of a patient', async () => {
    await withService(async (service, raised, key) => {
      for (let index = 0; index < BULK_READ_RECORDS / 500; index++) {
        expect(raised).toEqual([]);
        expect((await service.get('/v2/user?limit=500', key)).status).toBe(200);
      }
      expect(raised).toEqual(['bulk-read 5000']);
      for (let index = 0; index < RESOLVE_MISSES; index++) {
        await service.get(`/v2/user/resolve/canary-${index}`, key);
      }
      expect(raised).toEqual(['bulk-read 5000', 'resolve-enumeration']);
      const log = service.log.join('');
      expect(log).toContain('bulk-read');
      expect(log).toContain('resolve-enumeration');
      expect(log).not.toContain('canary');
    });
  });

  it('what counts is who is in the answer, not how many were asked for', async () => {
    await withService(async (service, raised, key) => {
      const [person] = people;
      const userId = person?.kind === 'user' ? person.user.user_id : '';
      const minutes = `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`;
      // 500 short of one; then one each of a page's last row and a person's points, and none of an empty page.
      for (let index = 0; index < 9; index++) {
        await service.get('/v2/user?limit=500', key);
      }
      await service.get('/v2/user?limit=498', key);
      for (const path of ['/v2/user?limit=500&offset=500', '/v2/user?limit=500&offset=501']) {
        expect((await service.get(path, key)).status).toBe(200);
      }
      // Nobody is in an answer that is an error.
      expect((await service.get(`/v2/user/${userId}/insurance/latest`, key)).status).toBe(404);
      expect(raised).toEqual([]);
      expect((await service.get(minutes, key)).status).toBe(200);
      expect(raised).toEqual(['bulk-read 5000']);
    });
  });
});

describe('the numbers of the alarms', () => {
  const english = (count: number): string => count.toLocaleString('en-US');
  const read = (path: string): string =>
    readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/\s+/gu, ' ');

  it.each(['../../../../../docs/limits.md', '../README.md'])('stand in %s as they are', (path) => {
    expect(read(path)).toContain(`${english(BULK_READ_RECORDS)} records an hour`);
  });

  it('stand in the README of the folder and in the description of the API', () => {
    const told = JSON.stringify(openApiDocument('1.2.3', 'interface'));
    for (const text of [read('../README.md'), told]) {
      expect(text).toContain(`${english(BULK_READ_RECORDS)} records an hour`);
      expect(text).toContain(`${english(RESOLVE_MISSES)} misses an hour`);
    }
  });
});
