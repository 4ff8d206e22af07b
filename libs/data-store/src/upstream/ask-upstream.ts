import { NotFoundError, type ApiPromise, type CallOptions } from '@caregate/api-client';
import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { SourceCall, SourceName, SourceQuery, SourceResult } from '../health-data-source.ts';
import { upstreamProblem } from './upstream-problem.ts';

export type UpstreamReaders<Names extends SourceName = ReadName> = {
  readonly [Name in Names]: (
    query: SourceQuery<Name>,
    call?: SourceCall,
  ) => Promise<SourceResult<Name>>;
};

export async function ask<T>(
  call: SourceCall | undefined,
  send: (options: CallOptions) => ApiPromise<T>,
): Promise<Awaited<ReturnType<ApiPromise<T>['withResponse']>> | NotFoundError> {
  const options =
    call === undefined
      ? {}
      : {
          signal: call.signal,
          headers: { 'x-request-id': call.requestId, ...call.traceHeaders },
        };
  return await send(options)
    .withResponse()
    .catch((error: unknown) => {
      if (error instanceof NotFoundError && saysWhy(error)) {
        return error;
      }
      throw upstreamProblem(error);
    });
}

/** A 404 without a JSON body comes from a proxy or a wrong URL: it does not mean that the data is missing. */
function saysWhy(error: NotFoundError): boolean {
  return error.detail !== undefined || error.type !== undefined || error.errors.length > 0;
}

/** Microseconds since 1970 as a date-time in UTC, with a fraction only if needed. */
export function instantText(us: number): string {
  const seconds = Math.floor(us / 1e6);
  const fraction = us - seconds * 1e6;
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(6, '0')}Z`;
}
