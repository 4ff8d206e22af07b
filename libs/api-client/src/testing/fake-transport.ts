import type { ProblemDetails } from '@caregate/domain';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import { SERVICE_ROUTES } from '../service-route.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { EXAMPLE_ANSWERS, type Answers } from './example-answers.ts';

/** A request that the fake transport received. */
export interface FakeRequest {
  readonly operation: keyof Answers;
  /** Decoded IDs from the path, such as `{ client_user_id: 'patient-17' }`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined for reads. */
  readonly body: unknown;
}

/** A failure created by {@link refuse} or {@link disconnect}. */
export class FakeFailure {
  readonly respond: () => TransportResponse;

  constructor(respond: () => TransportResponse) {
    this.respond = respond;
  }
}

/** The response of an operation: an object, a failure, or a function of the request that returns one of them. */
export type FakeAnswer<Answer> =
  | Answer
  | FakeFailure
  | ((request: FakeRequest) => Answer | FakeFailure | Promise<Answer | FakeFailure>);

export type FakeAnswers = { readonly [Name in keyof Answers]?: FakeAnswer<Answers[Name]> };

/**
 * Simulates an error response: the client rejects with the error of this status, such as NotFoundError for 404.
 *
 * @example
 * new FakeTransport({ latestInsurance: refuse(404, { type: '/problems/no-insurance' }) });
 * new FakeTransport({ listUsers: refuse(429, {}, { 'retry-after': '2' }) });
 */
export function refuse(
  status: number,
  problem: Partial<ProblemDetails> = {},
  headers: Readonly<Record<string, string>> = {},
): FakeFailure {
  return new FakeFailure(() =>
    createJsonResponse(status, { type: 'about:blank', status, ...problem }, headers),
  );
}

/**
 * Simulates a lost connection: the client rejects with NetworkError.
 *
 * @example
 * new FakeTransport({ resolveUser: disconnect('ECONNREFUSED') });
 */
export function disconnect(code = 'ECONNRESET'): FakeFailure {
  return new FakeFailure(() => {
    throw Object.assign(new Error('The fake transport has no connection.'), { code });
  });
}

/**
 * A transport for tests. It answers each operation with the given object, or with its {@link EXAMPLE_ANSWERS
 * example}, and sends nothing.
 *
 * @example
 * const transport = new FakeTransport({
 * resolveUser: { ...EXAMPLE_ANSWERS.resolveUser, client_user_id: 'patient-18' },
 * latestInsurance: refuse(404, { type: '/problems/no-insurance' }),
 * });
 * const client = new HealthDataClient({ baseUrl: 'https://health.example', apiKey: 'test', transport });
 */
export class FakeTransport implements Transport {
  /** All requests so far, including retries. */
  readonly requests: FakeRequest[] = [];
  readonly #answers: FakeAnswers;

  constructor(answers: FakeAnswers = {}) {
    this.#answers = { ...EXAMPLE_ANSWERS, ...answers };
  }

  /**
   * Called by the client.
   *
   * @example
   * await client.users.resolve('patient-17');
   * console.log(transport.requests[0]?.ids); // { client_user_id: 'patient-17' }
   */
  async request(request: TransportRequest): Promise<TransportResponse> {
    const { pathname, searchParams: query } = new URL(request.url);
    for (const [operation, method, path] of ROUTES) {
      const ids = method === request.method ? parseIds(pathname, path) : undefined;
      if (ids !== undefined) {
        const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
        return await this.#answer({ operation, ids, query, body }, request.headers['accept']);
      }
    }
    return refuse(404, { detail: 'The fake transport knows no such operation.' }).respond();
  }

  async #answer(request: FakeRequest, accept = 'application/json'): Promise<TransportResponse> {
    this.requests.push(request);
    const configured = this.#answers[request.operation] as FakeAnswer<unknown>;
    const answer =
      typeof configured === 'function' ? await (configured as FunctionAnswer)(request) : configured;
    if (answer instanceof FakeFailure) return answer.respond();
    if (answer === undefined) return { status: 204, headers: {}, body: '' };
    return typeof answer === 'string'
      ? { status: 200, headers: { 'content-type': accept }, body: answer }
      : createJsonResponse(200, answer);
  }
}

type FunctionAnswer = (request: FakeRequest) => unknown;

const ROUTES: readonly (readonly [operation: keyof Answers, method: string, path: string])[] = [
  ...Object.values(READ_OPERATIONS).map(
    ({ route }) => [route.name, 'method' in route ? route.method : 'GET', route.path] as const,
  ),
  ...Object.entries(SERVICE_ROUTES).map(
    ([name, { method, path }]) => [name as keyof typeof SERVICE_ROUTES, method, path] as const,
  ),
];

/**
 * Returns the IDs in a path that ends as the template does, whatever the base URL's prefix, or undefined if it
 * doesn't match.
 */
function parseIds(pathname: string, template: string): Record<string, string> | undefined {
  const names = template.split('/').slice(1);
  const segments = pathname.split('/').slice(-names.length);
  const ids: Record<string, string> = {};
  for (const [place, name] of names.entries()) {
    const segment = segments[place] ?? '';
    if (name.startsWith('{')) ids[name.slice(1, -1)] = decodeURIComponent(segment);
    else if (segment !== name) return undefined;
  }
  return ids;
}

function createJsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  return { status, headers: { 'content-type': type, ...headers }, body: JSON.stringify(body) };
}
