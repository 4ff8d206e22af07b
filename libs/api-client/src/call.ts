import type { AnswerOf } from '@caregate/domain/operations';
import { checkHeaders, fillPath, queryText, routeOf, type DocumentedRoute } from './address.ts';
import { attempt } from './attempt.ts';
import type { AttemptParts, AttemptStart, Target } from './attempt.ts';
import { checkTimeout, withDeadline } from './deadline.ts';
import type { NetworkError } from './errors/call-errors.ts';
import { ownError } from './errors/health-data-error.ts';
import { pendingAnswer } from './pending-answer.ts';
import type { Answer, PendingAnswer } from './pending-answer.ts';
import { readAnswer } from './read-answer.ts';
import type { ResponseValidation } from './read-answer.ts';
import type { Hedging } from './resilience/hedging.ts';
import { withRetries } from './resilience/retries.ts';
import type { RetryPolicy, RetryReason } from './resilience/retries.ts';
import { SharedFlights } from './resilience/shared-flights.ts';
import type { Fault } from './shape.ts';
import type { TransportResponse } from './transport/transport.ts';

/** What every call takes. */
export interface CallOptions {
  /** Gives the call up, at any moment until the answer is there. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds until the whole answer must be read, retries and waits included; the client's own unless given. In
   * iterators: for each page.
   */
  readonly timeoutMs?: number | undefined;
  /** True: shares the request of an identical call of this client that is in flight and was made with true as well. */
  readonly coalesce?: boolean | undefined;
  /** Further request headers, such as a request id to pass on; the key's and `accept` stay ours. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface CallParts {
  readonly ids?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/**
 * Makes one call of an operation, whose answer must have the outline that `fault` checks; its parts as they are or
 * checked first. Rejects with subclasses of HealthDataError only.
 */
export type Call = <R extends DocumentedRoute>(
  operation: R,
  fault: Fault,
  parts: () => CallParts,
  options: CallOptions | undefined,
) => PendingAnswer<AnswerOf<R['name']>>;

export interface CallerParts extends AttemptParts {
  readonly address: string;
  readonly timeoutMs: number;
  readonly retries: RetryPolicy;
  readonly hedging: Hedging | undefined;
  readonly validation: ResponseValidation | undefined;
}

/** The key lives in this closure alone, where no inspection reaches it. */
export function callerOf(caller: CallerParts): Call {
  const { clock } = caller;
  const flights = new SharedFlights<TransportResponse>();
  const run = async <R extends DocumentedRoute>(
    operation: R,
    fault: Fault,
    parts: () => CallParts,
    options: CallOptions | undefined,
  ): Promise<Answer<AnswerOf<R['name']>>> => {
    try {
      const route = routeOf(operation);
      const asked = { operation: operation.name, route };
      const { ids = {}, query = {} } = parts();
      const url = caller.address + fillPath(operation.path, ids, route) + queryText(query, route);
      const timeoutMs = checkTimeout(options?.timeoutMs ?? caller.timeoutMs);
      const headers = checkHeaders(options?.headers ?? {}, route);
      const deadlineAt = clock.now() + timeoutMs;
      const send = (signal: AbortSignal, until: () => number): Promise<TransportResponse> =>
        requests(caller, asked, { url, headers }, signal, until);
      const response = await withDeadline(clock, route, timeoutMs, options?.signal, (signal) =>
        options?.coalesce === true
          ? flights.join(JSON.stringify([url, headers]), signal, deadlineAt, send)
          : send(signal, () => deadlineAt),
      );
      return readAnswer(asked, fault, response, caller.validation);
    } catch (error) {
      throw ownError(error);
    }
  };
  return (...call) => pendingAnswer(run(...call));
}

/** The requests of one call: the first, its retries and a hedge. */
function requests(
  caller: CallerParts,
  asked: Pick<AttemptStart, 'operation' | 'route'>,
  target: Target,
  signal: AbortSignal,
  deadlineAt: () => number,
): Promise<TransportResponse> {
  const { clock, hedging, retries: policy } = caller;
  let sent = 0;
  let to = target;
  const one = async (
    retryReason: RetryReason | undefined,
    inner: AbortSignal,
  ): Promise<TransportResponse> => {
    sent += 1;
    const start = {
      ...asked,
      attempt: sent,
      retryReason,
      sentRequestId: target.headers['x-request-id'],
    };
    try {
      return await attempt(caller, start, to, inner);
    } catch (error) {
      if ((error as Partial<NetworkError>).onKeptConnection)
        to = { ...target, newConnection: true };
      throw error;
    }
  };
  return withRetries({ policy, clock, signal, deadlineAt }, (round, reason) => {
    // A retry has no hedge of its own: the service has trouble enough.
    if (hedging === undefined || round > 1) return one(reason, signal);
    return hedging.race({
      ...asked,
      clock,
      budget: policy.budget,
      signal,
      send: (inner, hedge) => one(hedge ? 'hedge' : undefined, inner),
    });
  });
}
