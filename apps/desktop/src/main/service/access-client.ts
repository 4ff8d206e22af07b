import { FetchTransport, NetworkError } from '@caregate/api-client';
import type { FetchFunction, TransportResponse } from '@caregate/api-client';
import type { Outcome } from '../../bridge/problem.ts';
import type { Schema } from '../../bridge/schema.ts';
import { accessProblem, toProblem } from './service-problem.ts';
import { systemFetch } from './system-fetch.ts';

export interface AccessRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly accept?: string;
  /** What authorises it, for this method and address. */
  readonly headers?: (method: string, url: string) => Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const timeoutMs = 30_000;
const maxBodyBytes = 4 * 1024 * 1024;

/** Requests to one service that aren't reads of patients' data: sign-in, sessions, desks, audit. */
export class AccessClient {
  readonly address: string;
  readonly #fetch: FetchFunction;

  constructor(address: string, fetch: FetchFunction) {
    this.address = address;
    this.#fetch = systemFetch(fetch);
  }

  /** Resolves for every status. Rejects with what the transport rejects with, and when it is aborted. */
  async send(request: AccessRequest): Promise<TransportResponse> {
    const { method, path, body, accept = 'application/json', headers } = request;
    const url = this.address + path;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const limit = AbortSignal.timeout(timeoutMs);
    const transport = new FetchTransport((to, init) =>
      this.#fetch(to, { ...init, method, ...(text !== undefined && { body: text }) }),
    );
    return transport.request({
      method: 'GET',
      url,
      headers: {
        accept,
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers?.(method, url),
      },
      signal: request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]),
      maxBodyBytes,
    });
  }

  /** The answer as JSON of this shape, or why there is none. Never throws. */
  async ask<T>(request: AccessRequest, shape: Schema<T>): Promise<Outcome<T>> {
    const answer = await this.#answer(request);
    if ('problem' in answer) return { ok: false, problem: answer.problem };
    const verdict = shape(parsed(answer.body));
    return verdict.ok
      ? { ok: true, value: verdict.value }
      : { ok: false, problem: { kind: 'serverBroken' } };
  }

  /** For what is answered without a body. Never throws. */
  async tell(request: AccessRequest): Promise<Outcome<undefined>> {
    const answer = await this.#answer(request);
    if ('problem' in answer) return { ok: false, problem: answer.problem };
    return { ok: true, value: undefined };
  }

  async #answer(
    request: AccessRequest,
  ): Promise<TransportResponse | { problem: ReturnType<typeof accessProblem> }> {
    try {
      const answer = await this.send(request);
      return answer.status < 400 ? answer : { problem: accessProblem(answer, Date.now()) };
    } catch (error) {
      if (request.signal?.aborted === true) return { problem: { kind: 'cancelled' } };
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        return { problem: { kind: 'timeout' } };
      }
      return { problem: toProblem(new NetworkError(request.path, error)) };
    }
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
