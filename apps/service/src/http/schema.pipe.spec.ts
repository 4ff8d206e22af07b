import type { ArgumentMetadata } from '@nestjs/common';
import {
  validateBreakGlassListQuery,
  validateBreakGlassRequest,
  validateLabOrderResultParams,
  validateListUsersQuery,
  validateMindfulnessMinutesQuery,
} from '@caregate/domain/validate';
import { describe, expect, it } from '@jest/globals';
import type { Problem, ProblemError } from '../problem/problem-error.ts';
import { parseQueryValues, SchemaPipe } from './schema.pipe.ts';

const userId = 'a0000000-0000-4000-8000-00000000000A';
const text = 'Unconscious at the front desk';
const requested = { reason_code: 'other', text, user_id: userId };
const pipe = new SchemaPipe();

type Schema = NonNullable<ArgumentMetadata['schema']>;
const checkBody = (value: unknown): unknown =>
  pipe.transform(value, { type: 'body', schema: validateBreakGlassRequest });
const checkParams = (value: unknown): unknown =>
  pipe.transform(value, { type: 'param', schema: validateLabOrderResultParams });
const checkQuery = (schema: Schema, query: string): unknown =>
  pipe.transform(parseQueryValues(query), { type: 'query', schema });

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
const unknown = [
  '(unknown)',
  'is not a known field; the fields are reason_code, text, user_id, id_token, nonce_random',
] as const;

describe('a body', () => {
  it.each<[object, ...(readonly [string, string])[]]>([
    [{ text: undefined }, ['text', 'is required']],
    [{ text: null }, ['text', 'must be a string']],
    [{ text: `${text}\0` }, wrongText],
    [{ text: 'x'.repeat(19) }, wrongText],
    [{ text: '😀'.repeat(40) }, wrongText],
    [{ text: 'x'.repeat(2001) }, wrongText],
    [{ reason_code: 'Other' }, wrongReason],
    [{ minutes: 600 }, unknown],
    [{ 'Amara Okafor': 1 }, unknown],
    [{ reason_code: 'x', text: 'x', user_id: 'x' }, wrongReason, wrongText, wrongUser],
  ])('is refused with all that is wrong, each field once: %j', (wrong, ...errors) => {
    expect(problemOf(() => checkBody({ ...requested, ...wrong }))).toEqual(invalid(...errors));
  });

  it.each([undefined, [requested]])('must be an object, not %j', (body) => {
    expect(problemOf(() => checkBody(body))).toEqual({
      ...{ type: 'malformed-request', detail: 'The request body must be a JSON object.' },
    });
  });
});

describe('a query', () => {
  it('is read as what its schema expects', () => {
    expect(checkQuery(validateBreakGlassListQuery, 'state=all')).toEqual({ state: 'all' });
    const page = checkQuery(validateListUsersQuery, 'offset=7&limit=0009');
    expect(page).toEqual({ offset: 7, limit: 9 });
    const minutes = 'start_date=2026-01-01&end_date=&cursor=null';
    expect(checkQuery(validateMindfulnessMinutesQuery, minutes)).toEqual({
      ...{ start_date: '2026-01-01', end_date: null, cursor: null },
    });
  });

  it.each(['', '1.0', '+1', '1'.repeat(16)])('is refused for the number %j', (number) => {
    const query = `limit=${encodeURIComponent(number)}`;
    expect(problemOf(() => checkQuery(validateListUsersQuery, query))).toEqual(
      invalid(['limit', 'must be a whole number']),
    );
  });

  const isUnknown = 'is not a parameter of this operation';
  it.each<[string, ...[string, string][]]>([
    ['state=', ['state', 'must be one of open, all']],
    ['state=open%00', ['state', 'must not contain a NUL character']],
    ['state=all&state=all&stat=1', ['state', 'must not be repeated'], ['stat', isUnknown]],
    // This name could contain personal data, so it isn't repeated.
    ['Amara+Okafor=1', ['query', isUnknown]],
    ['constructor=x', ['constructor', isUnknown]],
    ['__proto__=x', ['query', isUnknown]],
  ])('is refused with all that is wrong: %s', (query, ...errors) => {
    expect(problemOf(() => checkQuery(validateBreakGlassListQuery, query))).toEqual(
      invalid(...errors),
    );
  });
});

it('a path is what its schema says, and a lost ID is not found', () => {
  expect(checkParams({ order_id: userId })).toEqual({ order_id: userId });
  const wrong = invalid(['order_id', wrongUser[1]]);
  expect(problemOf(() => checkParams({ order_id: 'x' }))).toEqual(wrong);
  for (const lost of ['', '.', '..']) {
    expect(problemOf(() => checkParams({ order_id: lost }))).toMatchObject({ type: 'not-found' });
  }
});
