import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { listWarnings } from '@caregate/domain';
import type { ImportEnvelope, LabResultEnvelope } from '@caregate/domain';
import { validateImportEnvelope } from '@caregate/domain/validate';
import fc from '@caregate/seeded';
import {
  otherTeamId,
  sampleEnvelopes,
  sampleKinds,
  sampleUserEnvelopes,
} from './sample-envelopes.ts';
import type { SampleOptions } from './sample-envelopes.ts';

function digest(options: SampleOptions): string {
  const hash = createHash('sha256');
  for (const envelope of sampleEnvelopes(options)) hash.update(JSON.stringify(envelope));
  return hash.digest('hex');
}

function labs(users: number): LabResultEnvelope[] {
  const found: LabResultEnvelope[] = [];
  for (const envelope of sampleEnvelopes({ users, kinds: ['lab_result'] })) {
    if (envelope.kind === 'lab_result') found.push(envelope);
  }
  return found;
}

function expectImportable(envelope: ImportEnvelope): void {
  const verdict = validateImportEnvelope(envelope);
  if (!verdict.ok) throw new Error(JSON.stringify([verdict.issues, envelope]));
}

describe('the sample', () => {
  it('is importable throughout, without a warning', () => {
    let count = 0;
    let warnings = 0;
    for (const envelope of sampleEnvelopes({ users: 150, mindfulnessDays: 8 })) {
      expectImportable(envelope);
      warnings += listWarnings(envelope).length;
      count += 1;
    }
    expect(warnings).toBe(0);
    expect(count).toBeGreaterThan(1000);
  });

  it('is importable with any seed, team and day', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.uuid({ version: 4 }),
        fc.date({ min: new Date('2015-01-01'), max: new Date('2028-12-31'), noInvalidDate: true }),
        (seed, teamId, until) => {
          const options = { users: 15, seed, teamId, until, mindfulnessDays: 10 };
          for (const envelope of sampleEnvelopes(options)) expectImportable(envelope);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('is the same for the same options, and another for another seed, team or day', () => {
    const options = { users: 25 };
    const same = digest(options);
    expect(digest(options)).toBe(same);
    const others = [{ seed: 2 }, { seed: 1.5 }, { teamId: otherTeamId }, { until: '2026-01-01' }];
    expect(new Set([same, ...others.map((other) => digest({ ...options, ...other }))]).size).toBe(
      5,
    );
  });

  it('can be made in parts and by kinds, with nothing changed', () => {
    const whole = [...sampleEnvelopes({ users: 20 })];
    const parts = [...sampleEnvelopes({ users: 12 }), ...sampleEnvelopes({ users: 8, first: 12 })];
    expect(parts).toEqual(whole);
    for (const kind of sampleKinds) {
      const alone = [...sampleEnvelopes({ users: 20, kinds: [kind] })];
      expect(alone).toEqual(whole.filter((envelope) => envelope.kind === kind));
    }
    expect([...sampleUserEnvelopes(30)]).toEqual([...sampleEnvelopes({ users: 1, first: 30 })]);
  });

  it('keeps ids whatever the day, and gives none twice', () => {
    const ids = (until: string): string[] =>
      [...sampleEnvelopes({ users: 300, until, kinds: ['user'] })].flatMap((envelope) =>
        envelope.kind === 'user' ? [envelope.user.user_id, envelope.user.client_user_id] : [],
      );
    expect(ids('2027-06-01')).toEqual(ids('2026-11-20'));
    expect(new Set(ids('2026-11-20')).size).toBe(600);
  });
});

describe('laboratory results of the sample', () => {
  const envelopes = labs(300);

  it('have ages that follow from birth and collection, and days in order', () => {
    for (const { result } of envelopes) {
      const { age, dob = '', date_collected, date_received, date_reported } = result.metadata;
      const [day, month, year] = (dob ?? '').split('/');
      const collected = date_collected ?? '';
      const birthday = `${month ?? ''}-${day ?? ''}`;
      const full = Number(collected.slice(0, 4)) - Number(year);
      expect(age).toBe(collected.slice(5) < birthday ? full - 1 : full);
      expect([collected, date_received, date_reported]).toEqual(
        [collected, date_received, date_reported].sort(),
      );
      expect(result.results.every((one) => (one.timestamp ?? '') >= collected)).toBe(true);
    }
  });

  it('have transactions whose times are in order and whose orders hold the result', () => {
    for (const { result, order_id } of envelopes) {
      const orders = result.order_transaction?.orders;
      if (orders === undefined) continue;
      expect(orders.map(({ id }) => id)).toContain(order_id);
      const times = orders.map((order) =>
        [order.created_at, order.low_level_status_created_at, order.updated_at].map((time) =>
          Date.parse(time ?? ''),
        ),
      );
      const created = times.map(([first]) => first);
      for (const each of [...times, created]) expect(each).toEqual(each.toSorted());
    }
  });
});

describe('mindfulness minutes of the sample', () => {
  it('have the time of the zone and a length that is their value', () => {
    const zones = new Map<string, string>();
    const wrong: unknown[] = [];
    const options = {
      users: 12,
      mindfulnessDays: 400,
      kinds: ['user', 'mindfulness_minutes'],
    } as const;
    for (const envelope of sampleEnvelopes(options)) {
      if (envelope.kind === 'user') {
        zones.set(envelope.user.user_id, envelope.user.fallback_time_zone.id);
      }
      if (envelope.kind !== 'mindfulness_minutes') continue;
      const zone = zones.get(envelope.user_id) ?? '';
      let before = 0;
      for (const point of envelope.data) {
        const start = Date.parse(point.start);
        const end = Date.parse(point.end);
        const right =
          shows(point.start, zone, start) &&
          shows(point.end, zone, end) &&
          Math.abs((end - start) / 60_000 - point.value) < 0.006 &&
          start >= before;
        if (!right) wrong.push({ zone, before, point });
        before = start;
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Whether a text has the time that a clock in the zone has. */
function shows(text: string, timeZone: string, instant: number): boolean {
  return text.startsWith(new Date(instant).toLocaleString('sv', { timeZone }).replace(' ', 'T'));
}
