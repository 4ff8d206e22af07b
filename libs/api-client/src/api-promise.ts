import { withCallerStack } from './errors/health-data-error.ts';

export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  /** Headers with names in lower case. Repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** `x-request-id` of the response. */
  readonly requestId: string | undefined;
  /** The unparsed text of the body. */
  readonly text: string;
}

/** A promise of the parsed body, which every call returns. */
export interface ApiPromise<T> extends Promise<T> {
  /**
   * Returns the response of the same call with status, headers and request ID. Doesn't send another request.
   *
   * @example
   * const { data, requestId } = await client.users.resolve('patient-17').withResponse();
   */
  withResponse(): Promise<ApiResponse<T>>;
}

export function createApiPromise<T>(answer: Promise<ApiResponse<T>>): ApiPromise<T> {
  const data = answer.then((response) => response.data);
  return Object.assign(data, {
    withResponse: async (): Promise<ApiResponse<T>> => {
      // The caller handles the promise returned here, so the other one's rejection must not count as unhandled.
      data.catch(() => undefined);
      try {
        return await answer;
      } catch (error) {
        throw withCallerStack(error);
      }
    },
  });
}
