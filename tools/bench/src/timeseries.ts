import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import type { Target } from './measure.ts';
import { benchKey, command, noLimits, startService, workFolder } from './service.ts';
import type { MindfulnessMinutesPoint } from '@caregate/domain';

const perEnvelope = 1000;

/** A store of so many people with so many points each, served; the target is the first page of the middle person. */
export async function filled(
  users: number,
  points: number,
): Promise<{ target: Target; pid: number; stop: () => Promise<void> }> {
  const folder = workFolder();
  let asked = '';
  await command(['import', '-', '--data', folder.path], async (stdin) => {
    let index = 0;
    for (const envelope of sampleEnvelopes({ users, teamId: sampleTeamId, kinds: ['user'] })) {
      if (envelope.kind !== 'user') {
        continue;
      }
      const { user_id } = envelope.user;
      asked = index === Math.floor(users / 2) ? user_id : asked;
      index += 1;
      stdin.write(`${JSON.stringify(envelope)}\n`);
      for (let first = 0; first < points; first += perEnvelope) {
        if (!stdin.write(`${pointsLine(user_id, first)}\n`)) {
          await once(stdin, 'drain');
        }
      }
    }
    stdin.end();
  });
  const headers = { 'x-service-api-key': await benchKey(folder.path, sampleTeamId) };
  const service = await startService(['serve', '--data', folder.path], noLimits);
  return {
    pid: service.pid,
    target: {
      url: `${service.baseUrl}/v2/timeseries/${asked}/mindfulness_minutes/grouped?start_date=2020-01-01`,
      headers,
    },
    stop: async () => {
      await service.stop();
      folder.remove();
    },
  };
}

function pointsLine(userId: string, first: number): string {
  return JSON.stringify({
    kind: 'mindfulness_minutes',
    team_id: sampleTeamId,
    user_id: userId,
    source: { provider: 'oura', type: 'ring' },
    data: Array.from({ length: perEnvelope }, (_, index) => pointAt(first + index)),
  });
}

const firstStart = Date.UTC(2020, 0, 1);
const minute = 60_000;

/** The index-th session of a person who sits down every half hour: plain, quick to make, all different. */
export function pointAt(index: number): MindfulnessMinutesPoint {
  const start = firstStart + index * 30 * minute;
  const value = 5 + (index % 20);
  return {
    start: stamp(start),
    end: stamp(start + value * minute),
    unit: 'min',
    value,
  };
}

const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;
