import type { OperationName } from '@caregate/domain/operations';
import { InvalidResponseError, type ResponseIssue } from './errors/call-errors.ts';
import { requestIdOf } from './read-problem.ts';
import type { ApiResponse } from './api-promise.ts';
import type { Fault } from './shape.ts';
import type { TransportResponse } from './transport/transport.ts';

/** Validates parsed bodies against the interface; created by `@caregate/api-client/validate`. */
export interface ResponseValidation {
  /** The reasons to reject the response; empty to accept it. */
  refusals(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[];
}

/** Throws {@link InvalidResponseError}. */
export function readResponse<T>(
  { operation, route }: { readonly operation: OperationName; readonly route: string },
  faultOf: Fault,
  response: TransportResponse,
  validation: ResponseValidation | undefined,
): ApiResponse<T> {
  const { status, headers, body: text } = response;
  const requestId = requestIdOf(response);
  const refuse = (reason: string, issues?: readonly ResponseIssue[]): InvalidResponseError =>
    new InvalidResponseError(route, reason, status, requestId, issues);
  // Browsers report a redirect that was not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw refuse('responded with a redirect');
  if (status !== 200) throw refuse(`responded with status ${status}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // No cause: the message of the parser quotes the body.
    throw refuse(`responded with ${mediaType(response)} instead of JSON`);
  }
  const fault = faultOf(body);
  if (fault !== undefined) throw refuse(fault);
  const issues = validation?.refusals(operation, route, body) ?? [];
  if (issues.length > 0) throw refuse('response does not match the interface', issues);
  return { data: body as T, status, headers, requestId, text };
}

function mediaType(response: TransportResponse): string {
  const found = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(response.headers['content-type'] ?? '');
  return found === null ? 'an unknown content type' : found[0];
}
