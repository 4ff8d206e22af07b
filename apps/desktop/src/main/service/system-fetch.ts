import type { FetchFunction } from '@caregate/api-client';

/**
 * Adds the error code, which Electron has only in the message ("net::ERR_…"). A redirect, which is never followed, has
 * no code.
 */
export function withErrorCodes(fetch: FetchFunction): FetchFunction {
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      throw withCode(error);
    }
  };
}

function withCode(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = /net::(ERR_[A-Z0-9_]+)/u.exec(error.message)?.[1];
  if (code !== undefined) return Object.assign(error, { code });
  return /redirect/iu.test(error.message)
    ? Object.assign(error, { code: 'REDIRECT_NOT_FOLLOWED' })
    : error;
}
