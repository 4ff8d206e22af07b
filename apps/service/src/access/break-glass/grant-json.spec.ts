import { describe, expect, it } from '@jest/globals';
import type { Grant } from '../grant.ts';
import { grantJson } from './grant-json.ts';

const grant: Grant = {
  grantId: 'grant',
  teamId: 'team',
  keyId: 'key',
  keyLabel: 'Desk 1',
  staffId: undefined,
  staffName: undefined,
  role: 'front_desk',
  userId: 'patient',
  reasonCode: 'other',
  text: 'Covering for the ward',
  granted: new Date('2026-01-15T09:30:00Z'),
  expires: new Date('2026-01-15T10:00:00Z'),
  reviewDue: new Date('2026-01-18T09:30:00Z'),
  overdue: false,
  reviewed: undefined,
  reviewedBy: undefined,
  outcome: undefined,
  note: undefined,
  textSalt: new Uint8Array(16),
  reviewSalt: undefined,
};
const shown = {
  break_glass_id: 'grant',
  team_id: 'team',
  key_id: 'key',
  key_label: 'Desk 1',
  role: 'front_desk',
  user_id: 'patient',
  reason_code: 'other',
  text: 'Covering for the ward',
  granted_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2026-01-15T10:00:00.000Z',
  review_due_at: '2026-01-18T09:30:00.000Z',
  overdue: false,
  reviewed_at: null,
  reviewed_by: null,
  outcome: null,
  note: null,
};

describe('a grant as JSON', () => {
  it('has null where nobody has reviewed it', () => {
    expect(grantJson(grant)).toEqual(shown);
  });

  it('says when, by whom and how it was reviewed', () => {
    const reviewed = new Date('2026-01-16T08:00:00Z');
    const review = { reviewedBy: 'auditor', outcome: 'justified', note: 'seen with the ward' };
    expect(grantJson({ ...grant, reviewed, ...review })).toEqual({
      ...shown,
      reviewed_at: '2026-01-16T08:00:00.000Z',
      reviewed_by: 'auditor',
      outcome: 'justified',
      note: 'seen with the ward',
    });
  });
});
