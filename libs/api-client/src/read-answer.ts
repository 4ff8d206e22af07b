import type { OperationName } from '@caregate/domain/operations';
import type { AttemptStart } from './attempt.ts';
import { InvalidResponseError, type ResponseIssue } from './errors/call-errors.ts';
import { requestIdOf } from './read-problem.ts';
import type { Answer } from './pending-answer.ts';
import type { Fault } from './shape.ts';
import type { TransportResponse } from './transport/transport.ts';

/** Holds parsed bodies against the interface; `@caregate/api-client/validate` makes one. */
export interface ResponseValidation {
  /** What the answer is to be refused for; none where it is handed on. */
  refusals(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[];
}

/** Throws {@link InvalidResponseError}. */
export function readAnswer<T>(
  { operation, route }: Pick<AttemptStart, 'operation' | 'route'>,
  faultOf: Fault,
  response: TransportResponse,
  validation: ResponseValidation | undefined,
): Answer<T> {
  const { status, headers, body: text } = response;
  const requestId = requestIdOf(response);
  const refuse = (reason: string, issues?: readonly ResponseIssue[]): InvalidResponseError =>
    new InvalidResponseError(route, reason, status, requestId, issues);
  // Browsers hide a redirect that was not followed behind status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw refuse('answered with a redirect');
  if (status !== 200) throw refuse(`answered ${status}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // No cause: the parser's message quotes the body.
    throw refuse(`answered ${status} with ${mediaType(response)}, not JSON`);
  }
  const fault = faultOf(body);
  if (fault !== undefined) throw refuse(fault);
  const issues = validation?.refusals(operation, route, body) ?? [];
  if (issues.length > 0) throw refuse('answer is not what the interface describes', issues);
  return { data: body as T, status, headers, requestId, text };
}

function mediaType(response: TransportResponse): string {
  const found = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(response.headers['content-type'] ?? '');
  return found === null ? 'a body of unknown type' : found[0];
}
