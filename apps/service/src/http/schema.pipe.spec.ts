import type { ArgumentMetadata } from '@nestjs/common';
import {
  validateBreakGlassListQuery,
  validateBreakGlassRequest,
  validateBreakGlassReview,
  validateLabOrderResultParams,
  validateListUsersQuery,
  validateMindfulnessMinutesQuery,
} from '@caregate/domain/validate';
import { describe, expect, it } from '@jest/globals';
import type { Problem, ProblemError } from '../problem/problem-error.ts';
import { queryValues, SchemaPipe } from './schema.pipe.ts';

const userId = 'a0000000-0000-4000-8000-00000000000A';
const text = 'Unconscious at the front desk';
const requested = { reason_code: 'other', text, user_id: userId };
const pipe = new SchemaPipe();

function checked(
  type: 'body' | 'query' | 'param',
  schema: NonNullable<ArgumentMetadata['schema']>,
): (value: unknown) => unknown {
  return (value) => pipe.transform(value, { type, schema });
}
const ask = checked('body', validateBreakGlassRequest);
const review = checked('body', validateBreakGlassReview);
const list = (query: string): unknown =>
  checked('query', validateBreakGlassListQuery)(queryValues(query));
const minutes = (query: string): unknown =>
  checked('query', validateMindfulnessMinutesQuery)(queryValues(query));
const users = (query: string): unknown =>
  checked('query', validateListUsersQuery)(queryValues(query));
const order = checked('param', validateLabOrderResultParams);

