/** An entry point of its own, so that the compiled validators are in no bundle that does not ask for them. */
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import type { OperationName } from '@caregate/domain/operations';
import type { ResponseIssue } from './errors/call-errors.ts';
import type { ResponseValidation } from './read-answer.ts';

export type { OperationName } from '@caregate/domain/operations';
export type { ResponseIssue } from './errors/call-errors.ts';
export type { ResponseValidation } from './read-answer.ts';

/** `strict` refuses answers that break the interface, `warn` reports them and hands them on, `off` does not look. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** An answer that breaks the interface and was handed on. Holds the answer's field names and no values. */
export interface ValidationReport {
  readonly operation: OperationName;
  readonly route: string;
  readonly issues: readonly ResponseIssue[];
}

/**
 * The client's option `validation`. Fields and enum values that the interface does not name are right in every mode
 * and kept. In `strict`, calls reject with InvalidResponseError, whose `issues` tell where. What `report` throws is
 * dropped.
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
    refusals: (operation, route, body) => {
      if (mode === 'off') return [];
      const verdict = ANSWER_VALIDATORS[operation](body);
      if (verdict.ok) return [];
      if (mode === 'strict') return verdict.issues;
      try {
        Promise.resolve(report?.({ operation, route, issues: verdict.issues })).catch(
          () => undefined,
        );
      } catch {
        // A broken log does not break the call.
      }
      return [];
    },
  };
}
