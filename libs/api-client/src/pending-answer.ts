import { ownError } from './errors/health-data-error.ts';

/** A body with what came around it. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** `x-request-id` of the answer. */
  readonly requestId: string | undefined;
  /** The body's text as it came. */
  readonly text: string;
}

/** What every call returns: a promise of the body. */
export interface PendingAnswer<T> extends Promise<T> {
  /** The same call's body with status, headers and request id; sends nothing of its own. */
  withResponse(): Promise<Answer<T>>;
}

export function pendingAnswer<T>(answer: Promise<Answer<T>>): PendingAnswer<T> {
  const data = answer.then((whole) => whole.data);
  return Object.assign(data, {
    withResponse: async (): Promise<Answer<T>> => {
      // The caller deals with the promise given here; the other one's rejection is no oversight.
      data.catch(() => undefined);
      try {
        return await answer;
      } catch (error) {
        throw ownError(error);
      }
    },
  });
}
