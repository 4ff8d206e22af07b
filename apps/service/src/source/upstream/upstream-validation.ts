import { validation, type OperationName, type ResponseIssue } from '@caregate/api-client/validate';
import type { ResponseValidation } from '@caregate/api-client';

const strict = validation('strict');

/**
 * Holds answers against the whole interface, by the compiled validators, but for one place: the public API that the
 * interface comes from writes `metadata.age` as a string. It is accepted and passed on as it came.
 */
export const upstreamValidation: ResponseValidation = {
  refusals(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[] {
    return strict.refusals(operation, route, operation === 'labOrderResult' ? aged(body) : body);
  },
};

/** The same result, an age in words left out. */
function aged(body: unknown): unknown {
  const { metadata } = body as { metadata?: { age?: unknown } | null };
  return typeof metadata?.age === 'string'
    ? { ...(body as object), metadata: { ...metadata, age: null } }
    : body;
}
