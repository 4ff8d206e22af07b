import { FetchTransport } from '@caregate/api-client';
import type {
  ApiPromise,
  ApiResponse,
  Authorize,
  CallOptions,
  FetchFunction,
  Transport,
} from '@caregate/api-client';
import { connectService, type ServiceConnection } from '@caregate/api-client/service';
import type { OperationName } from '@caregate/domain/operations';
import * as v from 'valibot';
import { succeed, fail, type Outcome } from '../../shared/problem.ts';
import { toProblem } from './service-problem.ts';
import { withErrorCodes } from './system-fetch.ts';

export type Run<T> = (service: ServiceConnection, options: CallOptions) => ApiPromise<T>;

/** Calls one service. Its methods never throw. */
export class ServiceClient {
  readonly #address: string;
  readonly #authorize: Authorize;
  readonly #transport: Transport;

  constructor(address: string, fetch: FetchFunction, authorize: Authorize) {
    this.#address = address;
    this.#authorize = authorize;
    this.#transport = new FetchTransport(withErrorCodes(fetch));
  }

  async call<T>(
    run: Run<T>,
    {
      signal,
      operation,
    }: { signal?: AbortSignal | undefined; operation?: OperationName | undefined } = {},
  ): Promise<Outcome<ApiResponse<T>>> {
    // The errors of the API client lack some members of the problem document, so its body is kept.
    let body = '';
    const options = {
      baseUrl: this.#address,
      authorize: this.#authorize,
      // The client doesn't retry: the user waits for the answer and can try again.
      retries: false as const,
      transport: {
        request: async (request: Parameters<Transport['request']>[0]) => {
          const response = await this.#transport.request(request);
          ({ body } = response);
          return response;
        },
      },
    };
    try {
      return { ok: true, value: await run(connectService(options), { signal }).withResponse() };
    } catch (error) {
      return { ok: false, problem: toProblem(error, { body, operation }) };
    }
  }

  async ask<const S extends v.GenericSchema>(
    run: Run<unknown>,
    schema: S,
  ): Promise<Outcome<v.InferOutput<S>>> {
    const answer = await this.call(run);
    if (!answer.ok) return answer;
    const parsed = v.safeParse(schema, answer.value.data);
    return parsed.success ? succeed(parsed.output) : fail('serverBroken');
  }

  async checkReadiness(signal: AbortSignal): Promise<boolean> {
    try {
      const { status } = await this.#transport.request({
        method: 'GET',
        url: `${this.#address}/readyz`,
        headers: { accept: '*/*' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
        maxBodyBytes: 64 * 1024,
      });
      // An older service or a gateway without this route answers 404.
      return status < 500;
    } catch {
      return false;
    }
  }
}
