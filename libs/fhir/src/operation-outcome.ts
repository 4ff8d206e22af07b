import type { ProblemDetails } from '@caregate/domain';
import type { OperationOutcome, OperationOutcomeIssue } from 'fhir/r4.js';
import { cleanText, URIS } from './elements.ts';

const CODES: Readonly<Record<number, OperationOutcomeIssue['code']>> = {
  ...{ 400: 'invalid', 422: 'invalid', 401: 'login', 403: 'forbidden', 404: 'not-found' },
  ...{ 405: 'not-supported', 406: 'not-supported', 415: 'not-supported', 501: 'not-supported' },
  ...{ 409: 'conflict', 413: 'too-long', 429: 'throttled' },
  ...{ 502: 'transient', 503: 'transient', 504: 'transient' },
};

/** Converts a problem document to an OperationOutcome, with one issue for each rejected parameter. */
export function buildOperationOutcome(problem: ProblemDetails): OperationOutcome {
  const issue: OperationOutcomeIssue = {
    severity: 'error',
    code: CODES[problem.status] ?? (problem.status < 500 ? 'processing' : 'exception'),
    details: { coding: [{ system: URIS, code: problem.type }], text: cleanText(problem.title) },
    diagnostics: cleanText(problem.detail),
  };
  const errors = problem.errors ?? [];
  return {
    resourceType: 'OperationOutcome',
    issue:
      errors.length === 0
        ? [issue]
        : errors.map(({ parameter, reason }) => ({
            ...issue,
            diagnostics: cleanText(`${parameter} ${reason}`),
            expression: [parameter],
          })),
  };
}