function problemOf(act: () => unknown): Problem | undefined {
  try {
    act();
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
  'must be one of emergency_treatment, patient_unable_to_consent, covering_for_colleague, threat_to_health_or_safety, other',
] as const;
const wrongText = [
  'text',
  'must be text with at least 20 letters or digits and at most 2000 characters, without NUL',
] as const;
const wrongUser = [
  'user_id',
  'must be a UUID, such as 3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
] as const;
const noObject = { type: 'malformed-request', detail: 'The request body must be a JSON object.' };

describe('what is asked for a grant', () => {
  it('is a reason, a text, whatever blanks stand around it, and a patient', () => {
    const padded = { ...requested, text: `\n ${text} ` };
    expect(ask(padded)).toEqual(padded);
  });

  it.each([
    ['20 characters', 'x'.repeat(20)],
    ['2000 characters', 'x'.repeat(2000)],
    ['2000 characters that are each two code units', '𝒜'.repeat(2000)],
  ])('may have a text of %s', (_, long) => {
    expect(ask({ ...requested, text: long })).toMatchObject({ text: long });
  });

  it.each([
    ['nothing at all', undefined, 'is required'],
    ['no text', 12345678901234567890n, 'must be a string'],
    ['null', null, 'must be a string'],
    ['a NUL', `${text}\0`],
    ['19 characters', 'x'.repeat(19)],
    ['19 characters that are each two code units', '𝒜'.repeat(19)],
    ['no letter but emoji', '😀'.repeat(40)],
    ['19 characters and spaces', ` ${'x'.repeat(19)} `],
    ['2001 characters', 'x'.repeat(2001)],
  ])('is refused with a text of %s', (_, wrong, reason = wrongText[1]) => {
    expect(problemOf(() => ask({ ...requested, text: wrong }))).toEqual(invalid(['text', reason]));
  });

  it.each([
    ['', wrongReason[1]],
    ['Other', wrongReason[1]],
    ['other ', wrongReason[1]],
    [undefined, 'is required'],
    [7, 'must be a string'],
    [['other'], 'must be a string'],
  ])('is refused for the reason code %j', (wrong, reason) => {
    expect(problemOf(() => ask({ ...requested, reason_code: wrong }))).toEqual(
      invalid(['reason_code', reason]),
    );
  });

  it('is told all that is wrong at once, each parameter once', () => {
    expect(problemOf(() => ask({ reason_code: 'x', text: 'x', user_id: 'x' }))).toEqual(
      invalid(wrongReason, wrongText, wrongUser),
    );
    expect(problemOf(() => ask({}))).toEqual(
      invalid(['reason_code', 'is required'], ['text', 'is required'], ['user_id', 'is required']),
    );
  });

  it('has no other names, and is never told back what was sent', () => {
    for (const body of [{ ...requested, minutes: 600 }, { 'Amara Okafor': 1 }]) {
      expect(problemOf(() => ask(body))).toEqual(
        invalid([
          '(unknown)',
          'is not a known field; the fields are reason_code, text, user_id, id_token, nonce_random',
        ]),
      );
    }
  });

  it.each([undefined, null, 'x', 7, [requested]])('is an object, not %j', (body) => {
    expect(problemOf(() => ask(body))).toEqual(noObject);
  });
});

describe('a review', () => {
  it.each(['justified', 'not_justified'] as const)('says %s, with a note or without', (outcome) => {
    const note = 'x'.repeat(2000);
    for (const body of [{ outcome }, { outcome, note: '' }, { outcome, note }]) {
      expect(review(body)).toEqual(body);
    }
  });

  it('is told all that is wrong at once', () => {
    const wrongOutcome = ['outcome', 'must be one of justified, not_justified'] as const;
    const wrongNote = ['note', 'must be at most 2000 characters of text, without NUL'] as const;
    const noText = ['note', 'must be a string'] as const;
    expect(problemOf(() => review({}))).toEqual(invalid(['outcome', 'is required']));
    for (const note of ['x'.repeat(2001), '\0']) {
      expect(problemOf(() => review({ outcome: 'justified', note }))).toEqual(invalid(wrongNote));
    }
    for (const note of [7, null, ['x']]) {
      expect(problemOf(() => review({ outcome: 'justified', note }))).toEqual(invalid(noText));
    }
    expect(problemOf(() => review({ outcome: 'fine', note: 7 }))).toEqual(
      invalid(wrongOutcome, noText),
    );
    expect(problemOf(() => review({ outcome: 'justified', by: 'me' }))).toEqual(
      invalid(['(unknown)', 'is not a known field; the fields are outcome, note']),
    );
    expect(problemOf(() => review(null))).toEqual(noObject);
  });
});

describe('a query', () => {
  it('is read as what its schema expects', () => {
    expect(list('')).toEqual({});
    expect(list('state=all')).toEqual({ state: 'all' });
    expect(users('offset=7&limit=0009')).toEqual({ offset: 7, limit: 9 });
    expect(minutes('start_date=2026-01-01&end_date=&cursor=null')).toEqual({
      start_date: '2026-01-01',
      end_date: null,
      cursor: null,
    });
  });

  it.each(['', 'All', 'open%00'])('is refused for the state %j', (state) => {
    const reason = state.includes('%00')
      ? 'must not contain a NUL character'
      : 'must be one of open, all';
    expect(problemOf(() => list(`state=${state}`))).toEqual(invalid(['state', reason]));
  });

  it.each(['', 'null', '1.0', '1e2', '+1', ' 1', '0x1', '1'.repeat(16)])(
    'is refused for the number %j',
    (number) => {
      expect(problemOf(() => users(`limit=${encodeURIComponent(number)}`))).toEqual(
        invalid(['limit', 'must be a whole number']),
      );
    },
  );

  it('is told all that is wrong at once, each parameter once', () => {
    expect(problemOf(() => users('limit=0&offset=x&limits=1&offset=2&limit=501'))).toEqual(
      invalid(
        ['limit', 'must not be repeated'],
        ['offset', 'must not be repeated'],
        ['limits', 'is not a parameter of this operation'],
      ),
    );
    expect(problemOf(() => minutes('start_date=x&end_date=y'))?.errors).toMatchObject([
      { parameter: 'start_date' },
      { parameter: 'end_date' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'has no parameter %s that was not declared',
    (name) => {
      expect(problemOf(() => list(`${name}=x`))?.errors).toHaveLength(1);
    },
  );

  it('tells an unknown name back only where it looks like one', () => {
    const reason = 'is not a parameter of this operation';
    expect(problemOf(() => list('stat=all'))).toEqual(invalid(['stat', reason]));
    expect(problemOf(() => list('Amara+Okafor=1'))).toEqual(invalid(['query', reason]));
  });
});

describe('a path', () => {
  it('is what its schema says, and a lost id is not found', () => {
    expect(order({ order_id: userId })).toEqual({ order_id: userId });
    expect(problemOf(() => order({ order_id: 'x' }))).toEqual(invalid(['order_id', wrongUser[1]]));
    for (const lost of ['', '.', '..']) {
      expect(problemOf(() => order({ order_id: lost }))).toMatchObject({ type: 'not-found' });
    }
  });
});
