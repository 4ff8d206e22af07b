import type { MindfulnessMinutesEnvelope, MindfulnessMinutesPoint } from '@caregate/domain';
import { edgeCases } from './cases.ts';
import type { EdgeCase } from './cases.ts';
import { withExtra } from './users.ts';

function point(start: string, end: string, value: number): MindfulnessMinutesPoint {
  return { start, end, unit: 'min', value };
}

export function edgeCaseMindfulness(teamId: string): MindfulnessMinutesEnvelope[] {
  const from = (
    one: EdgeCase,
    provider: string,
    type: string,
    ...data: MindfulnessMinutesPoint[]
  ): MindfulnessMinutesEnvelope => ({
    kind: 'mindfulness_minutes',
    team_id: teamId,
    user_id: one.userId,
    source: { provider, type },
    data,
  });
  return [
    from(
      edgeCases.clockChanges,
      'oura',
      'ring',
      // New York springs forward on 8 March 2026 at 02:00 and falls back on 1 November at 02:00.
      point('2026-03-08T01:55:00-05:00', '2026-03-08T03:05:00-04:00', 10),
      point('2026-03-08T03:30:00-04:00', '2026-03-08T03:40:00-04:00', 10),
      point('2026-11-01T01:30:00-04:00', '2026-11-01T01:40:00-04:00', 10),
      point('2026-11-01T01:30:00-05:00', '2026-11-01T01:40:00-05:00', 10),
      point('2026-11-01T01:50:00-04:00', '2026-11-01T01:10:00-05:00', 20),
    ),
    from(
      edgeCases.unusualOffsets,
      'garmin',
      'watch',
      point('2026-01-15T06:00:00+05:45', '2026-01-15T06:10:00+05:45', 10),
      point('2026-01-16T06:00:00+14:00', '2026-01-16T06:10:00+14:00', 10),
      point('2026-01-16T06:00:00-09:30', '2026-01-16T06:10:00-09:30', 10),
      point('2026-01-17T06:00:00+11:00', '2026-01-17T05:40:00+10:30', 10),
      point('2026-01-18T06:00:00Z', '2026-01-18T06:10:00Z', 10),
      point('2026-01-19T06:00:00.000000+00:00', '2026-01-19T06:10:00.000001Z', 10),
    ),
    from(
      edgeCases.unusualLengths,
      'stillwater',
      'app',
      point('2026-02-01T08:00:00+01:00', '2026-02-01T08:00:00+01:00', 0),
      point('2026-02-02T08:00:00+01:00', '2026-02-02T08:00:30+01:00', 0.5),
      point('2026-02-03T08:00:00.250+01:00', '2026-02-03T08:07:40.250+01:00', 7.666666666666667),
      point('2026-02-04T08:00:00+01:00', '2026-02-05T09:00:00+01:00', 1500),
      point('2026-02-06T08:00:00+01:00', '2026-02-06T08:10:00+01:00', 7),
      point('2026-02-07T08:00:00+01:00', '2026-02-07T08:00:00.000001+01:00', 1e-7),
    ),
    from(
      edgeCases.acrossMidnight,
      'fitbit',
      'watch',
      point('2024-02-29T23:50:00-06:00', '2024-03-01T00:10:00-06:00', 20),
      point('2025-12-31T23:55:00-06:00', '2026-01-01T00:05:00-06:00', 10),
      point('1969-12-31T23:55:00Z', '1970-01-01T00:05:00Z', 10),
    ),
    from(
      edgeCases.manySources,
      'apple_health_kit',
      'watch',
      point('2026-04-01T07:00:00+02:00', '2026-04-01T07:10:00+02:00', 10),
    ),
    from(
      edgeCases.manySources,
      'apple_health_kit',
      'phone',
      point('2026-04-01T07:00:00+02:00', '2026-04-01T07:10:00+02:00', 10),
    ),
    from(
      edgeCases.manySources,
      '静けさ/50%',
      'smart mattress',
      // The same instant as above, told in another offset.
      point('2026-04-01T05:00:00+00:00', '2026-04-01T05:12:00+00:00', 12),
    ),
    from(
      edgeCases.unknownValues,
      'moonphase_v9',
      'smart_mattress',
      point('2026-04-02T05:00:00Z', '2026-04-02T05:12:00Z', 12),
    ),
    {
      ...from(
        edgeCases.extraFields,
        'stillwater',
        'app',
        withExtra(point('2026-04-03T05:00:00Z', '2026-04-03T05:12:00Z', 12), {
          timestamp: '2026-04-03T05:00:00Z',
          mood: { before: 3, after: null },
        }),
      ),
      source: withExtra(
        { provider: 'stillwater', type: 'app' },
        { app_id: 'org.example.stillwater' },
      ),
    },
    from(edgeCases.emptyData, 'oura', 'ring'),
  ];
}
