import { describe, expect, it } from '@jest/globals';
import { getToday } from '../../ui/values/age.ts';
import { getLatestDays } from './use-sessions.ts';

describe('the latest days', () => {
  // In the evening in Chicago it is tomorrow in UTC.
  const here = getToday({ timeZone: 'America/Chicago' }, new Date('2026-03-02T03:00:00Z'));

  it('end with the day of the clinic', () => {
    expect(getLatestDays({}, here)).toEqual({ first: '2026-01-31', last: '2026-03-01' });
  });

  it("stay within the days of the patient's data", () => {
    const user = { ingestion_start: '2026-01-10', ingestion_end: '2026-01-20' };
    expect(getLatestDays(user, here)).toEqual({ first: '2026-01-10', last: '2026-01-20' });
  });
});
