import type { OperationName } from '@caregate/domain/operations';
import type { ApiResponse } from './api-promise.ts';
import { InvalidResponseError, type ResponseIssue } from './errors/call-errors.ts';
import { readRequestId } from './read-problem.ts';
import type { ServiceOperationName } from './service-route.ts';
import type { ShapeCheck } from './shape.ts';
import type { HttpMethod, TransportResponse } from './transport/transport.ts';

/** Validates parsed bodies against the interface. Create it with `@caregate/api-client/validate`. */
export interface ResponseValidation {
  /** Returns the reasons to reject the response; empty to accept it. */
  findIssues(operation: OperationName, route: string, body: unknown): readonly ResponseIssue[];
}

export type Expected =
  /**
   * A read of the interface document: status 200 with JSON that passes this check. It is retried, and validated if
   * the client has validation.
   */
  | ShapeCheck
  | { readonly form: 'json'; readonly fault: ShapeCheck }
  /** The body as text, of this media type. */
  | { readonly form: 'text'; readonly accept: string }
  /** Status 204 without a body. */
  | { readonly form: 'nothing' }
  /** JSON that passes this check, or status 204. */
  | { readonly form: 'any'; readonly fault: ShapeCheck };

/** An operation of the service. The method is GET by default. */
export interface CallRoute {
  readonly name: OperationName | ServiceOperationName;
  readonly method?: HttpMethod;
  /** Path with parameters as `{name}`. */
  readonly path: string;
}

const STATUSES = {
  read: [200],
  json: [200, 201],
  text: [200, 201],
  nothing: [204],
  any: [200, 201, 204],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** Parses and checks the response. Throws {@link InvalidResponseError}. */
export function readResponse<T>(
  operation: CallRoute['name'],
  route: string,
  expected: Expected,
  response: TransportResponse,
  validation: ResponseValidation | undefined,
): ApiResponse<T> {
  const { status, headers, body: text } = response;
  const requestId = readRequestId(response);
  const refuse = (reason: string, issues?: readonly ResponseIssue[]): InvalidResponseError =>
    new InvalidResponseError(route, reason, status, requestId, issues);
  // Browsers report a redirect that was not followed as status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw refuse('responded with a redirect');
  const form = typeof expected === 'function' ? 'read' : expected.form;
  if (!STATUSES[form].some((each) => each === status))
    throw refuse(`responded with status ${status}`);
  const withData = (data: unknown): ApiResponse<T> => ({
    ...{ data: data as T, status, headers, requestId, text },
  });
  if (status === 204) return withData(undefined);
  if ('accept' in expected) {
    const isWanted = headers['content-type']?.startsWith(expected.accept) === true;
    if (!isWanted)
      throw refuse(`responded with ${readMediaType(response)} instead of ${expected.accept}`);
    return withData(text);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Don't pass the parser's error as cause, since its message quotes the body.
    throw refuse(`responded with ${readMediaType(response)} instead of JSON`);
  }
  const findFault = 'fault' in expected ? expected.fault : (expected as ShapeCheck);
  const fault = findFault(body);
  if (fault !== undefined) throw refuse(fault);
  if (form === 'read') {
    const issues = validation?.findIssues(operation as OperationName, route, body) ?? [];
    if (issues.length > 0) throw refuse('response does not match the interface', issues);
  }
  return withData(body);
}

function readMediaType(response: TransportResponse): string {
  const found = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(response.headers['content-type'] ?? '');
  return found === null ? 'an unknown content type' : found[0];
}
