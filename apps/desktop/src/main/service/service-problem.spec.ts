import { HealthDataApiError } from '@caregate/api-client';
import type { ApiErrorParts } from '@caregate/api-client';
import { describe, expect, it } from '@jest/globals';
import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import type { OperationName } from '@caregate/domain/operations';
import type { Problem } from '../../bridge/problem.ts';
import { toProblem } from './service-problem.ts';

describe('a service that hasn’t an operation at all', () => {
  it.each([405, 501])('says so by %d', (status) => {
    const error = new HealthDataApiError('/', { status, headers: {} });
    expect(toProblem(error, { operation: 'listOrders' })).toEqual({
      kind: 'notOffered',
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

  it('tells of an order without a result where it is, as far as the service says', () => {
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

  it('of anything else says no more than that nothing was found, whatever its words', () => {
    const detail = 'This user has no primary insurance on record.';
    for (const type of ['/problems/not-found', 'about:blank', undefined]) {
      const problem = of({ detail, ...(type !== undefined && { type }) });
      expect(problem).toEqual({ kind: 'notFound', operation: 'latestInsurance' });
    }
    expect(of({}, 'resolveUser')).toEqual({ kind: 'notFound', operation: 'resolveUser' });
  });
});
