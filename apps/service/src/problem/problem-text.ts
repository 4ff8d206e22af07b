import { serializeProblemDetails } from '@caregate/domain/serialize';
import type { Problem } from './problem-error.ts';
import { PROBLEMS } from './problems.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** The JSON text of a problem document (RFC 9457). `type` is a relative reference that the service itself
 * answers (`problem-pages.ts`). */
export function problemText(problem: Problem, requestId: string): string {
  const { status, title, detail } = PROBLEMS[problem.type];
  return serializeProblemDetails({
    type: `/problems/${problem.type}`,
    title,
    status,
    detail: problem.detail ?? detail,
    ...(problem.errors === undefined ? {} : { errors: [...problem.errors] }),
    request_id: requestId,
  });
}
