import { describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { AccessEvents } from '../../access/access-events.ts';
import { testService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { TeamRecords } from './team-records.ts';

const hourMs = 3_600_000;

describe('the records of a team', () => {
  it('raise one alarm an hour above the limit, each team by itself', () => {
    let now = 0;
    const raised: unknown[] = [];
    const events = new AccessEvents();
    events.on('team-records', (alarm) => raised.push([now, alarm]));
    const watch = new TeamRecords(events, 3, { space: { freeBytes: 1000 } }, () => now);
    const record = (teamId: string, count: number): void => {
      for (let turn = 0; turn < count; turn += 1) {
        watch.recorded(teamId, 10);
      }
    };
    record('one', 3);
    record('other', 3);
    expect(raised).toEqual([]);
    record('one', 5);
    now = hourMs - 1;
    record('one', 5);
    expect(raised).toEqual([[0, { teamId: 'one', records: 4 }]]);
    now = hourMs;
    record('one', 3);
    expect(raised).toHaveLength(1);
    record('one', 1);
    expect(raised.slice(1)).toEqual([[hourMs, { teamId: 'one', records: 4 }]]);
    // A tenth of the free disk is for each team.
    record('one', 5);
    expect(watch.refusal('one')).toBeUndefined();
    record('one', 1);
    now += 1000;
    const facts = { type: 'too-many-requests', headers: { 'retry-after': '3599' } };
    expect(watch.refusal('one')?.problem).toMatchObject(facts);
    expect(watch.refusal('other')).toBeUndefined();
    now = 2 * hourMs;
    expect(watch.refusal('one')).toBeUndefined();
  });

  it('are counted with every answer, refuse nothing while there is disk, and alarm the team itself', async () => {
    const service = await testService([...sampleEnvelopes({ users: 2 })], {
      limits: { teamRecords: 4 },
    });
    const key = await service.key(sampleTeamId);
    const other = await service.key(otherTeamId);
    for (let turn = 0; turn < 7; turn += 1) {
      expect((await service.get('/v2/user', key)).status).toBe(200);
      await service.get(`/v2/user/resolve/nobody-${turn}`, turn < 4 ? other : undefined);
    }
    const alarmsOf = async (teamId: string): Promise<object[]> => {
      const answer = await service.get('/audit/alarms', await service.key(teamId, 'auditor'));
      return (answer.json() as { events: { body: object }[] }).events.map(({ body }) => body);
    };
    await until(async () => (await alarmsOf(sampleTeamId)).length > 0);
    expect(await alarmsOf(sampleTeamId)).toMatchObject([
      { operation: 'teamRecords', team_id: sampleTeamId, details: { records: 5 } },
    ]);
    expect(service.log.join('')).toContain('"alarm":"team-records"');
    await service.close();
  });

  it('take no more than a tenth of the free disk an hour: the rest is for other teams', async () => {
    const space = { freeBytes: 40_000, totalBytes: 2 ** 40 };
    const service = await testService([...sampleEnvelopes({ users: 2 })], {
      diskSpace: () => Promise.resolve(space),
    });
    try {
      const [key, another] = [await service.key(sampleTeamId), await service.key(sampleTeamId)];
      const statuses: number[] = [];
      for (let turn = 0; turn < 6; turn += 1) {
        statuses.push((await service.get('/v2/user/resolve/nobody', key)).status);
      }
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
      const { status, headers } = await service.get('/v2/user', key);
      expect([status, Number(headers['retry-after']) > 3000]).toEqual([429, true]);
      expect((await service.get('/v2/user', await service.key(otherTeamId))).status).toBe(200);
      // It is the team's, whichever key asks.
      await service.get('/v2/user', another);
      expect((await service.get('/v2/user', another)).status).toBe(429);
    } finally {
      await service.close();
    }
  });
});
