import { describe, expect, it } from '@jest/globals';
import type { Problem, ProblemError } from '../../problem/problem-error.ts';
import { allOf, askOf, reviewOf } from './break-glass-input.ts';

const userId = 'a0000000-0000-4000-8000-00000000000A';
const text = 'Unconscious at the front desk';
const asked = { reason_code: 'other', text, user_id: userId };

function problemOf(body: () => unknown): Problem | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    return (error as ProblemError).problem;
  }
}

const invalid = (...errors: (readonly [parameter: string, reason: string])[]): Problem => ({
  type: 'invalid-parameter',
  errors: errors.map(([parameter, reason]) => ({ parameter, reason })),
});
const wrongReason = [
  'reason_code',
  'is not one of emergency_treatment, patient_unable_to_consent, covering_for_colleague, threat_to_health_or_safety, other',
] as const;
const wrongText = ['text', 'is not 20 to 2000 characters of text'] as const;
const wrongUser = ['user_id', 'is not a UUID'] as const;
const noObject = { type: 'malformed-request', detail: 'Send a JSON object.' };

describe('what is asked for a grant', () => {
  it('is a reason, a text without what stands around it, and a patient', () => {
    expect(askOf({ ...asked, text: `\n ${text} ` })).toEqual({ reasonCode: 'other', text, userId });
  });

  it.each([
    ['20 characters', 'x'.repeat(20)],
    ['2000 characters', 'x'.repeat(2000)],
    ['2000 characters that are each two code units', '😀'.repeat(2000)],
  ])('may have a text of %s', (_, long) => {
    expect(askOf({ ...asked, text: long }).text).toBe(long);
  });

  it.each([
    ['nothing', undefined],
    ['no text', 12345678901234567890n],
    ['19 characters', 'x'.repeat(19)],
    ['19 characters that are each two code units', '😀'.repeat(19)],
    ['19 characters and spaces', ` ${'x'.repeat(19)} `],
    ['2001 characters', 'x'.repeat(2001)],
  ])('is refused with a text of %s', (_, wrong) => {
    expect(problemOf(() => askOf({ ...asked, text: wrong }))).toEqual(invalid(wrongText));
  });

  it.each([undefined, 7, '', 'Other', 'other ', ['other']])(
    'is refused for the reason code %j',
    (wrong) => {
      expect(problemOf(() => askOf({ ...asked, reason_code: wrong }))).toEqual(
        invalid(wrongReason),
      );
    },
  );

  it.each([
    undefined,
    7,
    `x${userId}`,
    `${userId}0`,
    `${userId}\n`,
    userId.replace('a', 'g'),
    userId.replaceAll('-', ''),
    [userId],
  ])('is refused for the user id %j', (wrong) => {
    expect(problemOf(() => askOf({ ...asked, user_id: wrong }))).toEqual(invalid(wrongUser));
  });

  it('is told all that is wrong at once', () => {
    expect(problemOf(() => askOf({}))).toEqual(invalid(wrongReason, wrongText, wrongUser));
  });

  it('has no other names', () => {
    expect(problemOf(() => askOf({ ...asked, minutes: 600 }))).toEqual(
      invalid(['(unknown)', 'has a name other than reason_code, text, user_id']),
    );
  });

  it.each([undefined, null, 'x', 7, [asked]])('is an object, not %j', (body) => {
    expect(problemOf(() => askOf(body))).toEqual(noObject);
  });
});

describe('a review', () => {
  it.each(['justified', 'not_justified'] as const)('says %s, with a note or without', (outcome) => {
    expect(reviewOf({ outcome })).toEqual({ outcome, note: undefined });
    expect(reviewOf({ outcome, note: '' })).toEqual({ outcome, note: '' });
    const note = 'x'.repeat(2000);
    expect(reviewOf({ outcome, note })).toEqual({ outcome, note });
  });

  it('is told all that is wrong at once', () => {
    const wrongOutcome = ['outcome', 'is not one of justified, not_justified'] as const;
    const wrongNote = ['note', 'is not text of 2000 characters at most'] as const;
    expect(problemOf(() => reviewOf({}))).toEqual(invalid(wrongOutcome));
    for (const note of [7, null, 'x'.repeat(2001), ['x']]) {
      expect(problemOf(() => reviewOf({ outcome: 'justified', note }))).toEqual(invalid(wrongNote));
    }
    expect(problemOf(() => reviewOf({ outcome: 'fine', note: 7 }))).toEqual(
      invalid(wrongOutcome, wrongNote),
    );
    expect(problemOf(() => reviewOf({ outcome: 'justified', by: 'me' }))).toEqual(
      invalid(['(unknown)', 'has a name other than outcome, note']),
    );
    expect(problemOf(() => reviewOf(null))).toEqual(noObject);
  });
});

describe('which grants to list', () => {
  it('are those that await review, unless all are asked for', () => {
    expect([undefined, {}, { state: 'open' }, { state: 'all' }].map(allOf)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it.each(['', 'All', ['all'], 7])('is not said by the state %j', (state) => {
    expect(problemOf(() => allOf({ state }))).toEqual(
      invalid(['state', 'is not one of open, all']),
    );
  });

  it('has no other names', () => {
    expect(problemOf(() => allOf({ stat: 'all' }))).toEqual(
      invalid(['(unknown)', 'has a name other than state']),
    );
  });
});
