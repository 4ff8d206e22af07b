import { describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { Role } from '../../operations/roles.ts';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { AccessEvents, type AccessAlarms } from '../access-events.ts';
import { hourMs, teamA } from '../access.testing.ts';
import { signedIn } from '../sessions/signed-in.testing.ts';
import { BULK_READ_RECORDS, RESOLVE_MISSES, ReadWatch } from './read-watch.ts';

const one = { keyId: 'one', teamId: teamA };
const other = { keyId: 'other', teamId: teamA };

function setup() {
  const clock = { nowMs: 0 };
  const events = new AccessEvents();
  const bulk: AccessAlarms['bulk-read'][] = [];
  const misses: AccessAlarms['resolve-enumeration'][] = [];
  const many: AccessAlarms['many-people'][] = [];
  events.on('many-people', (alarm) => many.push(alarm));
  events.on('bulk-read', (alarm) => bulk.push(alarm));
  events.on('resolve-enumeration', (alarm) => misses.push(alarm));
  return { clock, bulk, many, misses, watch: new ReadWatch(events, 600, () => clock.nowMs) };
}

describe('the alarm for many people in lists', () => {
  it('is raised once an hour for a person, above the limit of different people', () => {
    const { clock, many, watch } = setup();
    const people = Array.from({ length: 601 }, (_, n) => `person ${n}`);
    for (let again = 0; again < 3; again += 1) {
      watch.listed(one, people.slice(0, 600));
    }
    watch.listed(other, people.slice(0, 600));
    expect(many).toEqual([]);
    watch.listed(one, people);
    watch.listed(one, ['another']);
    expect(many).toEqual([{ ...one, people: 601 }]);
    clock.nowMs += hourMs;
    watch.listed(one, people);
    expect(many).toHaveLength(2);
  });

  it('counts a member of staff as one, at any desk and in any session', () => {
    const { many, watch } = setup();
    const { teamId } = one;
    const people = Array.from({ length: 601 }, (_, n) => `person ${n}`);
    for (const [staffId, shown] of [
      ['ines', people.slice(0, 301)],
      ['omar', people],
      ['ines', people.slice(300, 600)],
    ] as const) {
      watch.listed({ staffId, teamId }, shown);
    }
    expect(many).toEqual([{ staffId: 'omar', teamId, people: 601 }]);
    watch.listed({ staffId: 'ines', teamId }, people);
    expect(many[1]).toEqual({ staffId: 'ines', teamId, people: 601 });
  });
});

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
  role: Role = 'clinician',
): Promise<void> {
  const service = await testService(people);
  try {
    const raised: string[] = [];
    service.access.events.on('bulk-read', ({ records }) => raised.push(`bulk-read ${records}`));
    service.access.events.on('resolve-enumeration', () => raised.push('resolve-enumeration'));
    await body(service, raised, await service.key(sampleTeamId, role));
  } finally {
    await service.close();
  }
}

describe('in the service', () => {
  it('too many people in lists are told of a key or a member of staff, at the number of the setting', async () => {
    const envelopes = sampleEnvelopes({ users: 30, kinds: ['user', 'user_info', 'order'] });
    const service = await testService(envelopes, { limits: { listedPeople: 9 } });
    try {
      const raised: AccessAlarms['many-people'][] = [];
      service.access.events.on('many-people', (alarm) => raised.push(alarm));
      const pages = async (ask: (path: string) => Promise<unknown>): Promise<void> => {
        for (const path of ['?size=6', '?size=6', '?size=6&page=2', '?size=6&page=3']) {
          await ask(`/v3/orders${path}`);
        }
      };
      // A program lists people as a matter of course.
      const { key: program } = await service.access.keys.create({
        ...{ teamId: sampleTeamId, role: 'integration', label: 'program' },
        scopes: ['lab-results:read'],
      });
      await pages((path) => service.get(path, program));
      expect(raised).toEqual([]);
      const desk = await service.key(sampleTeamId, 'front_desk');
      await pages((path) => service.get(path, desk));
      expect(raised).toMatchObject([{ keyId: expect.any(String), people: 10 }]);
      const role = 'front_desk';
      const person = await signedIn(service, { teamId: sampleTeamId, role });
      const other = await signedIn(service, { teamId: sampleTeamId, role });
      await other.request('GET', '/v3/orders?size=6');
      await pages((path) => person.request('GET', path));
      expect(raised[1]).toMatchObject({ staffId: person.staffId, people: 10 });
      expect(raised).toHaveLength(2);
      const lines = service.log.filter((line) => line.includes('many-people')).join('');
      expect(lines).toContain('A key was shown an unusual number of different people');
      expect(lines).toContain('A member of staff was shown an unusual number of different people');
    } finally {
      await service.close();
    }
  });

  it('what counts is who is in the answer, not how many were asked for', async () => {
    await withService(async (service, raised, key) => {
      const [person] = people;
      const { user_id: userId = '', client_user_id: id = '' } =
        person?.kind === 'user' ? person.user : {};
      const clientUserId = encodeURIComponent(id);
      const minutes = `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`;
      // One each of a page's last row, a person who is resolved and a person's points; none of an empty page.
      for (let index = 0; index < 9; index++) {
        await service.get('/v2/user?limit=500', key);
      }
      await service.get('/v2/user?limit=497', key);
      for (const path of ['/v2/user?limit=500&offset=500', '/v2/user?limit=500&offset=501']) {
        expect((await service.get(path, key)).status).toBe(200);
      }
      // Nobody is in an answer that is an error.
      expect((await service.get(`/v2/user/${userId}/insurance/latest`, key)).status).toBe(404);
      expect((await service.get(`/v2/user/resolve/${clientUserId}`, key)).status).toBe(200);
      expect(raised).toEqual([]);
      expect((await service.get(minutes, key)).status).toBe(200);
      expect(raised).toEqual(['bulk-read 5000']);
    });
  });

  it('reading on is refused to nobody, also where lists are masked; the auditor of the team alone is told', async () => {
    await withService(async (service, raised, key) => {
      for (let index = 0; index < 11; index += 1) {
        const { status, body } = await service.get('/v2/user?limit=500', key);
        expect([status, body.includes('"connected_sources":[{')]).toEqual([200, false]);
      }
      const alarmsOf = async (teamId: string): Promise<{ body: object }[]> => {
        const auditor = await service.key(teamId, 'auditor');
        const answer = await service.get('/audit/alarms', auditor);
        return (answer.json() as { events: { body: object }[] }).events;
      };
      await until(async () => (await alarmsOf(sampleTeamId)).length > 0);
      const body = expect.objectContaining({
        ...{ operation: 'bulkRead', team_id: sampleTeamId },
        details: { records: BULK_READ_RECORDS },
      }) as object;
      expect(await alarmsOf(sampleTeamId)).toEqual([expect.objectContaining({ body })]);
      expect(await alarmsOf(otherTeamId)).toEqual([]);
      expect(raised).toHaveLength(1);
    }, 'front_desk');
  });
});
