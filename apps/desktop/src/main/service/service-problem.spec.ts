import { HealthDataApiError } from '@caregate/api-client';
import type { ApiErrorParts } from '@caregate/api-client';
import { describe, expect, it } from '@jest/globals';
import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import type { OperationName } from '@caregate/domain/operations';
import type { Problem } from '../../shared/problem.ts';
import { toProblem } from './service-problem.ts';

describe('a refusal', () => {
  it.each([
    [400, 'invalid'],
    [401, 'expired'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [405, 'notOffered'],
    [418, 'serverBroken'],
    [422, 'invalid'],
    [429, 'busy'],
    [500, 'serverBroken'],
    [501, 'notOffered'],
  ])('of status %d is told as %s, without the words of the service', (status, kind) => {
    const error = new HealthDataApiError('/', {
      ...{ status, headers: {}, detail: 'MRN-1' },
      errors: [{ parameter: 'limit', reason: 'MRN-1' }],
    });
    expect(toProblem(error, { operation: 'listOrders' })).toEqual({
      kind,
      operation: 'listOrders',
    });
  });
});

describe('a 404', () => {
  const of = (
    refusal: Partial<ApiErrorParts>,
    operation: OperationName = 'latestInsurance',
  ): Problem => {
    const parts = { status: 404, headers: {}, ...refusal };
    return toProblem(new HealthDataApiError('/', parts), { operation });
  };
  const missing = { kind: 'notFound', operation: 'latestInsurance', missing: 'insurance' };

  it.each(['This user has no primary insurance on record.', 'In other words.', undefined])(
    'tells by its type that the person has no such insurance, whatever its words: %s',
    (detail) => {
      expect(of({ type: NO_INSURANCE, ...(detail !== undefined && { detail }) })).toEqual(missing);
    },
  );

  it('has the status of an order without a result, if the service sends it', () => {
    const none = { kind: 'notFound', operation: 'labOrderResult', missing: 'result' };
    const orderStatus = 'received.walk_in_test.ordered';
    expect(of({ type: NO_RESULT, orderStatus }, 'labOrderResult')).toEqual({
      ...none,
      orderStatus,
    });
    for (const wrong of [undefined, '', 'x'.repeat(101)]) {
      expect(of({ type: NO_RESULT, orderStatus: wrong }, 'labOrderResult')).toEqual(none);
    }
  });

  it('of anything else is only notFound, whatever its text', () => {
    const detail = 'This user has no primary insurance on record.';
    for (const type of ['/problems/not-found', 'about:blank', undefined]) {
      const problem = of({ detail, ...(type !== undefined && { type }) });
      expect(problem).toEqual({ kind: 'notFound', operation: 'latestInsurance' });
    }
    expect(of({}, 'resolveUser')).toEqual({ kind: 'notFound', operation: 'resolveUser' });
  });
});
