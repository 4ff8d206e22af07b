/** A separate entry point keeps the compiled validators out of bundles that don't use them. */
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import type { OperationName } from '@caregate/domain/operations';
import type { ResponseIssue } from './errors/call-errors.ts';
import { runQuietly } from './logger.ts';
import type { ResponseValidation } from './read-response.ts';

export type { OperationName } from '@caregate/domain/operations';
export type { ResponseIssue } from './errors/call-errors.ts';
export type { ResponseValidation } from './read-response.ts';

/** `strict` rejects responses that violate the interface, `warn` reports and accepts them, `off` disables validation. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** An accepted response that violates the interface. It contains field names of the response, but no values. */
export interface ValidationReport {
  readonly operation: OperationName;
  readonly route: string;
  readonly issues: readonly ResponseIssue[];
}

/**
 * Creates the value of the client option `validation`. Unknown fields and enum values are accepted and kept in every
 * mode. `strict` rejects other violations with InvalidResponseError, whose `issues` say where they are. Errors thrown
 * by `report` are ignored.
 *
 * @example
 * const client = new HealthDataClient({ baseUrl, apiKey, validation: validation('strict') });
 */
export function validation(mode: 'strict' | 'off'): ResponseValidation;
export function validation(
  mode: ValidationMode,
  report: (report: ValidationReport) => unknown,
): ResponseValidation;
export function validation(
  mode: ValidationMode,
  report?: (report: ValidationReport) => unknown,
): ResponseValidation {
  return {
    findIssues: (operation, route, body) => {
      if (mode === 'off') return [];
      const verdict = ANSWER_VALIDATORS[operation](body);
      if (verdict.ok) return [];
      if (mode === 'strict') return verdict.issues;
      runQuietly(() => report?.({ operation, route, issues: verdict.issues }));
      return [];
    },
  };
}
