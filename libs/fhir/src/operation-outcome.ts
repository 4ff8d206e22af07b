import type { ProblemDetails } from '@caregate/domain';
import type { OperationOutcome, OperationOutcomeIssue } from 'fhir/r4.js';
import { text, URIS } from './elements.ts';

/** Any error of the service, with its `type`; an issue for each rejected parameter. */
export function operationOutcome(problem: ProblemDetails): OperationOutcome {
  const issue: OperationOutcomeIssue = {
    severity: 'error',
    code: codeOf(problem.status),
    details: { coding: [{ system: URIS, code: problem.type }], text: text(problem.title) },
    diagnostics: text(problem.detail),
  };
  const errors = problem.errors ?? [];
  return {
    resourceType: 'OperationOutcome',
    issue:
      errors.length === 0
        ? [issue]
        : errors.map(({ parameter, reason }) => ({
            ...issue,
            diagnostics: text(`${parameter} ${reason}`),
            expression: [parameter],
          })),
  };
}

function codeOf(status: number): OperationOutcomeIssue['code'] {
  switch (status) {
    case 400:
    case 422:
      return 'invalid';
    case 401:
      return 'login';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 405:
    case 406:
    case 415:
    case 501:
      return 'not-supported';
    case 409:
      return 'conflict';
    case 413:
      return 'too-long';
    case 429:
      return 'throttled';
    case 502:
    case 503:
    case 504:
      return 'transient';
    default:
      return status < 500 ? 'processing' : 'exception';
  }
}
