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
    const watch = new TeamRecords(events, 3, () => now);
    const record = (teamId: string, count: number): void => {
      for (let turn = 0; turn < count; turn += 1) {
        watch.recorded(teamId);
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
  });

  it('are counted with every answer, refuse nothing, and alarm the team itself', async () => {
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
});
