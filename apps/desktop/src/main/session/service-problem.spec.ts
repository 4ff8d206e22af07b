import { HealthDataApiError } from '@caregate/api-client';
import { describe, expect, it } from '@jest/globals';
import type { OperationName, Problem } from '../../bridge/problem.ts';
import { toProblem } from './service-problem.ts';

describe('a 404', () => {
  const of = (detail: string, operation: OperationName = 'latestInsurance'): Problem => {
    return toProblem(new HealthDataApiError('/', { status: 404, detail, headers: {} }), operation);
  };

  it.each(['primary', 'secondary'])(
    "tells from the service's own words that the person has no %s insurance",
    (which) => {
      expect(of(`This user has no ${which} insurance on record.`)).toEqual({
        kind: 'notFound',
        operation: 'latestInsurance',
        missing: 'insurance',
      });
    },
  );

  it('of anything else says no more than that nothing was found', () => {
    const kind = { kind: 'notFound' };
    expect(of('There is no such record in this team.')).not.toHaveProperty('missing');
    expect(of('User MRN-1 has no primary insurance on record.')).not.toHaveProperty('missing');
    expect(of('This user has no primary insurance on record.', 'resolveUser')).not.toHaveProperty(
      'missing',
    );
    expect(of('')).toMatchObject(kind);
  });
});
